// One search: roots in, totals out: salet/search/exact/solver.py and ties.py.
//
// Whatever may search is a generator: it yields after every slice of the search, so that its caller
// can look at the clock and at messages; its result is what it returns. Totals are BigInts.
import {
  ALL_GUESSES, EXPAND, EXPAND_ONLY, INF, MAX_CANDIDATES_FIRST, MODES, NEXT_GUESS, ONE_GUESS, UNKNOWN_GREEN,
} from "./definitions.js";
import { countersOf, frameOf, stackOf } from "./layout.js";

const SLICE = 16; // states expanded in one call
const MASK = (1n << 64n) - 1n;

/** The clock has run out, or the person has gone on, before a result was known. */
export class SearchInterrupted extends Error {}

/** Room for bounds of states: entries of four words, a power of two of them. */
export function transpositionTable(kernels, megabytes) {
  const most = Math.floor((megabytes * 2 ** 20) / 32);
  const slots = 2 ** Math.max(8, Math.floor(Math.log2(most || 1)));
  return { entries: kernels.zeros("u8", [slots, 4]) };
}

/** Exact totals of states and guesses, under a price of losses and a width of the beam. */
export class Solver {
  constructor(table, layout, { loss = INF, width = 0, maxDepth, megabytes = 8 }) {
    const { kernels, size } = table;
    this.table = table;
    this.layout = { ...layout, loss, width };
    this.maxDepth = Math.min(maxDepth, table.answers + 1);
    this.entries = transpositionTable(kernels, megabytes);
    this.stack = stackOf(kernels, size, layout, this.maxDepth);
    this.frame = frameOf(this.stack);
    this.counters = countersOf(this.stack);
    this.search = kernels.prepare(`search_${size}`, {
      layout: this.layout, stack: this.stack, table: this.entries, phase: 0, budget: SLICE,
    });
    this.probe = kernels.prepare("probe", { table: this.entries, key0: 0, key1: 0 });
    const weights = layout.weights.data;
    this.byWeight = layout.unit ? null : Int32Array.from(weights.keys()).sort(
      (a, b) => Number(weights[b] - weights[a]) || a - b,
    );
  }

  get nodes() {
    return Number(this.counters.nodes);
  }

  /** The total of a state, or of one guess in it: exact if below beta, else at least beta. */
  *value(root, guess = null, { beta = INF, feasible = false, clock = null } = {}) {
    this.enter(root);
    const { frame, stack, layout } = this;
    this.search.set("layout.feasible", feasible ? 1 : 0);
    if (frame.depth <= 0n) return layout.loss >= INF ? INF : BigInt(layout.loss) * frame.weight;
    frame.beta = beta;
    if (guess === null) {
      frame.kind = ALL_GUESSES;
      const [key0, key1] = stack.keys.data;
      this.probe.set("key0", key0);
      this.probe.set("key1", key1);
      const [lower, upper] = this.probe.run();
      if (!layout.width && (lower === upper || (feasible && upper >= 0n && upper < INF))) return lower;
      return yield* this.run(EXPAND, clock);
    }
    Object.assign(frame, {
      kind: ONE_GUESS, best: INF, best_guess: -1, lower: 0, is_sorted: 1, queued: 1, taken: 0, tried: 0,
      max_parts: frame.count, max_peel: frame.count,
    });
    const index = this.table.indexOf[guess];
    stack.queue.data[0] = index;
    stack.bounds.data[index] = 0n;
    stack.part_nodes.fill(0n);
    return yield* this.run(NEXT_GUESS, clock);
  }

  /** Run the search from a phase of the bottom frame to its end. */
  *run(phase, clock) {
    const { search, counters } = this;
    counters.level = 0;
    search.set("phase", phase);
    for (;;) {
      const [finished, next, value] = search.run();
      if (finished & 1n) return value;
      search.set("phase", next);
      if (clock?.spend(SLICE)) throw new SearchInterrupted();
      this.table.kernels.searches++; // meanwhile nobody else may use the memory
      yield;
      this.table.kernels.searches--;
    }
  }

  /** Put a state at the bottom of the stack. */
  enter(root) {
    const { stack, layout, frame } = this;
    const count = root.answers.length;
    let members = root.answers.map((answer) => this.table.columnOf[answer]);
    if (this.byWeight) {
      const chosen = new Set(members);
      members = this.byWeight.filter((at) => chosen.has(at));
    }
    stack.answers.data.set(members);
    const weights = layout.weights.data;
    frame.start = 0;
    frame.count = count;
    frame.weight = layout.unit ? count : members.reduce((sum, at) => sum + Number(weights[at]), 0);
    frame.depth = Math.min(root.depth, count + 1, this.maxDepth);
    const [answerKeys, depthKeys] = [layout.answer_keys.data, layout.depth_keys.data];
    const legal = this.enterLegal(root);
    const depth = Math.min(Number(frame.depth), count);
    for (const half of [0, 1]) {
      let key = legal[half] + depthKeys[2 * depth + half];
      for (const at of members) key += answerKeys[2 * at + half];
      stack.keys.data[half] = key & MASK;
    }
  }

  /** Put the legal guesses of a state at the bottom of the stack; returns their key. */
  enterLegal(root) {
    const { stack, layout, frame } = this;
    const key = [0n, 0n];
    if (layout.mode === MODES.normal) return key;
    const legal = Int32Array.from(root.legal, (guess) => this.table.indexOf[guess]).sort();
    stack.legal.data.set(legal);
    frame.legal = legal.length;
    const rule = layout.legality;
    const add = (keys, at) => [0, 1].forEach((half) => { key[half] += keys[2 * at + half]; });
    if (layout.mode === MODES.strict) {
      const keys = rule.guess_keys.data;
      for (const guess of legal) add(keys, guess);
    } else {
      const length = rule.letters.shape[1];
      const alphabet = rule.need_keys.shape[0] / length;
      const [greens, needs] = [stack.greens.data, stack.needs.data];
      greens.fill(UNKNOWN_GREEN, 0, length);
      needs.fill(0, 0, alphabet);
      for (const [position, letter] of root.greens) {
        greens[position] = letter;
        add(rule.green_keys.data, position * alphabet + letter);
      }
      for (const [letter, count] of root.needs) {
        needs[letter] = count;
        for (let times = 0; times < count; times++) add(rule.need_keys.data, letter * length + times);
      }
    }
    stack.legal_keys.data.set(key.map((half) => half & MASK));
    return key;
  }

  // ---- ties

  /** Guesses that reach a state's value: candidates first, then in the game's order. */
  *ties(root, value, limit = Infinity, clock = null) {
    if (value >= INF) return [];
    if (root.answers.length <= 2 || root.depth < 2) { // only a candidate can be best
      const found = [];
      for (const guess of root.answers) {
        if ((yield* this.value(root, guess, { beta: value + 1n })) <= value) found.push(guess);
      }
      return found.slice(0, limit);
    }
    this.enter(root);
    return yield* this.tied(value, limit, clock);
  }

  *tied(value, limit, clock) {
    const { layout, frame } = this;
    this.search.set("layout.feasible", 0);
    const columns = this.stack.answers.data.slice(0, Number(frame.count));
    const members = columns.map((column) => this.table.answerList[column]);
    const isMember = new Set(members);
    let found, promising;
    if (layout.unit && frame.depth > 2n && members.length <= MAX_CANDIDATES_FIRST) {
      const first = this.legalCandidates(members).filter(
        (guess) => BigInt(3 * members.length - 1 - this.partsOf(guess, columns)) <= value,
      );
      found = yield* this.reaching(first, value, limit, clock);
      promising = found.length < limit ? yield* this.promising(value, clock) : first;
    } else {
      promising = yield* this.promising(value, clock);
      const first = promising.filter((guess) => isMember.has(guess));
      found = yield* this.reaching(first, value, limit, clock);
    }
    if (found.length < limit) {
      const others = promising.filter((guess) => !isMember.has(guess));
      found.push(...(yield* this.reaching(others, value, limit - found.length, clock)));
    }
    return found;
  }

  /** The legal guesses, in the game's order, whose bound is not above a value. */
  *promising(value, clock) {
    const { stack, frame, table } = this;
    let legal = this.legalPlaces();
    if (frame.depth > 2n) { // with two guesses left a guess has no bound, only a value
      frame.beta = value + 1n;
      yield* this.run(EXPAND_ONLY, clock);
      if (frame.is_sorted) legal = stack.queue.data.slice(0, Number(frame.queued));
      else {
        const least = 2 * Number(frame.count) - 1;
        const repeats = stack.repeats.data;
        legal = legal.filter((_, at) => BigInt(least + repeats[at]) <= value);
      }
    }
    return legal.map((at) => table.original[at]).sort();
  }

  /** Up to `limit` of the guesses that reach a value, in the order given. */
  *reaching(guesses, value, limit, clock) {
    const { stack, frame, table } = this;
    const places = Int32Array.from(guesses, (guess) => table.indexOf[guess]);
    stack.queue.data.set(places);
    for (const at of places) stack.bounds.data[at] = value;
    Object.assign(frame, {
      kind: ONE_GUESS, beta: value + 1n, lower: 0, is_sorted: 1, max_parts: frame.count,
      max_peel: frame.count, queued: places.length, taken: 0,
    });
    const found = [];
    while (Number(frame.taken) < places.length && found.length < limit) {
      frame.best = INF;
      frame.tried = 0;
      yield* this.run(NEXT_GUESS, clock);
      if (frame.best <= value) {
        const at = Number(frame.guess);
        found.push(table.original[at]);
        frame.taken = places.indexOf(at) + 1;
      }
    }
    return found;
  }

  /** A guess that reaches a state's value, whichever is found first. */
  *anyBest(root, value, clock = null) {
    this.enter(root);
    const { frame } = this;
    this.search.set("layout.feasible", 0);
    frame.kind = ALL_GUESSES;
    frame.beta = value + 1n;
    yield* this.run(EXPAND, clock);
    if (frame.best_guess >= 0n) return this.table.original[Number(frame.best_guess)];
    return (yield* this.ties(root, value, 1, clock))[0]; // settled without trying a guess to its end
  }

  legalPlaces() {
    const { layout, stack, frame } = this;
    if (layout.mode === MODES.normal) return Int32Array.from({ length: layout.table.shape[0] }, (_, at) => at);
    return stack.legal.data.slice(0, Number(frame.legal));
  }

  legalCandidates(members) {
    const candidates = Int32Array.from(members).sort();
    if (this.layout.mode === MODES.normal) return candidates;
    const legal = new Set(this.legalPlaces().map((at) => this.table.original[at]));
    return candidates.filter((guess) => legal.has(guess));
  }

  partsOf(guess, columns) {
    const base = this.table.indexOf[guess] * this.table.answers;
    const { data } = this.table.table;
    return new Set(Array.from(columns, (at) => data[base + at])).size;
  }
}

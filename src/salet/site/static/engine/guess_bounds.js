// How every legal guess of a state looks before any search: salet/coach/guess_bounds.py, traps.py,
// likelihood.py and salet/search/splits.py.
import { TRAP_SHARE, TRAP_SPLITTERS, TRAP_UNCAPPED, TRAPS_LISTED } from "./definitions.js";
import { State } from "./game.js";
import { transposed } from "./kernels.js";
import { patternBytes, streamed } from "./layout.js";
import { Cost, finished } from "./value.js";

const MAX_COLUMNS = 48; // answers up to which a scan runs down the columns of the table

/** Words in the order of likelihood; the game's order decides between equals. */
export const likelyFirst = (places, likelihood) =>
  [...places].sort((a, b) => likelihood[b] - likelihood[a] || a - b);

/** How each guess splits the state's answers: arrays in the order of `guesses`. */
export function splits(evaluator, state, guesses = state.legal, counts = finished(counting(evaluator, state, guesses))) {
  const { candidates, game } = state;
  const isCandidate = new Uint8Array(game.lexicon.size);
  for (const at of candidates) isCandidate[at] = 1;
  const own = Float64Array.from(guesses, (guess) => (isCandidate[guess] ? game.weights?.[guess] ?? 1 : 0));
  const { parts, maxWeights = parts } = counts;
  return { guesses, ...counts, own, maxWeights };
}

/** Numbers of each guess: from the table in memory, or, where that would be too large, from rows that
 * are made in passing, with a pause after every few hundred. */
export function* counting(evaluator, state, guesses = state.legal) {
  const { game } = state;
  const scope = evaluator.focus(state);
  const places = (count) => Int32Array.from({ length: count }, (_, at) => at);
  if (scope) {
    const { table } = scope;
    const columns = state.candidates.map((answer) => table.columnOf[answer]);
    const rows = Int32Array.from(guesses, (guess) => table.indexOf[guess]);
    const byColumn = columns.length <= MAX_COLUMNS;
    const ids = byColumn ? transposed(table.columns) : table.table;
    const { kernels, size, patterns } = table;
    return countedIn({ kernels, size, patterns, ids, byColumn, rowIds: table.table }, columns, rows, state);
  }
  const size = patternBytes(game);
  const patterns = game.rule.notation.patterns(game.length);
  const columns = places(state.candidates.length);
  const found = [];
  yield* evaluator.engine.alone(function* count(kernels) {
    for (const [ids] of streamed(kernels, game, state, guesses)) {
      const where = { kernels, size, patterns, ids, byColumn: false, rowIds: ids };
      found.push(countedIn(where, columns, places(ids.shape[0]), state));
      yield;
    }
  });
  const joined = (name) => Float64Array.from(found.flatMap((one) => [...one[name]]));
  return Object.fromEntries(Object.keys(found[0]).map((name) => [name, joined(name)]));
}

function countedIn({ kernels, size, patterns, ids, byColumn, rowIds }, columns, rows, state) {
  const before = kernels.at;
  const [count, answers] = [rows.length, columns.length];
  const listed = kernels.from("i4", [count], rows);
  const logs = Float64Array.from({ length: answers + 1 }, (_, n) => (n ? n * Math.log2(n) : 0));
  const given = {
    candidates: kernels.from("i4", [answers], columns), guesses: listed,
    n_log: kernels.from("f8", [answers + 1], logs), sizes: kernels.zeros("i4", [patterns]),
    out: kernels.allocate("i8", [3, count]), n_log_n: kernels.allocate("f8", [count]),
  };
  kernels.call(`count_groups_${byColumn ? "by_answer_" : ""}${size}`, { table: ids, ...given });
  const [parts, largest, squares] = [0, 1, 2].map((row) => {
    const numbers = new Float64Array(count);
    const part = given.out.data.subarray(row * count, (row + 1) * count);
    for (let at = 0; at < count; at++) numbers[at] = Number(part[at]);
    return numbers;
  });
  const found = { parts, largest, squares, information: given.n_log_n.data.slice() };
  if (state.game.weights) {
    found.maxWeights = maxWeights({ kernels, size, patterns, ids: rowIds }, columns, listed, state);
  }
  kernels.at = before;
  return found;
}

/** The sum over the groups of each guess of the greatest weight in each. */
function maxWeights({ kernels, size, patterns, ids }, columns, listed, state) {
  const weightOf = new Array(ids.shape[1]).fill(0n);
  columns.forEach((column, at) => { weightOf[column] = BigInt(state.game.weights[state.candidates[at]]); });
  const heaviestFirst = Int32Array.from(columns).sort((a, b) => Number(weightOf[b] - weightOf[a]) || a - b);
  const sums = kernels.allocate("i8", listed.shape);
  kernels.call(`sum_max_weights_${size}`, {
    table: ids,
    by_weight: kernels.from("i4", [heaviestFirst.length], heaviestFirst),
    weights: kernels.from("i8", [weightOf.length], weightOf),
    guesses: listed, seen: kernels.allocate("i8", [patterns]).fill(-1n), out: sums,
  });
  return Float64Array.from(sums.data, Number);
}

/** Arrays over the legal guesses, most promising first; `counts` as `counting` returns them. */
export class GuessBounds {
  constructor(evaluator, state, likelihood, counts = undefined) {
    const found = splits(evaluator, state, state.legal, counts);
    const { weight, guessesLeft: left } = state;
    const answers = state.candidates.length;
    const count = found.guesses.length;
    const [losses, totals] = [new Float64Array(count), new Float64Array(count)];
    const looks = new Float64Array(count);
    for (let at = 0; at < count; at++) {
      const [own, heads] = [found.own[at], found.maxWeights[at]];
      if (left === null || left > 2) totals[at] = 3 * weight - own - heads;
      else if (left === 2) [losses[at], totals[at]] = [weight - heads, 2 * weight - own];
      else [losses[at], totals[at]] = [weight - own, weight];
      looks[at] = totals[at] * answers + Math.floor((2 * found.squares[at] * weight) / answers);
    }
    const { guesses } = found;
    const order = Int32Array.from({ length: count }, (_, at) => at).sort((a, b) =>
      losses[a] - losses[b] || looks[a] - looks[b] || (found.own[b] > 0) - (found.own[a] > 0) ||
      likelihood[guesses[b]] - likelihood[guesses[a]] || guesses[a] - guesses[b]);
    const sorted = (values) => order.map((at) => values[at]);
    const numbers = (values) => Float64Array.from(order, (at) => values[at]);
    this.guesses = sorted(guesses);
    this.groups = sorted(found.parts);
    this.largest = sorted(found.largest);
    this.own = numbers(found.own);
    this.losses = numbers(losses);
    this.totals = numbers(totals);
    this.exact = left !== null && left <= 2;
    this.informative = Array.from(guesses, (_, at) => at)
      .sort((a, b) => found.information[a] - found.information[b] || a - b).map((at) => guesses[at]);
    this.index = new Map();
    this.guesses.forEach((guess, at) => this.index.set(guess, at));
  }

  /** No plan that begins with this guess costs less. */
  lower(guess) {
    const at = this.index.get(guess);
    return new Cost(this.losses[at], this.totals[at]);
  }

  /** The guesses that may cost less; all, if there is nothing to compare with. */
  below(cost) {
    if (cost === null) return [...this.guesses];
    return [...this.guesses].filter((_, at) => this.losses[at] < cost.losses ||
      (this.losses[at] === cost.losses && this.totals[at] < cost.guesses));
  }

  /** No plan costs less. */
  get least() {
    let best = 0;
    for (let at = 1; at < this.guesses.length; at++) {
      if ((this.losses[at] - this.losses[best] || this.totals[at] - this.totals[best]) < 0) best = at;
    }
    return new Cost(this.losses[best], this.totals[best]);
  }
}

/** Words that differ in one letter, more of them than guesses are left: the traps that matter now,
 * the largest first. */
export function trapsOf(evaluator, state, likelihood) {
  const { game, guessesLeft: left } = state;
  const { alphabet } = game.lexicon;
  const count = state.candidates.length;
  const least = Math.max(left === null ? TRAP_UNCAPPED : Math.max(left + 1, 3), Math.ceil(count / TRAP_SHARE));
  if (!game.hasTiles || count < least) return [];
  const families = new Map();
  for (const place of state.candidates) {
    const letters = game.lexicon.letters(place);
    for (let blank = 0; blank < game.length; blank++) {
      const codes = [...letters];
      codes[blank] = 0;
      const name = `${blank} ${codes.join(" ")}`;
      if (!families.has(name)) {
        const shape = [...letters].map((code, at) => (at === blank ? "_" : alphabet[code].toUpperCase()));
        families.set(name, { shape: shape.join(""), family: [] });
      }
      families.get(name).family.push(place);
    }
  }
  const large = [...families.values()].filter(({ family }) => family.length >= least);
  large.sort((a, b) => b.family.length - a.family.length || (a.shape < b.shape ? -1 : Number(a.shape > b.shape)));
  return large.slice(0, TRAPS_LISTED).map(({ shape, family }) => {
    const split = splits(evaluator, new State(game, Int32Array.from(family), state.history, state.previous));
    const groups = split.parts.reduce((most, parts) => Math.max(most, parts), 0);
    const best = [...split.guesses].filter((_, at) => split.parts[at] === groups);
    return {
      shape,
      words: likelyFirst(family, likelihood).map((place) => game.guesses[place]),
      guesses_left: left,
      splitters: likelyFirst(best, likelihood).slice(0, TRAP_SPLITTERS).map((place) => game.guesses[place]),
      groups,
    };
  });
}

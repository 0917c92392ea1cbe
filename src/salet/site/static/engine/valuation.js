// Costs of states and guesses for one question, remembered while it lasts: salet/coach/valuation.py.
import { BEAM_WIDTH, BEAM_WIDTH_RESTRICTED } from "./definitions.js";
import { streamed } from "./layout.js";
import { Bounds, Cost, maxCost, minCost, orNull, trivialCost } from "./value.js";

const FEW_MEMBERS = 8; // so few answers are compared without a kernel

export class Valuation {
  /** `replies` says what a book knows of a state. With `timedBeam` the clock also ends beam searches, which
   * usually take a fraction of a second. */
  constructor(evaluator, clock, { replies = () => null, timedBeam = false } = {}) {
    this.evaluator = evaluator;
    this.replies = replies;
    this.clock = clock;
    this.timedBeam = timedBeam;
    this.width = evaluator.game.mode === "normal" ? BEAM_WIDTH : BEAM_WIDTH_RESTRICTED;
    this.exactCosts = new Map();
    this.upperCosts = new Map();
    this.worstCases = new Map();
  }

  // ---- states

  /** The cost of a state; null if time runs out. `within`: that of a plan that loses answers, if known. */
  *exact(state, depth = null, within = null) {
    const name = this.lookUp(state, depth);
    if (!this.exactCosts.has(name)) {
      const { evaluator, clock } = this;
      if (!this.fits(state, depth)) return null;
      const cost = yield* orNull(within === null
        ? evaluator.cost(state, null, { depth, clock }) : evaluator.costWithin(state, within, { clock }));
      if (cost === null) return null;
      this.exactCosts.set(name, cost);
    }
    return this.exactCosts.get(name);
  }

  /** The cost of some plan for the state, found quickly. */
  *upper(state, depth = null) {
    const name = this.lookUp(state, depth);
    if (this.exactCosts.has(name)) return this.exactCosts.get(name);
    if (!this.upperCosts.has(name)) {
      this.upperCosts.set(name, yield* this.beam(state, depth));
    }
    return this.upperCosts.get(name);
  }

  /** The key of a state, whose cost is known from now on if a book has it. */
  lookUp(state, depth) {
    const name = keyOf(state, depth);
    const reply = depth === null && !this.exactCosts.has(name) ? this.replies(state) : null;
    if (reply) this.exactCosts.set(name, reply.cost);
    return name;
  }

  *beam(state, depth) {
    const clock = this.timedBeam ? this.clock : null;
    if (!clock?.expired() && this.fits(state, depth)) {
      const found = yield* orNull(this.evaluator.cost(state, null, { depth, width: this.width, clock }));
      if (found !== null) return found;
    }
    return candidateCost(this.evaluator, state, depth);
  }

  /** Is there memory to search a state? */
  fits(state, depth) {
    return trivialCost(state, depth) !== null || this.evaluator.focus(state) !== null;
  }

  /** The fewest guesses that suffice for every answer at no more than this cost, or null. */
  *worst(state, cost) {
    const count = state.candidates.length;
    if (cost.losses) return null;
    if (count <= 2) return count;
    const reply = this.replies(state);
    if (reply?.cost.equals(cost)) return reply.worst;
    const name = keyOf(state, null);
    if (!this.worstCases.has(name)) {
      const most = Math.min(count, state.guessesLeft ?? Infinity);
      const beta = cost.guesses + 1;
      for (let depth = 2; depth <= most; depth++) {
        const total = yield* orNull(this.evaluator.total(state, null, { beta, depth, clock: this.clock }));
        if (total === null) return null;
        if (total < beta) {
          this.worstCases.set(name, depth);
          break;
        }
      }
    }
    return this.worstCases.get(name) ?? null;
  }

  *maxGuesses(state) {
    return yield* orNull(this.evaluator.maxGuesses(state, null, { clock: this.clock }));
  }

  // ---- guesses

  /** What is known of a guess: exact if time allows (and `quick` was not asked for). */
  *ofGuess(state, guess, { quick = false, depth = null, limit = null } = {}) {
    this.evaluator.focus(state);
    const parts = state.groups(guess);
    parts.delete(state.game.win);
    const below = depth === null ? null : depth - 1;
    const bound = (part) => (below === 0 ? 0 : part.sizeBound);
    let lower = new Cost(0, state.weight);
    let upper = lower;
    for (const part of parts.values()) lower = lower.plus(new Cost(0, bound(part)));
    const ordered = [...parts.values()].sort((a, b) => a.candidates.length - b.candidates.length);
    for (const part of ordered) {
      let found = null;
      if (!quick && (limit === null || lower.compare(limit) <= 0)) found = yield* this.exact(part, below);
      if (found === null) {
        upper = upper.plus(yield* this.upper(part, below));
      } else {
        upper = upper.plus(found);
        lower = lower.plus(found.minus(new Cost(0, bound(part))));
      }
    }
    return new Bounds(lower, upper);
  }

  /** Yields bounds on a guess, tighter with every group that becomes exact, until time runs out. */
  *closing(state, guess) {
    this.evaluator.focus(state);
    const parts = [...state.groups(guess)].filter(([code]) => code !== state.game.win).map(([, part]) => part);
    const lowers = parts.map((part) => new Cost(0, part.sizeBound));
    const uppers = [];
    for (const part of parts) uppers.push(yield* this.upper(part));
    const start = new Cost(0, state.weight);
    let lower = lowers.reduce((sum, cost) => sum.plus(cost), start);
    let upper = uppers.reduce((sum, cost) => sum.plus(cost), start);
    const order = [...parts.keys()].sort((a, b) => parts[a].candidates.length - parts[b].candidates.length);
    for (const at of order) {
      const exact = yield* this.exact(parts[at]);
      if (exact === null) return;
      lower = lower.plus(exact).minus(lowers[at]);
      upper = upper.plus(exact).minus(uppers[at]);
      yield new Bounds(lower, upper);
    }
  }

  /** [code, weight, cost] of every group of a guess: exact where that is known already, otherwise the
   * cost of a plan. The win costs nothing. */
  *outcomes(state, guess) {
    this.evaluator.focus(state); // one table for all groups
    const found = [];
    for (const [code, part] of state.groups(guess)) {
      const cost = code === state.game.win ? new Cost(0, 0) : yield* this.upper(part);
      found.push([code, part.weight, cost]);
    }
    return found;
  }

  /** The most guesses of any answer after this guess, played at the cost that is exact. */
  *worstOfGuess(state, guess) {
    let worst = 1;
    for (const [code, part] of state.groups(guess)) {
      if (code === state.game.win) continue;
      const cost = yield* this.exact(part);
      const more = cost === null ? null : yield* this.worst(part, cost);
      if (more === null) return null;
      worst = Math.max(worst, 1 + more);
    }
    return worst;
  }

  *bestGuess(state, depth = null) {
    return yield* orNull(this.evaluator.bestGuess(state, { depth, clock: this.clock }));
  }

  *anyBestGuess(state, cost) {
    return yield* orNull(this.evaluator.anyBestGuess(state, cost, { clock: this.clock }));
  }
}

/** What two pairs of bounds on one cost tell together. */
export const intersection = (one, other) =>
  new Bounds(maxCost(one.lower, other.lower), minCost(one.upper, other.upper));

/** The cost of a plan that always guesses the possible answer with the most groups. */
export function candidateCost(evaluator, state, depth = null) {
  const { game } = state;
  const limits = [state.guessesLeft, depth].filter((limit) => limit !== null);
  const stack = [[state.candidates, limits.length ? Math.min(...limits) : Infinity]];
  let [losses, guesses] = [0, 0];
  while (stack.length) {
    const [members, left] = stack.pop();
    const weight = game.weights === null
      ? members.length : members.reduce((sum, at) => sum + game.weights[at], 0);
    if (left === 0) {
      losses += weight;
      continue;
    }
    guesses += weight;
    const parts = new Map();
    const codes = mostGroups(evaluator, game, members);
    members.forEach((member, at) => {
      if (!parts.has(codes[at])) parts.set(codes[at], []);
      parts.get(codes[at]).push(member);
    });
    parts.delete(game.win);
    for (const part of parts.values()) stack.push([Int32Array.from(part), left - 1]);
  }
  return new Cost(losses, guesses);
}

/** The cost of a guess that is followed by possible answers only. */
export function candidateCostOfGuess(evaluator, state, guess) {
  let cost = new Cost(0, state.weight);
  for (const [code, part] of state.groups(guess)) {
    if (code !== state.game.win) cost = cost.plus(candidateCost(evaluator, part));
  }
  return cost;
}

/** The codes of all members for the member that makes the most groups, the first of equals. */
function mostGroups(evaluator, game, members) {
  const { rule, lexicon } = game;
  const count = members.length;
  if (count <= FEW_MEMBERS) {
    const among = count <= 2 ? members.subarray(0, 1) : members;
    const rows = Array.from(among, (guess) =>
      Array.from(members, (answer) => rule.code(lexicon.letters(guess), lexicon.letters(answer))));
    const sizes = rows.map((row) => new Set(row).size);
    return rows[sizes.indexOf(Math.max(...sizes))];
  }
  const seen = new Int32Array(rule.notation.patterns(game.length)).fill(-1);
  let [best, most] = [null, 0];
  const blocks = streamed(evaluator.engine.scratch(), game, { candidates: members }, members);
  for (const [block, from] of blocks) {
    const { data } = block;
    for (let row = 0; row < block.shape[0]; row++) {
      let groups = 0;
      for (let at = row * count; at < (row + 1) * count; at++) {
        if (seen[data[at]] === from + row) continue;
        seen[data[at]] = from + row;
        groups++;
      }
      if (groups > most) [best, most] = [data.slice(row * count, (row + 1) * count), groups];
    }
  }
  return best;
}

/** What the cost of a state depends on. */
function keyOf(state, depth) {
  const what = state.game.mode === "normal" ? `${state.turn} ${state.candidates}` : JSON.stringify(state.history);
  return `${depth} ${what}`;
}

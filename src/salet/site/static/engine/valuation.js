// Costs of states and guesses for one question, remembered while it lasts: salet/coach/valuation.py.
import { BEAM_WIDTH, BEAM_WIDTH_RESTRICTED } from "./definitions.js";
import { Bounds, Cost, maxCost, minCost, orNull } from "./value.js";

export class Valuation {
  constructor(evaluator, clock) {
    this.evaluator = evaluator;
    this.clock = clock;
    this.width = evaluator.game.mode === "normal" ? BEAM_WIDTH : BEAM_WIDTH_RESTRICTED;
    this.exactCosts = new Map();
    this.upperCosts = new Map();
    this.worstCases = new Map();
  }

  // ---- states

  /** The cost of a state; null if time runs out. `within`: that of a plan that loses answers, if known. */
  *exact(state, depth = null, within = null) {
    const name = keyOf(state, depth);
    if (!this.exactCosts.has(name)) {
      const { evaluator, clock } = this;
      const cost = yield* orNull(within === null
        ? evaluator.cost(state, null, { depth, clock }) : evaluator.costWithin(state, within, { clock }));
      if (cost === null) return null;
      this.exactCosts.set(name, cost);
    }
    return this.exactCosts.get(name);
  }

  /** The cost of some plan for the state, found quickly. */
  *upper(state, depth = null) {
    const name = keyOf(state, depth);
    if (this.exactCosts.has(name)) return this.exactCosts.get(name);
    if (!this.upperCosts.has(name)) {
      this.upperCosts.set(name, yield* this.evaluator.cost(state, null, { depth, width: this.width }));
    }
    return this.upperCosts.get(name);
  }

  /** The fewest guesses that suffice for every answer at no more than this cost, or null. */
  *worst(state, cost) {
    const count = state.candidates.length;
    if (cost.losses) return null;
    if (count <= 2) return count;
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

/** What the cost of a state depends on. */
function keyOf(state, depth) {
  const what = state.game.mode === "normal" ? `${state.turn} ${state.candidates}` : JSON.stringify(state.history);
  return `${depth} ${what}`;
}

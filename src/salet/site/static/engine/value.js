// One way to value a state: salet/search/value.py. Searching methods are generators (solver.js).
import { INF, WINDOW_END, WINDOW_START, WINDOW_STEPS } from "./definitions.js";
import { InputError } from "./errors.js";
import { GameTable, layoutOf, patternBytes } from "./layout.js";
import { demands } from "./modes.js";
import { SearchInterrupted, Solver } from "./solver.js";

/** Megabytes of the tables of bounds: for totals and for costs with losses, and of a beam. */
export const BUDGET = { table: 4, losses: 4, beam: 2, stack: 24 };
const MIN_LEVELS = 24;
const FEW_ANSWERS = 200; // up to so many answers, small tables of bounds suffice

/** Answers lost and guesses made, summed over answers with their weights; losses count first. */
export class Cost {
  constructor(losses, guesses) {
    this.losses = losses;
    this.guesses = guesses;
  }

  plus(other) {
    return new Cost(this.losses + other.losses, this.guesses + other.guesses);
  }

  minus(other) {
    return new Cost(this.losses - other.losses, this.guesses - other.guesses);
  }

  /** Negative if this is less, 0 if equal, positive if more. */
  compare(other) {
    return this.losses - other.losses || this.guesses - other.guesses;
  }

  equals(other) {
    return this.losses === other.losses && this.guesses === other.guesses;
  }
}

export const maxCost = (a, b) => (a.compare(b) >= 0 ? a : b);
export const minCost = (a, b) => (a.compare(b) <= 0 ? a : b);

/** lower <= optimum <= upper */
export class Bounds {
  constructor(lower, upper) {
    this.lower = lower;
    this.upper = upper;
  }

  get exact() {
    return this.lower.equals(this.upper);
  }
}

/** A budget that is being spent: seconds, and a flag that `cancel` sets. */
export class Clock {
  constructor(seconds = Infinity) {
    this.limit = seconds;
    this.started = performance.now();
    this.cancelled = false;
    this.nodes = 0;
  }

  get seconds() {
    return (performance.now() - this.started) / 1000;
  }

  cancel() {
    this.cancelled = true;
  }

  expired() {
    return this.cancelled || this.seconds >= this.limit;
  }

  spend(nodes) {
    this.nodes += nodes;
    return this.expired();
  }
}

/** A state and all that can follow it, in memory: its table, and the searches in it. */
class Scope {
  constructor(evaluator, state) {
    this.evaluator = evaluator;
    this.history = state.history;
    this.kernels = evaluator.engine.kernels(evaluator.bytesOf(state));
    this.table = new GameTable(this.kernels, evaluator.game, state);
    this.layout = layoutOf(this.table, evaluator.game);
    this.solvers = new Map();
  }

  get bytes() {
    return this.kernels.bytes;
  }

  get nodes() {
    return [...this.solvers.values()].reduce((sum, solver) => sum + solver.nodes, 0);
  }

  /** Can this state be searched here? */
  holds(state) {
    return this.history.length <= state.history.length && this.history.every(
      ([guess, code], at) => state.history[at][0] === guess && state.history[at][1] === code,
    );
  }

  solver(losses, width) {
    const name = `${losses} ${width}`;
    if (!this.solvers.has(name)) {
      const { game, loss, weight, budget } = this.evaluator;
      if (losses && loss * BigInt(weight) >= INF) {
        throw new InputError(
          `the weights of ${game.name} are too great to price lost answers; divide them by 1000`,
        );
      }
      const most = width ? budget.beam : losses ? budget.losses : budget.table;
      const megabytes = this.table.answers > FEW_ANSWERS ? most : Math.min(most, budget.beam);
      this.solvers.set(name, new Solver(this.table, this.layout, {
        loss: losses ? loss : INF, width, maxDepth: this.maxDepth(), megabytes,
      }));
    }
    return this.solvers.get(name);
  }

  /** Guesses in a row that a search has room for: without a cap as many as fit the budget. */
  maxDepth() {
    const { game, budget } = this.evaluator;
    const { guesses, answers, patterns } = this.table;
    const level = guesses * 21 + answers * 4 + patterns * 32 + (game.mode === "normal" ? 0 : guesses * 4);
    const room = Math.max(MIN_LEVELS, Math.floor((budget.stack * 2 ** 20) / level));
    return Math.min(game.cap ?? answers + 1, answers + 1, room);
  }
}

/** Values the states of one game. */
export class Evaluator {
  constructor(game, engine, budget = BUDGET) {
    this.game = game;
    this.engine = engine;
    this.budget = budget;
    const answers = game.answerCount;
    const guesses = game.cap === null ? answers + 1 : Math.min(game.cap, answers + 1);
    this.weight = game.start().weight;
    this.loss = BigInt(guesses + 1) * BigInt(this.weight) + 1n; // outweighs any number of guesses
  }

  /** The memory in which a state is searched; null if it would be too large. */
  focus(state) {
    const found = this.engine.scopeOf(this, state);
    if (found) return found;
    if (this.bytesOf(state) > this.engine.maxBytes) return null;
    return this.engine.added(new Scope(this, state));
  }

  scope(state) {
    const found = this.focus(state);
    if (found) return found;
    throw new InputError(`${this.game.name} is too large to be searched on a page; make a guess first`);
  }

  /** About what a state takes: its table twice, patterns between guesses, tables of bounds, stacks. */
  bytesOf(state) {
    const { game, budget } = this;
    const [guesses, answers] = [state.legal.length, state.candidates.length];
    const between = game.mode === "strict" ? guesses ** 2 : 0;
    const bounds = (answers > FEW_ANSWERS ? budget.table + budget.losses : 2 * budget.beam) + budget.beam;
    return (2 * guesses * answers + between) * patternBytes(game) + bounds * 2 ** 20 + guesses * 500 + 2 ** 21;
  }

  get nodes() {
    return this.engine.scopes.reduce((sum, scope) => sum + (scope.evaluator === this ? scope.nodes : 0), 0);
  }

  // ---- totals: every answer is found

  /** The fewest guesses over all answers of a state, or after one guess in it; Number(INF) if lost. */
  *total(state, guess = null, { beta = null, depth = null, width = 0, clock = null } = {}) {
    const trivial = guess === null ? trivialCost(state, depth) : null;
    if (trivial) return trivial.losses ? Number(INF) : trivial.guesses;
    const limit = beta === null || beta >= Number(INF) ? INF : BigInt(beta);
    const value = yield* this.scope(state).solver(false, width).value(rootOf(state, depth), guess, { beta: limit, clock });
    return Number(value);
  }

  /** Yields {lower, upper} ever tighter, until they meet (or a pause: undefined). */
  *closingTotals(state, lower, upper, { depth = null, clock = null } = {}) {
    const inf = Number(INF);
    const longest = state.weight * rootOf(state, depth).depth; // no plan that finds all takes more
    if (lower > longest) {
      yield { lower: inf, upper: inf };
      return;
    }
    let known = upper < inf;
    upper = Math.min(upper, longest + 1);
    while (lower < upper) {
      const middle = lower + Math.floor((upper - lower + 1) / 2);
      const value = yield* this.total(state, null, { beta: middle, depth, clock });
      [lower, upper] = value < middle ? [value, value] : [Math.min(value, upper), upper];
      known ||= value < middle;
      if (lower > longest) lower = upper = inf;
      yield { lower, upper: known ? upper : inf };
    }
  }

  *canFindAll(state, guess = null, { depth = null, clock = null } = {}) {
    const root = rootOf(state, depth);
    if (guess === null && root.depth >= root.answers.length) return true; // one after the other
    return (yield* this.scope(state).solver(false, 0).value(root, guess, { feasible: true, clock })) < INF;
  }

  /** The fewest guesses that suffice for every answer; null if the cap leaves fewer. */
  *maxGuesses(state, guess = null, { clock = null } = {}) {
    const most = rootOf(state).depth;
    for (let depth = 1; depth <= most; depth++) {
      if (yield* this.canFindAll(state, guess, { depth, clock })) return depth;
    }
    return null;
  }

  // ---- costs: answers may be lost, the fewest first

  *cost(state, guess = null, { depth = null, width = 0, clock = null } = {}) {
    const trivial = guess === null ? trivialCost(state, depth) : null;
    if (trivial) return trivial;
    if (!width) { // most states lose nothing, and searching them is faster where nothing may be
      const total = yield* this.total(state, guess, { depth, clock });
      if (total < Number(INF)) return new Cost(0, total);
    }
    const value = yield* this.scope(state).solver(true, width).value(rootOf(state, depth), guess, { clock });
    return new Cost(Number(value / this.loss), Number(value % this.loss));
  }

  /** The least cost of a state, of which a plan that loses answers costs `upper`: limits on the mean
   * that rise little by little first, then the search that prices losses. */
  *costWithin(state, upper, { clock = null } = {}) {
    const trivial = trivialCost(state);
    if (trivial) return trivial;
    const { weight } = state;
    let beta = Math.floor(WINDOW_START * weight);
    while (beta <= Math.floor(WINDOW_END * weight)) {
      const total = yield* this.total(state, null, { beta, clock });
      if (total < beta) return new Cost(0, total);
      beta = Math.max(beta + Math.max(1, Math.floor(weight / WINDOW_STEPS)), total + 1);
    }
    const limit = this.loss * BigInt(upper.losses) + BigInt(upper.guesses) + 1n;
    const value = yield* this.scope(state).solver(true, 0).value(rootOf(state), null, { beta: limit, clock });
    return new Cost(Number(value / this.loss), Number(value % this.loss));
  }

  // ---- guesses

  /** The guesses of least cost: candidates first, then in the game's order. */
  *ties(state, { depth = null, limit = Infinity, clock = null } = {}) {
    const root = rootOf(state, depth);
    if (limit === 1 && (root.answers.length <= 2 || root.depth === 1)) return [heaviestCandidate(state)];
    for (const losses of [false, true]) {
      const solver = this.scope(state).solver(losses, 0);
      const value = yield* solver.value(root, null, { clock });
      if (value < INF) return yield* solver.ties(root, value, limit, clock);
    }
    throw new Error("with losses allowed every state has a value");
  }

  *bestGuess(state, options = {}) {
    return (yield* this.ties(state, { ...options, limit: 1 }))[0];
  }

  /** A guess of least cost, whichever is found first: where many are tied, far sooner than `bestGuess`. */
  *anyBestGuess(state, cost, { clock = null } = {}) {
    if (trivialCost(state)) return heaviestCandidate(state);
    const solver = this.scope(state).solver(cost.losses > 0, 0);
    return yield* solver.anyBest(rootOf(state), this.loss * BigInt(cost.losses) + BigInt(cost.guesses), clock);
  }
}

/** A state as the search sees it, with at most `depth` guesses left. */
export function rootOf(state, depth = null) {
  const { game } = state;
  const root = { answers: state.candidates, depth: usefulDepth(state, depth) };
  if (game.mode === "normal") return root;
  root.legal = state.legal;
  root.greens = new Map();
  root.needs = new Map();
  if (game.mode === "strict") return root;
  for (const [guess, code] of state.history) {
    const { greens, minimum } = demands(game.lexicon.letters(guess), code, game.rule.countsLetters);
    for (const [position, letter] of greens) root.greens.set(position, letter);
    for (const [letter, count] of minimum) root.needs.set(letter, Math.max(count, root.needs.get(letter) ?? 0));
  }
  return root;
}

export function usefulDepth(state, depth = null) {
  return Math.min(state.candidates.length + 1, state.guessesLeft ?? Infinity, depth ?? Infinity);
}

/** The cost of a state that needs no search; null if it needs one. */
export function trivialCost(state, depth = null) {
  const left = usefulDepth(state, depth);
  if (left <= 0) return new Cost(state.weight, 0);
  if (left === 1) return new Cost(state.weight - state.maxWeight, state.weight);
  if (state.candidates.length <= 2) return new Cost(0, 2 * state.weight - state.maxWeight);
  return null;
}

export function heaviestCandidate(state) {
  const { weights } = state.game;
  let best = state.candidates[0];
  if (weights) for (const at of state.candidates) if (weights[at] > weights[best]) best = at;
  return best;
}

/** The result of a generator, run to its end without a pause. */
export function finished(generator) {
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}

/** What a search returns, or null if the clock ended it. */
export function* orNull(search) {
  try {
    return yield* search;
  } catch (error) {
    if (error instanceof SearchInterrupted) return null;
    throw error;
  }
}

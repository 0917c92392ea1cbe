// One question to the coach: what is known so far, and how more is found out: salet/coach/adviser.py,
// whose steps these are. Generators yield advice, or undefined where the search may pause.
import { MAX_LISTED, MAX_PROVEN } from "./definitions.js";
import { notes, valued, why } from "./explain.js";
import { roundedTo } from "./format.js";
import { counting, GuessBounds, likelyFirst, trapsOf } from "./guess_bounds.js";
import { SearchInterrupted } from "./solver.js";
import { Bounds, Cost, maxCost, minCost } from "./value.js";
import { candidateCostOfGuess, intersection, Valuation } from "./valuation.js";

const UNKNOWN = 10 ** 6;
export const UNLISTED = "+all guesses"; // added to the name of a game whose answers are the guesses that fit

export class Adviser {
  /** options: {objective, count, consider: words} */
  constructor(position, options, clock) {
    const { coach, state } = position;
    Object.assign(this, { position, options, clock, coach, state, game: state.game });
    this.asked = options.consider.map((word) => this.game.index(word));
    this.isLarge = state.candidates.length > MAX_LISTED;
    this.rough = new Set(); // guesses whose upper bound comes from a plan of possible answers alone
    this.known = new Map(); // guess -> {bounds, worst, groups, largest, own}
    this.lower = new Cost(0, 0); // no plan of the position costs less
    this.depth = null; // objective `worst`: the fewest guesses that always suffice, once known
    this.complete = false;
    this.lastAdvice = -clock.minPause;
    this.words = likelyFirst(state.candidates, coach.likelihood).map((index) => this.game.guesses[index]);
    this.traps = [];
    this.settled = new Set();
    this.example = null; // a guess that shows the value of the position, listed only until the end
  }

  // ---- the steps

  /** Advice at once, then ever tighter. */
  *advise() {
    if (this.fromBook()) {
      yield this.advice();
      yield* this.valueOthers();
      if (this.known.size >= this.options.count) return;
    }
    yield* this.count();
    this.look();
    if (this.fromPlan() || this.fromReplies()) yield this.advice();
    yield* this.list();
    if (this.options.objective === "worst") yield* this.limitDepth();
    const small = this.state.candidates.length < MAX_PROVEN;
    if (small) yield* this.prove();
    yield* this.settle();
    if (small) yield* this.finish();
    yield this.advice();
  }

  /** The first guess of a game whose openers are stored: nothing needs to be computed. */
  fromBook() {
    const { openingBook: book, planFacts: plan } = this.coach;
    if (this.state.turn || !book || this.options.objective === "worst") return false;
    if (plan && !book.openers.some(({ guess }) => guess === plan.opener)) return false;
    this.lower = this.provenTotal() ?? new Cost(0, book.lower);
    const asked = book.openers.filter((opener) => this.options.consider.includes(opener.guess));
    for (const opener of [...book.openers.slice(0, this.options.count), ...asked]) {
      const guess = this.game.index(opener.guess);
      const cost = new Cost(opener.losses, opener.guesses);
      const own = Number(guess < this.game.answerCount);
      const { worst, groups, largest } = opener;
      this.known.set(guess, { bounds: new Bounds(cost, cost), worst, groups, largest, own });
      this.settled.add(guess);
    }
    return true;
  }

  /** First guesses that were asked about and are not stored. */
  *valueOthers() {
    const others = this.asked.filter((guess) => !this.known.has(guess));
    if (others.length) {
      yield* this.count();
      this.look();
    }
    for (const guess of others) {
      this.learn(guess, yield* this.quickBounds(guess));
      yield this.advice();
      yield* this.tighten(guess);
      yield this.advice();
    }
  }

  /** The cost of the whole game, if a shipped plan proves it. */
  provenTotal() {
    const { planFacts: plan } = this.coach;
    return plan?.proven ? new Cost(0, plan.total) : null;
  }

  /** Count the groups of every guess. */
  *count() {
    this.counts ??= yield* counting(this.coach.evaluator, this.state);
  }

  /** Bound every guess by its groups. */
  look() {
    this.lower = maxCost(this.lower, this.guessBounds.least);
    this.traps = trapsOf(this.coach.evaluator, this.state, this.coach.likelihood);
  }

  /** Every legal guess as it looks before any search. */
  get guessBounds() {
    this.boundsMade ??= new GuessBounds(this.coach.evaluator, this.state, this.coach.likelihood, this.counts);
    return this.boundsMade;
  }

  get valuation() {
    const { coach, clock, isLarge } = this;
    const replies = (state) => coach.reply(state);
    this.valuationMade ??= new Valuation(coach.evaluator, clock, { replies, timedBeam: isLarge });
    return this.valuationMade;
  }

  fromPlan() {
    const node = this.coach.planned(this.state);
    if (!node || this.options.objective === "worst") return false;
    const { cost, worst } = plannedCost(node, this.state);
    const guess = this.game.index(node.guess);
    if (!this.provenTotal()) {
      this.learn(guess, new Bounds(this.guessBounds.lower(guess), cost), worst);
    } else {
      this.lower = cost; // every part of an optimal plan is optimal
      this.learn(guess, new Bounds(cost, cost), worst);
    }
    return true;
  }

  /** The second guess after an opener of the book. */
  fromReplies() {
    const reply = this.coach.reply(this.state);
    if (!reply || this.options.objective === "worst") return false;
    this.lower = reply.cost;
    this.learn(reply.guess, new Bounds(reply.cost, reply.cost), reply.worst);
    this.settled.add(reply.guess);
    return true;
  }

  /** Bound the most promising guesses from both sides; fewer if time is up. */
  *list() {
    const promising = this.promising();
    if (this.isLarge && !this.known.size) yield* this.showOne(promising[0]);
    for (const guess of new Set([...this.asked, ...promising])) {
      if (this.isLarge && this.clock.expired() && !this.asked.includes(guess)) break;
      if (this.known.has(guess) && !this.rough.has(guess)) continue;
      let bounds = yield* this.quickBounds(guess);
      if (this.rough.delete(guess)) bounds = intersection(bounds, this.known.get(guess).bounds);
      this.learn(guess, bounds);
      if (this.due()) yield this.advice();
    }
    yield this.advice();
  }

  /** The most promising guesses. In large positions the number of groups is a poor guide, so every other
   * one is chosen by information. */
  promising() {
    const { guesses, informative } = this.guessBounds;
    const { count } = this.options;
    const ordered = [...guesses.slice(0, count)];
    if (!this.isLarge) return ordered;
    const both = ordered.flatMap((guess, at) => [informative[at], guess]);
    return [...new Set(both)].slice(0, count);
  }

  /** Advice at once on a large position: one guess, bounded by a quick plan. */
  *showOne(guess) {
    if (this.guessBounds.exact) return;
    const upper = candidateCostOfGuess(this.coach.evaluator, this.state, guess);
    this.learn(guess, new Bounds(this.guessBounds.lower(guess), upper));
    this.rough.add(guess);
    yield this.advice();
  }

  *quickBounds(guess) {
    const lower = this.guessBounds.lower(guess);
    if (this.guessBounds.exact) return new Bounds(lower, lower);
    const found = yield* this.valuation.ofGuess(this.state, guess, { quick: true });
    return new Bounds(maxCost(found.lower, lower), found.upper);
  }

  /** Objective `worst`: from here on no more guesses are allowed than always suffice. */
  *limitDepth() {
    this.depth = yield* this.valuation.maxGuesses(this.state);
    if (this.depth === null) return;
    for (const [guess, known] of this.known) {
      const bounds = new Bounds(this.guessBounds.lower(guess), known.bounds.upper);
      this.known.set(guess, { ...known, bounds, worst: null });
    }
  }

  /** Exact values for what is listed, best first. */
  *settle() {
    for (const guess of this.ranking()) {
      if (this.clock.expired()) return;
      if (!this.settled.has(guess)) {
        yield* this.tighten(guess);
        this.settled.add(guess);
      }
      if (this.due()) yield this.advice();
    }
  }

  /** Close the gap between the bounds of the position, then find a guess that reaches it. */
  *prove() {
    const best = this.bestUpper();
    if (best === null || best.losses) {
      const within = this.depth === null ? best : null;
      const exact = yield* this.valuation.exact(this.state, this.depth, within);
      this.lower = exact ?? this.lower;
    } else {
      yield* this.close(best.guesses);
    }
    if (this.clock.expired()) return;
    let { depth } = this;
    if (this.options.objective === "mean-then-worst") {
      depth = yield* this.valuation.worst(this.state, this.lower);
    }
    if (depth !== this.depth || (depth !== null && (best === null || this.lower.compare(best) < 0))) {
      const guess = yield* this.valuation.bestGuess(this.state, depth);
      if (guess !== null) yield* this.try(guess);
    } else if (best === null || this.lower.compare(best) < 0) {
      const guess = yield* this.valuation.anyBestGuess(this.state, this.lower);
      if (guess === null) return;
      if (!this.known.has(guess)) this.example = guess;
      yield* this.try(guess);
      yield this.advice();
    }
  }

  /** The least cost of a known plan that the objective allows. */
  bestUpper() {
    return [...this.known.values()]
      .filter(({ worst }) => this.depth === null || worst === this.depth)
      .reduce((best, { bounds }) => (best === null ? bounds.upper : minCost(best, bounds.upper)), null);
  }

  *close(upper) {
    const options = { depth: this.depth, clock: this.clock };
    const closing = this.valuation.evaluator.closingTotals(this.state, this.lower.guesses, upper, options);
    try {
      for (const found of closing) {
        if (!found) {
          yield;
          continue;
        }
        this.lower = new Cost(0, found.lower);
        if (this.due()) yield this.advice();
      }
    } catch (error) {
      if (!(error instanceof SearchInterrupted)) throw error;
    }
  }

  /** Try every guess that may belong in the list. */
  *finish() {
    let last = this.lastListed();
    for (const guess of this.guessBounds.below(last)) {
      if (this.clock.expired()) return;
      if (guess === this.example) {
        this.example = null;
        last = this.lastListed();
      }
      if (this.known.has(guess) || (last && this.guessBounds.lower(guess).compare(last) >= 0)) continue;
      if (yield* this.try(guess, last)) last = this.lastListed();
      if (this.due()) yield this.advice();
    }
    if (this.example !== null) this.known.delete(this.example); // the list has as good ones
    this.example = null;
    const listed = this.ranking().slice(0, this.options.count);
    this.complete = listed.every((guess) => this.known.get(guess).bounds.exact);
  }

  /** The cost of the last guess of a full list; null while it is not full. */
  lastListed() {
    const exact = [...this.known]
      .filter(([guess, { bounds, worst }]) =>
        guess !== this.example && bounds.exact && (this.depth === null || worst === this.depth))
      .map(([, { bounds }]) => bounds.upper)
      .sort((a, b) => a.compare(b));
    return exact[this.options.count - 1] ?? null;
  }

  // ---- one guess

  /** Find the cost of a guess between bounds, with advice on the way if that takes long. */
  *tighten(guess) {
    if (this.depth === null && !this.known.get(guess).bounds.exact) {
      for (const bounds of this.valuation.closing(this.state, guess)) {
        if (!bounds) yield;
        else if (this.due()) {
          const before = this.known.get(guess);
          this.learn(guess, intersection(bounds, before.bounds), before.worst);
          yield this.advice();
        }
      }
    }
    yield* this.try(guess);
  }

  /** Find the cost of a guess, unless it is above `limit`; says whether it is known now. */
  *try(guess, limit = null) {
    if (this.depth !== null) return yield* this.tryByWorstCase(guess, limit);
    let found = yield* this.valuation.ofGuess(this.state, guess, { limit });
    if (limit && (!found.exact || found.upper.compare(limit) > 0)) return false;
    let worst = found.exact ? yield* this.valuation.worstOfGuess(this.state, guess) : null;
    const before = this.known.get(guess);
    if (before) {
      found = intersection(found, before.bounds);
      worst ??= before.worst;
    }
    this.learn(guess, found, worst);
    return true;
  }

  /** The fewest guesses that always suffice after a guess, and its cost under that. */
  *tryByWorstCase(guess, limit) {
    const end = this.state.guessesLeft ?? this.state.candidates.length + 1;
    for (let { depth } = this; depth <= end; depth++) {
      const found = yield* this.valuation.ofGuess(this.state, guess, { depth, limit });
      if (!found.exact || (limit && found.upper.compare(limit) > 0)) return false;
      if (found.upper.losses === 0 || depth === end) {
        this.learn(guess, found, found.upper.losses ? null : depth);
        return true;
      }
    }
    return false;
  }

  learn(guess, bounds, worst = null) {
    const found = this.guessBounds;
    const at = found.index.get(guess);
    const [groups, largest, own] = [found.groups[at], found.largest[at], found.own[at]];
    this.known.set(guess, { bounds, worst, groups, largest, own });
  }

  // ---- what is told

  /** Is the best guess proven and what was asked about exact, the worst cases included? */
  *isSettled() {
    const [best] = this.ranking();
    const isKnown = (guess) => {
      const { bounds, worst } = this.known.get(guess) ?? {};
      return bounds?.exact && (worst !== null || bounds.upper.losses > 0 || this.settled.has(guess));
    };
    return [best, ...this.asked].every(isKnown) && (yield* this.isProven(this.known.get(best)));
  }

  ranking() {
    const rank = new Map();
    for (const [guess, { bounds, worst, own }] of this.known) {
      const { losses, guesses } = bounds.upper;
      const last = worst ?? UNKNOWN;
      const first = this.depth === null ? [] : [losses, last];
      const others = [Number(!bounds.exact), last, Number(!own), -this.coach.likelihood[guess], guess];
      rank.set(guess, [...first, losses, guesses, ...others]);
    }
    return [...this.known.keys()].sort((a, b) => {
      const [x, y] = [rank.get(a), rank.get(b)];
      for (let at = 0; at < x.length; at++) if (x[at] !== y[at]) return x[at] - y[at];
      return 0;
    });
  }

  due() {
    return this.clock.seconds - this.lastAdvice >= this.clock.minPause;
  }

  /** Is no guess better under the objective? */
  *isProven({ bounds, worst }) {
    const { objective } = this.options;
    const { upper } = bounds;
    if (!bounds.exact || upper.compare(this.lower) > 0) return false;
    if (objective === "worst" && !upper.losses) return this.depth !== null && worst === this.depth;
    if (objective === "mean-then-worst" && !upper.losses) {
      return worst !== null && worst === (yield* this.valuation.worst(this.state, upper));
    }
    return true;
  }

  /** Everything that is known now. */
  advice() {
    this.lastAdvice = this.clock.seconds;
    const { game, state, options } = this;
    const ranking = this.ranking();
    const listed = ranking.slice(0, options.count);
    listed.push(...this.asked.filter((guess) => this.known.has(guess) && !listed.includes(guess)));
    const rows = listed.map((guess) => this.suggestion(guess));
    const [best] = rows;
    const proven = this.isProvenNow(this.known.get(ranking[0]));
    const lower = Math.min(this.lower.guesses / state.weight, best.upper);
    const remaining = this.words.length;
    const said = why(best, remaining, game.weights !== null);
    return {
      game: game.name.endsWith(UNLISTED) ? game.name.slice(0, -UNLISTED.length) : game.name,
      mode: game.mode,
      cap: game.cap,
      objective: options.objective,
      weights: this.coach.weighting,
      turn: state.turn,
      remaining,
      words: this.words,
      outside: this.position.outside,
      guess: best.guess,
      expected: best.expected,
      lower: proven ? best.expected : lower,
      upper: best.upper,
      proven,
      losses: best.losses,
      complete: this.complete,
      explanation: `${best.guess.toUpperCase()} ${said}; ${valued(best, lower, proven)}`,
      notes: notes(this.position.outside, game, best, proven, remaining),
      traps: this.traps,
      suggestions: rows,
      seconds: roundedTo(this.clock.seconds, 3),
    };
  }

  /** `isProven`, run at once: where it searches, what it needs is remembered or soon found. */
  isProvenNow(known) {
    const proving = this.isProven(known);
    for (;;) {
      const { done, value } = proving.next();
      if (done) return value;
    }
  }

  suggestion(guess) {
    const { bounds, worst, groups, largest, own } = this.known.get(guess);
    const { weight } = this.state;
    const { lower, upper } = bounds;
    return {
      guess: this.game.guesses[guess],
      expected: upper.guesses / weight,
      lower: Math.min(lower.guesses, upper.guesses) / weight,
      upper: upper.guesses / weight,
      proven: bounds.exact,
      losses: upper.losses / weight,
      groups, largest,
      win: own / weight,
      worst,
      candidate: own > 0,
    };
  }
}

/** The cost of a plan's subtree in a state, and the most guesses it takes, by counting. */
export function plannedCost(node, state) {
  const { game } = state;
  let cost = new Cost(0, state.candidates.length);
  let worst = 1;
  for (const [code, part] of state.groups(game.index(node.guess))) {
    if (code === game.win) continue;
    const below = node.branches.get(game.show(code));
    if (!below) {
      cost = cost.plus(new Cost(part.candidates.length, 0));
      continue;
    }
    const rest = plannedCost(below, part);
    cost = cost.plus(rest.cost);
    worst = Math.max(worst, 1 + rest.worst);
  }
  return { cost, worst };
}

// A position of a game and the guess made in it, known ever better: salet/coach/appraisal.py,
// rating.py, perfect_play.py.
import { APPRAISED, FEW_RANKS } from "./definitions.js";
import { Adviser } from "./adviser.js";
import { why } from "./explain.js";
import { roundedTo } from "./format.js";
import { Bounds, minCost } from "./value.js";
import { behindOf, luckOf, verdictOf, verdictText } from "./verdicts.js";

/** Values a position, and a guess in it unless that is null. Run `begin` first. */
export class Appraiser {
  constructor(position, guess, clock, objective = "mean") {
    const { state } = position;
    Object.assign(this, { position, state, guess });
    const consider = guess === null ? [] : [state.game.guesses[guess]];
    this.adviser = new Adviser(position, { objective, count: APPRAISED, consider }, clock);
    this.advising = this.adviser.advise();
  }

  /** Search until something is known of the guess. */
  *begin() {
    for (;;) {
      const { done, value } = this.advising.next();
      if (done || (value && (this.guess === null || this.adviser.known.has(this.guess)))) return;
      yield;
    }
  }

  /** Search until all is exact or time is over; yields true whenever more is known. */
  *tighten() {
    if (yield* this.adviser.isSettled()) return;
    for (;;) {
      const { done, value } = this.advising.next();
      if (done) return;
      if (value) {
        yield true;
        if (yield* this.adviser.isSettled()) return;
      } else yield;
    }
  }

  /** What is known now. */
  *appraisal() {
    const { adviser, state } = this;
    let [best] = adviser.ranking();
    const cost = adviser.known.get(best).bounds.upper;
    const guess = this.guess ?? best;
    const { bounds } = adviser.known.get(guess);
    if (bounds.upper.equals(cost)) best = guess;
    const proven = yield* adviser.isSettled();
    const lower = proven ? cost : minCost(adviser.lower, cost);
    return {
      cost, best, proven,
      bestRow: adviser.suggestion(best),
      guessCost: bounds.upper,
      guessRow: adviser.suggestion(guess),
      behind: behindOf(bounds, new Bounds(lower, cost), state.weight, state.game.cap),
    };
  }

  /** How lucky the feedback with this code was. */
  *luck(code) {
    return luckOf(yield* this.adviser.valuation.outcomes(this.state, this.guess), code);
  }
}

/** What a position and a guess in it cost, as well as the clock allows. */
export function* appraise(position, guess, clock) {
  const appraiser = new Appraiser(position, guess, clock);
  yield* appraiser.begin();
  for (const _ of appraiser.tighten()) yield;
  return yield* appraiser.appraisal();
}

/** How the best guess of every turn finds an answer, or loses it within the cap. */
export function* perfectGame(coach, answer, clock) {
  let state = coach.game.start();
  const turns = [];
  while (!state.won && state.guessesLeft !== 0) {
    const found = yield* appraise({ coach, state, outside: false }, null, clock);
    state = state.after(found.best, state.game.row(found.best)[answer]);
    const [guess, feedback] = state.turns[state.turn - 1];
    turns.push({ guess, feedback, remaining_after: state.won ? 0 : state.candidates.length, proven: found.proven });
  }
  return turns;
}

// ---- ratings: is my idea any good? The best one is not named.

/** Yields ratings of a legal guess, ever tighter; returns the last. */
export function* ratings(position, guess, clock, objective) {
  const appraiser = new Appraiser(position, guess, clock, objective);
  yield* appraiser.begin();
  yield yield* ratingOf(position, guess, appraiser);
  for (const more of appraiser.tighten()) yield more && (yield* ratingOf(position, guess, appraiser));
  return yield* ratingOf(position, guess, appraiser);
}

function* ratingOf(position, guess, appraiser) {
  const found = yield* appraiser.appraisal();
  const { adviser } = appraiser;
  const { guessRow: row, bestRow: best, behind } = found;
  const remaining = position.state.candidates.length;
  const [rankLower, rankUpper] = yield* ranks(appraiser, guess);
  const legal = adviser.guessBounds.guesses.length;
  const does = why(row, remaining, position.state.game.weights !== null);
  const few = rankUpper > 1 && rankUpper <= Math.min(FEW_RANKS, Math.floor(legal / 10));
  const among = few ? `; among the best ${rankUpper} of ${legal}` : "";
  const verdict = verdictOf(behind);
  return {
    ...row,
    verdict: verdict === "undecided" ? null : verdict,
    text: `${verdictText(behind)}${among}; it ${does.replace(/^it /, "")}`,
    behind,
    rank_lower: rankLower, rank_upper: rankUpper, legal, remaining,
    weights: position.coach.weighting,
    proven: found.proven,
    seconds: roundedTo(adviser.clock.seconds, 3),
    best_expected: best.expected, best_losses: best.losses,
    lost: behind.guesses_upper ?? 0, lost_games: behind.games_upper,
    exact: found.proven,
    explanation: `${row.guess.toUpperCase()} ${does}`,
  };
}

/** Between which ranks the guess is, by what is known of all others. */
function* ranks(appraiser, guess) {
  const { adviser } = appraiser;
  const { known } = adviser;
  const mine = known.get(guess).bounds;
  let better = [...known.values()].filter(({ bounds }) => bounds.upper.compare(mine.lower) < 0).length;
  const book = adviser.coach.openingBook;
  if (book && !adviser.state.turn) {
    const { losses, guesses } = mine.lower;
    const above = book.openers.filter((one) => (one.losses - losses || one.guesses - guesses) < 0).length;
    better = Math.max(better, above);
  }
  let maybe = adviser.guessBounds.below(mine.upper).filter((other) =>
    other !== guess && !(known.has(other) && known.get(other).bounds.lower.compare(mine.upper) >= 0)).length;
  if (yield* adviser.isSettled()) { // nothing is better than the best
    const best = known.get(adviser.ranking()[0]).bounds.upper;
    if (mine.upper.compare(best) <= 0) maybe = 0;
  }
  return [1 + better, 1 + Math.max(better, maybe)];
}

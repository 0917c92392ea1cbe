// What a game's guesses were worth: skill and luck, turn by turn: salet/coach/analysis.py, where the
// equation stands that these amounts keep exactly.
import { BEST_SCORE, SCORE_UNCAPPED } from "./definitions.js";
import { appraise, Appraiser, perfectGame } from "./appraisal.js";
import { InputError, repr } from "./errors.js";
import { assumption, why } from "./explain.js";
import { fixed, rounded } from "./format.js";
import { formatGrid } from "./grids.js";
import { likelyFirst } from "./guess_bounds.js";
import { ADDED, carryOverOpeners } from "./record.js";
import { luckText, percentOf, resultText, verdictOf, verdictText } from "./verdicts.js";

/** A fraction of whole numbers, exact. */
export class Fraction {
  constructor(numerator, denominator = 1n) {
    let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
    while (b) [a, b] = [b, a % b];
    this.numerator = a ? numerator / a : 0n;
    this.denominator = a ? denominator / a : 1n;
  }

  plus(other, sign = 1n) {
    return new Fraction(
      this.numerator * other.denominator + sign * other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }

  minus(other) {
    return this.plus(other, -1n);
  }

  times(count) {
    return new Fraction(this.numerator * BigInt(count), this.denominator);
  }

  get sign() {
    return this.numerator > 0n ? 1 : this.numerator < 0n ? -1 : 0;
  }

  /** The nearest number. */
  get number() {
    const size = this.numerator < 0n ? -this.numerator : this.numerator;
    if (!size) return 0;
    const shift = Math.max(0, 66 + this.denominator.toString(2).length - size.toString(2).length);
    const scaled = size << BigInt(shift);
    const quotient = scaled / this.denominator;
    const whole = Number(quotient | (scaled % this.denominator ? 1n : 0n));
    return (this.numerator < 0n ? -whole : whole) / 2 ** shift;
  }
}

const fraction = (a, b = 1) => new Fraction(BigInt(a), BigInt(b));

/** Games and guesses; differences are taken in each. */
class Amount {
  constructor(games, guesses) {
    this.games = games;
    this.guesses = guesses;
  }

  plus(other) {
    return new Amount(this.games.plus(other.games), this.guesses.plus(other.guesses));
  }

  minus(other) {
    return new Amount(this.games.minus(other.games), this.guesses.minus(other.guesses));
  }

  get isNothing() {
    return !this.games.sign && !this.guesses.sign;
  }
}

const NOTHING = new Amount(fraction(0), fraction(0));
const ONE_GUESS = new Amount(fraction(0), fraction(1));
const LOST_GAME = new Amount(fraction(1), fraction(0));

const meanOf = (cost, state) =>
  new Amount(fraction(cost.losses, state.weight), fraction(cost.guesses, state.weight));

const parted = (lost, luck) => ({
  lost: lost.guesses.number, luck: luck.guesses.number, lost_games: lost.games.number, luck_games: luck.games.number,
});

const positionOf = (coach, state) => ({ coach, state, outside: false });

/** Yields {analysis, done} at once, then ever tighter, undefined where it may pause; returns the last,
 * which alone tells how perfect play would have gone. */
export function* analyseGame(record, clock) {
  yield* carryOverOpeners(record, clock);
  const { coach, states } = record;
  const turns = record.guesses.map((guess, at) => new Appraiser(positionOf(coach, states[at]), guess, clock));
  const last = states[states.length - 1];
  const isOver = last.won || last.guessesLeft === 0;
  const rest = isOver ? null : new Appraiser(positionOf(coach, last), null, clock);
  for (const appraiser of [...turns, ...(rest ? [rest] : [])]) yield* appraiser.begin();
  let done = 0;
  yield { analysis: yield* priced(record, turns, rest), done };
  // From the last turn to the first: late states are known quickly, the first takes longest.
  for (const appraiser of [...(rest ? [rest] : []), ...turns.slice().reverse()]) {
    for (const more of appraiser.tighten()) {
      yield more && { analysis: yield* priced(record, turns, rest), done };
    }
    done = Math.min(done + 1, turns.length);
  }
  const perfect = yield* perfectGame(coach, record.answer, clock);
  return { analysis: yield* priced(record, turns, rest, perfect), done: turns.length };
}

/** What is known now of all turns. */
function* priced(record, turns, rest, perfect = []) {
  let after = record.states[record.states.length - 1].won ? [NOTHING, true] : [LOST_GAME, true];
  if (rest) {
    const found = yield* rest.appraisal();
    after = [meanOf(found.cost, rest.state), found.proven];
  }
  const found = [];
  for (let number = turns.length - 1; number >= 0; number--) {
    found.unshift(yield* pricedTurn(record, number, turns[number], after));
    after = [found[0].before, found[0].proven];
  }
  return analysisOf(record, found, perfect);
}

function* pricedTurn(record, number, appraiser, [rest, known]) {
  const [state, below] = [record.states[number], record.states[number + 1]];
  const found = yield* appraiser.appraisal();
  const [before, ofGuess] = [meanOf(found.cost, state), meanOf(found.guessCost, state)];
  const lost = ofGuess.minus(before);
  const left = below.won ? [] : below.candidates;
  return {
    guess: found.guessRow.guess,
    feedback: below.turns[number][1],
    best: state.game.guesses[found.best],
    before, rest, lost,
    luck: ofGuess.minus(ONE_GUESS).minus(rest),
    behind: found.behind,
    fortune: yield* appraiser.luck(state.game.row(appraiser.guess)[record.answer]),
    words: wordsOf(left, record),
    remainingBefore: state.candidates.length,
    remainingAfter: left.length,
    proven: found.proven && known,
    explanation: explained(found, lost, state),
  };
}

const wordsOf = (places, { coach }) =>
  likelyFirst(places, coach.likelihood).map((place) => coach.game.guesses[place]);

/** What the guess did, and what would have been better. */
function explained(found, lost, state) {
  const [remaining, weighted] = [state.candidates.length, state.game.weights !== null];
  const mine = `${found.guessRow.guess.toUpperCase()} ${why(found.guessRow, remaining, weighted)}`;
  if (lost.isNothing) return `${mine}; ${found.proven ? "no guess is better" : "none better was found"}`;
  const parts = [];
  if (lost.games.sign > 0) parts.push(`${percentOf(lost.games.number)} fewer games lost`);
  if (lost.guesses.sign > 0) parts.push(`${fixed(lost.guesses.number, 3)} guesses fewer in the mean`);
  const better = `${found.bestRow.guess.toUpperCase()} ${why(found.bestRow, remaining, weighted)}`;
  return `${mine}; ${better}: ${parts.join(" and ")}`;
}

/** The fields of `salet analyse --json`. */
function analysisOf(record, turns, perfect) {
  const last = record.states[record.states.length - 1];
  const { game } = last;
  let [lost, luck] = [NOTHING, NOTHING];
  for (const turn of turns) [lost, luck] = [lost.plus(turn.lost), luck.plus(turn.luck)];
  const price = game.cap ?? SCORE_UNCAPPED;
  let given = fraction(0); // guesses saved by losing games are no gain
  for (const { lost: amount } of turns) {
    if (amount.guesses.sign > 0) given = given.plus(amount.guesses);
    given = given.plus(amount.games.times(price));
  }
  const proven = turns.every((turn) => turn.proven);
  const notes = [];
  if (record.added) {
    notes.push(
      `${repr(game.guesses[record.answer])} is not one of the answers of ${record.base.game.name}; ` +
        "it was added for this analysis",
    );
  }
  if (!proven) notes.push("not all values are proven: what is expected is at most so much");
  notes.push(assumption(game));
  const name = record.added ? game.name.slice(0, -ADDED.length) : game.name;
  const over = last.won || last.guessesLeft === 0;
  const score = rounded(BEST_SCORE * 2 ** -given.number);
  const [first, end] = [turns[0], turns[turns.length - 1]];
  return {
    game: name, mode: game.mode, cap: game.cap, answer: game.guesses[record.answer], won: last.won, over,
    turns: turns.map(turnFields),
    ...parted(lost, luck),
    result: resultText({
      used: turns.length, cap: game.cap, won: last.won, over,
      expected: first.before.guesses.number, lost: lost.guesses.number, luck: luck.guesses.number,
      toCome: end.rest.guesses.number, riskStart: first.before.games.number, riskEnd: end.rest.games.number,
      lostGames: lost.games.number, luckGames: luck.games.number,
    }),
    score,
    formula: `score = ${BEST_SCORE} / 2^(lost + ${price} x lost games), rounded`,
    perfect,
    weights: record.coach.weighting,
    proven, notes,
    summary: summary({ name, game, won: last.won, over, score, lost, luck, turns: last.turns }),
  };
}

const turnFields = (turn) => ({
  guess: turn.guess, feedback: turn.feedback, best: turn.best,
  expected_before: turn.before.guesses.number, expected_after: turn.rest.guesses.number,
  losses_before: turn.before.games.number, losses_after: turn.rest.games.number,
  ...parted(turn.lost, turn.luck),
  verdict: verdictOf(turn.behind), verdict_text: verdictText(turn.behind), behind: turn.behind,
  luck_text: luckText(turn.fortune), luckier: turn.fortune.luckier, unluckier: turn.fortune.unluckier,
  remaining_before: turn.remainingBefore, remaining_after: turn.remainingAfter, words: turn.words,
  proven: turn.proven, explanation: turn.explanation,
});

/** Count, score, luck and grid, without a word of the game. */
function summary({ name, game, won, over, score, lost, luck, turns }) {
  const used = won ? String(turns.length) : over ? "X" : `${turns.length}…`;
  const limit = game.cap === null ? "" : `/${game.cap}`;
  const amount = luck.guesses.number;
  const signed = `${amount < 0 ? "" : "+"}${fixed(amount, 2)}`;
  const choices = lost.games.number;
  const shared = won || !over ? `luck ${signed} guesses`
    : `lost ${percentOf(choices)} by choices, ${percentOf(1 - choices)} by luck`;
  const lines = [
    `salet ${name} ${used}${limit}${game.mode === "hard" ? "*" : ""}`,
    `skill ${score}/${BEST_SCORE}, ${shared}`,
    "",
  ];
  const feedback = turns.map(([, shown]) => shown);
  if (feedback[0].includes(",")) return [...lines, ...feedback].join("\n");
  const rows = feedback.map((row) => [...row].map((tile) => "BYG".indexOf(tile)));
  return `${lines.join("\n")}\n${formatGrid({ rows })}`;
}

/** What another guess in turn `turn` (from 1) of a game would have cost and left. */
export function* alternative(record, turn, guess, clock) {
  const count = record.guesses.length;
  if (!(Number.isInteger(turn) && turn >= 1 && turn <= count)) {
    throw new InputError(`turn ${turn}: the game has turns 1 to ${count}`);
  }
  yield* carryOverOpeners(record, clock);
  const { coach } = record;
  const state = record.states[turn - 1];
  const index = state.check(guess);
  const below = state.after(index, state.game.row(index)[record.answer]);
  let [rest, known, best] = [NOTHING, true, null];
  if (below.guessesLeft === 0 && !below.won) rest = LOST_GAME;
  else if (!below.won) {
    const found = yield* appraise(positionOf(coach, below), null, clock);
    [rest, known, best] = [meanOf(found.cost, below), found.proven, state.game.guesses[found.best]];
  }
  const found = yield* appraise(positionOf(coach, state), index, clock);
  const [before, ofGuess] = [meanOf(found.cost, state), meanOf(found.guessCost, state)];
  const lost = ofGuess.minus(before);
  return {
    turn,
    guess: state.game.guesses[index],
    feedback: below.turns[turn - 1][1],
    expected_before: before.guesses.number,
    expected_after: rest.guesses.number,
    losses_before: before.games.number,
    losses_after: rest.games.number,
    ...parted(lost, ofGuess.minus(ONE_GUESS).minus(rest)),
    verdict: verdictOf(found.behind),
    verdict_text: verdictText(found.behind),
    remaining_after: below.candidates.length,
    words: wordsOf(below.candidates, record),
    next: best,
    proven: found.proven && known,
    explanation: explained(found, lost, state),
  };
}

// The coach of one game: salet/coach/coach.py, position.py, salet/search/opener_table.py.
import { OBJECTIVES } from "./definitions.js";
import { Adviser, UNLISTED } from "./adviser.js";
import { InputError, repr, rowError, unknownName } from "./errors.js";
import { Game, replay } from "./game.js";
import { NOTATIONS, pegs, tiles } from "./notation.js";
import { Cost, Evaluator } from "./value.js";
import { priorWeights, readWeights } from "./weights.js";

export class Coach {
  /** `engine` has the memory for searches; `known` is what is stored of the game: {plan, planFacts,
   * openingBook, replyFacts}. */
  constructor(engine, game, { past = [], weights = null, known = {} } = {}) {
    this.engine = engine;
    this.past = past;
    this.weights = weights;
    this.weighting = weights === null ? "equal" : weights === "prior" ? "prior" : weights.name;
    this.likelihood = priorWeights(game, past);
    if (weights !== null) {
      const own = weights === "prior"
        ? [...this.likelihood.subarray(0, game.answerCount)] : readWeights(weights.name, weights.text, game);
      game = game.with({ weights: own });
      known = {};
    }
    this.game = game;
    this.plan = known.plan ?? null; // the tree, where it was loaded
    this.planFacts = known.planFacts ?? null;
    this.openingBook = known.openingBook ?? null;
    this.replyFacts = known.replyFacts ?? null;
    this.replies = null; // the book of replies, where it was loaded: opener -> rows
  }

  get evaluator() {
    this.evaluatorMade ??= new Evaluator(this.game, this.engine);
    return this.evaluatorMade;
  }

  /** Where a state stands in the shipped plan; null if play has left it. */
  planned(state) {
    if (!this.plan || state.game !== this.game) return null;
    let node = this.plan;
    for (const [guess, feedback] of state.turns) {
      const below = node.branches.get(feedback);
      if (guess !== node.guess || !below) return null;
      node = below;
    }
    return node;
  }

  /** What the book knows of a state after one guess: {guess, cost, worst}; null if it lacks that. */
  reply(state) {
    if (state.turn !== 1 || state.game !== this.game || !this.replies) return null;
    const [[opener, feedback]] = state.turns;
    const row = this.replies.get(opener)?.find(([shown]) => shown === feedback);
    if (!row) return null;
    const [, guess, losses, guesses, worst] = row;
    return { guess: this.game.index(guess), cost: new Cost(losses, guesses), worst };
  }

  /** A coach of other words of the same kind, with the same past answers. */
  coachOf(game) {
    if (this.game.weights !== null && this.weighting !== "prior") {
      throw new InputError(
        `an answer outside the list has no weight in ${repr(this.weighting)}; add a line for it`,
      );
    }
    return new Coach(this.engine, game, { past: this.past, weights: this.weights });
  }
}

/** Refuse an objective that does not exist, and a game that is over. */
export function checkQuestion({ state }, objective) {
  if (state.won) {
    throw new InputError(`${repr(state.turns[state.turn - 1][0])} has found the answer; nothing is left to guess`);
  }
  if (state.guessesLeft === 0) {
    throw new InputError(`all ${state.game.cap} guesses are used; nothing is left to guess`);
  }
  if (!Object.hasOwn(OBJECTIVES, objective)) {
    throw unknownName("objective", objective, Object.keys(OBJECTIVES));
  }
}

/** Advice, ever tighter. options: {objective, count, consider} */
export function* suggest(position, options, clock) {
  checkQuestion(position, options.objective);
  for (const word of options.consider) position.state.check(word);
  yield* new Adviser(position, options, clock).advise();
}

// ---- positions

/** The position after rows: {coach, state, outside}; an error says which row is wrong. */
export function readPosition(coach, rows) {
  const state = replay(coach.game, rows);
  return state.candidates.length ? { coach, state, outside: false } : fromAllGuesses(coach, state);
}

function fromAllGuesses(coach, state) {
  const { game } = coach;
  const codes = state.history.map(([guess]) => game.codesBetween(guess));
  const fits = [];
  for (let at = 0; at < game.lexicon.size; at++) {
    if (state.history.every(([, code], row) => codes[row][at] === code)) fits.push(at);
  }
  if (!fits.length) throw mistyped(coach, state, codes);
  const wider = new Game(fits.map((at) => game.guesses[at]), game.guesses, {
    rule: game.rule.name, mode: game.mode, cap: game.cap, name: game.name + UNLISTED, frequencies: game.counts,
  });
  const inner = coach.coachOf(wider);
  let again = inner.game.start();
  for (const [guess, feedback] of state.turns) again = again.after(guess, feedback);
  return { coach: inner, state: again, outside: true };
}

/** Name the row in which the nearest words differ: fewest rows, then fewest tiles, then likeliest. */
function mistyped(coach, state, codes) {
  const { game, likelihood } = coach;
  const wrong = state.history.map(([, code], row) => Array.from(codes[row], (other) => distance(game, other, code)));
  let best = null;
  for (let at = 0; at < game.lexicon.size; at++) {
    let [rows, marks] = [0, 0];
    for (const row of wrong) {
      rows += row[at] > 0;
      marks += row[at];
    }
    const rank = [rows, marks, -likelihood[at]];
    const lower = best && rank.findIndex((value, place) => value !== best.rank[place]);
    if (!best || (lower >= 0 && rank[lower] < best.rank[lower])) best = { rank, word: at };
  }
  const { word } = best;
  let row = 0;
  wrong.forEach((distances, at) => { if (distances[word] > wrong[row][word]) row = at; });
  const [guess, code] = state.history[row];
  const typed = `${game.guesses[guess]}:${game.show(code)}`;
  return rowError(
    row + 1,
    `no word fits these rows; row ${row + 1} ${repr(typed)} is most likely mistyped: ` +
      `${repr(game.show(codes[row][word]))} would fit ${repr(game.guesses[word])}`,
  );
}

/** By how many tiles (or pegs) two codes differ. */
function distance(game, code, typed) {
  if (code === typed) return 0;
  const signs = game.rule.notation === NOTATIONS.tiles ? tiles : pegs;
  const [a, b] = [signs(code, game.length), signs(typed, game.length)];
  if (signs === tiles) return a.reduce((sum, colour, at) => sum + (colour !== b[at]), 0);
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
}

// A game that was played: its words, checked against the colours that were shared:
// salet/coach/game_record.py.
import { InputError, repr, rowError } from "./errors.js";
import { Game } from "./game.js";
import { graphemes, key } from "./lexicon.js";
import { tileCode } from "./notation.js";
import { Cost } from "./value.js";
import { Valuation } from "./valuation.js";

export const ADDED = "+1"; // added to the name of a game that got one more answer

/** {coach, answer, states, base}: the game of these guesses; the last is the answer unless given. */
export function readGame(coach, words, answer = null, grid = null) {
  if (!words.length) {
    throw new InputError("no word is given; write the guesses of a game, as 'salet acorn grand'");
  }
  if (grid && grid.rows.length !== words.length) {
    throw new InputError(
      `the grid has ${grid.rows.length} rows, but there are ${words.length} words; give one word for each row`,
    );
  }
  if (answer === null) {
    if (grid && !grid.won) {
      throw new InputError("the grid shows a lost game; say what the answer was (--answer WORD)");
    }
    answer = words[words.length - 1];
    checkLast(coach.game, words.length, answer);
  }
  const base = coach;
  const index = base.game.lexicon.places.get(key(answer));
  if (index === undefined || index >= base.game.answerCount) coach = withAnswer(base, answer, words);
  const { game } = coach;
  const secret = game.answerIndex(answer);
  const states = [game.start()];
  words.forEach((word, at) => states.push(nextState(states[at], at + 1, word, secret, grid)));
  return {
    coach, answer: secret, states, base, added: base !== coach,
    guesses: states[states.length - 1].history.map(([guess]) => guess),
  };
}

/** Refuse a last word that the game does not know: it is likelier mistyped than the answer. */
function checkLast(game, number, word) {
  try {
    game.index(word);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw rowError(
      number, `row ${number}: ${error.message} (if it is the answer all the same: --answer ${word})`,
    );
  }
}

function nextState(state, number, word, secret, grid) {
  const { game } = state;
  if (state.won) throw rowError(number, `row ${number} ${repr(word)}: row ${number - 1} found the answer`);
  if (state.guessesLeft === 0) {
    throw rowError(number, `row ${number} ${repr(word)} is one guess more than the cap of ${game.cap}`);
  }
  let guess;
  try {
    guess = state.check(word);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw rowError(number, `row ${number}: ${error.message}`);
  }
  const code = game.row(guess)[secret];
  if (grid) compare(game, number, guess, secret, code, grid);
  return state.after(guess, code);
}

function compare(game, number, guess, secret, code, grid) {
  if (!game.hasTiles) throw new InputError(`${game.name} has no squares to compare; leave the grid out`);
  const row = grid.rows[number - 1];
  if (row.length !== game.length) {
    throw rowError(number, `row ${number} of the grid has ${row.length} squares; words have ${game.length} letters`);
  }
  if (tileCode(row) !== code) {
    throw rowError(
      number,
      `row ${number}: ${repr(game.guesses[guess])} does not fit its colours: with the answer ` +
        `${repr(game.guesses[secret])} it shows ${game.show(code)}, but the grid has ${game.show(tileCode(row))}`,
    );
  }
}

/** A coach of the same game with one more answer. */
function withAnswer(base, answer, words) {
  const { game } = base;
  const count = graphemes(key(answer)).length;
  if (count !== game.length) {
    throw new InputError(`${repr(answer)} has ${count} letters; words of ${game.name} have ${game.length}`);
  }
  if (![...answer].every((char) => /[\p{L}\p{N}]/u.test(char))) {
    throw new InputError(`${repr(answer)} is no word; give the answer in letters`);
  }
  words.forEach((word, at) => {
    if (key(word) === key(answer)) return;
    try {
      game.index(word);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw rowError(at + 1, `row ${at + 1}: ${error.message}`);
    }
  });
  const known = game.lexicon.places.has(key(answer));
  const { rule, mode, cap, name, counts } = game;
  const wider = new Game([...game.answers, answer], known ? game.guesses : [...game.guesses, answer], {
    rule: rule.name, mode, cap, name: name + ADDED, frequencies: counts,
  });
  return base.coachOf(wider);
}

/** Derive the stored cost of the best opener, and of the one played, for the game with one more
 * answer: only the group that the answer joins changes. */
export function* carryOverOpeners(record, clock) {
  const book = record.base.openingBook;
  if (!record.added || !book?.openers.length) return;
  const { game } = record.coach;
  const [best] = book.openers;
  const wanted = new Set([best.guess, game.guesses[record.guesses[0]]]);
  const openers = [];
  const listed = book.openers.filter(({ guess }) => wanted.has(guess));
  const before = []; // of the game as it was: all of them first, so that one table is in memory at a time
  for (const opener of listed) before.push(yield* costBefore(opener, record, clock));
  for (const [at, opener] of listed.entries()) {
    const moved = yield* carriedOver(opener, before[at], record, clock);
    if (moved) openers.push(moved);
  }
  if (!openers.some(({ guess }) => guess === best.guess)) return;
  openers.sort((a, b) => a.losses - b.losses || a.guesses - b.guesses);
  record.coach.openingBook = { lower: 2 * game.answerCount - 1, openers };
}

/** The cost of the group that the answer joins, without it; null if time runs out. */
function* costBefore(opener, record, clock) {
  const { coach, base, answer } = record;
  const guess = coach.game.index(opener.guess);
  const code = coach.game.row(guess)[answer];
  if (code === coach.game.win) return new Cost(0, 0);
  const part = coach.game.start().groups(guess).get(code);
  if (part.candidates.length === 1) return new Cost(0, 0);
  const smaller = base.game.start().after(opener.guess, code);
  return yield* new Valuation(base.evaluator, clock, { replies: (state) => base.reply(state) }).exact(smaller);
}

function* carriedOver(opener, before, record, clock) {
  const { coach, answer } = record;
  const { game } = coach;
  const guess = game.index(opener.guess);
  const code = game.row(guess)[answer];
  let cost = new Cost(opener.losses, opener.guesses + 1);
  const part = game.start().groups(guess).get(code);
  const size = part.candidates.length;
  if (code !== game.win) {
    const after = yield* new Valuation(coach.evaluator, clock, { replies: (state) => coach.reply(state) }).exact(part);
    if (after === null || before === null) return null;
    cost = cost.plus(after).minus(before);
  }
  return {
    guess: opener.guess, losses: cost.losses, guesses: cost.guesses, worst: null,
    groups: opener.groups + Number(size === 1), largest: Math.max(opener.largest, size),
  };
}

// A game of guess and feedback, and what is known in it: salet/game/game.py, state.py, rows.py.
//
// Patterns are the rule's codes, as numbers. The engine numbers them densely where codes do not fit
// two bytes; that stays inside layout.js.
import { MAX_WEIGHT } from "./definitions.js";
import { InputError, repr, rowError } from "./errors.js";
import { split, strip } from "./format.js";
import { key, Lexicon } from "./lexicon.js";
import { checkMode, narrow, objection } from "./modes.js";
import { ruleNamed } from "./notation.js";

const KEPT_ROWS = 400; // rows of the table that are computed here and kept

export class Game {
  /** `frequencies`: map key -> count in running text, or null; `weights`: an array, or null. */
  constructor(answers, guesses = null, options = {}) {
    const { rule = "standard", mode = "normal", cap = null, weights = null, name = "custom" } = options;
    this.name = name;
    this.rule = ruleNamed(rule);
    this.mode = mode;
    checkMode(mode, this.rule);
    if (cap !== null && !(Number.isInteger(cap) && cap >= 1)) {
      throw new InputError(`a cap of ${cap} allows no guess; give at least 1, or none`);
    }
    if (!answers.length) throw new InputError("the list of answers is empty; a game needs at least one");
    this.cap = cap;
    this.answerCount = answers.length;
    this.lexicon = options.lexicon ?? new Lexicon(answersFirst(answers, guesses));
    this.counts = options.frequencies ?? null;
    this.weights = weights === null ? null : checkedWeights(weights, this);
    this.rows = new Map();
  }

  /** The same words with another mode, cap, weights or name. */
  with(changes) {
    const { rule, mode, cap, weights, name, lexicon, counts } = this;
    const options = { rule: rule.name, mode, cap, weights, name, lexicon, frequencies: counts, ...changes };
    const other = new Game(this.answers, null, options);
    if (other.rule.name === rule.name) other.rows = this.rows;
    return other;
  }

  get guesses() {
    return this.lexicon.words;
  }

  get answers() {
    return this.lexicon.words.slice(0, this.answerCount);
  }

  get length() {
    return this.lexicon.length;
  }

  get hasTiles() {
    return this.rule.notation.name === "tiles";
  }

  /** The code of the winning pattern. */
  get win() {
    return this.rule.notation.patterns(this.length) - 1;
  }

  /** Counts in running text of each guess, or null. */
  get frequencies() {
    if (this.counts === null) return null;
    this.frequencyList ??= this.lexicon.keys.map((word) => this.counts.get(word) ?? 0);
    return this.frequencyList;
  }

  index(word) {
    return this.find(word, "word", this.lexicon.size);
  }

  answerIndex(word) {
    const index = this.find(word, "answer", this.answerCount);
    if (index >= this.answerCount) {
      throw new InputError(`${repr(word)} is a guess of ${this.name} but not one of its answers`);
    }
    return index;
  }

  find(word, kind, count) {
    const index = this.lexicon.places.get(key(strip(word)));
    if (index === undefined) throw this.lexicon.unknown(word, kind, this.frequencies, count);
    return index;
  }

  show(code) {
    return this.rule.notation.format(code, this.length);
  }

  parse(feedback) {
    return this.rule.notation.parse(feedback, this.length);
  }

  /** The codes that a guess gets from every answer. */
  row(guess) {
    let row = this.rows.get(guess);
    if (!row) {
      row = this.codes(guess, this.answerCount);
      if (this.rows.size >= KEPT_ROWS) this.rows.delete(this.rows.keys().next().value);
      this.rows.set(guess, row);
    }
    return row;
  }

  /** The codes that a guess gets from every guess as the answer. */
  codesBetween(guess) {
    return this.codes(guess, this.lexicon.size);
  }

  codes(guess, count) {
    const { lexicon, rule } = this;
    const [letters, length] = [lexicon.letters(guess), lexicon.length];
    const out = new (3 ** length <= 65536 ? Uint16Array : Float64Array)(count);
    if (rule.name === "standard") fillStandard(letters, lexicon, count, out);
    else for (let at = 0; at < count; at++) out[at] = rule.code(letters, lexicon.letters(at));
    return out;
  }

  start() {
    return new State(this, Int32Array.from({ length: this.answerCount }, (_, at) => at));
  }
}

/** Wordle's rule for one guess and many answers: greens first, then yellows while letters last. */
function fillStandard(guess, lexicon, count, out) {
  const { codes, length } = lexicon;
  const left = new Uint8Array(lexicon.alphabet.length);
  const powers = Array.from({ length }, (_, i) => 3 ** i);
  for (let at = 0, base = 0; at < count; at++, base += length) {
    let code = 0;
    for (let i = 0; i < length; i++) {
      const letter = codes[base + i];
      if (letter === guess[i]) code += 2 * powers[i];
      else left[letter]++;
    }
    for (let i = 0; i < length; i++) {
      if (codes[base + i] !== guess[i] && left[guess[i]]) {
        left[guess[i]]--;
        code += powers[i];
      }
    }
    for (let i = 0; i < length; i++) left[codes[base + i]] = 0;
    out[at] = code;
  }
}

function answersFirst(answers, guesses) {
  if (guesses === null) return [...answers];
  const known = new Set(answers.map(key));
  const legal = new Set(guesses.map(key));
  for (const word of answers) {
    if (!legal.has(key(word))) {
      throw new InputError(
        `answer ${repr(word)} is not a guess; the list of guesses must contain every answer`,
      );
    }
  }
  if (legal.size < guesses.length) new Lexicon(guesses); // throws an error that names the duplicate
  return [...answers, ...guesses.filter((word) => !known.has(key(word)))];
}

function checkedWeights(weights, game) {
  if (weights.length !== game.answerCount) {
    throw new InputError(
      `there are ${weights.length} weights for ${game.answerCount} answers; give one each`,
    );
  }
  weights.forEach((weight, at) => {
    if (!(Number.isInteger(weight) && weight >= 1 && weight <= MAX_WEIGHT)) {
      throw new InputError(
        `weight ${weight} of ${repr(game.guesses[at])}: give a whole number from 1 to ${MAX_WEIGHT}`,
      );
    }
  });
  const most = weights.reduce((sum, weight) => sum + weight, 0) * 8 * weights.length;
  if (most > Number.MAX_SAFE_INTEGER) {
    throw new InputError(`the weights of ${game.name} are too great for a page; divide them by 1000`);
  }
  return weights;
}

/** An immutable position of a game. */
export class State {
  constructor(game, candidates, history = [], previous = null) {
    this.game = game;
    this.candidates = candidates; // indices of the answers still possible, ascending
    this.history = history; // [guess, code] of every turn so far
    this.previous = previous;
  }

  get turn() {
    return this.history.length;
  }

  /** Guesses that the cap still allows; null without a cap. */
  get guessesLeft() {
    return this.game.cap === null ? null : this.game.cap - this.turn;
  }

  get weight() {
    const { weights } = this.game;
    this.total ??= weights === null
      ? this.candidates.length : this.candidates.reduce((sum, at) => sum + weights[at], 0);
    return this.total;
  }

  get maxWeight() {
    const { weights } = this.game;
    if (weights === null) return Math.min(this.candidates.length, 1);
    return this.candidates.reduce((most, at) => Math.max(most, weights[at]), 0);
  }

  get sizeBound() {
    return this.guessesLeft === 0 ? 0 : 2 * this.weight - this.maxWeight;
  }

  get won() {
    return this.turn > 0 && this.history[this.turn - 1][1] === this.game.win;
  }

  /** [guess, feedback] of every turn, as text. */
  get turns() {
    return this.history.map(([guess, code]) => [this.game.guesses[guess], this.game.show(code)]);
  }

  /** The guesses that the mode allows, ascending. */
  get legal() {
    if (!this.legalList) {
      const { game, previous } = this;
      if (game.mode === "normal" || previous === null) {
        game.allGuesses ??= Int32Array.from({ length: game.lexicon.size }, (_, at) => at);
        this.legalList = game.allGuesses;
      } else {
        const [guess, code] = this.history[this.turn - 1];
        this.legalList = narrow(game, previous.legal, guess, code);
      }
    }
    return this.legalList;
  }

  /** The index of a guess; throws if the mode forbids it. */
  check(guess) {
    const index = typeof guess === "number" ? guess : this.game.index(guess);
    const reason = objection(this.game, this.history, index);
    if (reason !== null) {
      throw new InputError(`${repr(this.game.guesses[index])} is not allowed: ${reason}`, "IllegalGuessError");
    }
    return index;
  }

  /** The state after a guess and its feedback (text, or a code). */
  after(guess, feedback) {
    const index = this.check(guess);
    const code = typeof feedback === "number" ? feedback : this.game.parse(feedback);
    const row = this.game.row(index);
    const left = this.candidates.filter((at) => row[at] === code);
    return new State(this.game, left, [...this.history, [index, code]], this);
  }

  /** The states that can follow a guess, by code, ascending. */
  groups(guess) {
    const row = this.game.row(guess);
    const members = new Map();
    for (const at of this.candidates) {
      const list = members.get(row[at]);
      if (list) list.push(at);
      else members.set(row[at], [at]);
    }
    const codes = [...members.keys()].sort((a, b) => a - b);
    return new Map(codes.map((code) => [
      code, new State(this.game, Int32Array.from(members.get(code)), [...this.history, [guess, code]], this),
    ]));
  }
}

const EXAMPLE = "write guess and feedback as 'crane:bybbg' or 'crane bybbg' (b grey, y yellow, g green)";

/** Text such as "crane:bybbg slate bbgby" as rows. */
export function parseRows(text) {
  const fields = split(text);
  const parsed = [];
  while (fields.length) {
    const number = parsed.length + 1;
    const field = fields.shift();
    const at = field.indexOf(":");
    const guess = at < 0 ? field : field.slice(0, at);
    let feedback = at < 0 ? "" : field.slice(at + 1);
    if (at < 0 && fields.length && !fields[0].includes(":")) feedback = fields.shift();
    if (!guess || !feedback) {
      const missing = guess ? "feedback" : "guess";
      throw rowError(number, `row ${number} ${repr(field)} has no ${missing}; ${EXAMPLE}`);
    }
    parsed.push({ guess, feedback });
  }
  return parsed;
}

/** The state after rows; the secret may be unlisted, so that no answer is left. */
export function replay(game, rows) {
  let state = game.start();
  rows.forEach(({ guess, feedback }, at) => {
    const number = at + 1;
    const shown = `row ${number} '${guess}:${feedback}'`;
    if (state.won) throw rowError(number, `${shown}: row ${at} already found the answer`);
    if (state.guessesLeft === 0) throw rowError(number, `${shown} exceeds the cap of ${game.cap} guesses`);
    try {
      state = state.after(guess, feedback);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw rowError(number, `${shown}: ${error.message}`);
    }
  });
  return state;
}

// Patterns as text, and the feedback rules for single pairs: salet/game/notation.py, feedback.py.
import { RULES, TILE_COLOURS } from "./definitions.js";
import { InputError, repr, unknownName } from "./errors.js";
import { strip } from "./format.js";
import { graphemes, key, letterCount } from "./lexicon.js";

export const [GREY, YELLOW, GREEN] = [0, 1, 2];
const LETTERS = "BYG";

/** The colours of a tile pattern, left to right. */
export function tiles(code, length) {
  const colours = [];
  for (let i = 0; i < length; i++) {
    colours.push(code % 3);
    code = Math.floor(code / 3);
  }
  return colours;
}

export const tileCode = (colours) => colours.reduceRight((code, colour) => 3 * code + colour, 0);

function parseTiles(text, length) {
  const bare = [...text.replace(/[\ufe0e\ufe0f]/g, "").toLowerCase()].filter((char) => strip(char));
  const unknown = bare.find((char) => !(char in TILE_COLOURS));
  const example = "bygbb".repeat(4).slice(0, length);
  if (unknown !== undefined) {
    throw new InputError(
      `feedback ${repr(text)}: ${repr(unknown)} is not a tile; write b, y or g ` +
        `(or 0 1 2, or ⬛🟨🟩) for each letter, as in ${repr(example)}`,
    );
  }
  if (bare.length !== length) {
    throw new InputError(
      `feedback ${repr(text)} has ${bare.length} tile${bare.length === 1 ? "" : "s"}; ` +
        `write one for each of the ${length} letters, as in ${repr(example)}`,
    );
  }
  return tileCode(bare.map((char) => TILE_COLOURS[char]));
}

/** The code of a pair of pegs: pairs are numbered row by row. */
const pegCode = (black, white, length) => black * (length + 1) - (black * (black - 1)) / 2 + white;

/** Black and white pegs of a code. */
export function pegs(code, length) {
  let black = 0;
  while (code > length - black) code -= length + 1 - black++;
  return [black, code];
}

function parsePegs(text, length) {
  let numbers = text.match(/\p{Nd}+/gu) ?? [];
  const shape = /^\s*\d+\s*[b, ;:/+]\s*\d+\s*w?\s*$|^\s*\d\d\s*$/.test(text.toLowerCase());
  if (shape && numbers.length === 1) numbers = [...numbers[0]];
  if (!shape || numbers.length !== 2) {
    throw new InputError(
      `feedback ${repr(text)}: write black and white pegs as '1,2' (1 black, 2 white)`,
    );
  }
  const [black, white] = numbers.map(Number);
  if (black + white > length) {
    throw new InputError(
      `feedback ${repr(text)}: ${black} black and ${white} white are more than ${length} pegs`,
    );
  }
  return pegCode(black, white, length);
}

export const NOTATIONS = {
  tiles: {
    name: "tiles",
    patterns: (length) => 3 ** length,
    parse: parseTiles,
    format: (code, length) => tiles(code, length).map((colour) => LETTERS[colour]).join(""),
  },
  pegs: {
    name: "pegs",
    patterns: (length) => ((length + 1) * (length + 2)) / 2,
    parse: parsePegs,
    format: (code, length) => pegs(code, length).join(","),
  },
};

// ---- rules: the code of one pair of words, given as letters

function standard(guess, answer) {
  const length = guess.length;
  const left = new Map();
  let code = 0;
  for (let i = 0; i < length; i++) {
    if (guess[i] !== answer[i]) left.set(answer[i], (left.get(answer[i]) ?? 0) + 1);
  }
  for (let i = 0, power = 1; i < length; i++, power *= 3) {
    if (guess[i] === answer[i]) code += 2 * power;
    else if (left.get(guess[i])) {
      code += power;
      left.set(guess[i], left.get(guess[i]) - 1);
    }
  }
  return code;
}

function present(guess, answer) {
  let code = 0;
  for (let i = 0, power = 1; i < guess.length; i++, power *= 3) {
    if (guess[i] === answer[i]) code += 2 * power;
    else if (answer.includes(guess[i])) code += power;
  }
  return code;
}

function peg(guess, answer) {
  let black = 0;
  const left = new Map();
  for (let i = 0; i < guess.length; i++) {
    if (guess[i] === answer[i]) black++;
    left.set(answer[i], (left.get(answer[i]) ?? 0) + 1);
  }
  let both = 0;
  for (const letter of guess) {
    if (left.get(letter)) {
      both++;
      left.set(letter, left.get(letter) - 1);
    }
  }
  return pegCode(black, both - black, guess.length);
}

const CODE = { standard, present, pegs: peg };

/** A feedback rule by its name. */
export function ruleNamed(name) {
  if (!Object.hasOwn(RULES, name)) throw unknownName("rule", name, Object.keys(RULES));
  const { notation, counts_letters: countsLetters } = RULES[name];
  return { name, notation: NOTATIONS[notation], countsLetters, code: CODE[name] };
}

/** The feedback to a guess as text. */
export function score(guess, answer, rule = "standard") {
  const chosen = ruleNamed(rule);
  const [a, b] = [guess, answer].map((word) => graphemes(key(strip(word))));
  if (a.length !== b.length) {
    throw new InputError(
      `${repr(guess)} has ${letterCount(a.length)} and ${repr(answer)} has ${b.length}; ` +
        "guess and answer must have the same length",
    );
  }
  return chosen.notation.format(chosen.code(a, b), a.length);
}

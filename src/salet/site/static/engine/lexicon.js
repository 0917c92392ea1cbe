// Words as people write them, and as small integer codes: salet/game/lexicon.py.
import { MAX_EDITS, MAX_LENGTH, MIN_LENGTH } from "./definitions.js";
import { InputError, repr, suggested, unknownName } from "./errors.js";
import { strip } from "./format.js";

/** The form in which words are compared. */
export const key = (word) => word.normalize("NFC").toLowerCase().normalize("NFC");

const ASCII = /^[\x00-\x7f]*$/;
const EXTENDS = /^[\p{Mn}\p{Me}\p{Mc}\u200c\u200d\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]$/u;
const REGIONAL = /^[\u{1f1e6}-\u{1f1ff}]$/u;

/** What a reader sees as single letters. */
export function graphemes(word) {
  if (ASCII.test(word)) return word.split("");
  const letters = [];
  for (const char of word) {
    const before = letters[letters.length - 1];
    const joins = before !== undefined &&
      (EXTENDS.test(char) || before.endsWith("\u200d") || (REGIONAL.test(before) && REGIONAL.test(char)));
    if (joins) letters[letters.length - 1] += char;
    else letters.push(char);
  }
  return letters;
}

export const letterCount = (count) => `${count} letter${count === 1 ? "" : "s"}`;

const byCodePoint = (a, b) => {
  const x = [...a], y = [...b];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (x[i] !== y[i]) return x[i].codePointAt(0) - y[i].codePointAt(0);
  }
  return x.length - y.length;
};

/** Distinct words of one length, in order, with their letters as codes. */
export class Lexicon {
  constructor(words) {
    if (!words.length) throw new InputError("the word list is empty; it needs at least one word");
    this.words = words;
    this.keys = words.map(key);
    this.places = new Map();
    this.keys.forEach((spelled, at) => {
      if (this.places.has(spelled)) {
        throw new InputError(`${repr(words[at])} is twice in the word list; list every word once`);
      }
      this.places.set(spelled, at);
    });
    const split = this.keys.map(graphemes);
    const length = split[0].length;
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      throw new InputError(
        `${repr(words[0])} has ${letterCount(length)}; words have ${MIN_LENGTH} to ${MAX_LENGTH}`,
      );
    }
    split.forEach((letters, at) => {
      if (letters.length !== length) {
        throw new InputError(
          `${repr(words[at])} has ${letterCount(letters.length)}, but ${repr(words[0])} has ${length}; ` +
            "all words of a game have the same length",
        );
      }
    });
    this.length = length;
    this.alphabet = [...new Set(split.flat())].sort(byCodePoint);
    this.codeOf = new Map(this.alphabet.map((letter, code) => [letter, code]));
    this.codes = new (this.alphabet.length <= 256 ? Uint8Array : Uint16Array)(words.length * length);
    split.forEach((letters, at) => letters.forEach((letter, i) => {
      this.codes[at * length + i] = this.codeOf.get(letter);
    }));
  }

  get size() {
    return this.words.length;
  }

  /** The codes of one word. */
  letters(at) {
    return this.codes.subarray(at * this.length, (at + 1) * this.length);
  }

  /** The error for a word that is not listed. */
  unknown(word, kind, frequencies, first) {
    const near = this.nearest(word, frequencies, first);
    const length = graphemes(key(strip(word))).length;
    if (length === this.length) {
      return unknownName(kind, word, [], `it is not one of the ${this.size} words`, near);
    }
    const message = `${repr(word)} has ${letterCount(length)}; words of this game have ${this.length}`;
    return new InputError(near.length ? `${message}; did you mean ${suggested(near)}?` : message);
  }

  /** The words at the least edit distance from an unlisted one, frequent ones first. */
  nearest(word, frequencies = null, first = this.size, count = 2) {
    const letters = graphemes(key(strip(word))).map((letter) => this.codeOf.get(letter) ?? -1);
    const limit = letters.length === this.length ? MAX_EDITS : 1;
    if (Math.abs(letters.length - this.length) > limit) return [];
    const distances = Array.from({ length: first }, (_, at) => editDistance(letters, this.letters(at)));
    const least = Math.min(limit + 1, ...chunked(distances));
    if (least > Math.min(limit, Math.floor(letters.length / 2))) return [];
    const tied = distances.flatMap((distance, at) => (distance === least ? [at] : []));
    if (frequencies) tied.sort((a, b) => frequencies[b] - frequencies[a]);
    return tied.slice(0, count).map((at) => this.words[at]);
  }
}

const chunked = (numbers) => {
  const least = [];
  for (let at = 0; at < numbers.length; at += 4096) least.push(Math.min(...numbers.slice(at, at + 4096)));
  return least;
};

/** Insertions, deletions, replacements and swaps of neighbours (restricted Damerau-Levenshtein). */
export function editDistance(a, b) {
  let [older, old, row] = [[], Array.from({ length: b.length + 1 }, (_, j) => j), []];
  for (let i = 1; i <= a.length; i++) {
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(old[j], row[j - 1]) + 1;
      best = Math.min(best, old[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && b[j - 1] === a[i - 2] && b[j - 2] === a[i - 1]) {
        best = Math.min(best, older[j - 2] + 1);
      }
      row.push(best);
    }
    [older, old] = [old, row];
  }
  return old[b.length];
}

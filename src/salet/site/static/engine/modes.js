// Modes: which guesses are legal after a history of hints: salet/game/modes.py.
import { MODE_SUMMARIES } from "./definitions.js";
import { InputError, repr, unknownName } from "./errors.js";
import { GREEN, GREY, tiles } from "./notation.js";

/** Refuse an unknown mode, or one that the rule cannot support. */
export function checkMode(mode, rule) {
  if (!Object.hasOwn(MODE_SUMMARIES, mode)) throw unknownName("mode", mode, Object.keys(MODE_SUMMARIES));
  if (mode === "hard" && rule.notation.name !== "tiles") {
    throw new InputError(
      `mode 'hard' needs a hint for each letter, which rule ${repr(rule.name)} does not give; ` +
        "use 'normal' or 'strict'",
    );
  }
}

/** The modes that a rule supports. */
export function modesOf(rule) {
  return Object.keys(MODE_SUMMARIES).filter((mode) => mode !== "hard" || rule.notation.name === "tiles");
}

/** What hard mode demands after a hint: maps position -> letter and letter -> least count. */
export function demands(letters, code, countsLetters) {
  const greens = new Map();
  const minimum = new Map();
  tiles(code, letters.length).forEach((colour, position) => {
    const letter = letters[position];
    if (colour === GREEN) greens.set(position, letter);
    if (colour !== GREY) minimum.set(letter, countsLetters ? (minimum.get(letter) ?? 0) + 1 : 1);
  });
  return { greens, minimum };
}

const occurrences = (letters, letter) => letters.reduce((count, other) => count + (other === letter), 0);

/** The legal guesses that remain legal after one more hint. */
export function narrow(game, legal, guess, code) {
  const { lexicon, rule, mode } = game;
  const letters = lexicon.letters(guess);
  if (mode === "hard") {
    const { greens, minimum } = demands(letters, code, rule.countsLetters);
    return legal.filter((other) => {
      const word = lexicon.letters(other);
      for (const [position, letter] of greens) if (word[position] !== letter) return false;
      for (const [letter, count] of minimum) if (occurrences(word, letter) < count) return false;
      return true;
    });
  }
  const codes = game.codesBetween(guess);
  return legal.filter((other) => codes[other] === code);
}

/** Why the mode forbids a guess after a history of [guess, code]; null if it allows it. */
export function objection(game, history, guess) {
  const { lexicon, rule, mode } = game;
  if (mode === "normal") return null;
  const word = lexicon.words[guess];
  const sign = (letter) => lexicon.alphabet[letter].toUpperCase();
  for (const [earlier, code] of history) {
    const hint = `${lexicon.words[earlier]} ${rule.notation.format(code, lexicon.length)}`;
    if (mode === "hard") {
      const { greens, minimum } = demands(lexicon.letters(earlier), code, rule.countsLetters);
      for (const [position, letter] of greens) {
        if (lexicon.letters(guess)[position] !== letter) {
          return `hard mode: letter ${position + 1} must be ${sign(letter)} (after ${hint})`;
        }
      }
      for (const [letter, count] of minimum) {
        if (occurrences(lexicon.letters(guess), letter) < count) {
          const times = count === 1 ? "" : ` ${count} times`;
          return `hard mode: ${repr(word)} must contain ${sign(letter)}${times} (after ${hint})`;
        }
      }
    } else if (rule.code(lexicon.letters(earlier), lexicon.letters(guess)) !== code) {
      return `strict mode: ${repr(word)} cannot be the answer after ${hint}`;
    }
  }
  return null;
}

// Help in steps, none of which names a word before the last: salet/coach/hints.py.
import { HINT_LETTERS } from "./definitions.js";
import { InputError } from "./errors.js";
import { number } from "./explain.js";
import { general } from "./format.js";
import { percentOf } from "./verdicts.js";

const [COUNT, YARDSTICK, LETTERS, REVEAL] = [1, 2, 3, 4];

/** Does a step tell what a search finds? */
export const needsAdvice = (step) => step === YARDSTICK || step === REVEAL;

export function checkStep(step) {
  if (![COUNT, YARDSTICK, LETTERS, REVEAL].includes(step)) {
    throw new InputError(`hint ${step}: there are steps ${COUNT} to ${REVEAL}`);
  }
}

/** One step of help in a state; steps 2 and 4 tell what `advice` knows. */
export function hint(step, state, advice = null) {
  const found = {
    step, text: "", remaining: state.candidates.length, guesses_left: state.guessesLeft,
    lower: null, upper: null, losses: null, proven: null, letters: null, guess: null,
  };
  if (step === COUNT) return { ...found, text: countText(found.remaining, found.guesses_left) };
  if (step === LETTERS) {
    const letters = lettersToTest(state);
    return { ...found, letters, text: [lettersText(letters), ...letters.map(({ text }) => text)].join("\n") };
  }
  const { lower, upper, losses, proven } = advice;
  const known = { ...found, lower, upper, losses, proven };
  if (step === REVEAL) return { ...known, guess: advice.guess, text: advice.explanation };
  return { ...known, text: yardstickText(advice) };
}

/** "40 words fit; 5 guesses are left" */
function countText(remaining, left) {
  const fit = remaining === 1 ? "1 word fits" : `${remaining} words fit`;
  if (left === null) return fit;
  return `${fit}; ${left === 1 ? "1 guess is left" : `${left} guesses are left`}`;
}

/** What the best guess achieves, without naming it. */
function yardstickText({ suggestions: [best], proven, expected, lower, upper, losses }) {
  const mean = proven ? general(expected, 4) : `${general(lower, 4)} to ${general(upper, 4)}`;
  const text = `the best guess takes ${mean} guesses on average, itself included`;
  if (losses > 0) return `${text}, and loses with a chance of ${proven ? "" : "at most "}${percentOf(losses)}`;
  return best.worst === null ? text : `${text}, and never more than ${number(best.worst)}`;
}

const lettersText = (letters) => (letters.length
  ? "letters worth testing, the most telling first:"
  : "no letter tells the words apart: name a word and have it rated");

/** The letters that split the remaining words most evenly, each with its best position: it splits them in
 * those without it, those that have it elsewhere, those that have it there. */
function lettersToTest(state) {
  const { lexicon } = state.game;
  const words = state.candidates.length;
  const having = new Map(); // letter -> words
  const there = new Map(); // letter -> [position]: words
  for (const place of state.candidates) {
    const letters = [...lexicon.letters(place)];
    for (const letter of new Set(letters)) having.set(letter, (having.get(letter) ?? 0) + 1);
    letters.forEach((letter, at) => {
      if (!there.has(letter)) there.set(letter, Array(lexicon.length).fill(0));
      there.get(letter)[at]++;
    });
  }
  const found = [];
  for (const [letter, count] of having) {
    const squares = there.get(letter).map((here) => (words - count) ** 2 + (count - here) ** 2 + here ** 2);
    const least = Math.min(...squares);
    if (least < words ** 2) found.push({ letter, count, least, at: squares.indexOf(least) });
  }
  found.sort((a, b) => a.least - b.least || a.letter - b.letter);
  return found.slice(0, HINT_LETTERS).map(({ letter, count, at }) =>
    letterHint(lexicon.alphabet[letter], words, count, at + 1, there.get(letter)[at]));
}

function letterHint(letter, words, having, position, there) {
  const share = having === words ? "all words have it" : `in ${having} of ${words} words`;
  const text = `${letter.toUpperCase()} at ${position}: ${share}, there in ${there}`;
  return { letter, words: having, position, words_there: there, text };
}

// Letters worth testing: those that about half of the remaining words have.
import { letters } from "./words.js";

/** For each letter whose presence is not known from `rows`: in which share of the words it is. Those that
 * tell most come first: a letter that is in half of the words halves them. */
export function worthTesting(words, rows) {
  const tried = new Set(rows.flatMap(({ guess }) => letters(guess.toLowerCase())));
  const counts = new Map();
  for (const word of words) {
    for (const letter of new Set(letters(word.toLowerCase()))) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  return [...counts]
    .filter(([letter, count]) => !tried.has(letter) && count < words.length)
    .map(([letter, count]) => ({ letter, share: count / words.length }))
    .sort((a, b) => Math.abs(a.share - 0.5) - Math.abs(b.share - 0.5) || (a.letter < b.letter ? -1 : 1));
}

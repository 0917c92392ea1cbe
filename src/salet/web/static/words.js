// Words as people see them.
const segmenter = globalThis.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: "grapheme" });

export const letters = (word) =>
  segmenter ? [...segmenter.segment(word)].map((part) => part.segment) : [...word];

/** Capitals, except where a capital would be two letters (ß). */
export function upper(letter) {
  const capital = letter.toLocaleUpperCase();
  return letters(capital).length === letters(letter).length ? capital : letter;
}

export const capitals = (word) => letters(word).map(upper).join("");

export const STATES = { G: "right", Y: "near", B: "absent" };
export const SAID = { G: "right place", Y: "elsewhere in the word", B: "not in the word" };

/** What a screen reader says of a row. */
export const spoken = (word, feedback) =>
  feedback.includes(",")
    ? `${capitals(word)}: ${pegs(feedback)}`
    : letters(word).map((letter, place) => `${upper(letter)} ${SAID[feedback[place]]}`).join(", ");

export function pegs(feedback) {
  const [black, white] = feedback.split(",");
  return `${black} right, ${white} in another place`;
}

export const plural = (count, one, many = `${one}s`) =>
  `${Number(count).toLocaleString("en")} ${count === 1 ? one : many}`;

export const number = (value, digits = 2) => (value == null ? "–" : value.toFixed(digits));

/** A chance in per cent; one that exists is never shown as none. */
export const percent = (chance) =>
  chance > 0 && chance < 0.0005 ? "< 0.1 %" : `${number(100 * chance, chance < 0.1 ? 1 : 0)} %`;

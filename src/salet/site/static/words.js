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

/** A colour that nobody has said yet. */
export const UNKNOWN = "x";

export const STATES = { G: "right", Y: "near", B: "absent" };
export const SAID = { G: "right place", Y: "elsewhere in the word", B: "not in the word", [UNKNOWN]: "no colour yet" };

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

/** A number with its sign; a true minus, and none for what rounds to nothing. */
export function signed(value, digits = 2) {
  const shown = Math.abs(value).toFixed(digits);
  return Number(shown) === 0 ? shown : `${value > 0 ? "+" : "−"}${shown}`;
}

/** A chance in per cent; one that exists is never shown as none. */
export const percent = (chance) =>
  chance > 0 && chance < 0.0005 ? "< 0.1 %" : `${number(100 * chance, chance > 0 && chance < 0.1 ? 1 : 0)} %`;

// Words of the solver that mean little to a player.
const JARGON = [
  [/^the cap of (\d+) guesses is used up$/i, "All $1 tries are used"],
  [/is one guess more than the cap of (\d+)/, "is one guess too many: this game has $1 tries"],
  [/\bin the mean\b/g, "on average"],
  [/; no guess can take fewer than [\d.]+/, ""],
  [/ \(--answer WORD\)/, ""],
  [/ \(if it is the answer all the same: --answer \S+\)/, "; if it is the answer all the same, give it as the answer below"],
];

/** A message as a sentence for people. */
export function sentence(text) {
  let told = JARGON.reduce((before, [said, better]) => before.replace(said, better), String(text ?? "").trim());
  if (!told) return "";
  told = told[0].toUpperCase() + told.slice(1);
  return /[.!?…]$/.test(told) ? told : `${told}.`;
}

/** A date for people: 18 November 2026. */
export const longDate = (date) => {
  const found = new Date(`${date.length === 7 ? `${date}-01` : date}T12:00`);
  if (Number.isNaN(found.getTime())) return date;
  const day = date.length === 7 ? {} : { day: "numeric" };
  return found.toLocaleDateString("en-GB", { ...day, month: "long", year: "numeric" });
};

/** Today where the player is, as 2026-11-18. */
export const today = () => new Date().toLocaleDateString("sv");

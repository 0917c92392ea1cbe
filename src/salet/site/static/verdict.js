// Plain words for what a guess was worth.
import { html } from "./lib.js";
import { number, percent, signed } from "./words.js";

const NOTHING = 0.0005;
export const FINE = 0.1; // guesses: what hardly anybody would notice
export const COSTLY = 0.35;

const UNDECIDED = "undecided";

/** best, fine or costly: by the guesses that it cost, and the games; undecided while bounds allow several. */
export function verdictOf({ lost = 0, lost_games: games = 0, verdict }, cap = 6) {
  if (verdict) return verdict in VERDICTS ? verdict : "costly";
  const price = lost + (cap ?? 6) * games;
  if (price <= NOTHING) return "best";
  return price < FINE ? "fine" : "costly";
}

/** Costly guesses that give a game away, or much of one, stand out. */
export const isBad = (turn, cap) =>
  verdictOf(turn, cap) === "costly" && Math.max(0, turn.lost ?? 0) + (cap ?? 6) * Math.max(0, turn.lost_games ?? 0) > COSTLY;

export const VERDICTS = { best: "Best", fine: "Fine", costly: "Costly", [UNDECIDED]: "Not decided yet" };

/** Two digits; what is more than nothing is never shown as nothing. */
export const guesses = (amount) => (amount > NOTHING && amount < 0.005 ? "less than 0.01" : number(amount, 2));

/** What it cost, in words: guesses, and games where those can be lost. */
export function costOf({ lost = 0, lost_games: games = 0 }) {
  const parts = [];
  if (games > NOTHING) parts.push(`${percent(games)} more games lost`);
  if (games < -NOTHING) parts.push(`${percent(-games)} fewer games lost`);
  if (Math.abs(lost) > NOTHING) parts.push(`${guesses(Math.abs(lost))} ${lost > 0 ? "more" : "fewer"} guesses on average`);
  return parts.join(", ") || "nothing lost";
}

/** Luck in words: how it compares with what other answers would have brought, where that is known. */
export function luckOf({ luck = 0, luck_games: games = 0, luck_text: text }) {
  if (text) return text;
  const value = luck + 6 * games;
  if (Math.abs(value) < 0.1) return "neither lucky nor unlucky";
  return `${value > 0 ? "lucky" : "unlucky"}: ${signed(luck)} guesses`;
}

/** The verdict as a chip. */
export function Verdict({ turn, cap, bound }) {
  const verdict = verdictOf(turn, cap);
  return html`<span class="chip verdict ${isBad(turn, cap) ? "bad" : verdict}">${bound && verdict === "costly" ? "At worst costly" : VERDICTS[verdict]}</span>`;
}

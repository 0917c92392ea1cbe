// Verdicts in plain words: how far a guess is behind the best, and how lucky its feedback was:
// salet/coach/verdicts.py.
import { FINE_PRICE, SCORE_UNCAPPED } from "./definitions.js";
import { fixed } from "./format.js";

/** How far a guess is behind the best, between bounds that meet once both are exact. */
export function behindOf(guess, best, weight, cap) {
  const gamesLower = Math.max(0, guess.lower.losses - best.upper.losses);
  const gamesUpper = guess.upper.losses - best.lower.losses;
  let [lower, upper] = [null, null];
  if (guess.lower.losses === guess.upper.losses && best.lower.losses === best.upper.losses) {
    lower = guess.lower.guesses - best.upper.guesses;
    upper = guess.upper.guesses - best.lower.guesses;
    lower = gamesLower ? lower : Math.max(0, lower);
  }
  const lost = cap ?? SCORE_UNCAPPED;
  const most = (lost - 1) * weight; // between the first guess and the last
  return {
    guesses_lower: lower === null ? null : lower / weight,
    guesses_upper: upper === null ? null : upper / weight,
    games_lower: gamesLower / weight,
    games_upper: gamesUpper / weight,
    price_lower: (Math.max(0, lower ?? 0) + lost * gamesLower) / weight,
    price_upper: (Math.max(0, upper ?? most) + lost * gamesUpper) / weight,
  };
}

const levelOf = (price) => (price === 0 ? 0 : price < FINE_PRICE ? 1 : 2);

/** "best", "fine" or "costly"; "undecided" while the bounds allow several. */
export function verdictOf(behind) {
  const [lower, upper] = [levelOf(behind.price_lower), levelOf(behind.price_upper)];
  return lower === upper || (lower === 0 && upper === 1) ? ["best", "fine", "costly"][upper] : "undecided";
}

export function verdictText(behind) {
  const name = verdictOf(behind);
  if (name === "best") return "best: no guess is better";
  const exact = behind.price_lower === behind.price_upper;
  if (name === "fine" && !exact && behind.price_lower === 0) {
    return `fine, perhaps best: ${distance(behind, exact)}`;
  }
  return `${name === "undecided" ? "not decided yet" : name}: ${distance(behind, exact)}`;
}

function distance({ games_lower: least, games_upper: most, guesses_lower: lower, guesses_upper: upper }, exact) {
  const parts = [];
  if (most > 0) parts.push(addedLosses(least, most));
  if (lower !== null && upper !== null && upper > 0) {
    if (exact) parts.push(`${number(upper)} guesses behind the best`);
    else if (lower > 0) parts.push(`${number(lower)} to ${number(upper)} guesses behind the best`);
    else parts.push(`at most ${number(upper)} guesses behind the best`);
  }
  return parts.join(" and ");
}

function addedLosses(lower, upper) {
  if (lower === upper) return `adds ${percentOf(upper)} to the chance of losing`;
  if (lower > 0) return `adds ${percentOf(lower)} to ${percentOf(upper)} to the chance of losing`;
  return `adds at most ${percentOf(upper)} to the chance of losing`;
}

const number = (guesses) => (guesses >= 0.005 ? fixed(guesses, 2) : "less than 0.01");

/** A share as people read it: "33.3 %", "0.04 %", "100 %". */
export function percentOf(share) {
  const shown = 100 * share;
  if (shown && Math.abs(shown) < 0.1) return `${fixed(shown, 2)} %`;
  return `${fixed(shown, 1).replace(/\.0$/, "")} %`;
}

/** {luckier, unluckier}: shares of the answers that would have left a worse or a better position. */
export function luckOf(outcomes, code) {
  const [, weight, cost] = outcomes.find(([other]) => other === code);
  const order = ([, otherWeight, other]) => {
    const games = BigInt(other.losses) * BigInt(weight) - BigInt(cost.losses) * BigInt(otherWeight);
    if (games) return games;
    return BigInt(other.guesses) * BigInt(weight) - BigInt(cost.guesses) * BigInt(otherWeight);
  };
  const sum = (some) => some.reduce((total, [, each]) => total + each, 0);
  const total = sum(outcomes);
  return {
    luckier: sum(outcomes.filter((one) => order(one) > 0n)) / total,
    unluckier: sum(outcomes.filter((one) => order(one) < 0n)) / total,
  };
}

export function luckText({ luckier, unluckier }) {
  if (luckier === 0 && unluckier === 0) return "no luck in it";
  if (luckier >= 0.5) return `luckier than ${ofTen(luckier)}`;
  if (unluckier >= 0.5) return `unluckier than ${ofTen(unluckier)}`;
  return "about as lucky as most";
}

function ofTen(share) {
  const tenths = Math.trunc(10 * share + 1e-9);
  if (tenths === 5) return "half";
  return tenths < 9 ? `${tenths} of 10` : `${Math.trunc(100 * share + 1e-9)} of 100`;
}

/** How the game ended and what that was due to. */
export function resultText(balance) {
  const { used, cap, won, over, expected, lost, luck, toCome } = balance;
  const limit = cap === null ? "" : ` of ${cap}`;
  if (over && !won) return `lost after ${used}: ${risks(balance)} = ${percentOf(balance.riskEnd)} chance of losing`;
  const start = `${fixed(expected, 3)} expected + ${fixed(lost, 3)} by choices`;
  const account = `${start} ${luck >= 0 ? "-" : "+"} ${fixed(Math.abs(luck), 3)} by ${luckName(luck)}`;
  let text = won ? `found in ${used}${limit}: ${account}`
    : `not finished after ${used}${limit}, ${fixed(toCome, 3)} guesses to come: ${account}`;
  if (Math.max(balance.riskStart, Math.abs(balance.lostGames), Math.abs(balance.luckGames)) > 0) {
    text += `; ${risks(balance)} = ${percentOf(balance.riskEnd)} chance of losing`;
  }
  return text;
}

const luckName = (luck) => (luck >= 0 ? "luck" : "bad luck");

const risks = ({ riskStart, lostGames, luckGames }) =>
  `${percentOf(riskStart)} at the start + ${percentOf(lostGames)} by choices ` +
  `${luckGames >= 0 ? "-" : "+"} ${percentOf(Math.abs(luckGames))} by ${luckName(luckGames)}`;

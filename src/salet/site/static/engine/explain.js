// Plain words for facts: salet/coach/explain.py.
import { general } from "./format.js";
import { percentOf } from "./verdicts.js";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export const number = (count) => NUMBERS[count] ?? String(count);

/** What a guess does: how it splits, whether it can win now, and how it ends at the latest. */
export function why(suggestion, remaining, weighted = false) {
  if (remaining === 1 && suggestion.candidate) return "it is the only word left";
  let now;
  if (!suggestion.candidate) now = "cannot win now";
  else if (weighted) now = `wins now with a chance of ${percentOf(suggestion.win)}`;
  else now = `wins now in 1 of ${remaining} cases`;
  return `${splitting(suggestion, remaining)}; ${now}${ending(suggestion, remaining, weighted)}`;
}

function splitting(suggestion, remaining) {
  const words = `${remaining} word${remaining > 1 ? "s" : ""}`;
  if (suggestion.groups === 1) return `does not split the ${words}`;
  if (suggestion.groups === remaining) return `tells all ${words} apart`;
  return `splits ${words} into ${suggestion.groups} groups, largest ${suggestion.largest}`;
}

function ending(suggestion, remaining, weighted) {
  if (suggestion.losses > 0) {
    const most = suggestion.proven ? "" : "at most ";
    return `; loses ${most}${lostOf(suggestion, remaining, weighted)}`;
  }
  if (suggestion.worst === null || suggestion.worst === 1) return "";
  const more = number(suggestion.worst - 1);
  return suggestion.candidate ? `, otherwise always in ${more} more at the latest` : `, but always wins in ${more} more`;
}

/** "1 of 6"; "1.5 % of games" where some words are likelier than others. */
const lostOf = ({ losses }, remaining, weighted) =>
  (weighted ? `${percentOf(losses)} of games` : `${general(losses * remaining, 4)} of ${remaining}`);

/** How many guesses a guess takes in the mean, and how well that is known. */
export function valued(suggestion, lower, best) {
  if (!suggestion.proven) {
    return `at most ${general(suggestion.upper, 4)} guesses in the mean, at least ${general(suggestion.lower, 4)}`;
  }
  const known = `${general(suggestion.expected, 4)} guesses in the mean`;
  return best ? `${known}, proven best` : `${known}; no guess can take fewer than ${general(lower, 4)}`;
}

/** What should be known besides the guess. */
export function notes(outside, game, best, proven, remaining) {
  const lines = [];
  if (outside) lines.push(`no listed answer fits; these are all guesses that do: ${remaining}`);
  if (best.losses > 0) {
    const some = lostOf(best, remaining, game.weights !== null);
    lines.push(proven
      ? `${game.cap} guesses are not enough for every word any more; this guess loses the fewest: ${some}`
      : `no plan found so far finds every word in ${game.cap} guesses: at most ${some} lost`);
  }
  return [...lines, assumption(game)];
}

/** What values take for granted. */
export const assumption = (game) => (game.weights === null
  ? "values assume that all remaining answers are equally likely"
  : "values weigh the answers by how likely they are");

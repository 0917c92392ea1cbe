// What weighing the answers by likelihood changes, in plain words: salet/coach/likelihood_change.py.

const START = "likelihood counts";
const instead = (now, without) => (now === without ? `${now}, as without` : `${now} instead of ${without}`);
const named = (verdict) => (verdict === "undecided" ? "not decided yet" : verdict);

/** What changed in the rating of an idea. */
export const ratingChange = (likely, equal) => `${START}: ${instead(named(likely.verdict), named(equal.verdict))}`;

/** What changed in the analysis of a game: the score, and verdicts of guesses. */
export function analysisChange(likely, equal) {
  const parts = [`score ${instead(String(likely.score), String(equal.score))}`];
  likely.turns.forEach((one, at) => {
    const other = equal.turns[at];
    if (one.verdict !== other.verdict) {
      parts.push(`guess ${at + 1} is ${instead(named(one.verdict), named(other.verdict))}`);
    } else if (one.best !== other.best && one.verdict !== "best") {
      parts.push(`guess ${at + 1}: ${one.best.toUpperCase()} is better, not ${other.best.toUpperCase()}`);
    }
  });
  return `${START}: ${parts.join("; ")}`;
}

// The host without an answer: salet/game/hosts.py. It keeps the largest group; of equally large ones the
// one with the fewest greens (blacks), then the fewest yellows (whites), then the lower pattern.
import { GREEN, tiles, YELLOW } from "./notation.js";

/** The code with which the adversary answers a guess. */
export function adversaryCode(state, guess) {
  const { game } = state;
  const counts = new Map();
  const row = game.row(guess);
  for (const at of state.candidates) counts.set(row[at], (counts.get(row[at]) ?? 0) + 1);
  const rank = (code) => {
    if (!game.hasTiles) return [...game.show(code).split(",").map(Number), code];
    const colours = tiles(code, game.length);
    const count = (colour) => colours.filter((one) => one === colour).length;
    return [count(GREEN), count(YELLOW), code];
  };
  const largest = Math.max(...counts.values());
  const tied = [...counts.keys()].filter((code) => counts.get(code) === largest).map((code) => [code, rank(code)]);
  tied.sort(([, a], [, b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return tied[0][0];
}

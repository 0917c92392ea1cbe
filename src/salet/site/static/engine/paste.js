// What people paste: words, a share grid, or both mixed, read into words and a grid.
import { parseGrid } from "./grids.js";
import { key } from "./lexicon.js";
import { split, splitLines, strip } from "./format.js";

const UNSEEN = /[\ufe0e\ufe0f\u200b\u2060\ufeff]/g;
// `Wordle 1,234 4/6*`, or salet's own first line of a game without a cap
const HEAD = /(?<![\p{L}\p{N}_])(?:[1-9]\p{Nd}?|[xX])\/\p{Nd}{1,2}\*?|^salet \S+ (?:\p{Nd}+|X)\*?$/u;
const SCORE = /^skill \d+\/\d+, luck [+-][\d.]+ guesses$/; // the second line of our own summary
const NAME = /:[a-z]+(?:[_-][a-z]+)*:/g; // Slack's name of a square
const EDGES = /^[.!?"'“”()[\]]+|[.!?"'“”()[\]]+$/g;

/** {words, grid}: a token that is a word of the game is a word, `bybbg` that is none are colours. */
export function readPaste(text, game) {
  const words = [];
  const colours = [];
  const isHead = (line) => HEAD.test(strip(line)) && !SCORE.test(strip(line));
  for (const line of splitLines(text.replace(UNSEEN, ""))) {
    if (SCORE.test(strip(line))) continue;
    if (isHead(line)) {
      colours.push(line);
      continue;
    }
    let squares = "";
    for (const part of split(line.replace(NAME, " $& ").replace(/[,;>]/g, " "))) {
      const bare = part.replace(EDGES, "");
      if (isWord(bare, game)) words.push(bare);
      else if (areColours(part, bare, game)) squares += bare;
    }
    if (squares) colours.push(squares);
  }
  const hasGrid = colours.some((line) => !isHead(line));
  return { words, grid: hasGrid ? parseGrid(colours.join("\n"), game.length) : null };
}

function isWord(bare, game) {
  if (game.lexicon.places.has(key(bare))) return true;
  if (!/\p{L}/u.test(bare) && [...bare].length !== game.length) return false; // squares, or a number
  return /^[\p{L}\p{N}]+$/u.test(bare) && !areLetters(bare, game);
}

const areColours = (token, bare, game) =>
  /\p{So}/u.test(bare) || new RegExp(`^${NAME.source}$`).test(token) || areLetters(bare, game);

/** Is it `bybbg` or 01002? */
const areLetters = (bare, game) =>
  game.hasTiles && [...bare].length === game.length && /^(?:[byg]+|[012]+)$/.test(bare.toLowerCase());

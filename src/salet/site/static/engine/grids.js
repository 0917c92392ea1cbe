// Share grids in every palette, and the likeliest words behind one: salet/coach/grids.py,
// grid_inference.py.
import { GRID_LETTERS, GRID_MAX_CHARACTERS, GRID_MAX_ROWS, GRID_SQUARES, PALETTES } from "./definitions.js";
import { InputError, repr, rowError, unknownName } from "./errors.js";
import { grouped, split, splitLines, strip } from "./format.js";
import { GREEN, GREY, tileCode, YELLOW } from "./notation.js";

const NAMES = { green: GREEN, orange: GREEN, yellow: YELLOW, blue: YELLOW };
const SLACK = /:((?:[a-z]+[_-])*(?:square|heart)(?:[_-][a-z]+)*(?:_button)?):/g;
const UNSEEN = /[\ufe0e\ufe0f\u200b-\u200d\u2060\ufeff]/g;
const COUNT = /^(?<title>.*?)\s*(?<![\p{L}\p{N}_])(?<used>[1-9]\p{Nd}?|[xX])\/(?<cap>\p{Nd}{1,2})(?<hard>\*?)/u;

const isGreen = (row) => row.every((colour) => colour === GREEN);

/** A grid as a page sees it: {rows, hard, title, cap, won}. */
const gridOf = (rows, hard, title, cap) => ({ rows, hard, title, cap, won: isGreen(rows[rows.length - 1]) });

/** Read a grid of words of this length; an error says which row is wrong. */
export function parseGrid(text, length = 5) {
  const size = [...text].length;
  if (size > GRID_MAX_CHARACTERS) {
    throw new InputError(
      `the text has ${grouped(size)} characters; a share grid is a few rows of squares ` +
        `(at most ${grouped(GRID_MAX_CHARACTERS)} characters)`,
    );
  }
  const rows = [];
  let [title, cap, used, hard] = ["", null, null, false];
  for (let line of splitLines(text.replace(UNSEEN, ""))) {
    const found = COUNT.exec(strip(line));
    if (found && !rows.length) {
      [title, hard] = [strip(found.groups.title), found.groups.hard === "*"];
      [used, cap] = [found.groups.used.toUpperCase(), Number(found.groups.cap)];
      line = strip(line).slice(found[0].length);
    }
    rows.push(...rowsOf(line, length, rows.length + 1));
  }
  check(rows, cap, used, text);
  return gridOf(rows, hard, title, cap);
}

function rowsOf(line, length, number) {
  const bare = strip(line.replace(SLACK, (_, name) => square(name)));
  const parts = split(bare).map((part) => coloursOf(part, length));
  const squares = parts.filter(Boolean).flat();
  if (!squares.length) return [];
  if (squares.length === length) return [squares];
  if (parts.every((part) => part === null || part.length === length)) return parts.filter(Boolean);
  throw new InputError(
    `row ${number} ${repr(short(line))} has ${squares.length} squares; words have ${length} ` +
      "letters: give one square for each",
  );
}

function coloursOf(part, length) {
  const chars = [...part];
  const squares = chars.filter((char) => char in GRID_SQUARES).map((char) => GRID_SQUARES[char]);
  if (squares.length) return squares;
  const letters = [...part.toLowerCase()];
  const known = letters.length === length && letters.every((char) => Object.hasOwn(GRID_LETTERS, char));
  return known ? letters.map((char) => GRID_LETTERS[char]) : null;
}

function square(name) {
  const colours = name.split(/[_-]/).filter((part) => part in NAMES).map((part) => NAMES[part]);
  return PALETTES.dark[colours[0] ?? GREY];
}

function short(text) {
  const chars = [...text];
  return chars.length <= 40 ? text : `${chars.slice(0, 39).join("")}…`;
}

function check(rows, cap, used, text) {
  if (!rows.length) {
    throw new InputError(
      `${repr(short(strip(text)))} holds no row of squares; paste the grid that the game shares, as ⬛🟨⬛⬛🟩`,
    );
  }
  const count = rows.length;
  if (count > GRID_MAX_ROWS) {
    throw new InputError(`the grid has ${count} rows; a game has at most ${GRID_MAX_ROWS}`);
  }
  const early = rows.slice(0, -1).findIndex(isGreen) + 1;
  if (early) {
    throw new InputError(
      `row ${early} of the grid is all green, yet ${count - early} more follow; paste one game at a time`,
    );
  }
  if (used === null) return;
  const won = isGreen(rows[count - 1]);
  const told = used === "X" ? cap : Number(used);
  if (told !== count || (used === "X") === won) {
    throw new InputError(
      `the grid says ${used}/${cap} but has ${count} rows, the last ${won ? "all" : "not all"} green; paste it whole`,
    );
  }
}

/** Write a grid in one of the palettes. */
export function formatGrid({ rows, hard, title = "", cap = null }, palette = "dark") {
  if (!Object.hasOwn(PALETTES, palette)) throw unknownName("palette", palette, Object.keys(PALETTES));
  const signs = PALETTES[palette];
  const lines = rows.map((row) => row.map((colour) => signs[colour]).join(""));
  if (cap === null) return lines.join("\n");
  const used = isGreen(rows[rows.length - 1]) ? String(rows.length) : "X";
  const head = strip(`${title} ${used}/${cap}${hard ? "*" : ""}`);
  return [head, "", ...lines].join("\n");
}

/** The likeliest answers and guesses of a grid; with an answer, only guesses are unknown. */
export function inferWords(coach, grid, answer = null, count = 10) {
  const { game, likelihood } = coach;
  if (!game.hasTiles) throw new InputError(`${game.name} shares no squares`);
  const codes = grid.rows.map((row, at) => {
    if (row.length !== game.length) {
      throw rowError(
        at + 1,
        `row ${at + 1} of the grid has ${row.length} squares; words of ${game.name} have ${game.length} letters`,
      );
    }
    return tileCode(row);
  });
  const all = Array.from({ length: game.answerCount }, (_, at) => at);
  const answers = answer === null ? all : [game.answerIndex(answer)];
  const common = Float64Array.from(likelihood, Math.sqrt);
  const matches = matchesOf(game, codes, answers, common);
  const logs = answers.map((at) => Math.log(common[at]));
  matches.forEach(({ mass }, at) => {
    mass.forEach((sum, column) => { logs[column] += Math.log(sum); });
    if (!logs.some(Number.isFinite)) {
      throw rowError(at + 1, `row ${at + 1} of the grid fits no words of ${game.name}; look at its squares`);
    }
  });
  const most = logs.reduce((best, log) => Math.max(best, log), -Infinity);
  let chances = logs.map((log) => Math.exp(log - most));
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  chances = chances.map((chance) => chance / total);
  const rows = matches.map(({ guesses, columns, mass }) => {
    const found = new Float64Array(common.length);
    guesses.forEach((guess, at) => {
      const column = columns[at];
      found[guess] += (chances[column] * common[guess]) / mass[column];
    });
    return top(game, found, null, count);
  });
  return {
    answers: top(game, chances, answers, count),
    possible: chances.filter((chance) => chance > 0).length,
    rows,
  };
}

/** For each row the pairs of guess and answer that show it, and their weight by answer. */
function matchesOf(game, codes, answers, common) {
  const matches = codes.map(() => ({ guesses: [], columns: [], mass: new Float64Array(answers.length) }));
  const single = answers.length === 1 && game.answerCount > 1;
  for (let guess = 0; guess < game.lexicon.size; guess++) {
    const row = single
      ? [game.rule.code(game.lexicon.letters(guess), game.lexicon.letters(answers[0]))]
      : game.codes(guess, game.answerCount);
    for (let column = 0; column < row.length; column++) {
      codes.forEach((code, at) => {
        if (row[column] !== code) return;
        matches[at].guesses.push(guess);
        matches[at].columns.push(column);
        matches[at].mass[column] += common[guess];
      });
    }
  }
  return matches;
}

function top(game, chances, indices, count) {
  const order = Array.from(chances.keys()).sort((a, b) => chances[b] - chances[a] || a - b).slice(0, count);
  return order.filter((at) => chances[at] > 0)
    .map((at) => ({ word: game.guesses[indices ? indices[at] : at], chance: chances[at] }));
}

// The games of this player, kept in the browser: added, merged, counted, read from texts and files.
import { read, useKept, write } from "./store.js";
import { letters, today } from "./words.js";

export const VERSION = 1; // of the fields of a game
const FIRST_PUZZLE = Date.UTC(2021, 5, 19); // the day of the newspaper's puzzle number 0
const DAY = 86_400_000;

const isText = (value) => typeof value === "string";
const areTexts = (list, count) => Array.isArray(list) && list.every(isText) && (!list.length || list.length === count);

/** Whether something has the shape of a kept game, a line of the file that `salet history` keeps:
 *   {salet_history: 1, id, date, game, mode, won, used, rows: ["BYBBG", …], words}, and where known cap,
 *   number (of the daily puzzle), answer, score, luck, lost, lost_games, source; of the page's own games
 *   puzzle (the number that names the word) and help */
export function isGame(one) {
  return Boolean(one) && typeof one === "object" && one.salet_history === VERSION
    && isText(one.id) && /^\d{4}-\d\d-\d\d$/.test(one.date) && isText(one.game) && isText(one.mode ?? "normal")
    && typeof one.won === "boolean" && Number.isInteger(one.used) && one.used >= 1 && one.used <= 1000
    && areTexts(one.rows ?? [], one.used) && areTexts(one.words ?? [], one.used)
    && (one.rows ?? []).every((row) => /^(?:[BYG]+|\d+,\d+)$/.test(row));
}

/** A short digest of a text. */
function digest(text) {
  let [a, b] = [0x811c9dc5, 0x1b873593];
  for (const sign of text) {
    a = Math.imul(a ^ sign.codePointAt(0), 0x01000193) >>> 0;
    b = Math.imul(b + sign.codePointAt(0), 0x85ebca6b) >>> 0;
  }
  return a.toString(16).padStart(8, "0") + b.toString(16).padStart(8, "0");
}

/** A game with all its fields. */
function whole(one) {
  const given = clean({ mode: "normal", rows: [], words: [], source: "import", ...one, salet_history: VERSION });
  given.used ??= given.rows.length || given.words.length;
  given.id ??= given.number === undefined
    ? `page-${digest([given.date, given.game, given.mode, given.puzzle ?? "", given.rows.join(" "), given.words.join(" ")].join("\n"))}`
    : `wordle-${given.number}`;
  return given;
}

/** Do two records show the same game? The words of one may be unknown. */
function isSame(one, other) {
  if (one.id === other.id) return true;
  if (one.puzzle !== undefined && one.puzzle === other.puzzle) return one.game === other.game && one.mode === other.mode;
  const alike = one.date === other.date && one.mode === other.mode && one.game.split("-")[0] === other.game.split("-")[0];
  const words = !one.words.length || !other.words.length || one.words.join(" ") === other.words.join(" ");
  const numbers = one.number === undefined || other.number === undefined || one.number === other.number;
  return alike && words && numbers && one.rows.length > 0 && one.rows.join(" ") === other.rows.join(" ")
    && !(one.puzzle !== undefined && other.puzzle !== undefined);
}

/** Every game, oldest first. What is damaged is left out, and kept aside. */
export function games() {
  const kept = read("history", []);
  const found = (Array.isArray(kept) ? kept : []).filter(isGame);
  if (!Array.isArray(kept) || found.length < kept.length) {
    if (!read("history.damaged", null)) write("history.damaged", kept);
  }
  return found.map(whole).sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

export function useGamesPlayed() {
  useKept("history", []);
  return games();
}

/** Add games; one that is there already is completed, not counted twice. Says how many are new, and whether
 * the browser keeps them. */
export function add(...records) {
  const all = games();
  const byDate = new Map();
  all.forEach((one, at) => byDate.set(one.date, [...(byDate.get(one.date) ?? []), at]));
  const byId = new Map(all.map((one, at) => [one.id, at]));
  let added = 0;
  for (const record of records.map(whole)) {
    const at = byId.get(record.id) ?? (byDate.get(record.date) ?? []).find((place) => isSame(all[place], record));
    if (at !== undefined) {
      all[at] = merged(all[at], record);
      continue;
    }
    added += 1;
    byId.set(record.id, all.length);
    byDate.set(record.date, [...(byDate.get(record.date) ?? []), all.length]);
    all.push(record);
  }
  return { added, kept: write("history", all) };
}

/** What both records know of a game, under the id that it has. */
function merged(before, now) {
  const lists = { rows: now.rows.length ? now.rows : before.rows, words: now.words.length ? now.words : before.words };
  return { ...before, ...now, ...lists, id: before.id, source: before.source };
}

/** Complete a game of Play that is kept; one that is not is left alone. */
export function complete({ game, mode, number }, more) {
  const all = games();
  const found = all.find((one) => one.game === game && one.mode === mode && one.puzzle === number);
  if (!found || found.score === more.score) return;
  Object.assign(found, clean(more));
  write("history", all);
}

const clean = (record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value != null));

export const remove = (record) => write("history", games().filter((one) => one.id !== record.id));

/** A finished game of Analyse as a record. */
export function recordOf({ game, mode, cap, answer, won, score, luck, lost, lost_games, luck_games, turns }, date) {
  return {
    date, game, mode, cap, answer, won, score, luck, lost, lost_games, luck_games, source: "analyse",
    words: turns.map(({ guess }) => guess), rows: turns.map(({ feedback }) => feedback),
  };
}

// ---- texts and files

const HEAD = /^(.*?)\b([1-9]\d?|[xX])\/(\d{1,2})(\*?)\s*$/;
const SQUARES = new Map([
  ...[..."⬛⬜◼◻◾◽▪▫🔲🔳🖤🤍"].map((sign) => [sign, "B"]),
  ...[..."🟨🟦💛💙"].map((sign) => [sign, "Y"]),
  ...[..."🟩🟧💚🧡"].map((sign) => [sign, "G"]),
]);

const colours = (line) => {
  const signs = letters(line.replace(/[\ufe0e\ufe0f\u200b-\u200d\u2060\ufeff]/g, "").trim());
  const found = signs.map((sign) => SQUARES.get(sign));
  return signs.length > 1 && found.every(Boolean) ? found.join("") : null;
};

/** The day of a puzzle of the newspaper, from its number. */
export function dateOfPuzzle(number) {
  return new Date(FIRST_PUZZLE + number * DAY).toISOString().slice(0, 10);
}

/** Share texts, many of them one after the other, read into games; and the texts that could not be. */
export function readShares(text) {
  const found = [];
  const wrong = [];
  let current = null;
  let date = null;
  const close = () => {
    if (!current) return;
    const problem = whatIsWrong(current);
    if (problem) wrong.push(`${current.head}: ${problem}`);
    else found.push(gameOf(current));
    current = null;
  };
  text.split(/\r?\n/).forEach((line) => {
    const row = colours(line);
    const head = row ? null : line.trim().match(HEAD);
    const day = line.match(/\b(\d{4}-\d\d-\d\d)\b/)?.[1];
    if (day) date = day;
    if (head) {
      close();
      current = { head: line.trim().slice(0, 60), title: head[1].trim(), used: head[2].toUpperCase(), cap: Number(head[3]), hard: head[4] === "*", rows: [], date };
    } else if (row) {
      current ??= { head: "a grid without its first line", title: "", used: "", cap: 0, hard: false, rows: [], date };
      current.rows.push(row);
    }
  });
  close();
  return { found, wrong };
}

function whatIsWrong({ title, rows, used, cap }) {
  if (!rows.length) return isDaily(title) ? null : "no squares follow";
  if (new Set(rows.map((row) => row.length)).size > 1) return "its rows have different lengths";
  const won = /^G+$/.test(rows.at(-1));
  if (rows.slice(0, -1).some((row) => /^G+$/.test(row))) return "a green row is not the last";
  if (!used) return null;
  const told = used === "X" ? cap : Number(used);
  return told === rows.length && (used === "X") !== won ? null : `it says ${used}/${cap} but has ${rows.length} rows`;
}

const DAILY = /\bWordle\s*#?\s*(\d[\d.,'’\s]*)$/i;
const isDaily = (title) => DAILY.test(title);

function gameOf({ title, rows, hard, used, cap, date }) {
  const number = isDaily(title) ? Number(title.match(DAILY)[1].replace(/\D/g, "")) : undefined;
  const ours = title.match(/\bsalet (\S+)$/)?.[1];
  return whole({
    date: number === undefined ? date ?? today() : dateOfPuzzle(number), game: ours ?? "nyt", mode: hard ? "hard" : "normal",
    cap: cap || undefined, number, rows, used: rows.length || (used === "X" ? cap : Number(used)),
    won: rows.length ? /^G+$/.test(rows.at(-1)) : used !== "X",
  });
}

/** A file of games: one JSON object a line. Says which lines could not be read. */
export function readFile(text) {
  const found = [];
  const wrong = [];
  text.split(/\r?\n/).forEach((line, place) => {
    if (!line.trim()) return;
    try {
      const one = JSON.parse(line);
      if (isGame(one)) found.push(whole(one));
      else if (one?.salet_history > VERSION) wrong.push(`line ${place + 1} was written by a newer salet`);
      else wrong.push(`line ${place + 1} is not a kept game`);
    } catch {
      wrong.push(`line ${place + 1} is not JSON`);
    }
  });
  return { found, wrong };
}

/** Games from a text of either kind. */
export const readGames = (text) => (/^\s*\{/.test(text) ? readFile(text) : readShares(text));

export const asFile = (records) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

// ---- what they say

const mean = (values) => (values.length ? values.reduce((a, b) => a + b, 0) / values.length : null);

/** Counts, streaks, averages and the openers of games, oldest first. */
export function summary(records) {
  let streak = 0;
  let best = 0;
  const counts = {};
  for (const { won, used } of records) {
    streak = won ? streak + 1 : 0;
    best = Math.max(best, streak);
    if (won) counts[used] = (counts[used] ?? 0) + 1;
  }
  const won = records.filter((one) => one.won);
  const scored = records.filter(({ score }) => score != null);
  return {
    played: records.length, won: won.length, streak, best, counts,
    mean: mean(won.map(({ used }) => used)),
    score: mean(scored.map(({ score }) => score)), luck: mean(scored.map(({ luck }) => luck)),
    scored: scored.length, openers: openersOf(records),
  };
}

function openersOf(records) {
  const byWord = new Map();
  for (const one of records) {
    const [word] = one.words;
    if (word) byWord.set(word, [...(byWord.get(word) ?? []), one]);
  }
  return [...byWord].map(([word, list]) => ({
    word, played: list.length, lost: list.filter((one) => !one.won).length,
    mean: mean(list.filter((one) => one.won).map(({ used }) => used)),
    score: mean(list.filter(({ score }) => score != null).map(({ score }) => score)),
  })).sort((a, b) => b.played - a.played || a.word.localeCompare(b.word));
}

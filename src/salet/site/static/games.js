// Which games there are, lists of one's own among them, and what a question to the engine names.
import { addGame, listGames, openGame } from "./api.js";
import { useEffect, useState } from "./lib.js";
import { read, useKept, write } from "./store.js";
import { plural } from "./words.js";

export const LARGEST_FILE = 4_000_000; // bytes; the largest dictionaries of one length are a few hundred kB

let listed = null;
const opened = new Map();

/** The words that were answers before, as the player gave them. */
export const pastAnswers = () => read("past", []);

/** What the engine is asked about: a game, a mode, and likelihood where that is switched on. */
export function specOf({ game, mode, w }) {
  const past = pastAnswers();
  const common = past.length ? { game, mode, past } : { game, mode };
  return w === "prior" ? { ...common, weights: "prior" } : common;
}

/** What the engine lists: the shipped games, and lists of one's own that it knew when it was asked first. */
function allGames() {
  listed ??= listGames().catch((error) => { listed = null; throw error; });
  return listed;
}

export function useGames() {
  useKept("lists", []); // lists of one's own come and go
  const [found, setFound] = useState({ games: [], error: null });
  useEffect(() => {
    let current = true;
    allGames().then(
      ({ games }) => current && setFound({ games, error: null }),
      (error) => current && setFound({ games: [], error }),
    );
    return () => { current = false; };
  }, []);
  return { ...found, games: [...found.games.filter(({ name }) => !isOwn(name)), ...own] };
}

/** The facts of a game, asked for once. */
export function useFacts(spec) {
  const key = JSON.stringify(spec);
  const [found, setFound] = useState({ facts: opened.get(key) ?? null, error: null, key });
  useEffect(() => {
    if (opened.has(key)) return setFound({ facts: opened.get(key), error: null, key });
    let current = true;
    openGame(spec).then(
      (facts) => { opened.set(key, facts); if (current) setFound({ facts, error: null, key }); },
      (error) => current && setFound({ facts: null, error, key }),
    );
    return () => { current = false; };
  }, [key]);
  return found.key === key ? found : { facts: opened.get(key) ?? null, error: null };
}

// ---- lists of one's own

let own = [];
const isOwn = (name) => name.startsWith("own:");

/** Tell the engine of the lists that were kept; to be awaited before the page is shown. */
export async function registerOwnLists() {
  const kept = read("lists", []);
  const found = await Promise.allSettled(kept.map((lists) => addGame(lists)));
  own = found.filter(({ status }) => status === "fulfilled").map(({ value }) => ({ ...value, own: true }));
}

/** A game's name as people see it: that of a list of one's own without its mark. */
export const shortName = (name) => name.replace(/^own:/, "");

/** The event of a file that was chosen instead of dropped: phones have nothing to drop it with. */
export const CHOSEN = "salet:file";
export const offerFile = (file) => file && dispatchEvent(new CustomEvent(CHOSEN, { detail: file }));

/** The words of a file; rejects what is not text of one word a line with a sentence. */
export async function readText(file) {
  if (file.size > LARGEST_FILE) {
    const size = Math.round(file.size / 1e6).toLocaleString("en");
    throw new Error(`“${file.name}” has ${size} MB; a list of words has a few hundred kB`);
  }
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`“${file.name}” is not text in UTF-8; give a file with one word per line`);
  }
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000e-\u001f]/.test(text)) {
    throw new Error(`“${file.name}” is not a text file; give one with one word per line`);
  }
  if (!text.trim()) throw new Error(`“${file.name}” is empty; give a file with one word per line`);
  return text;
}

/** A name for a game that a file's name suggests. */
const nameOf = (file) => file.replace(/\.[^.]*$/, "").toLowerCase().replace(/[^a-z0-9._-]+/g, "-").slice(0, 40) || "own";

/** Add a list as a game and keep it; returns its facts and whether the browser keeps it. */
export async function addOwnList(file, text) {
  const lists = { name: nameOf(file), answers: text, cap: 6 };
  const facts = await addGame(lists);
  own = [...own.filter(({ name }) => name !== facts.name), { ...facts, own: true }];
  for (const key of [...opened.keys()]) if (JSON.parse(key).game === facts.name) opened.delete(key);
  const kept = read("lists", []).filter(({ name }) => name !== lists.name);
  return { facts, kept: write("lists", [...kept, lists]) };
}

export function removeOwnList(name) {
  own = own.filter((one) => one.name !== name);
  write("lists", read("lists", []).filter((one) => ![one.name, `own:${one.name}`].includes(name)));
}

/** The words of a text: for past answers, dates and numbers between them are passed over. */
export const wordsOf = (text, length = 0) =>
  [...new Set(text.toLowerCase().split(/[^\p{L}\p{M}]+/u).filter((word) => word && (!length || [...word].length === length)))];

/** Keep words as past answers; says what came of it in a sentence. */
export function keepPast(words) {
  write("past", words);
  opened.clear();
  return words.length ? `${plural(words.length, "past answer")} kept.` : "No past answers are kept.";
}

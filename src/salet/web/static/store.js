// What the browser keeps: looks, statistics. Nothing of it leaves this machine.
import { useState } from "./lib.js";

export function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`salet.${name}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function write(name, value) {
  try {
    localStorage.setItem(`salet.${name}`, JSON.stringify(value));
  } catch {
    // private windows may refuse; then it lasts as long as the page
  }
}

/** Theme, palette and symbols, applied to the page at once. */
export function useLook() {
  const page = document.documentElement.dataset;
  const [look, setLook] = useState({
    theme: page.theme, palette: page.palette, symbols: page.symbols === "on",
  });
  const change = (wish) => {
    const next = { ...look, ...wish };
    if (wish.palette) next.symbols = wish.palette === "contrast";
    page.theme = next.theme;
    page.palette = next.palette;
    page.symbols = next.symbols ? "on" : "off";
    write("look", next);
    setLook(next);
  };
  return [look, change];
}

/** Statistics of one game and mode: each finished puzzle counts once. */
export const statistics = (key) =>
  read(`stats.${key}`, { played: 0, won: 0, streak: 0, best: 0, counts: {}, seen: [] });

export function record(key, number, won, used) {
  const kept = statistics(key);
  if (kept.seen.includes(number)) return kept;
  const streak = won ? kept.streak + 1 : 0;
  const next = {
    played: kept.played + 1,
    won: kept.won + (won ? 1 : 0),
    streak,
    best: Math.max(kept.best, streak),
    counts: won ? { ...kept.counts, [used]: (kept.counts[used] || 0) + 1 } : kept.counts,
    seen: [...kept.seen, number].slice(-500),
  };
  write(`stats.${key}`, next);
  return next;
}

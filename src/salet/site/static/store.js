// What the browser keeps: looks, games, statistics. Nothing of it leaves this device.
import { useEffect, useState } from "./lib.js";

const memory = new Map(); // stands in where the browser keeps nothing
const watchers = new Set();
let refused = false;

/** Whether something could not be kept. */
export const isRefused = () => refused;

export function read(name, otherwise) {
  try {
    const text = memory.get(name) ?? localStorage.getItem(`salet.${name}`);
    return (text && JSON.parse(text)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep a value; says whether it will be there after the page is closed. */
export function write(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(`salet.${name}`, text);
    memory.delete(name);
  } catch {
    memory.set(name, text); // full or forbidden: it lasts as long as the page
    refused = true;
  }
  tell(name);
  return !memory.has(name);
}

export function forget(name) {
  memory.delete(name);
  try {
    localStorage.removeItem(`salet.${name}`);
  } catch {
    // then there is nothing to forget
  }
  tell(name);
}

const tell = (name) => watchers.forEach((watch) => watch(name));

// another tab of the page has written
addEventListener("storage", ({ key }) => tell(key?.startsWith("salet.") ? key.slice(6) : null));

/** A kept value that follows what other parts and other tabs of the page write. */
export function useKept(name, otherwise) {
  const [, again] = useState(0);
  useEffect(() => {
    const watch = (changed) => (changed === name || changed === null) && again((count) => count + 1);
    watchers.add(watch);
    return () => watchers.delete(watch);
  }, [name]);
  return [read(name, otherwise), (value) => write(name, value)];
}

/** Which keys stand where, as on the player's own keyboard. */
export const LAYOUTS = {
  qwerty: ["qwertyuiop", "asdfghjkl", "zxcvbnm"],
  qwertz: ["qwertzuiop", "asdfghjkl", "yxcvbnm"],
  azerty: ["azertyuiop", "qsdfghjklm", "wxcvbn"],
};

function usualLayout() {
  const language = (globalThis.navigator?.language ?? "en").slice(0, 2).toLowerCase();
  return { de: "qwertz", cs: "qwertz", hu: "qwertz", sk: "qwertz", sl: "qwertz", fr: "azerty" }[language] ?? "qwerty";
}

/** Theme, palette, symbols and keys, applied to the page at once. */
export function useLook() {
  const page = document.documentElement.dataset;
  const [kept, keep] = useKept("look", {});
  const look = {
    theme: page.theme, palette: page.palette, symbols: page.symbols === "on",
    keys: kept.keys in LAYOUTS ? kept.keys : usualLayout(),
  };
  const change = (wish) => {
    const next = { ...look, ...wish };
    if (wish.palette) next.symbols = wish.palette === "contrast";
    page.theme = next.theme;
    page.palette = next.palette;
    page.symbols = next.symbols ? "on" : "off";
    keep(next);
  };
  return [look, change];
}

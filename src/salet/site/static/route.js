// Every state has a link: #/tab?name=value. The fragment is the only state that is shared.
import { useEffect, useState } from "./lib.js";

export const TABS = ["play", "assist", "analyse", "explore", "history", "about"];
const RENAMED = { lab: "about" }; // links from earlier versions

export function parse(fragment) {
  const [path, query = ""] = fragment.replace(/^#\/?/, "").split("?");
  const params = Object.fromEntries(new URLSearchParams(query));
  const tab = RENAMED[path] ?? path;
  if (!TABS.includes(tab)) return { tab: TABS[0], params: {} };
  return { tab, params: tab === "play" || tab === "assist" ? withBoards(params) : params };
}

/** Several boards as the command line names them, `original:boards=4`, as the page does: in a parameter of
 * their own. A number that no game has stays where it is: the engine says what is wrong with it. */
function withBoards(params) {
  const [name, options] = (params.game ?? "").split(/:(.*)/s);
  const all = (options ?? "").split(",");
  const at = all.findIndex((option) => /^boards=0*([2-9]|[12]\d|3[0-2])$/.test(option));
  if (at < 0) return params;
  const others = all.filter((_, place) => place !== at);
  const game = others.length ? `${name}:${others.join(",")}` : name;
  return { ...params, game, boards: String(Number(all[at].slice("boards=".length))) };
}

export function link(tab, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== "" && value != null);
  // what a fragment may hold stays readable: crane-BYBBG.slate-BBBBB, mastermind:4x6
  const query = new URLSearchParams(given).toString().replace(/%3A/g, ":").replace(/%2C/g, ",");
  return `#/${tab}${query && `?${query}`}`;
}

/** Go to a state. A correction of the same thing replaces it, a step forward can be undone. */
export function go(tab, params, { replace = false } = {}) {
  const target = link(tab, params);
  if (target === location.hash) return;
  if (replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  dispatchEvent(new Event("hashchange"));
}

/** The state that the address names, and where each tab was left. */
export function useRoute() {
  const [route, setRoute] = useState(() => parse(location.hash));
  const [left] = useState({});
  left[route.tab] = link(route.tab, route.params);
  useEffect(() => {
    const read = () => setRoute(parse(location.hash));
    addEventListener("hashchange", read);
    addEventListener("popstate", read);
    return () => {
      removeEventListener("hashchange", read);
      removeEventListener("popstate", read);
    };
  }, []);
  return { ...route, left };
}

/** Rows in a fragment: crane-BYBBG.slate-BBBBB (pegs: 1123-1_2; x where there is no colour yet). */
export const packRows = (rows) =>
  rows.map(({ guess, feedback }) => `${guess}-${feedback.replace(",", "_")}`).join(".");

export const unpackRows = (text = "") =>
  text.split(".").filter(Boolean).slice(0, 40).map((row) => {
    const at = row.lastIndexOf("-");
    return { guess: row.slice(0, at).toLowerCase(), feedback: row.slice(at + 1).replace("_", ",") };
  }).filter((row) => row.guess && row.feedback);

/** Does a row say all its colours? */
export const isComplete = ({ feedback }) => /^(?:[BYG]+|\d+,\d+)$/.test(feedback);

// What the page asks of the engine. The page calls these functions and nothing else of engine/.
//
//   page ── api.js ──▶ Web Worker (engine/worker.js) ──▶ engine/service.js ──▶ game, search, coach
//              │  ◀── updates, results, problems; "I need this file"
//              └── files: fetch over http(s); from `file:` out of what the export has inlined
//
// Every function returns a promise. It rejects with a `Problem` (one sentence for the person, as
// Python's InputError says it; `row` is the number of the row it is about, from 1, or null) or with
// the signal's AbortError. A question that is asked again while one of the same function runs does
// not end the first: abort it by its signal.
//
// SPEC. The first argument of most functions says which game is meant:
//   {game, mode, rule, cap, weights, past}
//   game     a name of `listGames()`, a name with options ("mastermind:5x4", "original:first=200"), or
//            the name that `addGame` has returned for lists of one's own. Default "nyt".
//   mode     "normal" (default) | "hard" | "strict"
//   rule     "standard" | "present" | "pegs"; default: the game's own
//   cap      a whole number, "none", or absent: the game's own
//   weights  absent: all answers count the same | "prior": familiarity (and `past`) |
//            {name, text}: lines of `word weight`
//   past     list of words that were answers before (they order words, and weigh a tenth under "prior")
// A spec opens once; later calls with an equal spec find it ready.
//
// ROWS are [{guess, feedback}, …]. Feedback in any notation: "BYBBG", "01002", squares, "1,2" (pegs).
//
// LIVE RESULTS. Functions with `onUpdate` call it with every intermediate result, which has the
// fields of the final one, and resolve with the final one. `signal` (an AbortSignal) ends the search.
//
// FROM `file:`. Chromium refuses fetch, module scripts and module workers there. The export therefore
// writes the page as classic scripts, and before them one that sets
//   globalThis.saletSite = {
//     worker: "…",   // source of ONE classic script: engine/worker.js with all it imports, bundled
//     files: {"engine/kernels.wasm": "<base64>", "data/games.json": "<base64>", …},  // gzip: see below
//     script: (path) => "data/lists/x.txt.js",  // optional: the classic script that adds a file to
//   }                                           //   `files` when it is first needed (plans, lists)
// A file may be stored gzipped under path + ".gz" instead. The modules below engine/ are written for
// a simple bundler: named imports and exports in declarations only, no default export, no re-export,
// no `import.meta`, no top-level await (salet/site/bundle.py).
// The page's content policy needs: script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:;
// connect-src 'self'.
//
// FILES, relative to index.html (`python -m salet.site.wasm.data DIR` writes data/; they are static):
//   engine/*.js, engine/kernels.wasm
//   data/games.json       the catalogue: names, summaries, rules, caps, lists, plans, frequencies
//   data/games/NAME.json  the words of a game (salet/site/wasm/data.py says how they are written)
//   data/openers.json     the first of the stored openers; data/openers/GAME-MODE.json all of them
//   data/plans/GAME-MODE.json shipped plans
//   data/replies/GAME-MODE.json the best second guess after popular openers

/** Why there is no result, in one sentence. */
export class Problem extends Error {
  constructor(message, row = null, kind = "InputError") {
    super(message);
    this.name = "Problem";
    this.row = row; // the row (from 1) that it is about
    this.kind = kind; // Python's class of error; "Unsupported" where the browser cannot run the engine
  }
}

// ---- games

/** The games that the page offers.
 * @returns {Promise<{games: {name, summary, answers, guesses, rule, cap, updated}[], version: string}>}
 *   `name` is what a spec takes; `updated` is how old the list is ("2023-07"), or null. */
export const listGames = () => ask("listGames");

/** Register lists of one's own; the text of files, as they were dropped or typed.
 * @param {{name: string, answers: string|ArrayBuffer, guesses?: string|ArrayBuffer, rule?, cap?}} lists
 *   one word per line; without `guesses` the answers are the only legal guesses
 * @returns {Promise<{name, summary, answers, guesses, rule, cap}>} as in `listGames`; its name is for specs */
export const addGame = (lists) => ask("addGame", lists);

/** What a page must know to show a game; opens it.
 * @returns {Promise<{name, mode, answers, guesses, length, cap, rule, tiles: boolean, alphabet: string[],
 *   modes: string[], plan: boolean, weights: string, frequencies: boolean, book: boolean}>}
 *   tiles: does every letter get a colour (else feedback is two counts)?  modes: those the rule supports
 *   plan: is there a shipped plan?  frequencies: does "prior" know familiar words?  book: stored openers? */
export const openGame = (spec) => ask("openGame", spec);

// ---- words and rows

/** The feedback to a guess: "BYBBG", or "1,2". Any words of equal length; needs no game. */
export const score = (guess, answer, rule = "standard") => ask("score", guess, answer, rule);

/** Is this a word of the game, and may it be guessed after these rows? Rejects as Python does: with
 * near misses for unknown words, and why a mode forbids it.
 * @returns {Promise<{word: string, answer: boolean, fits: boolean}>}
 *   word as the list spells it; answer: is it one of the answers?  fits: can it be the answer now? */
export const checkWord = (spec, word, rows = []) => ask("checkWord", spec, word, rows);

/** The rows of a text such as "crane:bybbg slate bbgby", not yet checked against a game.
 * @returns {Promise<{guess, feedback}[]>} */
export const parseRows = (text) => ask("parseRows", text);

/** Where a game stands after rows; rejects with the row that is wrong (near misses, contradictions,
 * "most likely mistyped").
 * @returns {Promise<{rows, turn, won: boolean, over: boolean, remaining: number, words: string[],
 *   outside: boolean}>} rows as the game spells them; words: the answers that fit, likely ones first (500 at
 *   most unless `limit`); outside: no listed answer fits, these are all guesses that do */
export const readRows = (spec, rows, { limit = 500 } = {}) => ask("readRows", spec, rows, { limit });

/** The words that remain: `readRows`, with all of them. */
export const remaining = (spec, rows) => ask("readRows", spec, rows, { limit: Infinity });

// ---- the coach

/** The best next guess, ever better known: the fields of `salet assist --json` (Advice: guess, expected,
 * lower, upper, proven, losses, complete, explanation, notes, traps, words, suggestions, …).
 * @param {{rows?, objective?: "mean"|"worst"|"mean-then-worst"|"win-then-mean", consider?: string[],
 *   seconds?: number, count?: number, limit?: number}} options  count: guesses listed (11);
 *   limit: remaining words listed by name (500); seconds: 5 */
export const suggest = (spec, options = {}, onUpdate, signal) => live("suggest", [spec, options], onUpdate, signal);

/** Is this guess any good? Before it is played; the best one is not named.
 * @returns {Promise<{guess, candidate, expected, lower, upper, proven, losses, groups, largest, win, worst,
 *   verdict: "best"|"fine"|"costly"|null, text, behind, rank_lower, rank_upper, legal, remaining, weights,
 *   best_expected, best_losses, lost, lost_games, exact: boolean, explanation}>} the fields of Python's
 *   Rating and Suggestion; verdict null while it is undecided; lost: guesses it costs against the best
 *   (an upper bound unless `exact`) */
export const rate = (spec, { rows = [], guess, objective, seconds } = {}, onUpdate, signal) =>
  live("rate", [spec, { rows, guess, objective, seconds }], onUpdate, signal);

/** One step of help; none names a word before the last. Steps: 1 how many words fit, 2 what the best guess
 * achieves, 3 which letters are worth testing, 4 the best guess.
 * @returns {Promise<{step, text, remaining, guesses_left, lower, upper, losses, proven,
 *   letters: {letter, words, position, words_there, text}[]|null, guess}>} the fields of `salet assist --hint --json` */
export const hint = (spec, { rows = [], step, seconds } = {}, onUpdate, signal) => (step % 2
  ? ask("quickHint", spec, { rows, step }) // waits for no search
  : live("hint", [spec, { rows, step, seconds }], onUpdate, signal));

/** What the guesses of a game were worth. Give `text` as pasted (words, a share grid, or both), or `words`.
 * @param {{text?: string, words?: string[], rows?, grid?: Grid, answer?: string, seconds?: number}} options
 *   rows: as typed with colours: they are checked, and a game that is not finished needs no answer
 * @returns {Promise<{words: string[], mode: string, analysis: object|null, behind: object|null,
 *   done: number, turns: number}>} analysis: `salet analyse --json`; behind: the likeliest words of a grid
 *   without words ({answers: {word, chance}[], possible, rows}). While live, `analysis` has bounds for turns
 *   whose `proven` is false; `done` turns of `turns` are final. A grid marked * counts as hard. */
export const analyse = (spec, options, onUpdate, signal) => live("analyse", [spec, options], onUpdate, signal);

/** What weighing answers by likelihood changed in an analysis, given the same with all answers alike. */
export const analysisChange = (likely, equal) => ask("analysisChange", likely, equal);

/** What another guess in one turn (from 1) of a game would have been worth: Alternative of
 * `salet analyse --json` (turn, guess, feedback, expected_before, expected_after, lost, luck, …). */
export const whatIf = (spec, { words, turn, guess, answer, seconds } = {}, signal) =>
  live("whatIf", [spec, { words, turn, guess, answer, seconds }], undefined, signal);

// ---- grids

/** The palettes of share grids: {name: [grey, yellow, green]}. */
export const palettes = () => ask("palettes");

/** Read a share grid in any palette. @returns {Promise<Grid>} {rows: number[][], hard, title, cap, won} */
export const parseGrid = (text, length = 5) => ask("parseGrid", text, length);

/** Write a Grid in a palette. */
export const formatGrid = (grid, palette = "dark") => ask("formatGrid", grid, palette);

/** The likeliest words behind a grid. @returns {Promise<{answers: {word, chance}[], possible, rows}>} */
export const inferWords = (spec, { grid, text, answer, count } = {}) =>
  ask("inferWords", spec, { grid, text, answer, count });

// ---- play

/** A whole game so far against the secret that a number names (the same number, the same word).
 * @param {{number: number, guesses?: string[], giveUp?: boolean, host?: "secret"|"adversary"}} game
 *   the adversary has no secret: it keeps the largest group
 * @returns {Promise<{game, mode, cap, number, rows, won, over, answer: string|null, remaining, share: string|null}>} */
export const play = (spec, game) => ask("play", spec, game);

/** A game on several boards, against the answers that a number draws (as Python's draw_tuples).
 * @param {{boards: number, number: number, guesses?: string[], giveUp?: boolean}} game
 * @returns {Promise<{game, mode, cap, boards, turn, number, rows: {guess, feedback: (string|null)[]}[],
 *   solved: number[], won, over, remaining: number[], answers: string[]|null, share: string|null}>}
 *   solved: the turn that solved each board, 0 for open ones */
export const playBoards = (spec, game) => ask("playBoards", spec, game);

/** Where several boards stand after rows {guess, feedback: "BYBBG/-/GGGGG"}; rejects with the row, and names
 * the board that is wrong. The fields of `playBoards` without number, answers and share. */
export const readBoards = (spec, boards, rows) => ask("readBoards", spec, boards, rows);

/** What to guess next on several boards: estimates at once, then rollouts: {guess, expected, lower, rolled,
 * suggestions: {guess, expected, solves, boards}[], words: string[][], …} with the fields of `readBoards`. */
export const suggestBoards = (spec, boards, options = {}, onUpdate, signal) =>
  live("suggestBoards", [spec, boards, options], onUpdate, signal);

/** The puzzle number of a date "2026-11-18": the same for everybody on that day. */
export const numberOfDate = (date) => ask("numberOfDate", date);

// ---- plans and openers

/** The shipped plans: {game, mode, cap, opener, answers, total, worst, proven}[]. */
export const plans = () => ask("plans");

/** The node of a plan after this feedback to each of its guesses: {game, mode, path, guess, is_answer,
 * answers, words, total, mean, worst, histogram, branches: {feedback, answers, guess, total, worst, word}[]}. */
export const planNode = (game, mode, feedback = []) => ask("planNode", game, mode, feedback);

/** How a plan finds an answer: {word, rows}. */
export const planPath = (game, mode, word) => ask("planPath", game, mode, word);

/** How a first guess splits all answers: {guess, is_answer, answers, groups, largest, expected, bits, sizes}. */
export const openerSplit = (spec, word) => ask("openerSplit", spec, word);

/** Stored first guesses of a game, best first, or null: {lower, openers: {guess, losses, guesses, worst,
 * groups, largest}[]}; `guesses` is the total over all answers. */
export const openers = (spec) => ask("openers", spec);

// ---- the engine itself

/** Make the worker and load the kernels before the first question: {megabytes: number, simd: true}. Rejects
 * with kind "Unsupported" where the browser lacks WebAssembly or its SIMD instructions: then `play`, plans,
 * openers, grids, words and rows still work. */
export const warmUp = () => ask("warmUp");

/** Bytes the engine holds: {megabytes}. */
export const memory = () => ask("memory");

// ---- how it is asked

let worker = null;
let count = 0;
const asked = new Map();

function ask(name, ...args) {
  return live(name, args);
}

function live(name, args, onUpdate, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return void reject(signal.reason);
    const id = ++count;
    const abort = () => {
      asked.delete(id);
      worker?.postMessage({ id, abort: true });
      reject(signal.reason);
    };
    const done = (settle) => (value) => {
      signal?.removeEventListener("abort", abort);
      asked.delete(id);
      settle(value);
    };
    asked.set(id, { onUpdate, resolve: done(resolve), reject: done(reject) });
    signal?.addEventListener("abort", abort);
    try {
      started().postMessage({ id, name, args });
    } catch (error) {
      done(reject)(new Problem(`The engine cannot start: ${error.message}`, null, "Unsupported"));
    }
  });
}

function started() {
  if (worker) return worker;
  const inlined = globalThis.saletSite;
  worker = inlined?.worker
    ? new Worker(URL.createObjectURL(new Blob([inlined.worker], { type: "text/javascript" })))
    : new Worker(new URL("engine/worker.js", document.baseURI), { type: "module" });
  worker.onmessage = ({ data }) => heard(data);
  worker.onerror = (event) => {
    event.preventDefault?.();
    worker.terminate();
    worker = null; // the next question starts a new one
    const problem = new Problem(
      event.message ? `The engine stopped: ${event.message}` : "The engine could not be loaded.", null, "Unsupported",
    );
    for (const { reject } of [...asked.values()]) reject(problem);
  };
  return worker;
}

function heard({ id, need, update, result, problem }) {
  if (need) {
    const sender = worker;
    file(need).then(
      (bytes) => sender.postMessage({ need, bytes }, [bytes]),
      (error) => sender.postMessage({ need, error: error.message }),
    );
    return;
  }
  const question = asked.get(id);
  if (!question) return; // aborted
  if (problem) question.reject(new Problem(problem.message, problem.row, problem.kind));
  else if (update !== undefined) question.onUpdate?.(update);
  else question.resolve(result);
}

/** The bytes of a file of the site. */
async function file(path) {
  const inlined = globalThis.saletSite?.files;
  if (inlined) return inflated(path, inlined);
  let response;
  try {
    response = await fetch(new URL(path, document.baseURI));
  } catch {
    throw new Error(`${path} cannot be loaded; are you offline?`);
  }
  if (!response.ok) throw new Error(`${path} cannot be loaded (${response.status})`);
  return response.arrayBuffer();
}

async function inflated(path, files) {
  if (!(path in files) && !(`${path}.gz` in files)) await script(path);
  const text = files[path] ?? files[`${path}.gz`];
  if (text === undefined) throw new Error(`${path} is not part of this page`);
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  if (path in files) return bytes.buffer;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** From `file:` a file that is not inlined comes as a classic script of its own. */
function script(path) {
  const source = globalThis.saletSite.script?.(path);
  if (!source) return undefined;
  return new Promise((resolve) => {
    const element = document.createElement("script");
    element.src = source;
    element.onload = element.onerror = () => resolve(element.remove());
    document.head.append(element);
  });
}

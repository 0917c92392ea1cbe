// Ask the browser's engine what Python was asked: node tests/site/replay.mjs GOLDEN SITE [FROM [TO]]
//
// GOLDEN is tests/golden/site.jsonl.gz, SITE a folder with engine/ and data/. Prints every difference
// and a summary, and ends with 1 if there is one.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [golden, site, from = "0", to = "Infinity"] = process.argv.slice(2);
const engine = (name) => import(pathToFileURL(path.resolve(site, "engine", name)));
const { Engine } = await engine("engine.js");
const { Service } = await engine("service.js");
const { stackShapes } = await engine("layout.js");
const { Evaluator, finished, rootOf, BUDGET } = await engine("value.js");

const read = async (file) => fs.readFileSync(path.join(site, file));
const service = new Service(read, undefined, 0); // advice as often as it comes: the clock decides nothing
await service.warmUp();
const roomy = Object.assign(new Engine(2 ** 31), { module: service.engine.module }); // as Python has

/** The suite of node counts: total, states expanded, guesses tried. */
async function nodes(name, game, mode, cap, opener) {
  const coach = await service.coach({ game, mode, cap: cap ?? "none" });
  let asked = coach.game;
  if (name.includes("weighted")) asked = asked.with({ weights: Array.from({ length: asked.answerCount }, (_, i) => 1 + ((7 * i) % 5)) });
  const evaluator = new Evaluator(asked, roomy, { ...BUDGET, table: 32, losses: 32 });
  const solver = evaluator.focus(asked.start()).solver(name.includes("losses"), 0);
  const value = finished(solver.value(rootOf(asked.start()), opener === null ? null : asked.index(opener)));
  return [Number(value), solver.nodes, Number(solver.counters.guesses)];
}

async function shapes(spec, depth) {
  const { game } = await service.coach(spec);
  const { table, layout } = new Evaluator(game, roomy).focus(game.start());
  return stackShapes(table.size, layout, depth);
}

async function likelihood(spec, words) {
  const coach = await service.coach(spec);
  return words.map((word) => coach.likelihood[coach.game.index(word)]);
}

async function answer(call, args) {
  if (call === "nodes") return nodes(...args);
  if (call === "shapes") return shapes(...args);
  if (call === "likelihood") return likelihood(...args);
  const asked = service[call](...args);
  if (typeof asked.next !== "function") return asked;
  for (;;) {
    const { done, value } = await asked.next();
    if (done) return value;
  }
}

const only = (fields, names) => Object.fromEntries(names.map((name) => [name, fields[name]]));

/** Where two values differ, or null. Chances are sums of floating-point numbers in another order. */
function difference(a, b, at = "") {
  if (typeof a === "number" && typeof b === "number" && /\.chance$/.test(at)) {
    return Math.abs(a - b) <= 1e-12 + 1e-9 * Math.abs(b) ? null : `${at}: ${a} is not ${b}`;
  }
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) {
    return Object.is(a, b) || a === b ? null : `${at}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = difference(a[key], b[key], `${at}.${key}`);
    if (found) return found;
  }
  return null;
}

const lines = zlib.gunzipSync(fs.readFileSync(golden)).toString().trim().split("\n");
const counts = {};
let differing = 0;
for (const [number, line] of lines.entries()) {
  const { call, args, result, problem } = JSON.parse(line);
  const wanted = number >= Number(from) && number < Number(to);
  if (!wanted && call !== "addGame") continue;
  let found = {};
  try {
    found.result = await answer(call, args);
    if (found.result?.seconds !== undefined) delete found.result.seconds;
    if (call === "addGame") found.result = null;
    if (call === "rate" && result) found.result = only(found.result, Object.keys(result)); // a page gets more
  } catch (error) {
    if (!error.kind) console.log(error.stack);
    found = { problem: { message: error.message, row: error.row ?? null, kind: error.kind ?? "Error" } };
  }
  counts[call] = (counts[call] ?? 0) + 1;
  const other = difference(found, problem ? { problem } : { result });
  if (other) {
    differing++;
    if (differing <= 20) console.log(`${number + 1} ${call} ${JSON.stringify(args).slice(0, 300)}\n  ${other.slice(0, 500)}`);
  }
}
console.log(JSON.stringify({ cases: Object.values(counts).reduce((a, b) => a + b, 0), differing, counts }));
process.exit(differing ? 1 : 0);

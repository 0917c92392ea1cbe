// The engine of the page in node: node benchmarks/site.mjs SITE, where SITE has engine/ and data/.
// Prints JSON. Times are CPU milliseconds of this process, compiling included.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const site = process.argv[2];
const engine = (name) => import(pathToFileURL(path.resolve(site, "engine", name)));
const { Service } = await engine("service.js");
const { Evaluator, finished, BUDGET } = await engine("value.js");
const { drawSecret } = await engine("catalogue.js");

const read = async (file) => fs.readFileSync(path.join(site, file));
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const rounded = (x, digits = 1) => Number(x.toFixed(digits));

async function timed(work) {
  const before = cpu();
  const result = await work();
  return [rounded(cpu() - before), result];
}

/** Run a question: CPU until its first update, until the best guess is proven, and until its end. */
async function asked(search, untilProven = false) {
  const start = cpu();
  const found = { first: null, proven: null };
  for (;;) {
    const { done, value } = await search.next();
    found.first ??= cpu() - start;
    if (value.proven) found.proven ??= cpu() - start;
    if (done || (untilProven && found.proven !== null)) return { ...found, end: cpu() - start };
  }
}

const spread = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: rounded(sorted[sorted.length >> 1]), worst: rounded(sorted.at(-1)) };
};

const LONGEST = 200; // seconds of the clock for one hint: a busy machine needs many for one of its processor
const figures = {};

// 1. First advice on nyt, from nothing.
let service = new Service(read);
const [first] = await timed(() => asked(service.suggest({ game: "nyt" }, {})));
const [second] = await timed(() => asked(service.suggest({ game: "nyt" }, { rows: [{ guess: "crane", feedback: "BYBBG" }] })));
figures.cold_ms = { first_advice: first, then_second_guess_after_crane: second };

// 2. Exact values of openers, whole table in memory.
figures.openers = {};
for (const [mode, words] of [["normal", ["salet", "raise", "crane"]], ["hard", ["salet"]]]) {
  const { game } = await service.coach({ game: "original", mode });
  await service.warmUp();
  const start = game.start();
  const [table, scope] = await timed(() => new Evaluator(game, service.engine).focus(start));
  figures.openers[`${mode} table`] = { ms: table, megabytes: rounded(scope.bytes / 2 ** 20) };
  for (const word of words) {
    const runs = [];
    let evaluator;
    let value;
    for (let run = 0; run < 3; run++) {
      service.engine.scopes = [];
      evaluator = new Evaluator(game, service.engine, { ...BUDGET, table: 16 });
      evaluator.focus(start).solver(false, 0);
      const [ms, total] = await timed(() => finished(evaluator.total(start, game.index(word))));
      runs.push(ms);
      value = total;
    }
    figures.openers[`${mode} ${word}`] = { value, nodes: evaluator.nodes, first_ms: runs[0], best_ms: Math.min(...runs) };
  }
}

// 3. The second guess: every hint, each in a fresh memory, until the best is proven. After popular openers,
// which are in the book of replies, and after the first answers drawn by seeds 1, 2, … that are not in it.
const POPULAR = ["crane", "slate", "raise", "adieu"];
const OTHERS = 3;

function drawnOpeners({ game, replyFacts }) {
  const drawn = [];
  for (let seed = 1; drawn.length < OTHERS; seed++) {
    const word = game.guesses[drawSecret(game, seed)];
    if (!replyFacts.openers.includes(word)) drawn.push(word);
  }
  return drawn;
}

figures.second_guess = {};
for (const mode of ["normal", "hard"]) {
  const coach = await service.coach({ game: "nyt", mode });
  const { game } = coach;
  for (const opener of [...POPULAR, ...drawnOpeners(coach)]) {
    const groups = [...game.start().groups(game.index(opener)).keys()].filter((code) => code !== game.win);
    const times = [];
    let megabytes = 0;
    for (const code of groups) {
      service.engine.scopes = [];
      const feedback = game.show(code);
      const rows = [{ guess: opener, feedback }];
      const found = await asked(service.suggest({ game: "nyt", mode }, { rows, seconds: LONGEST }), true);
      times.push({ ...found, feedback });
      megabytes = Math.max(megabytes, service.engine.bytes / 2 ** 20);
    }
    const slow = times.filter(({ proven }) => proven === null || proven > 2000);
    figures.second_guess[`nyt ${mode} ${opener}`] = {
      in_book: coach.replyFacts.openers.includes(opener),
      hints: times.length,
      first_ms: spread(times.map((one) => one.first)),
      proven_ms: spread(times.map((one) => one.proven ?? one.end)),
      above_2_s: slow.map(({ feedback, proven, end }) =>
        (proven === null ? `${feedback}: not within ${rounded(end / 1000)} s` : `${feedback}: ${rounded(proven / 1000)} s`)),
      megabytes: rounded(megabytes),
    };
  }
}

// 4. Memory: Assist and Analyse of games whose opener is stored nowhere, in turn. A page has one service.
service = null;
const heavy = new Service(read);
for (const spec of [{ game: "nyt" }, { game: "nyt", mode: "hard" }, { game: "original" }]) {
  await asked(heavy.suggest(spec, { rows: [{ guess: "fuzzy", feedback: "BBBBB" }], seconds: 2 }));
  for await (const _ of heavy.analyse(spec, { words: ["house", "mouse", "rouse"], answer: "rouse", seconds: 2 }));
}
const { megabytes } = await heavy.memory();
globalThis.gc?.();
const { rss, heapUsed } = process.memoryUsage();
figures.memory_mb = {
  engine: rounded(megabytes), javascript: rounded(heapUsed / 2 ** 20),
  together: rounded(megabytes + heapUsed / 2 ** 20), node_process: rounded(rss / 2 ** 20),
};

console.log(JSON.stringify(figures));

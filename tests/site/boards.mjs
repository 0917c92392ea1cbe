// Several boards, equations and the adversary as the browser's engine has them:
// node tests/site/boards.mjs SITE < questions, one JSON line each; the answers go to stdout.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [site] = process.argv.slice(2);
const engine = (name) => import(pathToFileURL(path.resolve(site, "engine", name)));
const { adversaryCode } = await engine("adversary.js");
const { drawAnswers, estimates, replayBoards } = await engine("boards.js");
const { Service } = await engine("service.js");

const service = new Service(async (file) => fs.readFileSync(path.join(site, file)));
await service.warmUp();

const finished = (search) => {
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
};

const ANSWERS = {
  words: ({ game }) => game.guesses.join(" "),
  draw: ({ game }, boards, number) => drawAnswers(game, boards, number),
  estimates: ({ game }, boards, rows, guesses) => {
    const misses = finished(estimates(service.engine, replayBoards(game, boards, rows)));
    return guesses.map((guess) => misses[guess]);
  },
  remaining: ({ game }, boards, rows) => replayBoards(game, boards, rows).boards.map(({ candidates }) => candidates.length),
  last: async ({ game }, seconds) => { // what is known when the time is up
    let advice;
    for await (const update of service.suggest({ game: game.name }, { seconds })) advice = update;
    return [advice.guess, advice.expected, advice.lower, advice.suggestions.length];
  },
  adversary: ({ game }, guesses) => {
    let state = game.start();
    return guesses.map((guess) => {
      const code = adversaryCode(state, game.index(guess));
      state = state.after(guess, code);
      return game.show(code);
    });
  },
};

for (const line of fs.readFileSync(0, "utf8").trim().split("\n")) {
  const [call, name, ...args] = JSON.parse(line);
  let answer;
  try {
    answer = { result: await ANSWERS[call](await service.coach({ game: name }), ...args) };
  } catch (error) {
    answer = { problem: error.message };
  }
  console.log(JSON.stringify(answer));
}

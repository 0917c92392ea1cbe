// What the browser's engine loads and says first: node tests/site/replies.mjs SITE < questions, one JSON line
// [spec, options] each. Prints one line each: the data files that were loaded for it, and the first advice.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const [site] = process.argv.slice(2);
const { Service } = await import(pathToFileURL(path.resolve(site, "engine", "service.js")));

for await (const line of readline.createInterface({ input: process.stdin })) {
  const loaded = [];
  const service = new Service(async (file) => {
    loaded.push(file);
    return fs.readFileSync(path.join(site, file));
  });
  const { value } = await service.suggest(...JSON.parse(line)).next();
  const { guess, expected, losses, proven, suggestions } = value;
  console.log(JSON.stringify({ loaded, advice: { guess, expected, losses, proven, worst: suggestions[0].worst } }));
}

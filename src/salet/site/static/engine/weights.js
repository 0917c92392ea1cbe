// Weights of answers: by how likely each is, or from a text: salet/game/weights.py.
import { MAX_WEIGHT, PAST_FACTOR, PLURAL_FACTOR, WEIGHT_UNIT } from "./definitions.js";
import { InputError, repr } from "./errors.js";
import { rounded, strip } from "./format.js";
import { key } from "./lexicon.js";

/** A weight of at least 1 for every guess: how likely it is to be the answer. */
export function priorWeights(game, past = []) {
  const counts = game.frequencies;
  const size = game.lexicon.size;
  let total = 0;
  if (counts) for (let at = 0; at < game.answerCount; at++) total += counts[at];
  total ||= 1;
  const used = new Set(past.map(key));
  const weights = new Float64Array(size);
  for (let at = 0; at < size; at++) {
    const word = game.lexicon.keys[at];
    let share = counts ? counts[at] / total : 1 / size;
    if (used.has(word)) share *= PAST_FACTOR;
    if (counts && isPlural(word)) share *= PLURAL_FACTOR;
    weights[at] = Math.max(1, rounded(WEIGHT_UNIT * share));
  }
  return weights;
}

const isPlural = (word) => word.endsWith("s") && !["s", "u", "i", "o"].includes(word.slice(-2, -1));

/** The weights in lines of `word weight`; an answer that is not listed weighs 1. */
export function readWeights(name, text, game) {
  const weights = Array(game.answerCount).fill(1);
  const seen = new Map();
  text.split("\n").forEach((line, at) => {
    const bare = strip(line);
    if (!bare) return;
    const where = `${name} line ${at + 1} ${repr(bare)}`;
    const [word, ...rest] = bare.split(/[\s,;=]+/);
    if (rest.length !== 1 || !/^-?\d+$/.test(rest[0])) {
      throw new InputError(`${where}: write a word and a whole number, as in 'crane 5'`);
    }
    const weight = Number(rest[0]);
    if (weight < 1 || weight > MAX_WEIGHT) {
      throw new InputError(`${where}: a weight is a whole number from 1 to ${MAX_WEIGHT}`);
    }
    const index = game.lexicon.places.get(key(word));
    if (index === undefined || index >= game.answerCount) {
      throw new InputError(`${where}: ${repr(word)} is not one of the answers of ${game.name}`);
    }
    if (seen.has(index)) throw new InputError(`${where}: ${repr(word)} is already on line ${seen.get(index)}`);
    seen.set(index, at + 1);
    weights[index] = weight;
  });
  if (!seen.size) throw new InputError(`${repr(name)} is empty; write lines of a word and a whole number`);
  return weights;
}

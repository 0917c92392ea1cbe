// A plan as a tree to walk, and games against a drawn secret.
import { InputError, repr, rowError, unknownName } from "./errors.js";
import { adversaryCode } from "./adversary.js";
import { drawSecret } from "./catalogue.js";
import { GREEN, tiles, YELLOW } from "./notation.js";

const MAX_WORDS = 400; // answers that a node lists by name

/** The tree of a plan file: {guess, branches: Map(feedback, node)}. */
export function planTree(stored) {
  const [guess, branches] = typeof stored === "string" ? [stored, {}] : stored;
  return {
    guess,
    branches: new Map(Object.entries(branches).map(([feedback, below]) => [feedback, planTree(below)])),
  };
}

/** A plan, grown once into steps with all that is asked of them. */
export class Walk {
  constructor(game, root) {
    this.game = game;
    this.root = grown(game, root, game.start().candidates);
  }

  /** The node after this feedback to each of the plan's guesses. */
  node(feedbacks) {
    let step = this.root;
    const path = [];
    for (const given of feedbacks) {
      const feedback = this.game.show(this.game.parse(given));
      if (!step.below.has(feedback)) {
        throw unknownName(`feedback to ${repr(step.guess)}:`, given, step.below.keys(), "no answer gives it");
      }
      path.push({ guess: step.guess, feedback });
      step = step.below.get(feedback);
    }
    return this.shown(step, path);
  }

  shown(step, path) {
    const { game } = this;
    const words = game.guesses;
    const branches = [...step.below].map(([feedback, below]) => ({
      feedback, answers: below.answers.length, guess: below.guess, total: below.total, worst: below.worst,
      word: below.answers.length === 1 ? words[below.answers[0]] : null,
    }));
    const wins = step.histogram.has(1);
    if (wins) {
      branches.push({ feedback: game.show(game.win), answers: 1, guess: null, total: 0, worst: 0, word: step.guess });
    }
    branches.sort((a, b) => b.answers - a.answers || (a.feedback < b.feedback ? -1 : 1));
    return {
      game: game.name, mode: game.mode, path, guess: step.guess, is_answer: wins, answers: step.answers.length,
      words: Array.from(step.answers.slice(0, MAX_WORDS), (place) => words[place]),
      total: step.total, mean: step.total / step.answers.length, worst: step.worst,
      histogram: Object.fromEntries(step.histogram), branches,
    };
  }

  /** The plan's game against one answer. */
  path(word) {
    const { game } = this;
    const answer = game.answerIndex(word);
    const rows = [];
    for (let step = this.root; step;) {
      const feedback = game.show(game.row(game.index(step.guess))[answer]);
      rows.push({ guess: step.guess, feedback });
      step = step.below.get(feedback);
    }
    return { word: game.guesses[answer], rows };
  }
}

function grown(game, node, answers) {
  const row = game.row(game.index(node.guess));
  const groups = new Map();
  for (const at of answers) groups.set(row[at], [...(groups.get(row[at]) ?? []), at]);
  const counts = new Map();
  const add = (size, count) => counts.set(size, (counts.get(size) ?? 0) + count);
  const below = new Map();
  for (const code of [...groups.keys()].sort((a, b) => a - b)) {
    if (code === game.win) {
      add(1, 1);
      continue;
    }
    const feedback = game.show(code);
    if (!node.branches.has(feedback)) continue; // the cap is reached: these answers are lost
    const step = grown(game, node.branches.get(feedback), Int32Array.from(groups.get(code)));
    below.set(feedback, step);
    for (const [size, count] of step.histogram) add(size + 1, count);
  }
  const histogram = new Map([...counts].sort(([a], [b]) => a - b));
  const sizes = [...histogram.keys()];
  return {
    guess: node.guess, answers, histogram, below,
    total: [...histogram].reduce((sum, [size, count]) => sum + size * count, 0),
    worst: sizes.length ? Math.max(...sizes) : 0,
  };
}

/** What one first guess does to all answers. */
export function openerSplit(game, word) {
  const state = game.start();
  const place = game.index(word);
  const sizes = [...state.groups(place).values()].map((part) => part.candidates.length).sort((a, b) => b - a);
  const answers = state.candidates.length;
  // summed as the kernel does: in the order in which groups first occur
  const row = game.row(place);
  const counts = new Map();
  for (const at of state.candidates) counts.set(row[at], (counts.get(row[at]) ?? 0) + 1);
  let nLogN = 0;
  for (const size of counts.values()) nLogN += size * Math.log2(size);
  return {
    guess: game.guesses[place],
    is_answer: place < game.answerCount,
    answers,
    groups: sizes.length,
    largest: sizes[0],
    expected: sizes.reduce((sum, size) => sum + size * size, 0) / answers,
    bits: sizes.length === 1 ? 0 : Math.log2(answers) - nLogN / answers,
    sizes,
  };
}

// ---- play

/** A whole game so far against the secret that a number names, or against the adversary. */
export function play(game, { number, guesses = [], giveUp = false, host = "secret" }) {
  if (!(Number.isSafeInteger(number) && number >= 0)) {
    throw new InputError(`puzzle number ${number}: give a whole number of at least 0`);
  }
  const secret = drawSecret(game, number);
  const reply = (index) => (host === "adversary" ? adversaryCode(state, index) : game.row(index)[secret]);
  let state = game.start();
  const isOver = () => state.won || state.guessesLeft === 0;
  guesses.forEach((word, at) => {
    try {
      const index = game.index(word);
      if (state.history.some(([earlier]) => earlier === index)) {
        throw new InputError(`you have tried ${repr(word)} already`);
      }
      if (isOver()) throw new InputError(`the game is over; ${repr(word)} is one guess too many`);
      state = state.after(state.check(index), reply(index));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw rowError(at + 1, error.message);
    }
  });
  const over = isOver() || giveUp;
  return {
    game: game.name, mode: game.mode, cap: game.cap, number,
    rows: state.turns.map(([guess, feedback]) => ({ guess, feedback })),
    won: state.won, over,
    // what the adversary might have had in mind is any answer that is left
    answer: over ? game.guesses[host === "adversary" ? state.candidates[0] : secret] : null,
    remaining: state.candidates.length,
    share: over ? shareOf(state) : null,
  };
}

/** The grid that people share, with `*` for hard mode; peg counts if there are no tiles. */
function shareOf(state) {
  const { game } = state;
  const used = state.won ? String(state.turn) : "X";
  const limit = game.cap === null ? "" : `/${game.cap}`;
  const squares = { [GREEN]: "🟩", [YELLOW]: "🟨" };
  const lines = state.history.map(([, code]) => (game.hasTiles
    ? tiles(code, game.length).map((colour) => squares[colour] ?? "⬛").join("") : game.show(code)));
  return [`salet ${game.name} ${used}${limit}${game.mode === "hard" ? "*" : ""}`, "", ...lines].join("\n");
}

/** The puzzle number of a date such as 2026-11-18: days since the first of 2021, a Friday. */
export function numberOfDate(date) {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date);
  const day = found ? Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3])) : NaN;
  if (!found || new Date(day).toISOString().slice(0, 10) !== date) {
    throw new InputError(`date ${repr(String(date))}: write it as 2026-11-18`);
  }
  return Math.max(0, Math.round((day - Date.UTC(2021, 0, 1)) / 86_400_000));
}

// Every question of api.js, answered: the same in a worker and in tests. Searching questions are
// async generators: they yield updates and return the result.
import { MIN_PAUSE, PALETTES } from "./definitions.js";
import { alternative, analyseGame } from "./analysis.js";
import { ratings } from "./appraisal.js";
import { playBoards, replayBoards, suggestBoards, told } from "./boards.js";
import { Catalogue } from "./catalogue.js";
import { checkQuestion, Coach, readPosition, suggest } from "./coach.js";
import { Engine } from "./engine.js";
import { InputError } from "./errors.js";
import { numberOfDate, openerSplit, play, planTree, Walk } from "./explore.js";
import { Game, parseRows } from "./game.js";
import { formatGrid, inferWords, parseGrid } from "./grids.js";
import { likelyFirst } from "./guess_bounds.js";
import { checkStep, hint, needsAdvice } from "./hints.js";
import { compileKernels } from "./kernels.js";
import { analysisChange } from "./likelihood_change.js";
import { modesOf } from "./modes.js";
import { score } from "./notation.js";
import { readPaste } from "./paste.js";
import { readGame } from "./record.js";
import { Clock } from "./value.js";

const KEPT_COACHES = 6;
const MAX_WORDS = 500;
const SLICE_MS = 12; // a search looks at messages so often
const LONGEST = 3600; // seconds of one question

export class Service {
  /** `load(path)` gives the bytes of a file; `pause()` lets messages in; `minPause`: seconds between two
   * pieces of advice at least. */
  constructor(load, pause = async () => {}, minPause = MIN_PAUSE) {
    this.load = load;
    this.pause = pause;
    this.minPause = minPause;
    this.catalogue = new Catalogue(load);
    this.engine = new Engine();
    this.coaches = new Map();
    this.walks = new Map();
  }

  // ---- games

  listGames() {
    return this.catalogue.listed();
  }

  async addGame(lists) {
    const row = this.catalogue.add(lists);
    for (const name of this.coaches.keys()) if (name.includes(JSON.stringify(row.name))) this.coaches.delete(name);
    return row;
  }

  async openGame(spec) {
    const { game, planFacts, openingBook, weighting } = await this.coach(spec);
    return {
      name: game.name, mode: game.mode, answers: game.answerCount, guesses: game.lexicon.size, length: game.length,
      cap: game.cap, rule: game.rule.name, tiles: game.hasTiles, alphabet: game.lexicon.alphabet,
      modes: modesOf(game.rule), plan: planFacts !== null, weights: weighting,
      frequencies: game.counts !== null, book: openingBook !== null,
    };
  }

  /** The coach of a spec; the same object as long as it is kept. */
  async coach(spec = {}) {
    const { game: name = "nyt", mode = "normal", rule, cap, weights = null, past = [] } = spec;
    const asked = JSON.stringify([String(name).trim().toLowerCase(), mode, rule ?? null, cap ?? null, weights, past]);
    let coach = this.coaches.get(asked);
    if (!coach) {
      coach = await this.opened(name, { mode, rule, cap, weights, past });
      if (this.coaches.size >= KEPT_COACHES) this.coaches.delete(this.coaches.keys().next().value);
    } else this.coaches.delete(asked);
    this.coaches.set(asked, coach); // used last is last
    return coach;
  }

  async opened(name, { mode, rule, cap, weights, past }) {
    const lists = await this.catalogue.lists(String(name));
    const options = {
      rule: rule ?? lists.rule, mode, cap: cap == null ? lists.cap : capOf(cap), name: lists.name,
      frequencies: lists.counts, lexicon: this.lexiconOf(lists),
    };
    const game = new Game(lists.answers, lists.guesses, options);
    if (!options.lexicon) this.remember(lists, game.lexicon);
    return new Coach(this.engine, game, { past, weights, known: await this.stored(game) });
  }

  /** Modes and caps of the same words share their lexicon, and with it the engine's table. */
  lexiconOf({ name }) {
    return this.lexicons?.find((one) => one.name === name)?.lexicon;
  }

  remember({ name }, lexicon) {
    if (name.startsWith("own:") || this.catalogue.own.has(`own:${name}`.toLowerCase())) return;
    this.lexicons = [...(this.lexicons ?? []).slice(-3), { name, lexicon }];
  }

  /** Plan, openers and replies that are stored for just this game. */
  async stored(game) {
    const nothing = { plans: [], games: [], replies: [] };
    const { plans, games, replies } = await this.catalogue.facts.catch(() => nothing);
    const words = games.find(({ name }) => name === game.name)?.words;
    const same = (one) => words && one.game === game.name && one.mode === game.mode &&
      one.rule === game.rule.name && one.cap === game.cap && one.words === words;
    const planFacts = plans.find(same) ?? null;
    const books = words ? await this.catalogue.json("data/openers.json") : [];
    return { planFacts, openingBook: bookOf(books.find(same), false), replyFacts: replies.find(same) ?? null };
  }

  /** Load all openers of a game where the first few do not have one of these words. */
  async readyOpeners(coach, words) {
    const book = coach.openingBook;
    if (!book || book.all || words.every((word) => book.openers.some(({ guess }) => guess === word))) return;
    coach.openingBook = bookOf(await this.catalogue.json(`data/openers/${book.game}-${book.mode}.json`), true);
  }

  /** Load the replies to openers where one of these words has some. */
  async readyReplies(coach, openers) {
    const facts = coach.replyFacts;
    if (!facts || coach.replies || !openers.some((word) => facts.openers.includes(word))) return;
    const { replies } = await this.catalogue.json(`data/replies/${facts.game}-${facts.mode}.json`);
    coach.replies = new Map(Object.entries(replies));
  }

  /** Load what a position needs: kernels, the plan where play may still follow it, and the replies to the
   * opener, or to `openers` that are asked about. */
  async ready(coach, state = null, openers = []) {
    await this.readyReplies(coach, state?.turn ? [state.turns[0][0]] : openers);
    if (state?.turn && state.turns[0][0] === coach.planFacts?.opener) await this.readyPlan(coach);
    if (!this.engine.module) this.engine.module = await compileKernels(() => this.load("engine/kernels.wasm"));
  }

  async readyPlan(coach) {
    if (coach.planFacts) coach.plan ??= await this.planTree(coach.planFacts);
  }

  /** Does the first advice come from stored openers alone? Then nothing else is loaded for it. */
  isStored(coach, state, options) {
    const book = coach.openingBook;
    return Boolean(book) && !state.turn && options.objective !== "worst" && book.openers.length >= options.count &&
      options.consider.every((word) => book.openers.some(({ guess }) => guess === word));
  }

  async planTree(facts) {
    const { tree } = await this.catalogue.json(`data/plans/${facts.game}-${facts.mode}.json`);
    return planTree(tree);
  }

  // ---- words and rows

  async score(guess, answer, rule) {
    return score(String(guess), String(answer), rule);
  }

  async checkWord(spec, word, rows) {
    const { state } = readPosition(await this.coach(spec), rows);
    const index = state.check(String(word));
    const { game } = state;
    return { word: game.guesses[index], answer: index < game.answerCount, fits: state.candidates.includes(index) };
  }

  async parseRows(text) {
    return parseRows(text);
  }

  async readRows(spec, rows, { limit = MAX_WORDS } = {}) {
    const { coach, state, outside } = readPosition(await this.coach(spec), rows);
    const words = likelyFirst(state.candidates, coach.likelihood);
    return {
      rows: state.turns.map(([guess, feedback]) => ({ guess, feedback })),
      turn: state.turn, won: state.won, over: state.won || state.guessesLeft === 0, remaining: words.length,
      words: words.slice(0, limit).map((place) => state.game.guesses[place]), outside,
    };
  }

  // ---- the coach

  async *suggest(spec, { rows = [], objective = "mean", consider = [], seconds = 5, count = 11, limit = MAX_WORDS }, signal) {
    const position = readPosition(await this.coach(spec), rows);
    const options = { objective, consider, count };
    if (!position.state.turn) await this.readyOpeners(position.coach, consider);
    if (!this.isStored(position.coach, position.state, options)) {
      await this.ready(position.coach, position.state, consider);
    }
    const clock = this.begin(seconds, signal);
    const short = (advice) => ({ ...advice, words: advice.words.slice(0, limit) });
    return short(yield* this.live(suggest(position, options, clock), clock, short));
  }

  /** One step of help: 2 and 4 tell what `suggest` finds. */
  async *hint(spec, { rows = [], step, ...options }, signal) {
    if (!needsAdvice(step)) return this.quickHint(spec, { rows, step });
    const { state } = readPosition(await this.coach(spec), rows);
    const advising = this.suggest(spec, { ...options, rows }, signal);
    for (;;) {
      const { done, value } = await advising.next();
      if (done) return hint(step, state, value);
      yield hint(step, state, value);
    }
  }

  /** A step of help that needs no search. */
  async quickHint(spec, { rows = [], step }) {
    checkStep(step);
    const position = readPosition(await this.coach(spec), rows);
    checkQuestion(position, "mean");
    return hint(step, position.state);
  }

  async *rate(spec, { rows = [], guess, objective = "mean", seconds = 5 }, signal) {
    const position = readPosition(await this.coach(spec), rows);
    checkQuestion(position, objective);
    const index = position.state.check(String(guess));
    if (!position.state.turn) await this.readyOpeners(position.coach, [null]);
    await this.ready(position.coach, position.state, [position.state.game.guesses[index]]);
    const clock = this.begin(seconds, signal);
    return yield* this.live(ratings(position, index, clock, objective), clock);
  }

  async *analyse(spec, { text = null, words = null, rows = null, grid = null, answer = null, seconds = 10 }, signal) {
    let coach = await this.coach(spec);
    if (text !== null) ({ words, grid } = readPaste(text, coach.game));
    if (rows !== null) [words, grid] = [rows.map(({ guess }) => guess), rowsGrid(coach.game, rows)];
    if (!words?.length && !grid) throw new InputError("there is no word and no square in the text; paste a game");
    if (grid?.hard && coach.game.mode === "normal") coach = await this.coach({ ...spec, mode: "hard" });
    const { mode } = coach.game;
    answer ||= null;
    if (!words?.length) {
      return { words: [], mode, analysis: null, behind: inferWords(coach, grid, answer), done: 0, turns: 0 };
    }
    const record = readGame(coach, words, answer, grid);
    await this.readyOpeners(record.base, [words[0]]);
    await this.readyPlan(record.base); // perfect play follows it
    await this.ready(record.base, record.states[1]);
    await this.ready(record.coach);
    const clock = this.begin(seconds, signal);
    const played = record.guesses.map((guess) => record.coach.game.guesses[guess]);
    const shape = ({ analysis, done }) =>
      ({ words: played, mode, analysis, behind: null, done, turns: played.length });
    return shape(yield* this.live(analyseGame(record, clock), clock, shape));
  }

  async *whatIf(spec, { words, turn, guess, answer = null, seconds = 5 }, signal) {
    const record = readGame(await this.coach(spec), words, answer || null);
    await this.readyOpeners(record.base, turn === 1 ? [guess] : []);
    await this.readyReplies(record.base, turn === 1 ? [String(guess).toLowerCase()] : []);
    await this.ready(record.base, record.states[1]);
    const clock = this.begin(seconds, signal);
    const found = yield* this.live(alternative(record, turn, String(guess), clock), clock);
    return { ...found, words: found.words.slice(0, MAX_WORDS) };
  }

  /** The clock of a new question. */
  begin(seconds, signal) {
    this.engine.begin();
    return Object.assign(clockOf(seconds, signal), { minPause: this.minPause });
  }

  /** Run a search, letting messages in; yields its updates in the given shape, returns its result
   * (or its last update, where it returns none). */
  async *live(search, clock, shape = (update) => update) {
    let until = performance.now() + SLICE_MS;
    let last = null;
    for (;;) {
      const { done, value } = search.next();
      if (done) return value ?? last;
      if (value) {
        last = value;
        yield shape(value);
      }
      if (performance.now() >= until) {
        await this.pause();
        if (clock.signal?.aborted) throw clock.signal.reason;
        until = performance.now() + SLICE_MS;
      }
    }
  }

  /** What likelihood changed in an analysis, given the same with all answers alike. */
  async analysisChange(likely, equal) {
    return analysisChange(likely, equal);
  }

  // ---- grids, play, plans

  async palettes() {
    return PALETTES;
  }

  async parseGrid(text, length) {
    return parseGrid(text, length);
  }

  async formatGrid(grid, palette) {
    return formatGrid(grid, palette);
  }

  async inferWords(spec, { grid = null, text = null, answer = null, count = 10 }) {
    const coach = await this.coach(spec);
    return inferWords(coach, grid ?? parseGrid(text, coach.game.length), answer || null, count);
  }

  async play(spec, asked) {
    return play((await this.coach(spec)).game, asked);
  }

  // ---- several boards

  async playBoards(spec, asked) {
    return playBoards((await this.coach(spec)).game, asked);
  }

  async readBoards(spec, boards, rows) {
    return told(replayBoards((await this.coach(spec)).game, boards, rows));
  }

  async *suggestBoards(spec, boards, { rows = [], seconds = 5, count = 11 }, signal) {
    const state = replayBoards((await this.coach(spec)).game, boards, rows);
    if (state.won) throw new InputError("all boards are solved; nothing is left to guess");
    if (state.guessesLeft === 0) throw new InputError(`the cap of ${state.cap} guesses is used up`);
    if (!this.engine.module) await this.warmUp();
    const clock = clockOf(seconds, signal);
    return yield* this.live(suggestBoards(this.engine, state, { count }, clock), clock);
  }

  async numberOfDate(date) {
    return numberOfDate(date);
  }

  async plans() {
    const { plans, games } = await this.catalogue.facts;
    return plans.map(({ game, mode, cap, opener, total, worst, proven = false }) => ({
      game, mode, cap, opener, answers: games.find(({ name }) => name === game).answers, total, worst, proven,
    }));
  }

  async planNode(game, mode, feedback) {
    return (await this.walk(game, mode)).node(feedback);
  }

  async planPath(game, mode, word) {
    return (await this.walk(game, mode)).path(word);
  }

  async walk(game, mode) {
    const coach = await this.coach({ game, mode });
    if (!coach.planFacts) throw new InputError(`there is no plan for ${coach.game.name} in ${mode} mode`);
    if (!this.walks.has(coach.planFacts)) {
      this.walks.set(coach.planFacts, new Walk(coach.game, await this.planTree(coach.planFacts)));
    }
    return this.walks.get(coach.planFacts);
  }

  async openerSplit(spec, word) {
    return openerSplit((await this.coach(spec)).game, word);
  }

  async openers(spec) {
    const coach = await this.coach(spec);
    await this.readyOpeners(coach, [null]);
    const { openingBook: book, planFacts } = coach;
    return book && { lower: planFacts?.proven ? planFacts.total : book.lower, openers: book.openers };
  }

  // ---- the engine

  async warmUp() {
    this.engine.module = await compileKernels(() => this.load("engine/kernels.wasm"));
    return { ...await this.memory(), simd: true };
  }

  async memory() {
    return { megabytes: this.engine.bytes / 2 ** 20 };
  }
}

/** Stored openers as the coach has them; `all`: not only the first few. */
function bookOf(stored, all) {
  if (!stored) return null;
  const openers = stored.openers.map(([guess, losses, guesses, worst, groups, largest]) =>
    ({ guess, losses, guesses, worst, groups, largest }));
  return { ...stored, openers, all };
}

function clockOf(seconds, signal) {
  const clock = new Clock(Math.min(Number(seconds), LONGEST));
  clock.signal = signal;
  signal?.addEventListener("abort", () => clock.cancel());
  return clock;
}

function capOf(cap) {
  if (String(cap).toLowerCase() === "none") return null;
  if (!/^-?\d+$/.test(String(cap))) {
    throw new InputError(`cap '${cap}': give a whole number of at least 1, or 'none'`);
  }
  return Number(cap);
}

/** The colours of rows as a grid, where the game has colours. */
function rowsGrid(game, rows) {
  if (!game.hasTiles) return null;
  const colours = rows.map(({ feedback }) => [...game.show(game.parse(feedback))].map((tile) => "BYG".indexOf(tile)));
  const won = colours.at(-1)?.every((colour) => colour === 2) ?? false;
  return { rows: colours, hard: false, title: "", cap: null, won };
}

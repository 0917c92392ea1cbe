// A game in the module's memory: salet/search/exact/layout.py and stack.py.
//
// GameTable   the table in two memory orders: for all modes, caps and weights of the same words
// layoutOf    with weights, keys and the rule of legality: what the search takes
// stackOf     the memory of one search
import {
  COUNTERS, FRAME, GAIN_SIZES, INF, KERNELS, LANES, MARKED, MAX_ALPHABET, MAX_PAIRWISE, LARGE, MODES,
  SIMILAR_BUCKET, SIMILAR_ORDERS, UNKNOWN_GREEN,
} from "./definitions.js";
import { InputError } from "./errors.js";
import { tiles } from "./notation.js";
import { fillKeys, Random } from "./random.js";

const BLOCK = 256; // guesses at a time: between calls the browser replaces slow code by fast code
const SIMILAR_MB = 4; // for sets that were scanned
const padded = (count) => Math.ceil(count / 64) * 64;

/** table[guess, answer] -> pattern id for the answers and legal guesses of a state (and so for all
 * states after it), with guesses sorted by the number of their parts. Outside this file guesses and
 * answers always have the game's numbers. */
export class GameTable {
  constructor(kernels, game, state) {
    const { lexicon, rule } = game;
    Object.assign(this, { kernels, game, lexicon, rule: rule.name });
    this.answerList = state.candidates; // [column]: the answer
    this.guessList = state.legal;
    this.columnOf = new Int32Array(game.answerCount).fill(-1);
    this.answerList.forEach((answer, column) => { this.columnOf[answer] = column; });
    this.guesses = this.guessList.length;
    this.answers = this.answerList.length;
    const codes = rule.notation.patterns(lexicon.length);
    this.denseCodes = codes > 65536 ? this.codesThatOccur() : null;
    this.patterns = this.denseCodes ? this.denseCodes.length : codes;
    if (this.patterns > 65535) {
      throw new InputError(`${game.name} has too many patterns for a page; use fewer or shorter words`);
    }
    this.size = patternBytes(game);
    this.dtype = `u${this.size}`;
    this.sort();
  }

  /** The rule's code of a pattern id. */
  code(id) {
    return this.denseCodes ? this.denseCodes[id] : id;
  }

  /** Call `use(rows, codes)` for every few hundred of the guesses given, with room for their patterns. */
  inBlocks(guesses, answers, dtype, use) {
    const { kernels } = this;
    const before = kernels.at;
    const codes = lettersOf(kernels, this.lexicon, guesses);
    const columns = columnsOf(kernels, this.lexicon, answers);
    const block = kernels.allocate(dtype, [BLOCK, answers.length]);
    for (let from = 0; from < guesses.length; from += BLOCK) {
      const to = Math.min(guesses.length, from + BLOCK);
      use(block.rows(0, to - from), from, (out) => this.fillIds(codes.rows(from, to), columns, out));
    }
    kernels.at = before;
  }

  /** Sort the guesses, and lay out the table in their order and transposed. */
  sort() {
    const { kernels, guesses, answers, dtype, size } = this;
    const table = kernels.allocate(dtype, [guesses, answers]);
    const columns = kernels.zeros(dtype, [answers, padded(guesses)]);
    const parts = this.countParts();
    const order = Int32Array.from({ length: guesses }, (_, at) => at).sort((a, b) => parts[b] - parts[a] || a - b);
    this.original = order.map((at) => this.guessList[at]); // [place in the table]: the guess
    this.indexOf = new Int32Array(this.lexicon.size).fill(-1); // [guess]: its place
    this.original.forEach((guess, place) => { this.indexOf[guess] = place; });
    this.maxParts = kernels.from("i4", [guesses], order.map((at) => parts[at]));
    this.guessOf = kernels.from("i4", [answers], this.answerList.map((answer) => this.indexOf[answer]));
    this.inBlocks(this.original, this.answerList, "u1", (_, from, fill) => {
      const rows = table.rows(from, Math.min(guesses, from + BLOCK));
      fill(rows);
      kernels.call(`transpose_${size}`, { table: rows, out: columns.as(dtype, columns.shape, from) });
    });
    [this.table, this.columns] = [table, columns];
  }

  /** The parts that each guess makes of all answers. */
  countParts() {
    const { kernels, guesses, size } = this;
    const before = kernels.at;
    const parts = kernels.allocate("i4", [guesses]);
    const seen = kernels.allocate("i4", [this.patterns]);
    this.inBlocks(this.guessList, this.answerList, this.dtype, (rows, from, fill) => {
      fill(rows);
      seen.data.fill(0);
      const out = parts.rows(from, from + rows.shape[0]);
      kernels.call(`count_parts_${size}`, { table: rows, seen, out });
    });
    const found = parts.data.slice();
    kernels.at = before;
    return found;
  }

  /** As `fillCodes`, with ids instead of codes. */
  fillIds(codes, columns, out) {
    const { kernels, rule } = this;
    if (!this.denseCodes) return fillCodes(kernels, rule, codes, columns, out);
    const before = kernels.at;
    const wide = kernels.allocate("u4", out.shape);
    fillCodes(kernels, rule, codes, columns, wide);
    const ids = out.data;
    wide.data.forEach((code, at) => { ids[at] = this.idOf.get(code) ?? this.denseCodes.length; });
    kernels.at = before;
    return undefined;
  }

  codesThatOccur() {
    const found = new Set();
    const { kernels, rule, lexicon, guessList } = this;
    const before = kernels.at;
    const codes = lettersOf(kernels, lexicon, guessList);
    const columns = columnsOf(kernels, lexicon, this.answerList);
    const wide = kernels.allocate("u4", [BLOCK, this.answers]);
    for (let from = 0; from < guessList.length; from += BLOCK) {
      const to = Math.min(guessList.length, from + BLOCK);
      const rows = wide.rows(0, to - from);
      fillCodes(kernels, rule, codes.rows(from, to), columns, rows);
      for (const code of rows.data) found.add(code);
    }
    kernels.at = before;
    const dense = [...found].sort((a, b) => a - b);
    this.idOf = new Map(dense.map((code, id) => [code, id]));
    return dense;
  }

  /** [place, place] -> pattern id as if the second guess were the answer. */
  between() {
    const { guesses } = this;
    const out = this.kernels.allocate(this.dtype, [guesses, guesses]);
    this.inBlocks(this.original, this.original, "u1", (_, from, fill) => {
      fill(out.rows(from, Math.min(guesses, from + BLOCK)));
    });
    return out;
  }
}

/** Bytes of a pattern of a game. */
export const patternBytes = ({ rule, length }) => (rule.notation.patterns(length) > 256 ? 2 : 1);

const letterType = (lexicon) => (lexicon.alphabet.length <= 256 ? "u1" : "u2");

/** [word, position]: letters of words, as kernels take guesses. */
function lettersOf(kernels, lexicon, words) {
  const codes = kernels.allocate(letterType(lexicon), [words.length, lexicon.length]);
  const { data } = codes;
  words.forEach((word, row) => data.set(lexicon.letters(word), row * lexicon.length));
  return codes;
}

/** [position, word] and [letter, word]: letters of words, as kernels take answers. */
function columnsOf(kernels, lexicon, words) {
  const { length, alphabet, codes } = lexicon;
  const count = words.length;
  const byPosition = kernels.allocate(letterType(lexicon), [length, count]);
  const counts = kernels.zeros("u1", [alphabet.length, count]);
  const [positions, occurrences] = [byPosition.data, counts.data];
  for (let at = 0; at < count; at++) {
    for (let i = 0; i < length; i++) {
      const letter = codes[words[at] * length + i];
      positions[i * count + at] = letter;
      occurrences[letter * count + at]++;
    }
  }
  return { byPosition, counts };
}

/** out[row, answer] = the rule's code, for rows of `codes` and the answers of `columns`. */
function fillCodes(kernels, rule, codes, columns, out) {
  const count = out.shape[1];
  const before = kernels.at;
  const given = { guesses: codes, answers: columns.byPosition, counts: columns.counts, out };
  if (rule === "standard") given.unmatched = kernels.allocate("u1", [codes.shape[1], count]);
  if (rule === "pegs") given.pegs = kernels.allocate("i2", [2, count]);
  out.data.fill(0);
  kernels.call(`fill_${rule}_${codes.dtype.slice(1)}_${out.dtype.slice(1)}`, given);
  kernels.at = before;
}

/** The patterns of a state without a table of it: yields [rows, from] for blocks of guesses. */
export function* streamed(kernels, game, state, guesses) {
  const dtype = `u${patternBytes(game)}`;
  if (game.rule.notation.patterns(game.length) > 65536) {
    throw new InputError(`${game.name} is too large for a page; use fewer or shorter words`);
  }
  const codes = lettersOf(kernels, game.lexicon, guesses);
  const columns = columnsOf(kernels, game.lexicon, state.candidates);
  const block = kernels.allocate(dtype, [BLOCK, state.candidates.length]);
  for (let from = 0; from < guesses.length; from += BLOCK) {
    const to = Math.min(guesses.length, from + BLOCK);
    const rows = block.rows(0, to - from);
    fillCodes(kernels, game.rule.name, codes.rows(from, to), columns, rows);
    yield [rows, from];
  }
}

// ---- layouts

/** What the search takes of a game; `table` is its GameTable. */
export function layoutOf(table, game) {
  const { kernels, answers } = table;
  const weights = game.weights && Array.from(table.answerList, (answer) => game.weights[answer]);
  const random = new Random(1);
  const answerKeys = kernels.allocate("u8", [answers, 2]);
  fillKeys(answerKeys.data, random);
  const depthKeys = kernels.allocate("u8", [answers + 2, 2]);
  fillKeys(depthKeys.data, random);
  const columns = table.columns;
  return {
    table: table.table,
    columns,
    packed: columns.as("u8", [answers, (columns.shape[1] * table.size) / 8]),
    max_parts: table.maxParts,
    guess_of: table.guessOf,
    original: kernels.from("i4", [table.guesses], table.original), // no kernel reads these two
    index_of: table.maxParts,
    weights: kernels.from("i8", [answers], Array.from({ length: answers }, (_, at) => BigInt(weights?.[at] ?? 1))),
    answer_keys: answerKeys,
    depth_keys: depthKeys,
    legality: legalityOf(table, game),
    mode: MODES[game.mode],
    unit: Number(weights === null || weights.every((weight) => weight === 1)),
    win: table.patterns - 1,
    loss: INF,
    width: 0,
    feasible: 0,
    large: LARGE,
  };
}

function legalityOf(table, game) {
  const { kernels } = table;
  const byte = kernels.zeros("u1", [1, 1]);
  const word = kernels.zeros("u8", [1, 2]);
  const none = {
    letters: byte, tiles: byte, green_bits: word, need_bits: word, green_keys: word, need_keys: word,
    between: kernels.zeros(KERNELS[`search_${table.size}`].arguments["layout.legality.between"][0], [1, 1]),
    guess_keys: word, max_count: 1,
  };
  if (game.mode === "hard") return { ...none, ...hardLegality(table, game) };
  if (game.mode !== "strict") return none;
  const between = table.between();
  const keys = kernels.allocate("u8", [table.guesses, 2]);
  fillKeys(keys.data, new Random(2));
  return { ...none, between, guess_keys: keys };
}

function hardLegality(table, game) {
  const { kernels, lexicon, guesses } = table;
  const { length } = lexicon;
  if (lexicon.alphabet.length > MAX_ALPHABET) {
    throw new InputError(
      `the alphabet of ${game.name} has ${lexicon.alphabet.length} letters; exact search ` +
        `in hard mode takes up to ${MAX_ALPHABET}`,
    );
  }
  const alphabet = lexicon.alphabet.length;
  const words = Math.ceil(guesses / 64);
  const letters = kernels.allocate("u1", [guesses, length]);
  const greens = kernels.zeros("u8", [length * alphabet, words]);
  const needs = kernels.zeros("u8", [alphabet * length, words]);
  const [greenBits, needBits] = [greens, needs].map((block) => block.as("u1", [block.length * 8]).data);
  const set = (bits, row, guess) => { bits[row * words * 8 + (guess >> 3)] |= 1 << (guess & 7); };
  const spelled = letters.data;
  table.original.forEach((at, guess) => {
    const seen = new Map();
    lexicon.letters(at).forEach((letter, i) => {
      spelled[guess * length + i] = letter;
      set(greenBits, i * alphabet + letter, guess);
      const times = (seen.get(letter) ?? 0) + 1;
      seen.set(letter, times);
      set(needBits, letter * length + times - 1, guess);
    });
  });
  const random = new Random(2);
  const greenKeys = kernels.allocate("u8", [length * alphabet, 2]);
  const needKeys = kernels.allocate("u8", [alphabet * length, 2]);
  fillKeys(greenKeys.data, random);
  fillKeys(needKeys.data, random);
  const rows = Array.from({ length: table.patterns }, (_, id) => tiles(table.code(id), length)).flat();
  return {
    letters,
    tiles: kernels.from("u1", [table.patterns, length], rows),
    green_bits: greens,
    need_bits: needs,
    green_keys: greenKeys,
    need_keys: needKeys,
    max_count: game.rule.countsLetters ? length : 1,
  };
}

// ---- stacks

/** The shapes of a search's arrays, by the path of their argument, as build_stack makes them;
 * `similar` is room for sets that were scanned, in megabytes. No state's columns are copied: no room for that. */
export function stackShapes(size, layout, depth, similar = 0) {
  const [guesses, answers] = layout.table.shape;
  const [levels, patterns] = [depth + 2, layout.win + 1];
  const restricted = layout.mode !== MODES.normal;
  const hard = layout.mode === MODES.hard;
  const legalLevels = restricted ? levels : 1;
  const length = hard ? layout.legality.letters.shape[1] : 1;
  const alphabet = hard ? layout.legality.need_keys.shape[0] / length : 1;
  const wide = layout.columns.shape[1];
  const gathered = [Math.min(answers, 256), restricted ? padded(guesses) : 64];
  const block = Math.max(MAX_PAIRWISE * LANES * size, 256 * MARKED);
  const words = Math.ceil(answers / 64);
  const room = Math.max(1024, Math.floor((similar * 2 ** 20) / (8 * words + 24 + SIMILAR_ORDERS * 8)));
  const buckets = 2 ** Math.max(6, Math.floor(room / 4).toString(2).length);
  return {
    frames: [levels], counters: [1], keys: [levels, 2], answers: [levels, answers], repeats: [levels, wide],
    bounds: [levels, guesses], queue: [levels, guesses], legal: [legalLevels, guesses],
    legal_keys: [levels, 2], greens: [legalLevels, length], needs: [legalLevels, alphabet],
    part_pattern: [levels, patterns], part_start: [levels, patterns], part_count: [levels, patterns],
    part_weight: [levels, patterns], part_lower: [levels, patterns], open_parts: [levels, patterns],
    part_nodes: [patterns], part_gain: [patterns], log: [0, 2 + 2 * levels],
    "similar.ranks": [answers, SIMILAR_ORDERS], "similar.buckets": [buckets, SIMILAR_BUCKET],
    "similar.next_slot": [buckets], "similar.bits": [room, words], "similar.sizes": [room],
    "similar.parts": [room], "similar.legal_keys": [room], "similar.signature": [SIMILAR_ORDERS],
    "similar.stored": [1],
    "scan_order.members": [0], "scan_order.stored": [1], "scan_order.row_of": [answers],
    "scan_order.columns": [0, wide], "scan_order.packed": [0, (wide * size) / 8], "scan_order.guesses": [wide],
    "scan_order.max_parts": [wide], "scan_order.place_of": [0], "scan_order.is_candidate": [wide],
    "scan_order.rows": [0],
    gains: [GAIN_SIZES], tally: [Math.max(patterns, 256)],
    is_candidate: [guesses], sort_keys: [guesses], hint: [length], legal_bits: [Math.ceil(guesses / 64)],
    block: [block], counts: [wide], natural: [answers], gathered,
    gathered_packed: [gathered[0], (gathered[1] * size) / 8], gathered_max_parts: [guesses],
    gathered_candidate: [guesses],
  };
}

/** Is room for scanned sets of any use? */
const usesSimilar = (layout) =>
  layout.mode !== MODES.strict && layout.unit && layout.table.shape[1] >= LARGE;

/** The memory of one search of `depth` guesses in a row. */
export function stackOf(kernels, size, layout, depth, similar = SIMILAR_MB) {
  const shapes = stackShapes(size, layout, depth, usesSimilar(layout) ? similar : 0);
  const stack = {};
  for (const [path, type] of Object.entries(KERNELS[`search_${size}`].arguments)) {
    const [group, ...fields] = path.split(".");
    const name = fields.join(".");
    if (group !== "stack" || name === "gathered_packed") continue;
    if (!shapes[name]) throw new Error(`layout.js knows no shape of ${path}`);
    const owner = fields.slice(0, -1).reduce((inner, field) => (inner[field] ??= {}), stack);
    owner[fields.at(-1)] = kernels.zeros(type[0], shapes[name]);
  }
  stack.gathered_packed = stack.gathered.as("u8", shapes.gathered_packed);
  stack.greens.fill(UNKNOWN_GREEN);
  stack.gains.fill(0.5);
  stack.scan_order.row_of.fill(-1);
  stack.natural.data.forEach((_, at, data) => { data[at] = at; });
  const guesses = layout.table.shape[0];
  for (let at = 0; at < guesses; at++) stack.legal.data[at] = at;
  stack.frames.data[FRAME.indexOf("legal")] = BigInt(guesses);
  if (usesSimilar(layout)) rankAnswers(stack.similar.ranks);
  return stack;
}

/** [answer, order]: the rank of an answer in random orders. */
function rankAnswers(ranks) {
  const random = new Random(3);
  const { data } = ranks;
  for (let order = 0; order < SIMILAR_ORDERS; order++) {
    random.permutation(ranks.shape[0]).forEach((rank, at) => { data[at * SIMILAR_ORDERS + order] = rank; });
  }
}

/** The fields of the bottom frame, or of the counters, by name. */
export function fields(block, names) {
  const record = {};
  names.forEach((name, at) => {
    Object.defineProperty(record, name, {
      get: () => block.data[at],
      set: (value) => { block.data[at] = BigInt(value); },
    });
  });
  return record;
}

export const frameOf = (stack) => fields(stack.frames, FRAME);
export const countersOf = (stack) => fields(stack.counters, COUNTERS);

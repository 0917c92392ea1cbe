// Games by name: those of data/games.json, code games, games with options, and lists of one's own:
// salet/game/named.py and packs/files.py.
import { CODE_GAMES, MAX_BOARDS, MAX_CODES, MAX_LENGTH, MIN_BOARDS, MIN_LENGTH, SYMBOLS } from "./definitions.js";
import { InputError, repr, unknownName } from "./errors.js";
import { grouped, strip } from "./format.js";
import { Game } from "./game.js";
import { graphemes, key, letterCount } from "./lexicon.js";
import { equations, primes } from "./numbers.js";
import { Random } from "./random.js";

const MAX_BYTES = 64 << 20; // of a word file
const MAX_PAIRS = 320_000_000; // of guess and answer
export const LISTED_CODES = {
  "mastermind:4x6": "codes of four out of six signs",
  "bulls-and-cows:4x10": "codes of four different signs out of ten",
};

const MIN_EQUATION = 5;
const MAX_EQUATION = 8;
const LISTED_NUMBERS = {
  "nerdle:8": "equations of 8 characters",
  "nerdle:6": "equations of 6 characters",
  primel: "primes of five digits",
};

export class Catalogue {
  /** `load` gives the bytes of a file of the site. */
  constructor(load) {
    this.load = load;
    this.files = new Map();
    this.own = new Map();
  }

  /** A JSON file of the site, loaded once. */
  json(path) {
    if (!this.files.has(path)) {
      const loading = this.load(path).then((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
      loading.catch(() => this.files.delete(path));
      this.files.set(path, loading);
    }
    return this.files.get(path);
  }

  get facts() {
    return this.json("data/games.json");
  }

  /** The games that a page offers: the newspaper's newest first. */
  async listed() {
    const { games, aliases, version } = await this.facts;
    const named = new Map(Object.entries(aliases).map(([alias, name]) => [name, alias]));
    const row = (game) => ({
      name: named.get(game.name) ?? game.name,
      summary: game.summary,
      answers: game.answers,
      guesses: game.guesses,
      rule: game.rule,
      cap: game.cap,
      updated: /\d{4}-\d{2}$/.exec(game.name)?.[0] ?? null,
    });
    const rows = games.map(row);
    const codes = Object.entries(LISTED_CODES).map(([name, summary]) => {
      const { answers, guesses, rule, cap } = codeGame(...sizeOf(name), name);
      return { name, summary, answers: answers.length, guesses: guesses.length, rule, cap, updated: null };
    });
    const numbers = Object.entries(LISTED_NUMBERS).map(([name, summary]) => {
      const { answers, rule, cap } = numberGame(...sizeOf(name), name);
      return { name, summary, answers: answers.length, guesses: answers.length, rule, cap, updated: null };
    });
    const first = rows.filter(({ name }) => name in aliases);
    const others = rows.filter(({ name }) => !(name in aliases));
    return { games: [...first, ...others, ...codes, ...numbers, ...[...this.own.values()].map((game) => game.row)], version };
  }

  /** Register lists of one's own; `answers` and `guesses` are text or bytes. */
  add({ name, answers, guesses = null, rule = "standard", cap = null }) {
    const shown = strip(String(name ?? "")) || "my list";
    const words = readWordFile(`${shown}`, answers);
    const legal = guesses === null ? words : readWordFile(`${shown} (guesses)`, guesses);
    const pairs = words.length * legal.length;
    if (pairs > MAX_PAIRS) throw tooLarge(shown, pairs);
    new Game(words, legal, { rule, cap, name: shown }); // throws what is wrong with them
    const called = `own:${shown}`;
    const row = {
      name: called, summary: "a list of your own", answers: words.length, guesses: legal.length, rule, cap,
      updated: null,
    };
    this.own.set(called.toLowerCase(), { lists: { name: shown, answers: words, guesses: legal, rule, cap, counts: null }, row });
    return row;
  }

  /** {name, answers, guesses, rule, cap, counts} of a name with its options. */
  async lists(name) {
    const own = this.own.get(strip(name).toLowerCase());
    if (own) return own.lists;
    const bare = strip(name);
    const at = bare.indexOf(":");
    let head = (at < 0 ? bare : bare.slice(0, at)).toLowerCase();
    let rest = at < 0 ? "" : bare.slice(at + 1);
    let base;
    if (Object.hasOwn(CODE_GAMES, head)) {
      const comma = rest.indexOf(",");
      const size = comma < 0 ? rest : rest.slice(0, comma);
      rest = comma < 0 ? "" : rest.slice(comma + 1);
      base = codeGame(head, size, name);
    } else if (head === "nerdle" || head === "primel") {
      const [size] = rest.split(",");
      const sized = head === "nerdle" && size && !size.includes("=");
      if (sized) rest = rest.slice(size.length + 1);
      base = numberGame(head, sized ? size : undefined, name);
    } else {
      const { games, aliases } = await this.facts;
      head = aliases[head] ?? head;
      const found = games.find((game) => game.name === head);
      if (!found) {
        const known = [...games.map((game) => game.name), ...Object.keys(aliases), ...Object.keys(LISTED_CODES), ...Object.keys(LISTED_NUMBERS)];
        throw unknownName("game", name, known, "see `salet games`");
      }
      base = await this.words(found);
    }
    const lists = rest ? withOptions(base, rest, name) : base;
    const pairs = lists.answers.length * lists.guesses.length;
    if (pairs > MAX_PAIRS) throw tooLarge(name, pairs);
    return lists;
  }

  /** The words of a game of data/games.json, written as salet/site/wasm/data.py says. */
  async words({ name, rule, cap }) {
    const stored = await this.json(`data/games/${name}.json`);
    const guesses = [];
    let before = "";
    for (const line of stored.guesses.split("\n")) {
      before = [...before].slice(0, parseInt(line[0], 36)).join("") + line.slice(1);
      guesses.push(before);
    }
    const answers = stored.answers.includes(" ") || stored.answers.length !== guesses.length
      ? stored.answers.split(" ").map((at) => guesses[Number(at)])
      : guesses.filter((_, at) => stored.answers[at] === "1");
    let counts = null;
    if (stored.counts !== null) {
      counts = new Map();
      stored.counts.split(" ").forEach((count, at) => { if (count) counts.set(key(guesses[at]), Number(count)); });
    }
    return { name, answers, guesses, rule, cap, counts };
  }
}

const tooLarge = (name, pairs) => new InputError(
  `game ${repr(name)} has ${grouped(pairs)} pairs of guess and answer; the page takes games of ` +
    `up to ${grouped(MAX_PAIRS)}`,
);

const sizeOf = (name) => name.split(":");

function codeGame(kind, size, name) {
  const found = /^(\d{1,2})x(\d{1,2})$/.exec(size);
  if (!found) throw new InputError(`game ${repr(name)}: give positions x symbols, as in '${kind}:4x6'`);
  const [positions, symbols] = [Number(found[1]), Number(found[2])];
  const unique = kind === "bulls-and-cows";
  if (positions < MIN_LENGTH || positions > MAX_LENGTH || symbols < 1 || symbols > SYMBOLS.length) {
    throw new InputError(
      `game ${repr(name)}: give ${MIN_LENGTH} to ${MAX_LENGTH} positions and 1 to ${SYMBOLS.length} symbols`,
    );
  }
  if (unique && positions > symbols) {
    throw new InputError(`game ${repr(name)}: ${positions} positions need ${positions} different symbols`);
  }
  const signs = [...(symbols <= 9 ? SYMBOLS.slice(1, symbols + 1) : SYMBOLS.slice(0, symbols))];
  let count = 1n;
  for (let at = 0; at < positions; at++) count *= BigInt(unique ? symbols - at : symbols);
  if (count > BigInt(MAX_CODES)) {
    throw new InputError(`game ${repr(name)} has ${grouped(count)} codes; the maximum is ${grouped(MAX_CODES)}`);
  }
  let words = [""];
  for (let at = 0; at < positions; at++) {
    words = words.flatMap((word) => signs.filter((sign) => !unique || !word.includes(sign)).map((sign) => word + sign));
  }
  return { name: `${kind}:${positions}x${symbols}`, answers: words, guesses: words, rule: "pegs", cap: null, counts: null };
}

const made = new Map(); // lists of numbers are made once

function numberGame(kind, size, name) {
  let called = kind;
  if (kind === "nerdle") {
    const length = size === undefined ? MAX_EQUATION : Number(/^\d$/.test(size) ? size : NaN);
    if (!(length >= MIN_EQUATION && length <= MAX_EQUATION)) {
      throw new InputError(`game ${repr(name)}: give ${MIN_EQUATION} to ${MAX_EQUATION} characters, as in 'nerdle:8'`);
    }
    called = `nerdle:${length}`;
    if (!made.has(called)) made.set(called, equations(length));
  } else if (!made.has(called)) made.set(called, primes(5));
  const words = made.get(called);
  return { name: called, answers: words, guesses: words, rule: "standard", cap: 6, counts: null };
}

function withOptions(base, text, name) {
  const options = {};
  for (const item of text.split(",")) {
    const at = item.indexOf("=");
    const option = at < 0 ? item : item.slice(0, at);
    if (!["first", "sample", "seed", "guesses", "answers", "boards", "commuted"].includes(option) || at < 0) {
      throw new InputError(
        `game ${repr(name)}: unknown option ${repr(item)}; there are first=N, sample=N, seed=S, ` +
          "guesses=answers, answers=guesses, boards=B and, for equations, commuted=win",
      );
    }
    if (option in options) throw new InputError(`game ${repr(name)}: ${option}=… is given twice`);
    options[option] = item.slice(at + 1);
  }
  let { answers } = base;
  if ((options.answers ?? "guesses") !== "guesses") {
    throw new InputError(`game ${repr(name)}: only answers=guesses is known`);
  }
  if ("answers" in options && "guesses" in options) {
    throw new InputError(`game ${repr(name)}: guesses=answers and answers=guesses; give only one of the two`);
  }
  if ("answers" in options) answers = [...new Set([...answers, ...base.guesses])];
  if ("first" in options) answers = answers.slice(0, numberOf(name, "first", options.first, answers.length));
  if ("sample" in options) {
    throw new InputError(`game ${repr(name)}: samples are drawn by Python only; use first=N here`);
  }
  if ("seed" in options) throw new InputError(`game ${repr(name)}: seed=… needs sample=…`);
  if ((options.guesses ?? "answers") !== "answers") {
    throw new InputError(`game ${repr(name)}: only guesses=answers is known`);
  }
  if ("commuted" in options) {
    throw new InputError(`game ${repr(name)}: commuted=win is played by Python only; leave it out here`);
  }
  if ("boards" in options) {
    const boards = numberOf(name, "boards", options.boards, MAX_BOARDS, MIN_BOARDS);
    throw new InputError(`game ${repr(name)}: Play and Assist take ${boards} boards here, the rest takes one`);
  }
  const guesses = "guesses" in options ? answers : base.guesses;
  const cap = "answers" in options ? null : base.cap;
  return { ...base, cap, name: base.name.includes(":") ? `${base.name},${text}` : `${base.name}:${text}`, answers, guesses };
}

function numberOf(name, option, text, maximum, minimum = 1) {
  if (!/^[0-9]+$/.test(text) || Number(text) < minimum || Number(text) > maximum) {
    throw new InputError(`game ${repr(name)}: ${option}=${text} is not a number from ${minimum} to ${maximum}`);
  }
  return Number(text);
}

/** The index of a random answer; the same seed draws the same as Python. */
export const drawSecret = (game, seed) => new Random(seed).below(game.answerCount);

// ---- word files

const LETTER = /^[\p{L}\p{M}\p{N}\p{S}+\-*/=()\u200d]$/u;

/** The words of a text (or bytes) with one word per line; errors name the line. */
export function readWordFile(name, content) {
  const text = typeof content === "string" ? checkedText(name, content) : decoded(name, new Uint8Array(content));
  const words = [];
  const seen = new Map();
  let length = 0;
  text.split("\n").forEach((line, at) => {
    const word = line.replace(/^[ \t]+|[ \t]+$/g, "");
    if (!word) return;
    const number = at + 1;
    const where = `${name} line ${number} ${repr(word)}`;
    const other = [...word].find((char) => !LETTER.test(char));
    if (other !== undefined) {
      throw new InputError(`${where}: ${repr(other)} is not a letter; write one word of letters, digits or symbols`);
    }
    const spelled = key(word);
    if (seen.has(spelled)) {
      throw new InputError(`${where} is already on line ${seen.get(spelled)}; list every word once`);
    }
    const count = graphemes(spelled).length;
    if (count < MIN_LENGTH || count > MAX_LENGTH) {
      throw new InputError(`${where} has ${letterCount(count)}; words have ${MIN_LENGTH} to ${MAX_LENGTH}`);
    }
    length ||= count;
    if (count !== length) {
      throw new InputError(
        `${where} has ${letterCount(count)}, but ${repr(words[0])} has ${length}; ` +
          "all words of a game have the same length",
      );
    }
    seen.set(spelled, number);
    words.push(word);
  });
  if (!words.length) throw new InputError(`${repr(name)} is empty; write one word per line`);
  return words;
}

function checkedText(name, text) {
  if (text.length > MAX_BYTES) throw new InputError(`${repr(name)} is larger than ${MAX_BYTES >> 20} MB; that is not a word list`);
  if (text.includes("\0")) throw new InputError(`${repr(name)} is a binary file; give UTF-8 text with one word per line`);
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"); // as a browser or a clipboard gives it
}

function decoded(name, bytes) {
  if (bytes.length > MAX_BYTES) throw new InputError(`${repr(name)} is larger than ${MAX_BYTES >> 20} MB; that is not a word list`);
  if (bytes.includes(0)) throw new InputError(`${repr(name)} is a binary file; give UTF-8 text with one word per line`);
  try {
    return checkedText(name, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${repr(name)} is not UTF-8 text; save the file as UTF-8`);
  }
}

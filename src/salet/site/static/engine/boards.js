// Several boards: what is known, games against drawn answers, and advice. salet/game/joint_state.py,
// salet/search/joint_estimate.py and salet/coach/joint_adviser.py say why it is right.
import { MAX_BOARDS, MIN_BOARDS } from "./definitions.js";
import { InputError, repr, rowError } from "./errors.js";
import { Kernels } from "./kernels.js";
import { streamed } from "./layout.js";

const SOLVED = "-";
const LAYERS = [[1.7784, 2.7561, 0.5452, 0.6016], [0.3178, 29.5434, 1.6434, 0.4061]]; // a, c, p, d
const LISTED = 12; // guesses that rollouts compare
const POOL = 24; // guesses that rollouts may make besides possible answers
const ROUNDS = [32, 96, 256, 512];
const LOST = 10;
const MAX_ROLLOUT = 60;
const MAX_UNKNOWN = 900; // answers of all boards up to which rollouts are made

export function checkBoards(game, boards) {
  if (!(Number.isInteger(boards) && boards >= MIN_BOARDS && boards <= MAX_BOARDS)) {
    throw new InputError(`${boards} boards: give a number from ${MIN_BOARDS} to ${MAX_BOARDS}`);
  }
  if (boards > game.answerCount) {
    throw new InputError(`${boards} boards need ${boards} different answers; there are ${game.answerCount}`);
  }
  if (game.mode !== "normal") {
    throw new InputError(`mode ${repr(game.mode)} on ${boards} boards: what one board reveals need not fit another; use 'normal'`);
  }
}

/** The game's cap, and one guess more for each further board. */
export const capOf = (game, boards) => (game.cap === null ? null : game.cap + boards - 1);

/** An immutable position on several boards. */
export class JointState {
  constructor(game, boards, guesses, solvedIn) {
    Object.assign(this, { game, boards, guesses, solvedIn });
    this.open = boards.map((_, at) => at).filter((at) => !solvedIn[at]);
    this.cap = capOf(game, boards.length);
  }

  static start(game, count) {
    checkBoards(game, count);
    return new JointState(game, Array(count).fill(game.start()), [], Array(count).fill(0));
  }

  get turn() {
    return this.guesses.length;
  }

  get won() {
    return !this.open.length;
  }

  get guessesLeft() {
    return this.cap === null ? null : this.cap - this.turn;
  }

  get over() {
    return this.won || this.guessesLeft === 0;
  }

  /** The state after a guess and a field for each board: text or a code; "-" for a solved one. */
  after(guess, fields) {
    const { game } = this;
    const index = typeof guess === "number" ? guess : game.index(guess);
    if (fields.length !== this.boards.length) {
      const example = this.solvedIn.map((turn) => (turn ? SOLVED : game.show(0).toLowerCase())).join("/");
      const given = fields.length === 1 ? "there is 1 field" : `there are ${fields.length} fields`;
      throw new InputError(`${given} of feedback for ${this.boards.length} boards; write one for each, as in '${example}'`);
    }
    const solved = [...this.solvedIn];
    const boards = this.boards.map((board, at) => {
      const field = fields[at];
      if (solved[at]) {
        if (field !== SOLVED && field !== null && game.parse(field) !== game.win) {
          throw new InputError(`board ${at + 1} was solved by guess ${solved[at]}; write '-' for it, not ${repr(field)}`);
        }
        return board;
      }
      if (field === SOLVED || field === null) throw new InputError(`board ${at + 1} is not solved yet; give its feedback`);
      let next;
      try {
        next = board.after(index, field);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        throw new InputError(`board ${at + 1}: ${error.message}`);
      }
      if (!next.candidates.length) throw new InputError(`board ${at + 1}: no answer of ${game.name}:boards=${this.boards.length} fits this`);
      if (next.won) solved[at] = this.turn + 1;
      return next;
    });
    const below = new JointState(game, boards, [...this.guesses, index], solved);
    below.checkDistinct();
    return below;
  }

  /** Open boards of equal feedback. */
  get boardsByHistory() {
    const groups = new Map();
    for (const at of this.open) {
      const key = this.boards[at].history.map(([, code]) => code).join();
      groups.set(key, [...(groups.get(key) ?? []), at]);
    }
    return [...groups.values()];
  }

  checkDistinct() {
    const last = this.solvedIn.map((turn, at) => (turn === this.turn ? at : -1)).filter((at) => at >= 0);
    for (const group of [...this.boardsByHistory, last]) {
      const words = group.length > 1 ? Array.from(this.boards[group[0]].candidates, (at) => this.game.guesses[at]) : [];
      if (group.length > 1 && words.length < group.length) {
        throw new InputError(
          `boards ${group.map((at) => at + 1).join(" and ")} would have to share the answer${words.length > 1 ? "s" : ""} ` +
            `${words.map(repr).join(" ")}; boards have different answers`,
        );
      }
    }
  }

  /** [{guess, feedback: [text or null of each board]}] of all turns. */
  get rows() {
    return this.guesses.map((guess, turn) => ({
      guess: this.game.guesses[guess],
      feedback: this.boards.map((board) => (turn < board.turn ? this.game.show(board.history[turn][1]) : null)),
    }));
  }
}

/** The state after rows {guess, feedback: "bybbg/-/…"}; errors name the row, and the board. */
export function replayBoards(game, count, rows) {
  let state = JointState.start(game, count);
  rows.forEach(({ guess, feedback }, at) => {
    const shown = `row ${at + 1} '${guess}:${feedback}'`;
    if (state.won) throw rowError(at + 1, `${shown}: row ${at} already solved the last board`);
    if (state.guessesLeft === 0) throw rowError(at + 1, `${shown} exceeds the cap of ${state.cap} guesses`);
    try {
      state = state.after(guess, feedback.split("/"));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw rowError(at + 1, `${shown}: ${error.message}`);
    }
  });
  return state;
}

// ---- games

const M64 = (1n << 64n) - 1n;

/** The different answers that a number draws: those of Python's `draw_tuples(game, 1, number)`. */
export function drawAnswers(game, count, number) {
  let state = BigInt(number) & M64;
  const next = () => {
    state = (state + 0x9e3779b97f4a7c15n) & M64;
    let bits = state;
    bits = ((bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n) & M64;
    bits = ((bits ^ (bits >> 27n)) * 0x94d049bb133111ebn) & M64;
    return bits ^ (bits >> 31n);
  };
  const drawn = [];
  while (drawn.length < count) {
    const answer = Number(next() % BigInt(game.answerCount));
    if (!drawn.includes(answer)) drawn.push(answer);
  }
  return drawn;
}

/** A whole game so far against the answers that a number draws. */
export function playBoards(game, { boards, number, guesses = [], giveUp = false }) {
  if (!(Number.isSafeInteger(number) && number >= 0)) {
    throw new InputError(`puzzle number ${number}: give a whole number of at least 0`);
  }
  let state = JointState.start(game, boards);
  const secrets = drawAnswers(game, boards, number);
  guesses.forEach((word, at) => {
    try {
      const index = game.index(word);
      if (state.guesses.includes(index)) throw new InputError(`you have tried ${repr(word)} already`);
      if (state.over) throw new InputError(`the game is over; ${repr(word)} is one guess too many`);
      const row = game.row(index);
      state = state.after(index, secrets.map((secret, board) => (state.solvedIn[board] ? null : row[secret])));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw rowError(at + 1, error.message);
    }
  });
  const over = state.over || giveUp;
  return {
    ...told(state), number, over, answers: over ? secrets.map((at) => game.guesses[at]) : null,
    share: over ? shareOf(state) : null,
  };
}

/** What a page shows of a position. */
export const told = (state) => ({
  game: state.game.name, mode: state.game.mode, cap: state.cap, boards: state.boards.length, turn: state.turn,
  rows: state.rows, solved: state.solvedIn, won: state.won, over: state.over,
  remaining: state.boards.map((board, at) => (state.solvedIn[at] ? 0 : board.candidates.length)),
});

const DIGITS = ["0️⃣", "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣"];

/** The turn that solved each board, two to a line. */
function shareOf(state) {
  const signs = state.solvedIn.map((turn) => (turn ? [...String(turn)].map((digit) => DIGITS[Number(digit)]).join("") : "🟥"));
  const lines = [];
  for (let at = 0; at < signs.length; at += 2) lines.push(signs.slice(at, at + 2).join(" "));
  const used = state.won ? state.turn : "X";
  return [`salet ${state.game.name}, ${state.boards.length} boards ${used}${state.cap === null ? "" : `/${state.cap}`}`, "", ...lines].join("\n");
}

// ---- advice

/** [open boards' layer][n]: n * q_k(n). */
function sharesOf(game, boards) {
  return LAYERS.map(([, size, power, sharing]) => Float64Array.from({ length: game.answerCount + 1 }, (_, n) =>
    n * (1 + (Math.max(n - 1, 0) / size) ** power) ** (-1 / (1 + sharing * (boards - 1)))));
}

/** Advice, ever better: estimates of all guesses, then rollouts of the best. A generator that yields null
 * where others may have a turn. */
export function* suggestBoards(engine, state, { count = 11 } = {}, clock) {
  const misses = yield* estimates(engine, state);
  const order = Array.from(misses.keys()).sort((a, b) => misses[a] - misses[b] || a - b);
  const listed = order.slice(0, Math.max(count, LISTED));
  let means = listed.map((guess) => misses[guess]);
  const advice = (rolled) => adviceOf(state, listed, means, count, rolled);
  yield advice(0);
  const unknown = new Set(state.open.flatMap((at) => [...state.boards[at].candidates]));
  if (unknown.size > MAX_UNKNOWN || state.open.every((at) => state.boards[at].candidates.length === 1)) return advice(0);
  const rollouts = new Rollouts(engine, state, [...unknown].sort((a, b) => a - b), listed, order.slice(0, POOL));
  const totals = listed.map(() => 0);
  let draws = 0;
  for (const size of ROUNDS) {
    const secrets = rollouts.draw(size);
    for (let at = 0; at < listed.length; at++) {
      if (clock.expired()) return advice(draws);
      totals[at] += rollouts.total(listed[at], secrets);
      yield null;
    }
    draws += size;
    means = totals.map((total) => total / draws);
    yield advice(draws);
  }
  return advice(draws);
}

function adviceOf(state, listed, means, count, rolled) {
  const { game } = state;
  const open = state.open.length;
  const suggestions = listed.map((guess, at) => ({ guess, mean: means[at] }))
    .sort((a, b) => a.mean - b.mean || a.guess - b.guess).slice(0, count).map(({ guess, mean }) => {
      const on = state.open.filter((at) => state.boards[at].candidates.includes(guess));
      const solves = on.reduce((sum, at) => sum + 1 / state.boards[at].candidates.length, 0);
      return { guess: game.guesses[guess], expected: mean + open, solves, boards: on.map((at) => at + 1) };
    });
  return {
    ...told(state), guess: suggestions[0].guess, expected: suggestions[0].expected, lower: open, rolled, suggestions,
    words: state.boards.map((board, at) =>
      (state.solvedIn[at] ? [] : Array.from(board.candidates.slice(0, 100), (one) => game.guesses[one]))),
  };
}

/** [guess]: estimated misses to come if it is made, itself included. */
export function* estimates(engine, state) {
  const { game, open } = state;
  const shares = sharesOf(game, open.length);
  const size = game.lexicon.size;
  const misses = new Float64Array(size).fill(1);
  const known = LAYERS.map(() => new Float64Array(size).fill(1));
  const sums = new Map(); // of boards with equal candidates
  for (const at of open) {
    const { candidates } = state.boards[at];
    for (const answer of candidates) misses[answer] -= 1 / candidates.length;
    if (candidates.length === 1) continue;
    const key = candidates.join();
    if (!sums.has(key)) sums.set(key, yield* groupSums(engine, game, candidates, shares));
    sums.get(key).forEach((layer, k) => layer.forEach((sum, guess) => { known[k][guess] *= sum; }));
  }
  for (let guess = 0; guess < size; guess++) LAYERS.forEach(([weight], k) => { misses[guess] += weight * (1 - known[k][guess]); });
  return misses;
}

const PER_CALL = 2048; // guesses between two turns of others

/** [layer][guess]: the mean over candidates of q_k of their group. */
function* groupSums(engine, game, candidates, shares) {
  const all = Int32Array.from({ length: game.lexicon.size }, (_, at) => at);
  const out = shares.map(() => new Float64Array(all.length));
  const counts = new Int32Array(game.rule.notation.patterns(game.length));
  const kernels = new Kernels(engine.module);
  const width = candidates.length;
  for (let start = 0; start < all.length; start += PER_CALL) {
    const guesses = all.subarray(start, start + PER_CALL);
    const before = kernels.at;
    for (const [rows, from] of streamed(kernels, game, { candidates }, guesses)) {
      const codes = rows.data;
      for (let row = 0; row < rows.shape[0]; row++) {
        const base = row * width;
        for (let at = base; at < base + width; at++) counts[codes[at]]++;
        for (let at = base; at < base + width; at++) {
          const group = counts[codes[at]];
          if (!group) continue;
          counts[codes[at]] = 0;
          for (let k = 0; k < shares.length; k++) out[k][start + from + row] += shares[k][group];
        }
      }
    }
    kernels.at = before;
    yield null;
  }
  for (const layer of out) for (let guess = 0; guess < layer.length; guess++) layer[guess] /= width;
  return out;
}

/** Play on from a state by the estimate, over possible answers and a pool of guesses. */
class Rollouts {
  constructor(engine, state, unknown, firsts, pool) {
    this.state = state;
    this.shares = Array.from({ length: state.open.length + 1 }, (_, boards) => sharesOf(state.game, Math.max(boards, 1)));
    this.place = new Map(unknown.map((answer, at) => [answer, at])); // answers by their place here
    this.codes = new Map(); // guess -> patterns of all unknown answers
    const guesses = Int32Array.from(new Set([...unknown, ...firsts, ...pool]));
    const kernels = new Kernels(engine.module);
    for (const [rows, from] of streamed(kernels, state.game, { candidates: Int32Array.from(unknown) }, guesses)) {
      for (let row = 0; row < rows.shape[0]; row++) {
        this.codes.set(guesses[from + row], rows.data.slice(row * unknown.length, (row + 1) * unknown.length));
      }
    }
    this.unknown = unknown;
    this.pool = pool;
    this.start = state.open.map((at) => Array.from(state.boards[at].candidates, (one) => this.place.get(one)));
    this.counts = new Int32Array(state.game.rule.notation.patterns(state.game.length));
    this.left = state.guessesLeft ?? MAX_ROLLOUT;
    this.seed = 1;
  }

  random() { // mulberry32
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Answers that fit, different on boards of equal feedback; each of a board equally often. */
  draw(count) {
    const column = new Map(this.state.open.map((board, at) => [board, at]));
    const drawn = Array.from({ length: count }, () => new Array(this.start.length));
    for (const group of this.state.boardsByHistory) {
      const candidates = this.start[column.get(group[0])];
      const { length } = candidates;
      let order = [];
      for (let row = 0; row < count; row++) {
        if (row % length === 0) order = shuffled(candidates, () => this.random());
        group.forEach((board, shift) => { drawn[row][column.get(board)] = order[(row + shift) % length]; });
      }
    }
    return drawn;
  }

  /** The sum of misses to come over rows of answers. */
  total(first, secrets) {
    let sum = 0;
    for (const answers of secrets) sum += this.misses(first, answers);
    return sum;
  }

  misses(first, answers) {
    let boards = this.start.map((words, at) => [words, answers[at]]);
    let guess = first;
    let misses = 1 - this.chance(first, boards);
    let made = 1;
    for (;;) {
      boards = this.narrowed(guess, boards);
      if (!boards.some(([words]) => words.length > 1) || made >= this.left) break;
      const [next, chance] = this.choose(boards);
      misses += 1 - chance;
      guess = next;
      made++;
    }
    return misses + (made + boards.length > this.left ? LOST : 0);
  }

  chance(guess, boards) {
    const at = this.place.get(guess);
    return at === undefined ? 0 : boards.reduce((sum, [words]) => sum + (words.includes(at) ? 1 / words.length : 0), 0);
  }

  narrowed(guess, boards) {
    const codes = this.codes.get(guess);
    return boards.filter(([, secret]) => this.unknown[secret] !== guess)
      .map(([words, secret]) => [words.length === 1 ? words : words.filter((at) => codes[at] === codes[secret]), secret]);
  }

  /** The guess of fewest estimated misses, and its chance to solve a board. */
  choose(boards) {
    const shares = this.shares[boards.length];
    const { counts } = this;
    let [best, least, chance] = [-1, Infinity, 0];
    const known = LAYERS.map(() => 1);
    const look = (guess) => {
      const codes = this.codes.get(guess);
      known.fill(1);
      let hit = 0;
      for (const [words] of boards) {
        if (words.length === 1) {
          if (this.unknown[words[0]] === guess) hit += 1;
          continue;
        }
        for (const at of words) {
          counts[codes[at]]++;
          if (this.unknown[at] === guess) hit += 1 / words.length;
        }
        let [first, second] = [0, 0];
        for (const at of words) {
          const size = counts[codes[at]];
          if (!size) continue;
          counts[codes[at]] = 0;
          first += shares[0][size];
          second += shares[1][size];
        }
        known[0] *= first / words.length;
        known[1] *= second / words.length;
      }
      const misses = LAYERS[0][0] * (1 - known[0]) + LAYERS[1][0] * (1 - known[1]) - hit;
      if (misses < least - 1e-9) [best, least, chance] = [guess, misses, hit];
    };
    for (const [words] of boards) for (const at of words) look(this.unknown[at]);
    for (const guess of this.pool) look(guess);
    return [best, chance];
  }
}

function shuffled(list, random) {
  const out = [...list];
  for (let at = out.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [out[at], out[other]] = [out[other], out[at]];
  }
  return out;
}

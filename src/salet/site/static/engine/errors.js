// Refused input: the same sentences as Python's salet.errors, with the same way of quoting.

/** The person's input is wrong. `kind` is the name of Python's class. */
export class InputError extends Error {
  constructor(message, kind = "InputError", row = null) {
    super(message);
    this.kind = kind;
    this.row = row;
  }
}

export const rowError = (row, message) => new InputError(message, "RowError", row);

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;
const SHORT = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A string as Python's repr() writes it. */
export function repr(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = mark;
  for (const char of text) {
    const code = char.codePointAt(0);
    if (SHORT[char]) out += SHORT[char];
    else if (char === mark) out += `\\${char}`;
    else if (char === " " || !HIDDEN.test(char)) out += char;
    else if (code < 0x100) out += `\\x${hex(code, 2)}`;
    else out += code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
  }
  return out + mark;
}

const hex = (code, digits) => code.toString(16).padStart(digits, "0");

export const suggested = (names) => names.map(repr).join(" or ");

/** No such name exists; suggests the nearest of `known` unless `suggestions` are given. */
export function unknownName(kind, given, known, hint = "", suggestions = null) {
  const names = [...known];
  const near = suggestions ?? nearest(given, names);
  let advice;
  if (near.length) advice = `did you mean ${suggested(near)}?`;
  else if (hint) advice = hint;
  else if (names.length <= 12) advice = `known: ${names.join(", ")}`;
  else advice = "there is nothing like it";
  return new InputError(`unknown ${kind} ${repr(given)}; ${advice}`, "UnknownNameError");
}

/** The known names most similar to the given one, as Python's difflib finds them. */
export function nearest(given, known, count = 2) {
  const spelled = new Map(known.map((name) => [name.toLowerCase(), name]));
  const found = [...spelled.keys()]
    .map((name) => [similarity([...name], [...given.toLowerCase()]), name])
    .filter(([score]) => score >= 0.6)
    .sort(([a, x], [b, y]) => b - a || (x < y ? 1 : x > y ? -1 : 0));
  return found.slice(0, count).map(([, name]) => spelled.get(name));
}

/** Twice the number of characters in matching blocks, divided by all characters. */
function similarity(a, b) {
  const total = a.length + b.length;
  return total ? (2 * matching(a, b, 0, a.length, 0, b.length)) / total : 1;
}

function matching(a, b, a0, a1, b0, b1) {
  let [at, bt, size] = [a0, b0, 0];
  let lengths = new Map();
  for (let i = a0; i < a1; i++) {
    const next = new Map();
    for (let j = b0; j < b1; j++) {
      if (a[i] !== b[j]) continue;
      const length = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > size) [at, bt, size] = [i - length + 1, j - length + 1, length];
    }
    lengths = next;
  }
  if (!size) return 0;
  return size + matching(a, b, a0, at, b0, bt) + matching(a, b, at + size, a1, bt + size, b1);
}

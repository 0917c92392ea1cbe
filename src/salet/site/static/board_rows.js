// Rows of several boards in a link: crane-BYBBG~GGGGG.slate-BBBYB~s (s: solved before, x: no colour yet).
import { UNKNOWN } from "./words.js";

export const SOLVED = "-";

export const packBoards = (rows) =>
  rows.map(({ guess, fields }) => `${guess}-${fields.map((one) => (one === SOLVED ? "s" : one.replace(",", "_"))).join("~")}`).join(".");

export const unpackBoards = (text = "", boards) =>
  text.split(".").filter(Boolean).slice(0, 60).map((row) => {
    const at = row.lastIndexOf("-");
    const fields = row.slice(at + 1).split("~").map((one) => (one === "s" ? SOLVED : one.replace("_", ",")));
    return { guess: row.slice(0, at).toLowerCase(), fields };
  }).filter(({ guess, fields }) => guess && fields.length === boards);

const isGreen = (field) => /^G+$/.test(field);

/** Is a board solved before the row at this place? */
export const isSolved = (rows, board, before = rows.length) => rows.slice(0, before).some(({ fields }) => isGreen(fields[board]));

/** Do all boards of a row have their colours? */
export const isFull = ({ fields }) => fields.every((field) => field === SOLVED || /^(?:[BYG]+|\d+,\d+)$/.test(field));

export const asText = (rows) => rows.map(({ guess, fields }) => ({ guess, feedback: fields.join("/") }));

/** Boards solved by earlier rows have no colours, and open ones have some: rows after a change. */
export function settledRows(rows, length) {
  const out = [];
  for (const { guess, fields } of rows) {
    out.push({
      guess,
      fields: fields.map((field, board) => {
        if (isSolved(out, board)) return SOLVED;
        return field === SOLVED ? UNKNOWN.repeat(length) : field;
      }),
    });
  }
  return out;
}

/** What is known of each letter on the boards that are open, for the keys: rows of one board each. */
export const openRows = (rows, solved) => rows.flatMap(({ guess, feedback }) =>
  feedback.map((field, board) => (field && !solved[board] ? { guess, feedback: field } : null)).filter(Boolean));

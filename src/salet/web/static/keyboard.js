// Keys on the screen and under the fingers.
import { html, useLayoutEffect, useRef } from "./lib.js";
import { Icon } from "./icons.js";
import { letters, SAID, STATES, upper } from "./words.js";

const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** The alphabet as rows of keys: as on an English keyboard where it has those letters. */
export function rowsOf(alphabet) {
  const known = new Set(alphabet.map((letter) => letter.toLowerCase()));
  const spelled = new Map(alphabet.map((letter) => [letter.toLowerCase(), letter]));
  const rows = ROWS.map((row) => [...row].filter((letter) => known.has(letter)).map((l) => spelled.get(l)));
  const usual = new Set(rows.flat());
  const others = alphabet.filter((letter) => !usual.has(letter));
  for (let at = 0; at < others.length; at += 10) rows.push(others.slice(at, at + 10));
  return rows.filter((row) => row.length);
}

/** The best that is known of each letter. */
export function known(rows) {
  const best = new Map();
  for (const { guess, feedback } of rows) {
    if (feedback.includes(",")) continue;
    letters(guess).forEach((letter, place) => {
      const before = best.get(letter.toLowerCase());
      const state = feedback[place];
      if (!before || "BYG".indexOf(state) > "BYG".indexOf(before)) best.set(letter.toLowerCase(), state);
    });
  }
  return best;
}

export function Keyboard({ alphabet, rows, onLetter, onEnter, onErase, disabled }) {
  const best = known(rows);
  const keys = rowsOf(alphabet);
  const key = (letter) => {
    const state = best.get(letter.toLowerCase());
    return html`
      <button type="button" key=${letter} class="key ${state ? STATES[state] : ""}" disabled=${disabled}
        aria-label=${state ? `${upper(letter)}, ${SAID[state]}` : upper(letter)}
        onClick=${() => onLetter(letter)}>${upper(letter)}</button>`;
  };
  const last = keys.length - 1;
  return html`
    <div class="keyboard" role="group" aria-label="Keyboard">
      ${keys.map((row, place) => html`
        <div key=${place}>
          ${place === last && html`<button type="button" class="key wide" disabled=${disabled}
            onClick=${onEnter}>Enter</button>`}
          ${row.map(key)}
          ${place === last && html`<button type="button" class="key wide" aria-label="Erase"
            disabled=${disabled} onClick=${onErase}><${Icon} name="erase" /></button>`}
        </div>`)}
    </div>`;
}

/** Letters, Enter and Backspace of a real keyboard, wherever the focus is not in a field. */
export function useKeys(alphabet, handlers) {
  const latest = useRef(handlers);
  latest.current = handlers;
  useLayoutEffect(() => {
    const spelled = new Map(alphabet.map((letter) => [letter.toLowerCase(), letter]));
    const press = (event) => {
      const target = event.target;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.("dialog")) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
      const letter = spelled.get(event.key.toLowerCase());
      if (letter) latest.current.onLetter(letter);
      else if (event.key === "Backspace") latest.current.onErase();
      else if (event.key === "Enter" && !/^(BUTTON|A|SUMMARY)$/.test(target.tagName)) latest.current.onEnter();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [alphabet]);
}

// Keys on the screen and under the fingers.
import { html, useLayoutEffect, useRef } from "./lib.js";
import { Icon } from "./icons.js";
import { LAYOUTS, useLook } from "./store.js";
import { letters, SAID, STATES, upper } from "./words.js";

/** The alphabet as rows of keys: as on a keyboard where that has those letters, others below. */
export function rowsOf(alphabet, layout = LAYOUTS.qwerty) {
  const spelled = new Map(alphabet.map((letter) => [letter.toLowerCase(), letter]));
  const rows = layout.map((row) => [...row].filter((letter) => spelled.has(letter)).map((l) => spelled.get(l)));
  const usual = new Set(rows.flat());
  const others = alphabet.filter((letter) => !usual.has(letter));
  const digits = others.filter((letter) => /^[0-9]$/.test(letter)).sort((a, b) => (a === "0") - (b === "0") || Number(a) - Number(b));
  for (const signs of [digits, others.filter((letter) => !digits.includes(letter))]) {
    for (let at = 0; at < signs.length; at += 10) rows.push(signs.slice(at, at + 10));
  }
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

export function Keyboard({ alphabet, rows, onLetter, onEnter, onErase }) {
  const [look] = useLook();
  const best = known(rows);
  const keys = rowsOf(alphabet, LAYOUTS[look.keys]);
  const stay = (event) => event.preventDefault(); // a key that is pressed leaves the focus where it is
  const key = (letter) => {
    const state = best.get(letter.toLowerCase());
    return html`
      <button type="button" key=${letter} class="key ${state ? STATES[state] : ""}" tabindex=${letter === keys[0][0] ? "0" : "-1"} onPointerDown=${stay} onMouseDown=${stay}
        aria-label=${state ? `${upper(letter)}, ${SAID[state]}` : upper(letter)}
        onClick=${() => onLetter(letter)}>${upper(letter)}</button>`;
  };
  const last = keys.length - 1;
  // one stop of the Tab key; arrows move within
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll("button")];
    all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
  };
  return html`
    <div class="keyboard" role="group" aria-label="Keyboard" onKeyDown=${move} style=${{ "--keyrows": keys.length }}>
      ${keys.map((row, place) => html`
        <div key=${place}>
          ${place === last && html`<button type="button" class="key wide" tabindex="-1" onPointerDown=${stay} onMouseDown=${stay}
            onClick=${onEnter}>Enter</button>`}
          ${row.map(key)}
          ${place === last && html`<button type="button" class="key wide" aria-label="Erase" tabindex="-1"
            onPointerDown=${stay} onMouseDown=${stay} onClick=${onErase}><${Icon} name="erase" /></button>`}
        </div>`)}
    </div>`;
}

/** Does this element take text? */
export const isField = (target) =>
  target.tagName === "TEXTAREA" || (target.tagName === "INPUT" && !/^(radio|checkbox|button|file)$/.test(target.type));

/** Letters, Enter and Backspace belong to the board wherever the focus is, except in a text field or
 * a dialog. Enter on a control still works it, unless a word is being typed. */
export function useKeys(alphabet, handlers) {
  const latest = useRef(handlers);
  latest.current = handlers;
  useLayoutEffect(() => {
    const spelled = new Map(alphabet.map((letter) => [letter.toLowerCase(), letter]));
    const press = (event) => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (target.closest?.("dialog") || isField(target)) return;
      const { typing, onLetter, onErase, onEnter } = latest.current;
      const letter = spelled.get(key.toLowerCase());
      const onControl = /^(BUTTON|A|SUMMARY|SELECT|INPUT)$/.test(target.tagName);
      if (letter) onLetter(letter);
      else if (key === "Backspace") onErase();
      else if (key === "Enter" && (typing() || !onControl)) onEnter();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [alphabet]);
}

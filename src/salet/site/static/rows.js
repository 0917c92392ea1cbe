// The rows of a game played elsewhere: words, colours that are tapped, and what is wrong with them.
import { html, useId, useLayoutEffect, useRef, useState } from "./lib.js";
import { Icon } from "./icons.js";
import { Tile, Tiles, Wrong } from "./parts.js";
import { isComplete } from "./route.js";
import { capitals, letters, plural, SAID, UNKNOWN, upper } from "./words.js";

export function Rows({ facts, rows, problem, change, carried, over }) {
  const [editing, setEditing] = useState(null);
  const [focus, setFocus] = useState(null); // what takes the focus once the rows are drawn again
  const section = useRef();
  const count = useRef(rows.length);
  useLayoutEffect(() => { // a word that was picked elsewhere waits for its colours, and so does the focus
    if (rows.length > count.current && !isComplete(rows.at(-1))) setFocus(toColour(rows.length - 1, rows.at(-1).feedback));
    count.current = rows.length;
  }, [rows.length]);
  const toColour = (place, feedback) => `[data-row="${place}"] ${facts.tiles ? `[data-place="${[...feedback].indexOf(UNKNOWN)}"] button` : "select"}`;
  useLayoutEffect(() => {
    if (!focus) return;
    const found = section.current.querySelector(focus) ?? section.current.querySelector("[data-next] input");
    found?.focus();
    setFocus(null);
  }, [focus, rows.length, editing]);
  const put = (place, row, options) => change({ rows: rows.map((old, at) => (at === place ? row : old)) }, options);
  const drop = (place) => {
    change({ rows: rows.filter((_, at) => at !== place) });
    setFocus(rows.length > 1 ? `[data-row="${Math.min(place, rows.length - 2)}"] [data-remove]` : "[data-next] input");
  };
  const stop = (place) => { setEditing(null); setFocus(`[data-row="${place}"] [data-edit]`); };
  const add = (guess, feedback) => {
    const given = feedback || carried(guess);
    change({ rows: [...rows, { guess, feedback: given }] });
    setFocus(given.includes(UNKNOWN) ? toColour(rows.length, given) : "[data-next] input");
  };
  return html`
    <div class="stack" ref=${section}>
    <ol class="rows">
      ${rows.map((row, place) => html`
        <li key=${place} data-row=${place} class=${problem?.row === place + 1 ? "wrong" : ""}>
          ${editing === place
            ? html`<${WordField} label=${`Row ${place + 1}`} start=${row.guess} facts=${facts} autofocus
                onDone=${(guess, feedback) => {
                  put(place, { guess, feedback: feedback || fitted(row, guess, facts) });
                  stop(place);
                }} onCancel=${() => stop(place)} />`
            : html`
              <${facts.tiles ? ColourRow : PegRow} row=${row} place=${place} facts=${facts}
                onChange=${(feedback, options) => put(place, { ...row, feedback }, options)}
                onLast=${() => setFocus("[data-next] input")} />
              <span class="tools">
                <button type="button" class="button icon plain" data-edit onClick=${() => setEditing(place)}
                  aria-label=${`Edit ${row.guess}`}><${Icon} name="edit" /></button>
                <button type="button" class="button icon plain" data-remove onClick=${() => drop(place)}
                  aria-label=${`Remove ${row.guess}`}><${Icon} name="remove" /></button>
              </span>`}
          ${problem?.row === place + 1 && html`<div class="full"><${Wrong} error=${problem} /></div>`}
        </li>`)}
    </ol>
    ${problem && !(problem.row >= 1 && problem.row <= rows.length) && html`<${Wrong} error=${problem} />`}
    ${!over && html`<div data-next><${WordField} key=${rows.length} label="Next guess" facts=${facts} onDone=${add} /></div>`}
    <p class="small soft">${facts.tiles
      ? "Tap a tile to give it its colour, or press G, Y or B on it. “crane bybbg” adds both at once."
      : "Say of each code how many signs stand in the right place, and how many others belong elsewhere. “1234 1,2” adds both at once."}</p>
    </div>`;
}

/** The colours that an edited row keeps: those of letters that stay where they were. */
function fitted(row, guess, facts) {
  if (!facts.tiles) return row.feedback;
  const before = letters(row.guess.toLowerCase());
  return letters(guess.toLowerCase()).map((letter, at) => (before[at] === letter ? row.feedback[at] ?? UNKNOWN : UNKNOWN)).join("");
}

/** A field for a word, or a word and its colours. */
function WordField({ label, facts, start = "", autofocus, onDone, onCancel }) {
  const [text, setText] = useState(start);
  const [error, setError] = useState("");
  const id = useId();
  const field = useRef();
  useLayoutEffect(() => { if (autofocus) { field.current.focus(); field.current.select(); } }, []);
  const done = (event) => {
    event.preventDefault();
    const [word = "", feedback = "", ...rest] = text.trim().split(/[\s:]+/);
    const size = letters(word).length;
    const tiles = facts.tiles ? feedback.toUpperCase() : feedback;
    if (!word) return setError("Type a guess first.");
    if (rest.length) return setError("One guess at a time: a word, and its colours if you like.");
    if (size !== facts.length) {
      return setError(`“${word.slice(0, 40)}” has ${plural(size, "letter")}; this game's words have ${facts.length}.`);
    }
    if (tiles && facts.tiles && !new RegExp(`^[GYB]{${facts.length}}$`).test(tiles)) {
      return setError(`Colours are ${facts.length} letters out of G, Y and B, as in ${"BYGBBYGBBYGBBYGB".slice(0, facts.length)}.`);
    }
    if (tiles && !facts.tiles && !/^\d+,\d+$/.test(tiles)) return setError("Pegs are two numbers, as in 1,2.");
    setError("");
    setText("");
    return onDone(word.toLowerCase(), tiles);
  };
  return html`
    <form class="wordfield" onSubmit=${done}>
      <label class="hidden" for=${id}>${label}</label>
      <input id=${id} ref=${field} class="input" value=${text} placeholder=${label} autocomplete="off"
        autocapitalize="none" autocorrect="off" spellcheck=${false} enterkeyhint="done"
        aria-invalid=${Boolean(error)} aria-describedby=${`${id}e`}
        onInput=${(event) => { setText(event.target.value); setError(""); }}
        onKeyDown=${(event) => event.key === "Escape" && onCancel?.()} />
      <button class="button main"><${Icon} name="plus" />${onCancel ? "Save" : "Add"}</button>
      ${onCancel && html`<button type="button" class="button plain" onClick=${onCancel}>Cancel</button>`}
      <div class="full"><${Wrong} id=${`${id}e`} error=${error} /></div>
    </form>`;
}

const NEXT = { [UNKNOWN]: "B", B: "Y", Y: "G", G: "B" };
const stateOf = (feedback, at) => (/[BYG]/.test(feedback[at] ?? "") ? feedback[at] : UNKNOWN);

/** A word whose tiles are buttons: a tap, or the letter of the colour, sets each. */
function ColourRow({ row, place, onChange, onLast }) {
  const group = useRef();
  const signs = letters(row.guess);
  const states = signs.map((_, at) => stateOf(row.feedback, at));
  const set = (at, state) => onChange(states.map((old, where) => (where === at ? state : old)).join(""), { replace: true });
  const fill = (state) => { onChange(states.map((old) => (state === "G" ? "G" : old === UNKNOWN ? state : old)).join("")); onLast(); };
  const press = (event, at) => {
    const state = { g: "G", y: "Y", b: "B", 2: "G", 1: "Y", 0: "B" }[event.key.toLowerCase()];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !(step || state)) return;
    event.preventDefault();
    if (state) set(at, state);
    const target = group.current.querySelectorAll("button")[at + (step ?? 1)];
    if (target) target.focus();
    else if (state) onLast();
  };
  return html`
    <span class="tiles" role="group" aria-label=${`Row ${place + 1}, ${capitals(row.guess)}`} ref=${group}>
      ${signs.map((letter, at) => html`
        <span key=${at} data-place=${at} onKeyDown=${(event) => press(event, at)}>
          <${Tile} letter=${letter} state=${states[at] === UNKNOWN ? "" : states[at]} place=${at}
            label=${`${upper(letter)}, ${SAID[states[at]]}. Change`} onClick=${() => set(at, NEXT[states[at]])} />
        </span>`)}
    </span>
    ${!isComplete({ feedback: states.join("") }) && html`<span class="row full fills">
      <button type="button" class="button small" onClick=${() => fill("G")}><${Icon} name="all" />All green</button>
      <button type="button" class="button small" onClick=${() => fill("B")}>${states.every((state) => state === UNKNOWN) ? "All grey" : "The rest grey"}</button>
      <span class="small soft">or tap the tiles</span></span>`}`;
}

function PegRow({ row, place, facts, onChange }) {
  const known = isComplete(row);
  const pegs = known ? row.feedback.split(",") : ["", ""];
  const [half, setHalf] = useState(["", ""]); // one count is set before the other
  const shown = known ? pegs : half;
  const names = ["right place", "elsewhere"];
  const set = (at, value) => {
    const next = shown.map((old, which) => (which === at ? value : old));
    setHalf(next);
    if (next.every((one) => one !== "")) onChange(next.join(","));
  };
  return html`
    <span class="pegrow" role="group" aria-label=${`Row ${place + 1}, ${row.guess}`}>
      <${Tiles} word=${row.guess} />
      <span class="row full counts">${names.map((name, at) => html`
        <label key=${name} class="pegs small"><i class=${at ? "" : "filled"}></i>${name}
          <select class="input" value=${shown[at]} onChange=${(event) => set(at, event.target.value)}>
            ${!known && html`<option value="">–</option>`}
            ${Array.from({ length: facts.length + 1 }, (_, count) => html`
              <option value=${String(count)} selected=${String(count) === shown[at]}>${count}</option>`)}
          </select></label>`)}</span>
    </span>`;
}

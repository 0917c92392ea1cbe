// Parts that several tabs share.
import { html, useEffect, useId, useLayoutEffect, useRef, useState } from "./lib.js";
import { offerFile, shortName, useGames } from "./games.js";
import { Icon, Mark } from "./icons.js";
import { letters, longDate, pegs, plural, SAID, sentence, STATES, upper } from "./words.js";

/** One letter on its tile; `state` is G, Y or B, or nothing while it has no colour. */
export function Tile({ letter = "", state, place = 0, onClick, label, tabindex }) {
  const shape = STATES[state] ?? (letter ? "typed" : "blank");
  const said = label ?? (state ? `${upper(letter)}, ${SAID[state]}` : letter ? upper(letter) : "empty");
  const inner = html`<b aria-hidden="true">${upper(letter)}</b>${STATES[state] && html`<${Mark} state=${state} />`}`;
  const common = { class: `tile ${shape}`, "aria-label": said, style: { "--place": place } };
  return onClick
    ? html`<button type="button" ...${common} tabindex=${tabindex} onClick=${onClick}>${inner}</button>`
    : html`<span role="img" ...${common}>${inner}</span>`;
}

/** A word on its tiles, with pegs behind it where the game has no colours. */
export function Tiles({ word, feedback = "", kind = "", length, turning, shaking }) {
  const shown = letters(word);
  const coloured = feedback && !feedback.includes(",");
  const places = Array.from({ length: Math.max(length || 0, shown.length) }, (_, place) => place);
  return html`
    <span class="tiles ${kind} ${turning ? "turning" : ""} ${shaking ? "shaking" : ""}">
      ${places.map((place) => html`
        <${Tile} key=${place} place=${place} letter=${shown[place] || ""}
          state=${coloured ? feedback[place] : ""} />`)}
      ${feedback.includes(",") && html`<${Pegs} feedback=${feedback} />`}
    </span>`;
}

export function Pegs({ feedback }) {
  const [black, white] = feedback.split(",");
  return html`
    <span class="pegs" role="img" aria-label=${pegs(feedback)}>
      <i class="filled"></i>${black} <i></i>${white}
    </span>`;
}

/** Feedback alone: small coloured shapes. */
export function Shapes({ feedback }) {
  if (feedback.includes(",")) return html`<${Pegs} feedback=${feedback} />`;
  const said = [...feedback].map((state) => SAID[state]).join(", ");
  return html`
    <span class="tiles bare mini" role="img" aria-label=${said}>
      ${[...feedback].map((state) => html`
        <span class="tile ${STATES[state]}"><${Mark} state=${state} /></span>`)}
    </span>`;
}

/** One choice of a few. */
export function Segments({ legend, value, options, onChange, hideLegend = false }) {
  const name = useId();
  return html`
    <div class="field" role="radiogroup" aria-label=${legend}>
      ${!hideLegend && html`<span class="label" aria-hidden="true">${legend}</span>`}
      <div><span class="segments">
        ${options.map(([option, text, off]) => html`
          <label key=${option}>
            <input type="radio" name=${name} checked=${option === value} disabled=${off}
              onChange=${() => onChange(option)} />${text}
          </label>`)}
      </span></div>
    </div>`;
}

/** The sentence that says what is wrong, beside what it is about. */
export const Wrong = ({ error, id }) => html`
  <div id=${id} role="alert" class=${error ? "problem" : ""}>${error ? sentence(error.message ?? error) : ""}</div>`;

export const MODES = [["normal", "Normal"], ["hard", "Hard"], ["strict", "Strict"]];

/** Which game, which mode. */
export function GamePicker({ game, mode, facts, onChange }) {
  const { games, error } = useGames();
  const id = useId();
  const known = games.some(({ name }) => name === game);
  return html`
    <div class="picker">
      <div class="field">
        <label for=${id}>Game</label>
        <select id=${id} class="input" value=${game}
          onChange=${(event) => onChange({ game: event.target.value, mode: "normal" })}>
          ${!known && html`<option value=${game}>${shortName(game)}</option>`}
          ${games.map(({ name, summary }) => html`
            <option key=${name} value=${name} selected=${name === game}>${shortName(name)}: ${summary}</option>`)}
        </select>
        <${Wrong} error=${error} />
        <div><label class="button small"><${Icon} name="file" />A list of your own<input class="hidden" type="file" accept=".txt,.csv,.json,.jsonl,text/*"
          onChange=${({ target }) => { offerFile(target.files[0]); target.value = ""; }} /></label></div>
      </div>
      <${Segments} legend="Mode" value=${mode} onChange=${(chosen) => onChange({ game, mode: chosen })}
        options=${MODES.map(([name, text]) => [name, text, facts ? !facts.modes.includes(name) : false])} />
    </div>`;
}

/** How old the list of a game is, in words; nothing where nobody knows. */
export function useListAge(game) {
  const { games } = useGames();
  const found = games.find(({ name }) => name === game)?.updated;
  return found ? `list of ${longDate(found)}` : "";
}

/** The game in one line; its choices unfold. */
export function GameBar({ game, mode, facts, error, onChange, children }) {
  const about = facts ? `${facts.name}, ${facts.mode} mode` : game;
  const age = useListAge(game);
  const size = facts && [plural(facts.answers, "answer"), facts.cap ? plural(facts.cap, "try", "tries") : "no limit", age];
  return html`
    <details class="gamebar">
      <summary><span class="soft">Game</span> <strong>${about}</strong>
        ${facts && html`<span class="soft small">${size.filter(Boolean).join(", ")}</span>`}</summary>
      <div class="card choices">
        <${GamePicker} game=${game} mode=${mode} facts=${facts} onChange=${onChange} />${children}
      </div>
    </details>
    <${Wrong} error=${error} />`;
}

/** What the engine says to a question, asked again when the question changes. */
export function useAnswer(ask, parts) {
  const [answer, setAnswer] = useState({ value: null, error: null, loading: true });
  useEffect(() => {
    const control = new AbortController();
    let current = true;
    setAnswer((before) => ({ ...before, loading: true }));
    Promise.resolve().then(() => ask(control.signal)).then(
      (value) => current && setAnswer({ value, error: null, loading: false }),
      (error) => current && error.name !== "AbortError" && setAnswer({ value: null, error, loading: false }),
    );
    return () => { current = false; control.abort(); };
  }, parts);
  return answer;
}

/** A live answer: `ask` is given a function for updates and a signal. What was known stays meanwhile. */
export function useLive(ask, parts, ready = true) {
  const [found, setFound] = useState({ value: null, error: null, busy: ready });
  useEffect(() => {
    if (!ready) {
      setFound({ value: null, error: null, busy: false });
      return undefined;
    }
    const control = new AbortController();
    setFound((before) => ({ ...before, error: null, busy: true }));
    const update = (value) => control.signal.aborted || setFound({ value, error: null, busy: true });
    Promise.resolve().then(() => ask(update, control.signal)).then(
      (value) => control.signal.aborted || setFound({ value, error: null, busy: false }),
      (error) => control.signal.aborted || error.name === "AbortError" || setFound({ value: null, error, busy: false }),
    );
    return () => control.abort();
  }, [...parts, ready]);
  return found;
}

export function Histogram({ counts, now, lost = 0, label }) {
  const rows = Object.entries(counts).map(([size, count]) => [size, count]);
  if (lost) rows.push(["lost", lost]);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return html`
    <dl class="histogram" aria-label=${label}>
      ${rows.map(([size, count]) => html`
        <dt key=${size}>${size}</dt>
        <dd><span class="bar ${String(now) === size ? "now" : ""} ${size === "lost" ? "lost" : ""}"
          style=${{ width: `${(100 * count) / most}%` }}>${count.toLocaleString("en")}</span></dd>`)}
    </dl>`;
}

/** Words; clickable where there is something to do with one. The list is one stop of the Tab key: arrows,
 * Home and End move within it. */
export function WordList({ words, count = words.length, onPick, verb = "Try" }) {
  const [at, setAt] = useState(0);
  const list = useRef();
  const here = Math.min(at, words.length - 1);
  const press = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const end = { Home: 0, End: words.length - 1 }[event.key];
    if (!onPick || (step === undefined && end === undefined)) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(words.length - 1, end ?? here + step));
    setAt(next);
    list.current.querySelectorAll("button")[next]?.focus();
  };
  return html`
    <ul class="words" ref=${list} tabindex=${onPick ? null : "0"} aria-label=${plural(count, "word")} onKeyDown=${press}>
      ${words.map((word, place) => onPick
        ? html`<li key=${word}><button type="button" tabindex=${place === here ? "0" : "-1"}
            aria-label=${`${verb} ${word}`} onFocus=${() => setAt(place)} onClick=${() => onPick(word)}>${word}</button></li>`
        : html`<li key=${word}>${word}</li>`)}
      ${count > words.length && html`<li>and ${(count - words.length).toLocaleString("en")} more</li>`}
    </ul>`;
}

const MOST_LEFT = 100;

/** The words that were left after a guess, for those who want to see them. */
export function WordsLeft({ turn }) {
  const [open, setOpen] = useState(false);
  if (!turn.remaining_after) return null;
  return html`
    <details class="left" onToggle=${(event) => setOpen(event.currentTarget.open)}>
      <summary class="small">${plural(turn.remaining_after, "word")} left</summary>
      ${open && html`<${WordList} words=${turn.words.slice(0, MOST_LEFT)} count=${turn.remaining_after} />`}</details>`;
}

/** Asks before a game that is on is left for another; `go` says what for. */
export const Leaving = ({ open, guesses, go, onGo, onStay }) => html`
  <${Dialog} open=${open} title="Leave this game?" onClose=${onStay}>
    <p>You have made ${plural(guesses, "guess", "guesses")}. The game is kept: you can come back to it
      by its link or by the back button.</p>
    <div class="row">
      <button type="button" class="button main" onClick=${onGo}>${go}</button>
      <button type="button" class="button" onClick=${onStay}>Stay</button>
    </div>
  <//>`;

/** A question that tells, as `spent`, whether its time ran out: only then is more time of use. */
export async function timed(seconds, ask) {
  const start = performance.now();
  const found = await ask(seconds);
  return { ...found, spent: performance.now() - start >= 900 * seconds };
}

export const Waiting = ({ children = "One moment" }) =>
  html`<p class="soft row" role="status"><span class="spin"></span>${children} …</p>`;

/** A dialog that is shown while `open`; Escape, a click beside it and its button ask for its end by
 * `onClose`. The browser reports a closed dialog late, perhaps when the next one is already wanted: only
 * what it closed by itself counts. */
export function Dialog({ open, title, onClose, children }) {
  const dialog = useRef();
  const id = useId();
  const wanted = useRef(false);
  useLayoutEffect(() => {
    wanted.current = open;
    if (open && !dialog.current.open) dialog.current.showModal();
    if (!open && dialog.current.open) dialog.current.close();
  });
  return html`
    <dialog ref=${dialog} aria-labelledby=${id} onCancel=${(event) => { event.preventDefault(); onClose(); }}
      onClose=${() => wanted.current && !dialog.current.open && onClose()}
      onClick=${(event) => event.target === dialog.current && onClose()}>
      <div class="stack">
        <div class="row between"><h2 id=${id}>${title}</h2>
          <button type="button" class="button icon plain" aria-label="Close"
            onClick=${onClose}><${Icon} name="remove" /></button></div>
        ${open && children}
      </div>
    </dialog>`;
}

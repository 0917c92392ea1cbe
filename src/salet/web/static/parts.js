// Parts that several tabs share.
import { html, useEffect, useId, useRef, useState } from "./lib.js";
import { get } from "./api.js";
import { Icon, Mark } from "./icons.js";
import { letters, pegs, plural, SAID, STATES, upper } from "./words.js";

/** One letter on its tile; `state` is G, Y or B, or nothing while it is only typed. */
export function Tile({ letter = "", state, place = 0, onClick, label }) {
  const shape = state ? STATES[state] : letter ? "typed" : "blank";
  const said = label ?? (state ? `${upper(letter)}, ${SAID[state]}` : letter ? upper(letter) : "empty");
  const inner = html`<b aria-hidden="true">${upper(letter)}</b>${state && html`<${Mark} state=${state} />`}`;
  const common = { class: `tile ${shape}`, "aria-label": said, style: { "--place": place } };
  return onClick
    ? html`<button type="button" ...${common} onClick=${onClick}>${inner}</button>`
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
      <i class="full"></i>${black} <i></i>${white}
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
  <div id=${id} role="alert" class=${error ? "problem" : ""}>${error ? error.message ?? error : ""}</div>`;

let listed;

/** Which game, which mode. */
export function GamePicker({ game, mode, facts, onChange }) {
  const [games, setGames] = useState(listed?.games ?? []);
  const [error, setError] = useState(null);
  const id = useId();
  useEffect(() => {
    if (listed) return;
    get("/games").then((found) => { listed = found; setGames(found.games); }, setError);
  }, []);
  const known = games.some(({ name }) => name === game);
  const modes = [["normal", "Normal"], ["hard", "Hard"], ["strict", "Strict"]];
  return html`
    <div class="picker">
      <div class="field">
        <label for=${id}>Game</label>
        <select id=${id} class="input" value=${game}
          onChange=${(event) => onChange({ game: event.target.value, mode: "normal" })}>
          ${!known && html`<option value=${game}>${game}</option>`}
          ${games.map(({ name, summary }) => html`
            <option key=${name} value=${name} selected=${name === game}>${name}: ${summary}</option>`)}
        </select>
        <${Wrong} error=${error} />
      </div>
      <${Segments} legend="Mode" value=${mode} onChange=${(chosen) => onChange({ game, mode: chosen })}
        options=${modes.map(([name, text]) => [name, text, facts ? !facts.modes.includes(name) : false])} />
    </div>`;
}

/** The game in one line; its choices unfold. */
export function GameBar({ game, mode, facts, error, onChange, children }) {
  const about = facts ? `${facts.name}, ${facts.mode} mode` : game;
  return html`
    <details class="gamebar">
      <summary><span class="soft">Game</span> <strong>${about}</strong>
        ${facts && html`<span class="soft small">${`${plural(facts.answers, "answer")}, ${facts.cap ? plural(facts.cap, "try", "tries") : "no limit"}`}</span>`}</summary>
      <div class="card choices">
        <${GamePicker} game=${game} mode=${mode} facts=${facts} onChange=${onChange} />${children}
      </div>
    </details>
    <${Wrong} error=${error} />`;
}

const kept = new Map();

/** The facts of a game, asked for once. */
export function useFacts(game, mode) {
  const key = `${game} ${mode}`;
  const [found, setFound] = useState({ facts: kept.get(key) ?? null, error: null, key });
  useEffect(() => {
    if (kept.has(key)) return setFound({ facts: kept.get(key), error: null, key });
    let current = true;
    get("/game", { game, mode }).then(
      (facts) => { kept.set(key, facts); if (current) setFound({ facts, error: null, key }); },
      (error) => current && setFound({ facts: null, error, key }),
    );
    return () => { current = false; };
  }, [key]);
  return found.key === key ? found : { facts: kept.get(key) ?? null, error: null };
}

/** What the server says to a question, asked again when the question changes. */
export function useAnswer(ask, parts) {
  const [answer, setAnswer] = useState({ value: null, error: null, loading: true });
  useEffect(() => {
    const control = new AbortController();
    setAnswer((before) => ({ ...before, loading: true }));
    Promise.resolve(ask(control.signal)).then(
      (value) => setAnswer({ value, error: null, loading: false }),
      (error) => error.name === "AbortError" || setAnswer({ value: null, error, loading: false }),
    );
    return () => control.abort();
  }, parts);
  return answer;
}

export function Histogram({ counts, now, lost = 0, label }) {
  const rows = Object.entries(counts).map(([size, count]) => [size, count]);
  if (lost) rows.push(["lost", lost]);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return html`
    <dl class="histogram" aria-label=${label}>
      ${rows.map(([size, count]) => html`
        <dt key=${size}>${size}</dt>
        <dd><span class="bar ${String(now) === size ? "now" : ""}"
          style=${{ width: `${(100 * count) / most}%` }}>${count.toLocaleString("en")}</span></dd>`)}
    </dl>`;
}

/** Words; clickable where there is something to do with one. */
export function WordList({ words, count = words.length, onPick, verb = "Try" }) {
  return html`
    <ul class="words" tabindex="0" aria-label=${plural(count, "word")}>
      ${words.map((word) => onPick
        ? html`<li key=${word} style=${{ display: "contents" }}><button type="button"
            aria-label=${`${verb} ${word}`} onClick=${() => onPick(word)}>${word}</button></li>`
        : html`<li key=${word}>${word}</li>`)}
      ${count > words.length && html`<li>and ${(count - words.length).toLocaleString("en")} more</li>`}
    </ul>`;
}

/** Copy text; says so for a moment. */
export function CopyButton({ text, children, icon = "share", kind = "" }) {
  const [told, setTold] = useState("");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      said = "This browser does not let pages copy; mark the text and copy it yourself";
    }
    setTold(said);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTold(""), 2500);
  };
  return html`
    <button type="button" class="button ${kind}" onClick=${copy}><${Icon} name=${icon} />${children}</button>
    <span role="status">${told && html`<span class="toast">${told}</span>`}</span>`;
}

export const Waiting = ({ children = "One moment" }) =>
  html`<p class="soft row" role="status"><span class="spin"></span>${children} …</p>`;

// The board: rows of tiles, keys, what is wrong, and the end of the game.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./lib.js";
import { Keyboard, useKeys } from "./keyboard.js";
import { Icon } from "./icons.js";
import { Tiles, Wrong } from "./parts.js";
import { Reviewed } from "./review.js";
import { link, packRows } from "./route.js";
import { ShareButton } from "./share.js";
import { capitals, plural, spoken } from "./words.js";

const ENDLESS = 6; // rows in sight where tries have no limit

export function Board({ board, facts, played, spec, start, onHelp, helping, onTyped }) {
  const { state, error, guess, setError, put } = played;
  const [typed, setTyped] = useState([]);
  const [sent, setSent] = useState([]); // words on their way, so that fast fingers need not wait
  const [shaking, setShaking] = useState(false);
  const [asking, setAsking] = useState(false); // is the player about to give up?
  const line = useRef(Promise.resolve());
  const now = useRef([]); // what is typed, known at once: keys may come faster than the screen
  const { length, cap, alphabet } = facts;
  const show = (signs) => { now.current = signs; setTyped(signs); onTyped(signs); };
  const letter = (sign) => {
    if (state.over) return;
    setError(null);
    setAsking(false);
    if (now.current.length < length) show([...now.current, sign]);
  };
  const erase = () => { setError(null); show(now.current.slice(0, -1)); };
  put.current = (signs) => { setError(null); show(signs.slice(0, length)); };
  useEffect(() => () => onTyped([]), []);
  const refuse = () => {
    setShaking(true);
    setTimeout(() => setShaking(false), 400);
  };
  const enter = () => {
    const word = now.current;
    if (state.over || !word.length) return;
    if (word.length < length) {
      setError(new Error(`${capitals(word.join(""))} has ${plural(word.length, "letter")}; words have ${length}`));
      refuse();
      return;
    }
    show([]);
    setSent((before) => [...before, word]);
    line.current = line.current.then(async () => {
      const taken = await guess(word.join(""));
      setSent((before) => before.slice(1));
      if (taken) return;
      if (!now.current.length) show(word); // nothing of what was typed is lost
      refuse();
    });
  };
  useKeys(alphabet, { typing: () => now.current.length > 0, onLetter: letter, onEnter: enter, onErase: erase });
  const rows = state.rows;
  const open = state.over ? 0 : 1;
  const blank = cap ? Math.max(0, cap - rows.length - sent.length - open) : 0;
  const size = { "--letters": length, "--rows": cap ?? ENDLESS };
  useLayoutEffect(() => { // the row that is typed stays in sight where a board has more rows than room
    if (!cap && board.current) board.current.scrollTop = board.current.scrollHeight;
  }, [rows.length, sent.length]);
  return html`
    <ol class=${`board ${cap ? "" : "endless"}`} ref=${board} tabindex="-1" aria-label="Your guesses" style=${size}>
      ${rows.map(({ guess: word, feedback }, place) => html`
        <li key=${place}><${Tiles} word=${word} feedback=${feedback} turning=${place + 1 === state.fresh} /></li>`)}
      ${sent.map((word, place) => html`
        <li key=${`sent${place}`}><${Tiles} word=${word.join("")} length=${length} /></li>`)}
      ${!state.over && rows.length + sent.length < (cap ?? Infinity) && html`<li key="open"><${Tiles} word=${typed.join("")} length=${length}
        shaking=${shaking} /></li>`}
      ${Array.from({ length: blank }, (_, place) => html`
        <li key=${`blank${place}`} aria-hidden="true"><${Tiles} word="" length=${length} /></li>`)}
    </ol>
    <div class="console">
      <div class="told"><${Wrong} error=${error} />
        ${!error && !state.over && !rows.length && html`<p class="soft small">${
          `Find the ${length}-letter ${facts.tiles ? "word" : "code"}${cap ? ` in ${cap} tries` : ""}`}</p>`}
        ${!error && !state.over && rows.length > 0 && html`<${Leave} asking=${asking} setAsking=${setAsking}
          onLeave=${() => guess("", true)} onHelp=${onHelp} helping=${helping} />`}
        ${!error && !state.over && !rows.length && html`<button type="button" class="button plain small" aria-pressed=${helping}
          onClick=${onHelp}><${Icon} name="help" />Help</button>`}
      </div>
      <p class="hidden" role="status">${rows.length
        ? `Guess ${rows.length}: ${spoken(rows.at(-1).guess, rows.at(-1).feedback)}` : ""}</p>
      ${state.over
        ? html`<${Ending} state=${state} spec=${spec} facts=${facts} start=${start} />`
        : html`<${Keyboard} alphabet=${alphabet} rows=${rows} onLetter=${letter} onEnter=${enter} onErase=${erase} />`}
    </div>
    ${state.over && rows.length > 0 && html`<${Reviewed} spec=${spec} facts=${facts} state=${state} />`}`;
}

/** Help and giving up; giving up is asked for twice. */
function Leave({ asking, setAsking, onLeave, onHelp, helping }) {
  if (asking) {
    return html`<p class="row center" role="alert"><span>Lose this game?</span>
      <button type="button" class="button small" onClick=${onLeave}>Give up</button>
      <button type="button" class="button plain small" onClick=${() => setAsking(false)}>Play on</button></p>`;
  }
  return html`<p class="row center">
    <button type="button" class="button plain small" aria-pressed=${helping} onClick=${onHelp}><${Icon} name="help" />Help</button>
    <button type="button" class="button plain small" onClick=${() => setAsking(true)}>Give up</button></p>`;
}

const PRAISE = ["", "First try. Buy a ticket.", "Two. Splendid.", "Three. Beautifully done.",
  "Four. Well played.", "Five. There it is.", "Six. That was close."];

function Ending({ state, spec, facts, start }) {
  const { rows, won, answer } = state;
  const { game, mode } = spec;
  return html`
    <div class="ending" role="status">
      <p>${won ? html`<strong>${PRAISE[rows.length] ?? `Found in ${rows.length}.`}</strong>`
        : html`<strong class="bad">Lost.</strong> The answer was <strong>${capitals(answer)}</strong>.`}</p>
      <div class="row center">
        <button type="button" class="button main" onClick=${start}><${Icon} name="again" />Play again</button>
        <${ShareButton} text=${() => state.share}>Share<//>
        ${rows.length > 0 && html`<a class="button" href=${link("analyse", { game, mode, rows: packRows(rows), answer: won ? "" : answer, end: won || rows.length === facts.cap ? "" : "1" })}>
          <${Icon} name="analyse" />Analyse</a>`}
      </div>
    </div>`;
}

// Help without spoilers, step by step: every step is asked for.
import { html, useEffect, useId, useLayoutEffect, useRef, useState } from "./lib.js";
import { hint, rate, remaining, suggest } from "./api.js";
import { letters as split } from "./words.js";
import { Tiles, useAnswer, useLive, Waiting, WordList, Wrong } from "./parts.js";
import { costOf, Verdict } from "./verdict.js";
import { capitals, number, percent, plural, sentence, upper } from "./words.js";

const STEPS = [
  ["count", "How many words fit?"],
  ["idea", "Is my idea any good?"],
  ["letters", "Which letters are worth testing?"],
  ["words", "Show the words that fit"],
  ["best", "Reveal the best guess"],
];

/** The steps; `onStep` is told which was taken, `onPick` takes a word to the board. */
export function Help({ spec, facts, rows, typed, onStep, onPick }) {
  const key = JSON.stringify(rows);
  const [open, setOpen] = useState({ key, steps: [] });
  const steps = open.key === key ? open.steps : []; // every guess starts without help
  const take = (step) => {
    setOpen({ key, steps: steps.includes(step) ? steps.filter((one) => one !== step) : [...steps, step] });
    if (!steps.includes(step)) onStep?.(step);
  };
  const parts = { spec, facts, rows, typed, onPick };
  const section = useRef();
  useLayoutEffect(() => { // help that was asked for is in sight, and the Tab key goes on there
    section.current.focus({ preventScroll: true });
    section.current.scrollIntoView({ block: "nearest" });
  }, []);
  return html`
    <section class="card stack help" aria-label="Help" ref=${section} tabindex="-1">
      <header><h2>Help, as much as you like</h2></header>
      <ol class="steps">
        ${STEPS.filter(([step]) => step !== "letters" || facts.tiles).map(([step, title]) => html`
          <li key=${step}>
            <button type="button" class="step" aria-expanded=${steps.includes(step)} onClick=${() => take(step)}>
              ${title}${step === "words" || step === "best" ? html`<small class="soft"> gives it away</small>` : ""}</button>
            ${steps.includes(step) && html`<div class="stepbody"><${BODIES[step]} ...${parts} /></div>`}
          </li>`)}
      </ol>
    </section>`;
}

/** 1st, 2nd, 3rd, 4th, … */
const ordinal = (count) => `${count}${["th", "st", "nd", "rd"][count % 100 > 10 && count % 100 < 14 ? 0 : count % 10] ?? "th"}`;

const useWords = (spec, rows) => useAnswer(() => remaining(spec, rows), [JSON.stringify([spec, rows])]);

function Count({ spec, rows }) {
  const { value, error } = useWords(spec, rows);
  if (error) return html`<${Wrong} error=${error} />`;
  if (!value) return html`<${Waiting} />`;
  return html`<p role="status"><strong>${plural(value.remaining, "word")}</strong> still ${value.remaining === 1 ? "fits" : "fit"}.</p>`;
}

function Idea({ spec, facts, rows, typed }) {
  const full = typed.length === facts.length ? typed.join("") : "";
  const [text, setText] = useState(full);
  const [asked, setAsked] = useState(full);
  const id = useId();
  useEffect(() => { if (full) { setText(full); setAsked(full); } }, [full]);
  const ask = (event) => {
    event.preventDefault();
    setAsked(text.trim().toLowerCase());
  };
  const { value, error, busy } = useLive(
    (update, signal) => rate(spec, { rows, guess: asked, seconds: 5 }, update, signal),
    [JSON.stringify([spec, rows]), asked], Boolean(asked),
  );
  return html`
    <form class="wordfield" onSubmit=${ask}>
      <label class="hidden" for=${id}>Your idea</label>
      <input id=${id} class="input" value=${text} placeholder="Your idea" autocomplete="off" autocapitalize="none"
        spellcheck=${false} maxlength="40" aria-invalid=${Boolean(error)} onInput=${(event) => setText(event.target.value)} />
      <button class="button">Rate it</button>
    </form>
    <${Wrong} error=${error} />
    <div role="status">
      ${busy && !value && html`<${Waiting} />`}
      ${value && html`<${Rated} found=${value} busy=${busy} cap=${facts.cap} />`}
    </div>`;
}

/** What is known of an idea; the best guess is not named. */
export function Rated({ found, busy, cap }) {
  const known = found.verdict !== null && found.verdict !== undefined;
  return html`
    <p>${known ? html`<${Verdict} turn=${found} cap=${cap} bound=${!found.exact} />` : html`<span class="chip"><span class="spin"></span>weighing</span>`}
      ${" "}<strong>${capitals(found.guess)}</strong>${" "}
      ${found.lost > 0.0005 || found.lost_games > 0.0005
        ? `costs ${found.exact ? "" : "at most "}${costOf(found)}`
        : known ? "is as good as any" : ""}.</p>
    <p class="small soft">${[`Splits the words into ${plural(found.groups, "group")}, the largest of ${found.largest}`,
      found.candidate ? `can be the answer (${percent(found.win)})` : "cannot be the answer",
      busy ? "still tightening" : found.exact ? "exact" : ""].filter(Boolean).join("; ")}.</p>`;
}

function Letters({ spec, rows }) {
  const { value, error } = useAnswer(() => hint(spec, { rows, step: 3 }), [JSON.stringify([spec, rows])]);
  if (error) return html`<${Wrong} error=${error} />`;
  if (!value) return html`<${Waiting} />`;
  if (!value.letters.length) return html`<p>No letter tells the remaining words apart.</p>`;
  return html`
    <ul class="lettershares">${value.letters.map(({ letter, words, position }) => html`
      <li key=${letter}><b>${upper(letter)}</b><span class="small soft">in ${percent(words / value.remaining)},
        try it ${ordinal(position)}</span></li>`)}</ul>
    <p class="small soft">The share of the words that fit with this letter in them, and the place in your guess
      where it tells you most. The most telling letters come first.</p>`;
}

function Words({ spec, rows, onPick }) {
  const { value, error } = useWords(spec, rows);
  if (error) return html`<${Wrong} error=${error} />`;
  if (!value) return html`<${Waiting} />`;
  return html`<${WordList} words=${value.words.slice(0, 500)} count=${value.remaining}
    onPick=${onPick && ((word) => onPick(split(word)))} verb="Put on the board" />`;
}

function Best({ spec, rows, onPick }) {
  const { value, error, busy } = useLive(
    (update, signal) => suggest(spec, { rows, seconds: 5 }, update, signal), [JSON.stringify([spec, rows])],
  );
  if (error) return html`<${Wrong} error=${error} />`;
  if (!value) return html`<${Waiting}>Thinking<//>`;
  return html`
    <div class="row between"><${Tiles} word=${value.guess} kind="known" />
      ${onPick && html`<button type="button" class="button" onClick=${() => onPick(split(value.guess))}>Put on the board</button>`}</div>
    <p class="small soft" role="status">${`${sentence(value.explanation)}${busy ? " Still tightening." : ""}`}</p>`;
}

const BODIES = { count: Count, idea: Idea, letters: Letters, words: Words, best: Best };

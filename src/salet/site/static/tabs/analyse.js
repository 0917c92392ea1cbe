// Analyse: what the guesses of a finished game were worth.
import { html, useId, useState } from "../lib.js";
import { analyse } from "../api.js";
import { specOf, useFacts } from "../games.js";
import { add, recordOf } from "../history.js";
import { Icon } from "../icons.js";
import { ChangedAnalysis, Likelihood } from "../likelihood.js";
import { GameBar, timed, useLive, Waiting, Wrong } from "../parts.js";
import { Behind, Result, Turns } from "../result.js";
import { go, link, unpackRows } from "../route.js";
import { plural, today } from "../words.js";

const SECONDS = 15; // for a game; four times as many where the player wants to know

const EXAMPLE = { game: "original", mode: "normal", words: "salet acorn grand", answer: "" };

export function Analyse({ params }) {
  const own = { game: "nyt", mode: "normal", words: "", rows: "", answer: "", w: "", ...params };
  const example = params.example === "1";
  const shown = example ? { ...own, ...EXAMPLE, rows: "" } : own;
  const spec = specOf(shown);
  const { facts, error: unknown } = useFacts(spec);
  const question = questionOf(shown);
  const key = JSON.stringify([spec, question]);
  const [longer, setLonger] = useState({ key: "", times: 0 });
  const times = longer.key === key ? longer.times : 0;
  const { value: found, error, busy } = useAnalysis(key, spec, question && { ...question, seconds: SECONDS * 4 ** times });
  const { game, mode, words, rows, answer, w } = own;
  const change = (wish) => go("analyse", { game, mode, words, rows, answer, w, ...wish });
  const analysis = found?.analysis;
  return html`
    <div class="stack">
      <${GameBar} game=${game} mode=${mode} facts=${example ? null : facts} error=${unknown} onChange=${change}>
        <${Likelihood} w=${w} facts=${facts} onChange=${(wish) => change({ w: wish })} /><//>
      <div class="two analyse">
        <div class="stack">
          <${Paste} key=${`${words} ${rows} ${answer}`} words=${words || spelled(rows)} answer=${answer} busy=${busy}
            error=${example ? null : error} onDone=${change} />
        </div>
        <div class="stack">
          ${example && html`<p class="note calm">An example, in the game “original”. <a href=${link("analyse", { game, mode })}>Back to your own game</a></p>`}
          ${busy && !analysis && html`<section class="card"><${Waiting}>Weighing every guess<//></section>`}
          ${!busy && !found && !error && html`<${Hint} onTry=${() => go("analyse", { game, mode, example: "1" })} />`}
          ${found?.behind && html`<${Behind} reading=${found.behind} />`}
          ${analysis && html`<${Result} found=${analysis} gaveUp=${params.end === "1" && !analysis.over ? answer : ""} busy=${busy} done=${found.done} spec=${spec} facts=${facts} />`}
          ${analysis && !busy && found.spent && analysis.turns.some(({ proven }) => !proven) && html`<p class="row">
            <button type="button" class="button small" onClick=${() => setLonger({ key, times: times + 1 })}>Think longer</button>
            <span class="small soft">Not every value is final yet.</span></p>`}
          ${analysis && !busy && spec.weights && html`<${ChangedAnalysis} spec=${spec} question=${question} analysis=${analysis} />`}
          ${analysis && !busy && !example && analysis.over && html`<${Keep} analysis=${analysis} key=${analysis.summary} />`}
        </div>
      </div>
      ${analysis && html`<${Turns} found=${analysis} words=${found.words} answer=${analysis.over ? analysis.answer : ""} spec=${spec} />`}
    </div>`;
}

/** Rows of a link as text: what Analyse reads, colours included. */
const spelled = (rows) => unpackRows(rows).map(({ guess, feedback }) => `${guess} ${feedback}`).join("\n");

/** What is asked of the engine; null if there is no game yet. */
function questionOf({ words, rows, answer }) {
  const played = unpackRows(rows);
  if (!words && !played.length) return null;
  const given = words ? { text: words } : { rows: played, words: played.map(({ guess }) => guess) };
  return { ...given, answer: answer || undefined, seconds: SECONDS };
}

/** What is known of a game; of the game before it nothing stays on the screen. */
function useAnalysis(key, spec, question) {
  const own = (value) => ({ key, value });
  const live = useLive(
    async (update, signal) => own(await timed(question.seconds, () => analyse(spec, question, (value) => update(own(value)), signal))), [key, question?.seconds], question !== null,
  );
  return { ...live, value: live.value?.key === key ? live.value.value : null };
}

const MOST = 20_000;

function Paste({ words, answer, busy, error, onDone }) {
  const [text, setText] = useState(words);
  const [secret, setSecret] = useState(answer);
  const [own, setOwn] = useState("");
  const id = useId();
  const tooLong = (size) => `That is ${plural(size, "character")}; a game is a few hundred. Keep the rows of one game.`;
  const paste = (event) => {
    const size = event.clipboardData?.getData("text").length ?? 0;
    if (size <= MOST) return;
    event.preventDefault(); // megabytes would freeze the field; what stood there stays
    setOwn(tooLong(size));
  };
  const done = (event) => {
    event.preventDefault();
    if (!text.trim()) return setOwn("Paste a game first: its words, its grid, or both.");
    if (text.length > MOST) return setOwn(tooLong(text.length));
    setOwn("");
    return onDone({ words: text.trim(), rows: "", answer: secret.trim() });
  };
  const wrong = own || error;
  return html`
    <form class="card stack" onSubmit=${done} aria-label="The game to analyse">
      <h2>Your game</h2>
      <div class="field">
        <label for=${id}>Words, a share grid, or both</label>
        <textarea id=${id} class="input" value=${text} rows="6" spellcheck=${false} autocapitalize="none"
          autocomplete="off" placeholder=${`${EXAMPLE.words}\n\nor\n\n⬛🟨⬛⬛🟩 …`} aria-invalid=${Boolean(wrong)}
          aria-describedby=${`${id}e`} onPaste=${paste}
          onInput=${(event) => { setText(event.target.value); setOwn(""); }}></textarea>
      </div>
      <${Wrong} id=${`${id}e`} error=${wrong} />
      <div class="row">
        <div class="field grow">
          <label for=${`${id}a`}>The answer, if the last word is not</label>
          <input id=${`${id}a`} class="input" value=${secret} autocomplete="off" autocapitalize="none"
            spellcheck=${false} maxlength="40" onInput=${(event) => setSecret(event.target.value)} />
        </div>
        <button class="button main end" disabled=${busy}><${Icon} name="analyse" />Analyse</button>
      </div>
      <p class="small soft">Many games at once? <a href="#/history">History</a> reads old share texts in bulk.</p>
    </form>`;
}

function Hint({ onTry }) {
  return html`
    <section class="card stack" aria-label="What this does">
      <h2>Skill and luck, told apart</h2>
      <p class="lead">For every guess: what it cost against the best one (skill), and what the answer
        brought (luck), in guesses, in your own mode. Playing perfectly loses nothing, whatever happens.</p>
      <div><button type="button" class="button" onClick=${onTry}>Show an example</button></div>
    </section>`;
}

/** Into the history, under the day it was played. */
function Keep({ analysis }) {
  const [date, setDate] = useState(today());
  const [told, setTold] = useState("");
  const id = useId();
  const keep = (event) => {
    event.preventDefault();
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) return setTold("Say on which day it was played.");
    const { added, kept } = add(recordOf(analysis, date));
    return setTold(!kept ? "Kept until this page is closed: the browser's storage is full or forbidden."
      : added ? "Kept in your history." : "It was there already.");
  };
  return html`
    <form class="card row" onSubmit=${keep} aria-label="Keep in your history">
      <label for=${id}>Played on</label>
      <input id=${id} class="input date" type="date" value=${date} max=${today()} onInput=${(event) => setDate(event.target.value)} />
      <button class="button">Keep in history</button>
      <span role="status" class="small soft">${told}</span>
    </form>`;
}

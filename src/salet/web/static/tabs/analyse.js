// Analyse: what the guesses of a finished game were worth.
import { html, useEffect, useId, useState } from "../lib.js";
import { post } from "../api.js";
import { Chart } from "../chart.js";
import { Icon } from "../icons.js";
import { CopyButton, GameBar, Tiles, useFacts, Waiting, WordList, Wrong } from "../parts.js";
import { go, link, packRows } from "../route.js";
import { capitals, number, percent, plural } from "../words.js";

const EXAMPLE = "salet acorn grand";

export function Analyse({ params }) {
  const { game = "nyt", mode = "normal", words = "", answer = "" } = params;
  const { facts, error: unknown } = useFacts(game, mode);
  const { found, error, busy } = useAnalysis({ game, mode, words, answer });
  const change = (wish) => go("analyse", { game, mode, words, answer, ...wish });
  return html`
    <div class="stack">
      <${GameBar} game=${game} mode=${mode} facts=${facts} error=${unknown} onChange=${change} />
      <div class="two analyse">
        <div class="stack">
          <${Paste} key=${words + answer} words=${words} answer=${answer} busy=${busy}
            error=${error} onDone=${change} />
        </div>
        <div class="stack">
          ${busy && html`<section class="card"><${Waiting}>Weighing every guess<//></section>`}
          ${!busy && !found && !error && html`<${Hint} onTry=${() => change({ game: "original", words: EXAMPLE })} />`}
          ${!busy && found?.behind && html`<${Behind} reading=${found.behind} />`}
          ${!busy && found?.analysis && html`<${Result} found=${found.analysis} />`}
        </div>
      </div>
      ${!busy && found?.analysis && html`<${Turns} found=${found.analysis} words=${found.words}
        answer=${answer} game=${game} mode=${mode} />`}
    </div>`;
}

function useAnalysis({ game, mode, words, answer }) {
  const [state, setState] = useState({ found: null, error: null, busy: Boolean(words) });
  useEffect(() => {
    if (!words) return setState({ found: null, error: null, busy: false });
    const control = new AbortController();
    setState({ found: null, error: null, busy: true });
    // sent() may refuse at once, so everything runs inside a promise
    Promise.resolve().then(() => post("/analyse", { game, mode, text: words, answer: answer || null }, control.signal)).then(
      (found) => setState({ found, error: null, busy: false }),
      (error) => error.name === "AbortError" || setState({ found: null, error, busy: false }),
    );
    return () => control.abort();
  }, [game, mode, words, answer]);
  return state;
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
    return onDone({ words: text.trim(), answer: secret.trim() });
  };
  const wrong = own || error;
  return html`
    <form class="card stack" onSubmit=${done} aria-label="The game to analyse">
      <h2>Your game</h2>
      <div class="field">
        <label for=${id}>Words, a share grid, or both</label>
        <textarea id=${id} class="input" value=${text} rows="6" spellcheck=${false} autocapitalize="none"
          autocomplete="off" placeholder=${`${EXAMPLE}\n\nor\n\n⬛🟨⬛⬛🟩 …`} aria-invalid=${Boolean(wrong)}
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

const signed = (value, digits = 2) => `${value > 0.0004 ? "+" : value < -0.0004 ? "−" : ""}${Math.abs(value).toFixed(digits)}`;

function Result({ found }) {
  const turns = found.turns;
  const expected = [turns[0].expected_before, ...turns.map((turn) => turn.expected_after)];
  const points = expected.map((value, place) => [place, value, number(value, 2)]);
  const ideal = points.map(([place]) => [place, Math.max(0, expected[0] - place)]);
  const high = Math.max(4, Math.ceil(Math.max(...expected)));
  return html`
    <section class="card stack" aria-label="Result">
      <div class="scoreline">
        <div class="score" role="img" aria-label=${`Score ${found.score} of 99`} style=${{ "--part": found.score / 99 }}>
          <b>${found.score}</b></div>
        <dl class="figures">
          <div><dt>Guesses</dt><dd>${found.won ? turns.length : "X"}${found.cap ? html`<small> of ${found.cap}</small>` : ""}</dd></div>
          <div><dt>Lost by choice</dt><dd>${number(found.lost, 2)}</dd></div>
          <div><dt>Luck</dt><dd>${signed(found.luck)}</dd></div>
          ${found.lost_games > 0 && html`<div><dt>Games given away</dt><dd>${number(100 * found.lost_games, 1)}<small> %</small></dd></div>`}
        </dl>
        <${CopyButton} text=${() => found.summary}>Share<//>
      </div>
      <${Chart} height=${230} series=${[
        { name: "perfect play, no luck", colour: "var(--strong-line)", dash: "3 6", points: ideal },
        { name: "expected guesses still to come", colour: "var(--accent)", points, dots: true,
          area: [[0, 0], ...points, [points.length - 1, 0]] },
      ]} x=${{ low: 0, high: turns.length, ticks: points.map(([place]) => place), name: "guesses made" }}
        y=${{ low: 0, high, ticks: Array.from({ length: high + 1 }, (_, at) => at) }}
        label=${`Expected guesses still to come: ${points.map(([place, , text]) => `${text} after ${place}`).join(", ")}`} />
      <div class="legend"><span><i style=${{ "--key": "var(--accent)" }}></i>expected guesses still to come</span>
        <span><i class="dotted" style=${{ "--key": "var(--strong-line)" }}></i>perfect play, no luck</span></div>
      <p class="small soft">${found.formula}. ${found.notes.map((note) => `${note[0].toUpperCase()}${note.slice(1)}.`).join(" ")}</p>
    </section>`;
}

function Turns({ found, words, answer, game }) {
  return html`
    <ol class="turns" aria-label="Turn by turn">
      ${found.turns.map((turn, place) => html`
        <li key=${place} class="card stack">
          <header><h2>Turn ${place + 1}</h2>
            <span class="small soft">${plural(turn.remaining_before, "word")} → ${turn.remaining_after === 0 ? "found" : turn.remaining_after}</span></header>
          <div class="row between">
            <${Tiles} word=${turn.guess} feedback=${turn.feedback} />
            <dl class="figures small">
              <div><dt>Lost</dt><dd class=${turn.lost > 0.0004 ? "cost" : ""}>${number(turn.lost, 2)}</dd></div>
              <div><dt>Luck</dt><dd>${signed(turn.luck)}</dd></div>
            </dl>
          </div>
          <p>${turn.best === turn.guess ? html`<span class="chip good">as good as any</span>`
            : html`<span class="chip">best: <strong>${capitals(turn.best)}</strong></span>`}
            ${!turn.proven && html`${" "}<span class="chip">at most</span>`}</p>
          <p class="small">${turn.explanation[0].toUpperCase() + turn.explanation.slice(1)}.</p>
          <${WhatIf} game=${game} mode=${found.mode} words=${words} turn=${place + 1} answer=${answer}
            idea=${turn.best === turn.guess ? "" : turn.best} />
          <p><a class="small" href=${link("assist", { game, mode: found.mode, rows: packRows(found.turns.slice(0, place)) })}
            >Open this position in Assist</a></p>
        </li>`)}
    </ol>`;
}

function WhatIf({ game, mode, words, turn, answer, idea }) {
  const [text, setText] = useState("");
  const [state, setState] = useState({ found: null, error: null, busy: false });
  const id = useId();
  const ask = (event) => {
    event.preventDefault();
    const guess = text.trim().toLowerCase();
    if (!guess) return setState({ found: null, error: "Type a word to try.", busy: false });
    setState({ found: null, error: null, busy: true });
    return Promise.resolve().then(() => post("/what-if", { game, mode, words, turn, guess, answer: answer || null })).then(
      (found) => setState({ found, error: null, busy: false }),
      (error) => setState({ found: null, error, busy: false }),
    );
  };
  const { found, error, busy } = state;
  return html`
    <form class="wordfield whatif" onSubmit=${ask}>
      <label class="hidden" for=${id}>What if, in turn ${turn}, I had played</label>
      <input id=${id} class="input" value=${text} placeholder=${idea ? `What if … ${idea}?` : "What if …?"} autocomplete="off" maxlength="40"
        autocapitalize="none" spellcheck=${false} aria-invalid=${Boolean(error)}
        onInput=${(event) => { setText(event.target.value); setState({ found: null, error: null, busy: false }); }} />
      <button class="button" disabled=${busy}>${busy ? html`<span class="spin"></span>` : "Try"}</button>
      <div class="full"><${Wrong} error=${error} /></div>
      ${found && html`<div class="full stack answer" role="status">
        <${Tiles} kind="mini" word=${found.guess} feedback=${found.feedback} />
        <p class="small">${`${capitals(found.guess)} would have lost ${number(found.lost, 2)} and ${found.next
          ? `left ${plural(found.remaining_after, "word")}; then ${capitals(found.next)}, ${number(found.expected_after, 2)} more on average`
          : "found the answer"}.`}</p>
        ${found.next && html`<${WordList} words=${found.words.slice(0, 30)} count=${found.remaining_after} />`}
      </div>`}
    </form>`;
}

function Behind({ reading }) {
  return html`
    <section class="card stack" aria-label="Behind the grid">
      <header><h2>Likeliest words behind the grid</h2>
        <span class="small soft">${plural(reading.possible ?? reading.answers.length, "answer")} possible</span></header>
      <div class="table"><table>
        <thead><tr><th scope="col">Row</th><th scope="col" class="likely">Likeliest guesses</th></tr></thead>
        <tbody>${reading.rows.map((row, place) => html`<tr key=${place}><td>${place + 1}</td>
          <td class="likely">${row.slice(0, 5).map((one) => html`<span key=${one.word}>${one.word}
            <small class="soft"> ${percent(one.chance)}</small></span>`)}</td></tr>`)}</tbody>
      </table></div>
      <h3>Likeliest answers</h3>
      <p class="likely left">${reading.answers.map((one) => html`<span key=${one.word}><strong>${one.word}</strong>
        <small class="soft"> ${percent(one.chance)}</small></span>`)}</p>
    </section>`;
}

// Assist: the rows of a game played elsewhere, and what to guess next, ever better known.
import { html, useEffect, useId, useRef, useState } from "../lib.js";
import { stream } from "../api.js";
import { Icon } from "../icons.js";
import { GameBar, Segments, Tile, Tiles, useFacts, Waiting, WordList, Wrong } from "../parts.js";
import { go, link, packRows, unpackRows } from "../route.js";
import { capitals, letters, number, percent, plural, SAID, upper } from "../words.js";

const OBJECTIVES = [["mean", "Fewest guesses"], ["worst", "Safest"], ["win-then-mean", "Win in time"]];

export function Assist({ params }) {
  const { game = "nyt", mode = "normal", objective = "mean" } = params;
  const rows = unpackRows(params.rows);
  const { facts, error } = useFacts(game, mode);
  const state = { game, mode, objective, rows };
  const change = (wish, options) => {
    const next = { ...state, ...wish };
    go("assist", {
      game: next.game, mode: next.mode, rows: packRows(next.rows),
      objective: next.objective === "mean" ? "" : next.objective,
    }, options);
  };
  const last = rows.at(-1);
  const solved = Boolean(last && facts && isWin(last.feedback, facts));
  const { advice, problem, busy, goOn } = useAdvice(state, Boolean(facts) && !solved);
  const add = (guess) => change({ rows: [...rows, { guess, feedback: blank(guess, facts) }] });
  const choose = (wish) => change({ ...wish, rows: wish.game === game ? rows : [] });
  return html`
    <div class="stack">
    <${GameBar} game=${game} mode=${mode} facts=${facts} error=${error} onChange=${choose}>
      <${Segments} legend="Aim" value=${objective} options=${OBJECTIVES}
        onChange=${(wish) => change({ objective: wish })} />
    <//>
    <div class="two assist">
      <div class="stack">
        <section class="card stack" aria-label="Your guesses">
          <header><h2>What has been played</h2>
            ${rows.length > 0 && html`<button type="button" class="button plain small"
              onClick=${() => change({ rows: [] })}>Clear</button>`}</header>
          ${facts && html`<${Rows} facts=${facts} rows=${rows} problem=${problem} change=${change} />`}
        </section>
        ${advice && !solved && html`<${Remaining} advice=${advice} onPick=${add} />`}
      </div>
      <div class="stack">
        ${solved ? html`<${Solved} rows=${rows} game=${game} mode=${mode} />`
          : html`<${Best} advice=${advice} problem=${problem} busy=${busy} goOn=${goOn} onPick=${add} />`}
        ${advice && !solved && html`<${Others} advice=${advice} onPick=${add} />`}
      </div>
    </div>
    </div>`;
}

const isWin = (feedback, facts) =>
  (facts.tiles ? /^G+$/.test(feedback) : feedback === `${facts.length},0`);

const blank = (guess, facts) => (facts.tiles ? "B".repeat(letters(guess).length) : "0,0");

/** Advice for the rows, streamed; what was known stays until something better is. */
function useAdvice({ game, mode, objective, rows }, ready) {
  const [found, setFound] = useState({ advice: null, problem: null, busy: true });
  const [longer, setLonger] = useState({ key: "", times: 0 });
  const key = JSON.stringify([game, mode, objective, rows]);
  const times = longer.key === key ? longer.times : 0;
  useEffect(() => {
    if (!ready) return undefined;
    const control = new AbortController();
    setFound((before) => ({ ...before, problem: null, busy: true }));
    stream("/suggest/stream", { game, mode, objective, rows, seconds: times ? 10 : 5 },
      (advice) => setFound({ advice, problem: null, busy: true }), control.signal).then(
      () => setFound((before) => ({ ...before, busy: false })),
      (problem) => problem.name === "AbortError" || setFound({ advice: null, problem, busy: false }),
    );
    return () => control.abort();
  }, [key, ready, times]);
  return { ...found, goOn: () => setLonger({ key, times: times + 1 }) };
}

function Rows({ facts, rows, problem, change }) {
  const [editing, setEditing] = useState(null);
  const put = (place, row) => change({ rows: rows.map((old, at) => (at === place ? row : old)) });
  const drop = (place) => change({ rows: rows.filter((_, at) => at !== place) });
  return html`
    <ol class="rows">
      ${rows.map((row, place) => html`
        <li key=${place} class=${problem?.row === place + 1 ? "wrong" : ""}>
          ${editing === place
            ? html`<${WordField} label=${`Row ${place + 1}`} start=${row.guess} facts=${facts} autofocus
                onDone=${(guess, feedback) => {
                  put(place, { guess, feedback: feedback || fitted(row.feedback, guess, facts) });
                  setEditing(null);
                }} onCancel=${() => setEditing(null)} />`
            : html`
              <${facts.tiles ? ColourRow : PegRow} row=${row} place=${place} facts=${facts}
                onChange=${(feedback) => put(place, { ...row, feedback })} />
              <span class="tools">
                <button type="button" class="button icon plain" onClick=${() => setEditing(place)}
                  aria-label=${`Edit ${row.guess}`}><${Icon} name="edit" /></button>
                <button type="button" class="button icon plain" onClick=${() => drop(place)}
                  aria-label=${`Remove ${row.guess}`}><${Icon} name="remove" /></button>
              </span>`}
          ${problem?.row === place + 1 && html`<div class="full"><${Wrong} error=${problem} /></div>`}
        </li>`)}
    </ol>
    ${problem && !(problem.row >= 1 && problem.row <= rows.length) && html`<${Wrong} error=${problem} />`}
    <${WordField} key=${rows.length} label="Next guess" facts=${facts}
      onDone=${(guess, feedback) => change({
        rows: [...rows, { guess, feedback: feedback || blank(guess, facts) }],
      })} />
    <p class="small soft">${facts.tiles
      ? "Click a tile to change its colour, or press G, Y or B on it. “crane bybbg” adds both at once."
      : "Set the pegs behind each code: right place, right sign elsewhere."}</p>`;
}

/** Feedback cut or filled to a word of another length. */
const fitted = (feedback, guess, facts) =>
  facts.tiles ? (feedback + blank(guess, facts)).slice(0, letters(guess).length) : feedback;

/** A field for a word, or a word and its colours. */
function WordField({ label, facts, start = "", autofocus, onDone, onCancel }) {
  const [text, setText] = useState(start);
  const [error, setError] = useState("");
  const id = useId();
  const field = useRef();
  useEffect(() => { if (autofocus) { field.current.focus(); field.current.select(); } }, []);
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
      <div class="full"><${Wrong} id=${`${id}e`} error=${error} /></div>
    </form>`;
}

const NEXT = { B: "Y", Y: "G", G: "B" };

/** A word whose tiles are buttons: a click, or the letter of the colour, sets each. */
function ColourRow({ row, place, onChange }) {
  const group = useRef();
  const set = (at, state) => {
    const colours = [...row.feedback];
    colours[at] = state;
    onChange(colours.join(""));
  };
  const press = (event, at) => {
    const state = { g: "G", y: "Y", b: "B", 2: "G", 1: "Y", 0: "B" }[event.key.toLowerCase()];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (state) set(at, state);
    const tiles = group.current.querySelectorAll("button");
    const target = tiles[at + (step ?? (state ? 1 : 0))];
    if (step || state) {
      event.preventDefault();
      target?.focus();
    }
  };
  return html`
    <span class="tiles" role="group" aria-label=${`Row ${place + 1}, ${capitals(row.guess)}`} ref=${group}>
      ${letters(row.guess).map((letter, at) => html`
        <span key=${at} onKeyDown=${(event) => press(event, at)}>
          <${Tile} letter=${letter} state=${row.feedback[at] ?? "B"} place=${at}
            label=${`${upper(letter)}, ${SAID[row.feedback[at] ?? "B"]}. Change`}
            onClick=${() => set(at, NEXT[row.feedback[at] ?? "B"])} />
        </span>`)}
    </span>`;
}

function PegRow({ row, place, facts, onChange }) {
  const pegs = row.feedback.split(",").map(Number);
  const names = ["in the right place", "elsewhere"];
  const set = (at, value) => onChange(pegs.map((old, which) => (which === at ? value : old)).join(","));
  return html`
    <span class="row pegrow" role="group" aria-label=${`Row ${place + 1}, ${row.guess}`}>
      <${Tiles} word=${row.guess} />
      ${names.map((name, at) => html`
        <label key=${name} class="pegs"><i class=${at ? "" : "full"}></i>
          <span class="hidden">${name}</span>
          <select class="input" value=${pegs[at]} onChange=${(event) => set(at, Number(event.target.value))}>
            ${Array.from({ length: facts.length + 1 }, (_, count) => html`
              <option value=${count} selected=${count === pegs[at]}>${count}</option>`)}
          </select></label>`)}
    </span>`;
}

function Solved({ rows, game, mode }) {
  return html`
    <section class="card stack" aria-label="Best guess">
      <h2>Found in ${rows.length}</h2>
      <p class="lead">${capitals(rows.at(-1).guess)} is the answer.</p>
      <div><a class="button main" href=${link("analyse", { game, mode, words: rows.map(({ guess }) => guess).join(" ") })}>
        <${Icon} name="analyse" />Analyse this game</a></div>
    </section>`;
}

/** The best guess, large, and why. */
function Best({ advice, problem, busy, goOn, onPick }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(!advice), 3000);
    return () => clearTimeout(timer);
  }, [Boolean(advice)]);
  if (problem) {
    return html`<section class="card stack" aria-label="Best guess"><h2>Next guess</h2>
      <p class="soft">There is no advice until the row is right.</p></section>`;
  }
  if (!advice) {
    return html`<section class="card stack" aria-label="Best guess"><h2>Next guess</h2>
      <${Waiting}>${slow ? "Thinking; the first time the solver is compiled, which takes up to a minute" : "Thinking"}<//></section>`;
  }
  const solved = advice.remaining === 1;
  return html`
    <section class="card stack best" aria-label="Best guess" aria-busy=${busy}>
      <header><h2>${solved ? "It must be" : "Next guess"}</h2><${Proof} advice=${advice} busy=${busy} /></header>
      <div class="row between">
        <${Tiles} word=${advice.guess} />
        <button type="button" class="button main" onClick=${() => onPick(advice.guess)}>Play it</button>
      </div>
      ${!solved && html`<${Bounds} advice=${advice} />`}
      <p class="lead" aria-live="polite">${sentence(advice.explanation)}</p>
      ${!busy && !advice.proven && html`<div><button type="button" class="button small" onClick=${goOn}
        >Think longer</button></div>`}
      ${advice.notes.map((note) => html`<p key=${note} class="small soft">${sentence(note)}</p>`)}
      ${advice.traps.map((trap) => html`<${Trap} key=${trap.shape} trap=${trap} />`)}
    </section>`;
}

const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".") : "");

function Proof({ advice, busy }) {
  if (advice.proven) return html`<span class="chip good">proven best</span>`;
  return html`<span class="chip">${busy ? html`<span class="spin"></span>tightening` : "not proven yet"}</span>`;
}

/** Expected guesses between their bounds. */
function Bounds({ advice }) {
  const { expected, lower, upper: most, proven, losses } = advice;
  const width = Math.max(most - 1, 0.01);
  return html`
    <dl class="figures">
      <div><dt>${proven ? "Expected guesses" : "Expected, at most"}</dt><dd>${number(expected, 3)}</dd></div>
      ${!proven && html`<div><dt>At least</dt><dd>${number(lower, 3)}</dd></div>`}
      ${losses > 0 && html`<div><dt>Lost</dt><dd>${number(100 * losses, 1)}<small> %</small></dd></div>`}
    </dl>
    ${!proven && html`<div class="gap" aria-hidden="true"><i style=${{
      left: `${(100 * (lower - 1)) / width}%`, right: "0%",
    }}></i></div>`}`;
}

function Trap({ trap }) {
  return html`
    <p class="note"><strong>Trap ${trap.shape.toUpperCase()}:</strong>${" "}
      ${plural(trap.words.length, "word")}${trap.guesses_left == null ? "" : `, ${plural(trap.guesses_left, "guess", "guesses")} left`}.${" "}
      ${trap.splitters.length > 0 && `${trap.splitters.slice(0, 3).map(capitals).join(", ")} ${trap.splitters.length === 1 ? "splits" : "split"} it into ${trap.groups}.`}</p>`;
}

function Others({ advice, onPick }) {
  const columns = [["Guess"], ["Expected", "mean guesses still to come, this one included"], ["Win now", "chance that it is the answer"],
    ["Groups", "how many different answers the game can give to it"], ["Largest", "words in the largest group"], ["Worst", "most guesses that it takes"]];
  return html`
    <section class="card" aria-label="Other guesses">
      <header><h2>Compared</h2><span class="small soft">${advice.weights === "equal"
        ? "answers equally likely" : `weighted: ${advice.weights}`}</span></header>
      <div class="table"><table>
        <thead><tr>${columns.map(([name, why]) => html`<th key=${name} scope="col" title=${why}>${name}</th>`)}</tr></thead>
        <tbody>${advice.suggestions.map((one) => html`
          <tr key=${one.guess}>
            <td><button type="button" class="wordlink" onClick=${() => onPick(one.guess)}
              aria-label=${`Play ${one.guess}`}>${one.guess}</button>
              ${one.candidate && html`<span class="dot" role="img" aria-label="can be the answer"></span>`}</td>
            <td>${one.proven ? number(one.expected, 3)
              : html`<span class="soft">${number(one.lower, 2)}–</span>${number(one.upper, 2)}`}</td>
            <td>${one.win ? percent(one.win) : "–"}</td>
            <td>${one.groups}</td><td>${one.largest}</td><td>${one.worst ?? "–"}</td>
          </tr>`)}</tbody>
      </table></div>
    </section>`;
}

function Remaining({ advice, onPick }) {
  const what = advice.outside ? "No listed answer fits; these words do" : "Still possible";
  return html`
    <section class="card" aria-label="Words that remain">
      <header><h2>${what}</h2><span class="small soft">${plural(advice.remaining, "word")}, likely ones first</span></header>
      <${WordList} words=${advice.words} count=${advice.remaining} onPick=${onPick} verb="Play" />
    </section>`;
}

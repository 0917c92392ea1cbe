// Assist: the rows of a game played elsewhere, and what to guess next, ever better known.
import { html, useState } from "../lib.js";
import { readRows, suggest } from "../api.js";
import { Best, Others, Remaining, Waits } from "../advice.js";
import { specOf, useFacts } from "../games.js";
import { Icon } from "../icons.js";
import { Likelihood, Changed } from "../likelihood.js";
import { GameBar, Segments, timed, useLive } from "../parts.js";
import { Rows } from "../rows.js";
import { go, isComplete, link, packRows, unpackRows } from "../route.js";
import { capitals, letters, plural, UNKNOWN } from "../words.js";
import { BoardCount, boardsOf, BoardsAssist } from "./boards.js";

const OBJECTIVES = [["mean", "Fewest guesses"], ["worst", "Safest"], ["win-then-mean", "Win in time"]];

/** One board, or several. */
export const Assist = ({ params }) => (boardsOf(params) > 1 ? html`<${BoardsAssist} params=${params} />` : html`<${OneBoard} params=${params} />`);

function OneBoard({ params }) {
  const { game = "nyt", mode = "normal", w = "" } = params;
  const objective = OBJECTIVES.some(([name]) => name === params.objective) ? params.objective : "mean";
  const rows = unpackRows(params.rows);
  const spec = specOf({ game, mode, w });
  const { facts, error } = useFacts(spec);
  const change = (wish, options) => {
    const next = { game, mode, w, objective, rows, ...wish };
    go("assist", {
      game: next.game, mode: next.mode, w: next.w, rows: packRows(next.rows),
      objective: next.objective === "mean" ? "" : next.objective,
    }, options);
  };
  const coloured = rows.every(isComplete);
  const key = JSON.stringify([spec, rows]);
  // the rows are read first: a wrong one is said at once, and a game that is over needs no search
  const read = useLive(() => readRows(spec, rows), [key], Boolean(facts) && coloured);
  const told = read.busy || !coloured ? null : read.value;
  const open = Boolean(told) && !told.won && !told.over;
  const [longer, setLonger] = useState({ key: "", times: 0 });
  const times = longer.key === key ? longer.times : 0;
  const advice = useLive(
    (update, signal) => timed(5 * 2 ** times, (seconds) => suggest(spec, { rows, objective, seconds }, update, signal)), [key, objective, times], open,
  );
  const problem = read.error ?? (open ? advice.error : null);
  const add = (guess) => change({ rows: [...rows, { guess, feedback: carried(guess, rows, facts) }] });
  const choose = (wish) => change({ ...wish, rows: wish.game === game ? rows : [] });
  const shown = coloured && open ? advice.value : null;
  return html`
    <div class="stack">
    <${GameBar} game=${game} mode=${mode} facts=${facts} error=${error} onChange=${choose}>
      <${Segments} legend="Aim" value=${objective} options=${OBJECTIVES}
        onChange=${(wish) => change({ objective: wish })} />
      <${BoardCount} boards=${1} onChange=${(boards) => go("assist", { game, boards })} />
      <${Likelihood} w=${w} facts=${facts} onChange=${(wish) => change({ w: wish })} />
    <//>
    <div class="two assist">
      <div class="stack">
        <section class="card stack" aria-label="Your guesses">
          <header><h2>What has been played</h2>
            ${rows.length > 0 && html`<button type="button" class="button plain small"
              onClick=${() => change({ rows: [] })}>Clear</button>`}</header>
          ${facts && html`<${Rows} facts=${facts} rows=${rows} problem=${problem} change=${change} over=${Boolean(told?.won || told?.over)}
            carried=${(guess) => carried(guess, rows, facts)} />`}
        </section>
        ${shown && html`<${Remaining} advice=${shown} facts=${facts} onPick=${add} />`}
      </div>
      <div class="stack">
        ${told?.won ? html`<${Solved} rows=${rows} game=${game} mode=${mode} />`
          : told?.over ? html`<${UsedUp} rows=${rows} game=${game} mode=${mode} told=${told} facts=${facts} />`
          : !coloured ? html`<${Waits} facts=${facts} />`
          : html`<${Best} advice=${shown} problem=${problem} busy=${advice.busy} onPick=${add}
              goOn=${() => setLonger({ key, times: times + 1 })} />`}
        ${shown && w && html`<${Changed} spec=${spec} rows=${rows} objective=${objective} advice=${shown} busy=${advice.busy} />`}
        ${shown && html`<${Others} advice=${shown} onPick=${add} />`}
      </div>
    </div>
    </div>`;
}

/** The colours of a new row as far as earlier rows tell them: a green letter in the same place is green
 * again, and a letter that is not in the word is grey again. */
export function carried(guess, rows, facts) {
  if (!facts.tiles) return UNKNOWN;
  const signs = letters(guess.toLowerCase());
  const green = new Set();
  const inside = new Set();
  const grey = new Set();
  for (const row of rows.filter(isComplete)) {
    letters(row.guess.toLowerCase()).forEach((letter, place) => {
      if (row.feedback[place] === "G") green.add(`${place}${letter}`);
      if (row.feedback[place] === "B") grey.add(letter);
      else inside.add(letter);
    });
  }
  return signs.map((letter, place) =>
    (green.has(`${place}${letter}`) ? "G" : grey.has(letter) && !inside.has(letter) ? "B" : UNKNOWN)).join("");
}

function Solved({ rows, game, mode }) {
  return html`
    <section class="card stack" aria-label="Best guess">
      <h2>Found in ${rows.length}</h2>
      <p class="lead">${capitals(rows.at(-1).guess)} is the answer.</p>
      <div><a class="button main" href=${link("analyse", { game, mode, rows: packRows(rows) })}>
        <${Icon} name="analyse" />Analyse this game</a></div>
    </section>`;
}

/** All tries are used: what the answer may have been, and the way to the analysis. */
function UsedUp({ rows, game, mode, told, facts }) {
  const to = (answer) => link("analyse", { game, mode, rows: packRows(rows), answer });
  return html`
    <section class="card stack" aria-label="Best guess">
      <h2>All ${facts.cap} tries are used</h2>
      <p class="lead">${told.remaining === 1 ? `The answer must have been ${capitals(told.words[0])}.`
        : `${plural(told.remaining, "word")} still fit. Which one was it?`}</p>
      ${told.remaining > 1 && html`<ul class="words" aria-label="Words that fit">${told.words.slice(0, 40).map((word) => html`
        <li key=${word}><a href=${to(word)}>${word}</a></li>`)}</ul>`}
      <div><a class="button main" href=${to(told.remaining === 1 ? told.words[0] : "")}>
        <${Icon} name="analyse" />Analyse this game</a></div>
    </section>`;
}

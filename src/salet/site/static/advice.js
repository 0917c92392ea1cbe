// What the coach says of a position: the best guess and why, others beside it, the words that remain.
import { html } from "./lib.js";
import { Tiles, Waiting, WordList } from "./parts.js";
import { capitals, number, percent, plural, sentence } from "./words.js";

export const Waits = ({ facts }) => html`
  <section class="card stack" aria-label="Best guess"><h2>Next guess</h2>
    <p class="soft">${!facts || facts.tiles ? "Give every tile of the new row its colour, as your game shows it."
      : "Set both numbers of the new row, as your game shows them."}</p></section>`;

/** The best guess, large, and why. */
export function Best({ advice, problem, busy, goOn, onPick }) {
  if (problem) {
    return html`<section class="card stack" aria-label="Best guess"><h2>Next guess</h2>
      <p class="soft">${problem.kind === "Unsupported" ? "Without the engine there is no advice." : "There is no advice until the row is right."}</p></section>`;
  }
  if (!advice) {
    return html`<section class="card stack" aria-label="Best guess"><h2>Next guess</h2><${Waiting}>Thinking<//></section>`;
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
      ${!busy && !advice.proven && (advice.spent
        ? html`<div><button type="button" class="button small" onClick=${goOn}>Think longer</button></div>`
        : html`<p class="small soft">Too many words are left to prove the best guess; after the next guess there are fewer.</p>`)}
      ${advice.notes.filter((note) => !note.startsWith("trap ")).map((note) => html`<p key=${note} class="small soft">${sentence(note)}</p>`)}
      ${trapsNow(advice).map((trap) => html`<${Trap} key=${trap.shape} trap=${trap} />`)}
    </section>`;
}

/** The traps that matter now, two at most: there is something known, they hold a good part of what remains, and
 * more words than guesses. */
export function trapsNow({ traps, turn, remaining }) {
  if (turn === 0) return [];
  const seen = new Set();
  return traps.filter(({ shape, words, guesses_left: left }) => {
    const matters = words.length * 4 >= remaining && (left == null || words.length > left);
    if (!matters || seen.has(shape)) return false;
    seen.add(shape);
    return true;
  }).slice(0, 2);
}

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
      ${losses > 0 && html`<div><dt>Chance of losing</dt><dd class="bad">${percent(losses)}</dd></div>`}
    </dl>
    ${!proven && html`<div class="gap" aria-hidden="true"><i style=${{
      left: `${(100 * (lower - 1)) / width}%`, right: "0%",
    }}></i></div>`}`;
}

function Trap({ trap }) {
  return html`
    <p class="note"><strong>Trap ${capitals(trap.shape)}:</strong>${" "}
      ${plural(trap.words.length, "word")}${trap.guesses_left == null ? "" : `, ${plural(trap.guesses_left, "guess", "guesses")} left`}.${" "}
      ${trap.groups > 2 && trap.splitters.length > 0 && `${trap.splitters.slice(0, 3).map(capitals).join(", ")} ${trap.splitters.length === 1 ? "splits" : "split"} it into ${trap.groups}.`}</p>`;
}

const EXPECTED = [["Guess"], ["Expected", "guesses still to come on average, this one included"]];
const LOST = ["Lost", "chance that the tries do not suffice"];
const COLUMNS = [["Win now", "chance that it is the answer"],
  ["Groups", "how many different answers the game can give to it"], ["Largest", "words in the largest group"], ["Worst", "most guesses that it takes"]];

export function Others({ advice, onPick }) {
  const risky = advice.suggestions.some(({ losses }) => losses > 0);
  const columns = [...EXPECTED, ...(risky ? [LOST] : []), ...COLUMNS];
  return html`
    <section class="card" aria-label="Other guesses">
      <header><h2>Compared</h2><span class="small soft">${advice.weights === "equal"
        ? "answers equally likely" : "familiar words count more"}</span></header>
      <div class="table" tabindex="0" role="region" aria-label="Guesses compared"><table>
        <thead><tr>${columns.map(([name, why]) => html`<th key=${name} scope="col" title=${why}>${name}</th>`)}</tr></thead>
        <tbody>${advice.suggestions.map((one) => html`
          <tr key=${one.guess}>
            <td><button type="button" class="wordlink" onClick=${() => onPick(one.guess)}
              aria-label=${`Play ${one.guess}`}>${one.guess}</button>
              ${one.candidate && html`<span class="dot" role="img" aria-label="can be the answer"></span>`}</td>
            <td>${one.proven ? number(one.expected, 3)
              : html`<span class="soft">${number(one.lower, 2)}–</span>${number(one.upper, 2)}`}</td>
            ${risky && html`<td class=${one.losses > 0 ? "bad" : ""}>${one.losses > 0 ? percent(one.losses) : "–"}</td>`}
            <td>${one.win ? percent(one.win) : "–"}</td>
            <td>${one.groups}</td><td>${one.largest}</td><td>${one.worst ?? "–"}</td>
          </tr>`)}</tbody>
      </table></div>
    </section>`;
}

export function Remaining({ advice, facts, onPick }) {
  const what = advice.outside ? "No listed answer fits; these words do" : "Still possible";
  return html`
    <section class="card" aria-label="Words that remain">
      <header><h2>${what}</h2><span class="small soft">${plural(advice.remaining, "word")}${facts?.frequencies ? ", likely ones first" : ""}</span></header>
      <${WordList} words=${advice.words} count=${advice.remaining} onPick=${onPick} verb="Play" />
    </section>`;
}

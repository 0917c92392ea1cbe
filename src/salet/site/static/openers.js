// First guesses: what each is worth, yours among them, and two side by side.
import { html, useId, useState } from "./lib.js";
import { openers, openerSplit, rate, remaining } from "./api.js";
import { specOf } from "./games.js";
import { summary, useGamesPlayed } from "./history.js";
import { Rated } from "./help.js";
import { useAnswer, useLive, Waiting, Wrong } from "./parts.js";
import { go, link } from "./route.js";
import { capitals, letters, number, plural, UNKNOWN } from "./words.js";

const FIRST = 12;

/** The stored openers of a game, familiar ones only if wished; and any opener of one's own. */
export function Openers({ state }) {
  const { game, mode, mine = "" } = state;
  const spec = specOf({ game, mode });
  const [familiar, setFamiliar] = useState(true);
  const [all, setAll] = useState(false);
  const { value, error, loading } = useAnswer(
    () => Promise.all([openers(spec), remaining(spec, [])]), [game, mode],
  );
  if (error) return html`<section class="card"><${Wrong} error=${error} /></section>`;
  if (!value) return loading ? html`<section class="card"><${Waiting} /></section>` : null;
  const [book, { words, remaining: count }] = value;
  const answers = new Set(words);
  const rows = (book?.openers ?? []).map((one, place) => ({ ...one, place: place + 1 })).filter(({ guess }) => !familiar || answers.has(guess));
  const shown = all ? rows : rows.slice(0, FIRST);
  const best = book?.openers[0];
  return html`
    <section class="card stack" aria-label="Openers">
      <header><h2>Openers</h2>
        <label class="check small"><input type="checkbox" checked=${familiar} onChange=${(event) => setFamiliar(event.target.checked)} />
          familiar words only</label></header>
      <${Mine} state=${state} spec=${spec} />
      ${rows.length > 0 && html`
        <div class="table" tabindex="0" role="region" aria-label="Openers by worth"><table>
          <thead><tr><th scope="col">Opener</th><th scope="col">Rank</th><th scope="col">Mean</th><th scope="col">Behind</th><th scope="col">Groups</th></tr></thead>
          <tbody>${shown.map((one) => html`<tr key=${one.guess} class=${one.guess === mine ? "mine" : ""}>
            <th scope="row">${capitals(one.guess)}</th><td>${one.place}</td><td>${number(one.guesses / count, 4)}</td>
            <td>${one === best || one.guesses === best.guesses ? "–" : `+${number((one.guesses - best.guesses) / count, 3)}`}</td><td>${one.groups}</td></tr>`)}</tbody>
        </table></div>
        ${rows.length > FIRST && !all && html`<p><button type="button" class="button small" onClick=${() => setAll(true)}>Show all ${rows.length}</button></p>`}
        <p class="small soft">${`Exact: mean guesses over all ${plural(count, "answer")}${book.openers.length < 200 ? `; the ${book.openers.length} best openers of this game` : ""}.`}</p>`}
      ${!rows.length && html`<p class="small soft">${book ? "None of the best openers is a familiar word." : "No openers are stored for this game; rate your own above."}</p>
        ${book && html`<p><button type="button" class="button small" onClick=${() => setFamiliar(false)}>Show them all the same</button></p>`}`}
    </section>`;
}

/** What an opener of one's own is worth; those of the history are one tap away. */
function Mine({ state, spec }) {
  const { mine = "" } = state;
  const [text, setText] = useState(mine);
  const id = useId();
  const used = summary(useGamesPlayed()).openers.slice(0, 4).map(({ word }) => word);
  const ask = (word) => { setText(word); go("explore", { ...state, mine: word.trim().toLowerCase().slice(0, 60) }, { replace: true }); };
  const { value, error, busy } = useLive(
    (update, signal) => rate(spec, { rows: [], guess: mine, seconds: 10 }, update, signal), [JSON.stringify(spec), mine], Boolean(mine),
  );
  return html`
    <form class="wordfield" onSubmit=${(event) => { event.preventDefault(); ask(text); }}>
      <label class="hidden" for=${id}>Your opener</label>
      <input id=${id} class="input" value=${text} placeholder="Your opener" autocomplete="off" autocapitalize="none"
        spellcheck=${false} aria-invalid=${Boolean(error)} onInput=${(event) => setText(event.target.value)} />
      <button class="button">How good is it?</button>
      <div class="full"><${Wrong} error=${error} /></div>
    </form>
    ${used.length > 0 && html`<p class="row small"><span class="soft">You open with</span>${used.map((word) => html`
      <button key=${word} type="button" class="button small plain" onClick=${() => ask(word)}>${capitals(word)}</button>`)}</p>`}
    <div role="status">${busy && !value && html`<${Waiting} />`}
      ${value && html`<p><strong class="here">${number(value.expected, 4)}</strong> ${value.proven ? "guesses on average, exactly" : `guesses on average at most, ${number(value.lower, 3)} at least`}</p>
        <${Rated} found=${value} busy=${busy} />
        <p><a class="small" href=${link("assist", { game: spec.game, mode: spec.mode, rows: `${value.guess}-${UNKNOWN.repeat(letters(value.guess).length)}` })}
          >What to play after it</a></p>`}</div>`;
}

export function Compare({ state }) {
  const { game, mode, a = "", b = "" } = state;
  const spec = specOf({ game, mode });
  const [words, setWords] = useState([a, b]);
  const ids = [useId(), useId()];
  const asked = [a, b].filter(Boolean);
  const splits = useAnswer(() => Promise.all(asked.map((word) => openerSplit(spec, word))), [game, mode, a, b]);
  const compare = (event) => {
    event.preventDefault();
    const [first, second] = words.map((word) => word.trim().toLowerCase().slice(0, 60));
    go("explore", { ...state, a: first, b: second });
  };
  return html`
    <section class="card stack" aria-label="Compare openers">
      <h2>Two openers compared</h2>
      <form class="wordfield" onSubmit=${compare}>
        ${["First", "Second"].map((name, place) => html`
          <label key=${`l${name}`} class="hidden" for=${ids[place]}>${name} opener</label>
          <input key=${name} id=${ids[place]} class="input half" value=${words[place]} placeholder=${name}
            autocomplete="off" autocapitalize="none" spellcheck=${false} aria-invalid=${Boolean(splits.error)}
            onInput=${(event) => setWords(words.map((old, at) => (at === place ? event.target.value : old)))} />`)}
        <button class="button">Compare</button>
        <div class="full"><${Wrong} error=${splits.error} /></div>
      </form>
      ${splits.value?.length > 0 && html`<${Compared} splits=${splits.value} spec=${spec} />`}
    </section>`;
}

function Worth({ spec, word }) {
  const { value, busy } = useLive(
    (update, signal) => rate(spec, { rows: [], guess: word, seconds: 10 }, update, signal), [JSON.stringify(spec), word],
  );
  if (!value) return busy ? html`<span class="spin"></span>` : "–";
  return value.proven ? number(value.expected, 4) : `${number(value.lower, 3)}–${number(value.upper, 3)}`;
}

function Compared({ splits, spec }) {
  const rows = [
    ["Expected guesses", ({ guess }) => html`<${Worth} spec=${spec} word=${guess} />`],
    ["Groups", ({ groups }) => groups],
    ["Largest group", ({ largest }) => largest],
    ["Mean group", ({ expected }) => number(expected, 1)],
    ["Information, bits", ({ bits }) => number(bits, 3)],
    ["Can be the answer", ({ is_answer }) => (is_answer ? "yes" : "no")],
  ];
  const most = Math.max(...splits.map(({ sizes }) => sizes[0]));
  return html`
    <div class="table" tabindex="0" role="region" aria-label="Openers compared"><table>
      <thead><tr><th scope="col"><span class="hidden">Measure</span></th>
        ${splits.map(({ guess }) => html`<th key=${guess} scope="col" class="big">${capitals(guess)}</th>`)}</tr></thead>
      <tbody>${rows.map(([name, read]) => html`<tr key=${name}><th scope="row">${name}</th>
        ${splits.map((split) => html`<td key=${split.guess}>${read(split)}</td>`)}</tr>`)}</tbody>
    </table></div>
    <div class="sizes">${splits.map(({ guess, sizes }) => html`
      <figure key=${guess}><div class="skyline" role="img" aria-label=${`Sizes of the ${sizes.length} groups of ${guess}, largest ${sizes[0]}`}>
        ${sizes.slice(0, 60).map((size) => html`<i style=${{ height: `${Math.max(2, (100 * size) / most)}%` }}></i>`)}
      </div><figcaption class="small soft">Groups of ${capitals(guess)} by size</figcaption></figure>`)}</div>`;
}

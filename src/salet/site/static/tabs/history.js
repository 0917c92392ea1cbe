// History: the player's own games, from Play, from Analyse and from old share texts.
import { html, useId, useState } from "../lib.js";
import { Chart } from "../chart.js";
import { readText } from "../games.js";
import { add, asFile, readGames, remove, summary, useGamesPlayed } from "../history.js";
import { Icon } from "../icons.js";
import { Dialog, Histogram, Segments, Shapes, Wrong } from "../parts.js";
import { go, link } from "../route.js";
import { forget, isRefused, read } from "../store.js";
import { capitals, longDate, number, plural, signed, today } from "../words.js";

export function History({ params }) {
  const all = useGamesPlayed();
  const kinds = [...new Set(all.map(({ game, mode }) => `${game} ${mode}`))].sort();
  const of = kinds.includes(params.of) ? params.of : "";
  const games = of ? all.filter(({ game, mode }) => `${game} ${mode}` === of) : all;
  return html`
    <div class="stack">
      ${kinds.length > 1 && html`<${Segments} legend="Games" value=${of} onChange=${(wish) => go("history", { of: wish }, { replace: true })}
        options=${[["", "All"], ...kinds.map((kind) => [kind, kind])]} />`}
      <div class="two history">
        <div class="stack">
          ${games.length ? html`<${Overview} games=${games} /><${Trend} games=${games} /><${List} games=${games} />`
            : html`<section class="card stack"><h2>No games yet</h2><p class="lead">Games that you finish in <a href="#/play">Play</a> come here by themselves,
              those of <a href="#/analyse">Analyse</a> when you keep them. Old results can be pasted beside: one after the other, as you shared them.</p></section>`}
        </div>
        <div class="stack">
          ${games.length > 0 && html`<${OpenersUsed} games=${games} />`}
          <${Import} />
          <${Export} games=${all} />
        </div>
      </div>
    </div>`;
}

function Overview({ games }) {
  const found = summary(games);
  const figures = [
    ["Played", found.played],
    ["Won", `${Math.round((100 * found.won) / found.played)} %`],
    ["Streak", found.streak],
    ["Best streak", found.best],
    ["Mean", found.mean === null ? "–" : number(found.mean, 2)],
    ...(found.scored ? [["Skill", number(found.score, 0)], ["Luck", signed(found.luck)]] : []),
  ];
  const sizes = Object.keys(found.counts).map(Number);
  const counts = Object.fromEntries(Array.from({ length: Math.max(6, ...sizes) }, (_, at) => [at + 1, found.counts[at + 1] ?? 0]));
  return html`
    <section class="card stack" aria-label="Overview">
      <h2>Your games</h2>
      <dl class="figures">${figures.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      <${Histogram} counts=${counts} lost=${found.played - found.won} label="Wins by tries" />
    </section>`;
}

const WINDOW = 10;

/** Means over the last ten games. */
const rolling = (values) => values.map((_, at) => {
  const part = values.slice(Math.max(0, at - WINDOW + 1), at + 1);
  return [at + 1, part.reduce((a, b) => a + b, 0) / part.length];
});

function Trend({ games }) {
  const scored = games.filter(({ score }) => score != null);
  if (scored.length < 3) return null;
  const skill = rolling(scored.map(({ score }) => score));
  const luck = rolling(scored.map(({ luck }) => luck));
  const x = { low: 1, high: scored.length, name: "analysed games", ticks: [1, scored.length] };
  const most = Math.max(0.5, ...luck.map(([, value]) => Math.abs(value)));
  return html`
    <section class="card stack" aria-label="Trends">
      <h2>Skill and luck over time</h2>
      <${Chart} height=${180} x=${x} y=${{ low: 0, high: 100, ticks: [0, 50, 100] }}
        series=${[{ name: "skill", colour: "var(--accent)", points: skill }]} label=${`Skill, mean of the last ${WINDOW} games: now ${number(skill.at(-1)[1], 0)}`} />
      <${Chart} height=${150} x=${x} y=${{ low: -most, high: most, ticks: [-most, 0, most], show: (value) => signed(value, 1) }}
        series=${[{ name: "luck", colour: "var(--warm)", points: luck }]} label=${`Luck, mean of the last ${WINDOW} games: now ${signed(luck.at(-1)[1])} guesses`} />
      <div class="legend"><span><i style=${{ "--key": "var(--accent)" }}></i>skill, of 99</span>
        <span><i style=${{ "--key": "var(--warm)" }}></i>luck, in guesses</span><span>means of ${WINDOW} games</span></div>
    </section>`;
}

const PAGE = 20;

function List({ games }) {
  const [shown, setShown] = useState(PAGE);
  const newest = [...games].reverse();
  return html`
    <section class="card stack" aria-label="Games by date">
      <h2>By date</h2>
      <ol class="played">${newest.slice(0, shown).map((one, place) => html`
        <li key=${`${one.date} ${place}`}>
          <span class="when">${longDate(one.date)}<small class="soft">${` ${one.number === undefined ? "" : `Wordle ${one.number.toLocaleString("en")}, `}${one.game}, ${one.mode}`}</small></span>
          <span class="strip">${one.rows.map((row, at) => html`<${Shapes} key=${at} feedback=${row} />`)}</span>
          <span class="what"><strong class=${one.won ? "" : "bad"}>${one.won ? one.used : "X"}</strong>
            ${one.score != null && html`<small class="soft">${` skill ${one.score}, luck ${signed(one.luck)}`}</small>`}
            ${one.answer && html`<small>${` ${capitals(one.answer)}`}</small>`}</span>
          <span class="tools">
            ${one.used > 0 && (one.words.length > 0 || one.rows.length > 0) && html`<a class="button icon plain" aria-label=${`Analyse the game of ${one.date}`} href=${link("analyse", analysed(one))}><${Icon} name="analyse" /></a>`}
            <button type="button" class="button icon plain" aria-label=${`Remove the game of ${one.date}`} onClick=${() => remove(one)}><${Icon} name="remove" /></button>
          </span>
        </li>`)}</ol>
      ${newest.length > shown && html`<p><button type="button" class="button small" onClick=${() => setShown(shown + 100)}>Show more</button></p>`}
    </section>`;
}

const SQUARES = { B: "⬛", Y: "🟨", G: "🟩" };

function analysed({ game, mode, words, rows, answer, won }) {
  if (words.length) return { game, mode, words: words.join(" "), answer: won ? "" : answer };
  return { game, mode, words: rows.map((row) => [...row].map((state) => SQUARES[state] ?? state).join("")).join("\n") };
}

function OpenersUsed({ games }) {
  const rows = summary(games).openers.slice(0, 10);
  if (!rows.length) return null;
  return html`
    <section class="card stack" aria-label="Your openers">
      <h2>Your openers</h2>
      <div class="table" tabindex="0" role="region" aria-label="Your openers by use"><table>
        <thead><tr><th scope="col">Opener</th><th scope="col">Games</th><th scope="col">Mean</th><th scope="col">Lost</th><th scope="col">Skill</th></tr></thead>
        <tbody>${rows.map((one) => html`<tr key=${one.word}><th scope="row"><a href=${link("explore", { mine: one.word })}>${capitals(one.word)}</a></th>
          <td>${one.played}</td><td>${one.mean === null ? "–" : number(one.mean, 2)}</td><td>${one.lost}</td><td>${one.score === null ? "–" : number(one.score, 0)}</td></tr>`)}</tbody>
      </table></div>
    </section>`;
}

function Import() {
  const [text, setText] = useState("");
  const [told, setTold] = useState("");
  const [error, setError] = useState("");
  const id = useId();
  const take = (given) => {
    const { found, wrong } = readGames(given);
    if (!found.length) {
      setTold("");
      return setError(wrong[0] ? `Nothing could be read: ${wrong[0]}` : "There is no grid in it. Paste share texts, as “Wordle 1,234 4/6” with its squares");
    }
    const { added, kept } = add(...found);
    setError(wrong.length ? `${plural(wrong.length, "part")} could not be read, the first: ${wrong[0]}` : "");
    setTold(`${plural(added, "game")} added${found.length > added ? `, ${found.length - added} were there already` : ""}.${kept ? "" : " The browser's storage is full or forbidden: they last until the page is closed."}`);
    if (!wrong.length) setText("");
    return undefined;
  };
  const file = async (event) => {
    const [chosen] = event.target.files;
    event.target.value = "";
    try {
      take(await readText(chosen));
    } catch (problem) {
      setError(problem.message);
    }
  };
  return html`
    <form class="card stack" aria-label="Import" onSubmit=${(event) => { event.preventDefault(); take(text); }}>
      <h2>Bring your old results</h2>
      <div class="field"><label for=${id}>Share texts, as many as you like</label>
        <textarea id=${id} class="input low" rows="5" value=${text} spellcheck=${false} placeholder=${"Wordle 1,234 4/6\n\n⬛🟨⬛⬛🟩\n…"}
          onInput=${(event) => { setText(event.target.value); setError(""); setTold(""); }}></textarea></div>
      <${Wrong} error=${error} />
      <div class="row"><button class="button main">Import</button>
        <label class="button">From a file<input class="hidden" type="file" accept=".jsonl,.json,.txt,text/*" onChange=${file} /></label></div>
      <p class="small soft" role="status">${told}</p>
    </form>`;
}

function Export({ games }) {
  const [asking, setAsking] = useState(false);
  const damaged = read("history.damaged", null);
  const save = () => {
    const url = URL.createObjectURL(new Blob([asFile(games)], { type: "application/x-ndjson" }));
    const anchor = Object.assign(document.createElement("a"), { href: url, download: `salet-history-${today()}.jsonl` });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return html`
    <section class="card stack" aria-label="Export">
      <h2>Take them with you</h2>
      <p class="small soft">Your games are in this browser only. A file moves them to another device; <code>salet history</code> reads it too.</p>
      ${isRefused() && html`<p class="note">This browser keeps nothing for the page, because its storage is full or forbidden. Save a file before you close it.</p>`}
      ${damaged && html`<p class="note">A part of the history was damaged and left out. <button type="button" class="button small" onClick=${() => forget("history.damaged")}>All right</button></p>`}
      <div class="row"><button type="button" class="button" disabled=${!games.length} onClick=${save}><${Icon} name="file" />Save as a file</button>
        ${games.length > 0 && html`<button type="button" class="button plain" onClick=${() => setAsking(true)}>Delete all</button>`}</div>
      <${Dialog} open=${asking} title="Delete all games?" onClose=${() => setAsking(false)}>
        <p>${plural(games.length, "game")} will be gone from this browser. Save a file first if you may want them back.</p>
        <div class="row"><button type="button" class="button" onClick=${() => { forget("history"); setAsking(false); }}>Delete ${plural(games.length, "game")}</button>
          <button type="button" class="button main" onClick=${() => setAsking(false)}>Keep them</button></div>
      <//>
    </section>`;
}

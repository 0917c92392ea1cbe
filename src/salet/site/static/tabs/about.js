// About: what this is, what is proven, what was measured, and a race.
import { html, useState } from "../lib.js";
import { ABOUT, VERSION } from "../about_data.js";
import { plans } from "../api.js";
import { Chart } from "../chart.js";
import { Segments, useAnswer } from "../parts.js";
import { Race } from "../race.js";
import { go, link } from "../route.js";
import { capitals, number, plural } from "../words.js";

const stamp = ({ machine, date, commit }) =>
  `Measured on ${date} with commit ${commit}: ${machine.processor}, ${plural(machine.cores, "core")}, Python ${machine.python}.`;

export function About({ params }) {
  return html`
    <div class="stack lab">
      <div class="two about">
        <div class="stack"><${What} /><${Proven} /></div>
        <${Race} params=${params} />
      </div>
      <${Table} bench=${ABOUT.bench} params=${params} />
      <${Convergence} found=${ABOUT.convergence} params=${params} />
      <p class="small soft">salet ${VERSION}</p>
    </div>`;
}

const What = () => html`
  <section class="card stack prose" aria-label="What this is">
    <h2>What this is</h2>
    <p>A coach for Wordle and its relatives. It does not estimate: it searches every line of play until the best guess is
      certain, and shows how far it has come while it does. The whole engine runs in this page. After the first visit it
      works offline, and nothing you type leaves your device.</p>
    <p><strong>Skill and luck.</strong> Before every guess there is a best one; what yours costs against it is skill. What the
      colours then bring, more or less than expected, is luck. Added up they give exactly the number of guesses you needed.</p>
  </section>`;

/** The plans that come with the page, each with its proof. */
function Proven() {
  const { value } = useAnswer(() => plans(), []);
  return html`
    <section class="card stack prose" aria-label="What is proven">
      <h2>What is proven</h2>
      ${value && html`<ul class="proofs">${value.filter(({ proven }) => proven).map((plan) => html`
        <li key=${`${plan.game} ${plan.mode}`}><a href=${link("explore", { game: plan.game, mode: plan.mode })}>${`${plan.game}, ${plan.mode} mode`}</a>:
          no first guess beats <strong>${capitals(plan.opener)}</strong>, with ${number(plan.total / plan.answers, 4)} guesses on average
          (${plan.total.toLocaleString("en")} for ${plural(plan.answers, "answer")}, ${plan.worst} at most).</li>`)}</ul>`}
      <p>A plan says what to do after every answer of the game. Anybody can play it through and count, which proves that it needs
        no more than it says; <code>salet verify</code> does so with code that shares nothing with the search.</p>
      <p>That nothing is better needs a search of everything else: below you see its two bounds meet. You need not believe the
        search either. It can write down what it found as a <strong>certificate</strong>, a list of small facts, each of which
        follows from those before it; <code>salet check</code>, a program of some 300 lines, goes through them one by one. For
        the game “original” there is one for every line of play: some 290,000 facts say that nobody can need fewer than 7,920 guesses
        for all 2,315 answers.</p>
    </section>`;
}

const COLUMNS = [
  ["name", "Player", (entry) => entry.name],
  ["opener", "Opener", (entry) => entry.opener],
  ["mean", "Mean", (entry) => number(entry.mean, 4)],
  ["total", "Total", (entry) => entry.total.toLocaleString("en")],
  ["worst", "Worst", (entry) => entry.worst],
  ["losses", "Lost", (entry) => entry.losses],
  ["seconds", "Play, s", (entry) => number(entry.seconds, 2)],
  ["prepare_seconds", "Prepare, s", (entry) => number(entry.prepare_seconds, 2)],
  ["peak_mb", "Peak, MB", (entry) => entry.peak_mb],
];

function Table({ bench, params }) {
  const { by = "mean" } = params;
  const compare = (a, b) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : a.mean - b.mean);
  const entries = [...bench.entries].sort(compare);
  const means = bench.entries.map(({ mean }) => mean);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  return html`
    <section class="card" aria-label="Benchmark">
      <header><h2>Every player against every answer</h2><span class="small soft">${bench.stated}</span></header>
      <p class="small">Programs that play by different rules, each on all answers. Less is better; perfect play comes first.</p>
      <div class="table" tabindex="0" role="region" aria-label="Benchmark table"><table>
        <thead><tr>${COLUMNS.map(([field, title]) => html`
          <th key=${field} scope="col" aria-sort=${field === by ? "ascending" : "none"}>
            <button type="button" class="sort" onClick=${() => go("about", { ...params, by: field }, { replace: true })}
              >${title}</button></th>`)}
          <th scope="col" class="wide"><span class="hidden">Guesses by number</span></th></tr></thead>
        <tbody>${entries.map((entry) => html`
          <tr key=${entry.name}>${COLUMNS.map(([field, , show]) => html`
            <td key=${field}>${field === "mean" ? html`<strong>${show(entry)}</strong>` : show(entry)}</td>`)}
            <td><${Spark} histogram=${entry.histogram} answers=${bench.answers} /></td></tr>`)}</tbody>
      </table></div>
      <p class="small soft">${`A lost game counts one guess more than the cap; the means lie between ${number(low, 4)} and ${number(high, 4)}. ${stamp(bench)}`}</p>
    </section>`;
}

function Spark({ histogram, answers }) {
  const said = Object.entries(histogram).map(([size, count]) => `${count} in ${size}`).join(", ");
  return html`
    <span class="spark" role="img" aria-label=${said}>
      ${[1, 2, 3, 4, 5, 6].map((size) => html`<i key=${size}
        style=${{ height: `${Math.max(4, (170 * (histogram[size] ?? 0)) / answers)}%` }}></i>`)}
    </span>`;
}

function Convergence({ found, params }) {
  const names = found.curves.map(({ name }) => name);
  const chosen = names.includes(params.curve) ? params.curve : names[0];
  const curve = found.curves.find(({ name }) => name === chosen);
  return html`
    <section class="card stack" aria-label="Convergence">
      <header><h2>How a proof closes</h2>
        <${Segments} legend="Proof" hideLegend value=${chosen}
          onChange=${(name) => go("about", { ...params, curve: name }, { replace: true })}
          options=${names.map((name) => [name, name])} /></header>
      <${Curve} curve=${curve} />
      <p class="small soft">${stamp(found)}</p>
    </section>`;
}

function Curve({ curve }) {
  const [axis, setAxis] = useState("bounds");
  const points = curve.points;
  const lower = points.map(([seconds, least]) => [seconds, least / curve.answers]);
  const upper = points.map(([seconds, , most]) => [seconds, most / curve.answers]);
  const decided = points.map(([seconds, , , done]) => [seconds, done]);
  const seconds = { low: 0, high: points.at(-1)[0], name: "seconds of all threads" };
  const best = curve.total / curve.answers;
  const shown = axis === "bounds"
    ? { series: [
        { name: "upper bound", colour: "var(--warm)", points: upper, area: [...lower, ...[...upper].reverse()] },
        { name: "lower bound", colour: "var(--accent)", points: lower }],
        y: { low: Math.min(...lower.map(([, value]) => value)), high: Math.max(...upper.map(([, value]) => value)), show: (value) => value.toFixed(2) } }
    : { series: [{ name: "openers decided", colour: "var(--accent)", points: decided }],
        y: { low: 0, high: Math.max(...decided.map(([, value]) => value)), show: (value) => value.toLocaleString("en") } };
  return html`
    <p class="lead">${`The best opener is ${curve.best.toUpperCase()}: ${number(best, 4)} guesses on average (${curve.total.toLocaleString("en")} for ${curve.answers.toLocaleString("en")} answers). No opener is better once both bounds meet.`}</p>
    <${Segments} legend="Show" hideLegend value=${axis} onChange=${setAxis}
      options=${[["bounds", "Bounds on the mean"], ["decided", "Openers decided"]]} />
    <${Chart} series=${shown.series} x=${seconds} y=${shown.y}
      label=${`${curve.name}: ${axis === "bounds" ? "lower and upper bound" : "openers decided"} over time`} />
    <div class="legend">${shown.series.map(({ name, colour }) => html`
      <span key=${name}><i style=${{ "--key": colour }}></i>${name}</span>`)}</div>`;
}

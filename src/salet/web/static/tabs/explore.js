// Explore: a proven plan, one node at a time.
import { html, useEffect, useId, useState } from "../lib.js";
import { get, stream } from "../api.js";
import { Icon } from "../icons.js";
import { Histogram, Segments, Shapes, Tiles, useAnswer, Waiting, WordList, Wrong } from "../parts.js";
import { go, link } from "../route.js";
import { capitals, number, plural } from "../words.js";

export function Explore({ params }) {
  const plans = useAnswer((signal) => get("/plans", {}, signal), []);
  const first = plans.value?.find((plan) => plan.mode === "normal") ?? plans.value?.[0];
  const { game = first?.game, mode = first?.mode } = params;
  const state = { ...params, game, mode };
  if (!plans.value) return plans.error ? html`<${Wrong} error=${plans.error} />` : html`<${Waiting}>Opening the plans<//>`;
  return html`
    <div class="stack">
      <${PlanChoice} plans=${plans.value} state=${state} />
      <div class="two explore">
        <${Node} state=${state} />
        <div class="stack">
          <${FindWord} state=${state} key=${`word ${game} ${mode}`} />
          <${Compare} state=${state} key=${`compare ${game} ${mode}`} />
        </div>
      </div>
    </div>`;
}

function PlanChoice({ plans, state }) {
  const games = [...new Set(plans.map(({ game }) => game))];
  const modes = plans.filter(({ game }) => game === state.game).map(({ mode }) => mode).sort().reverse();
  const plan = plans.find(({ game, mode }) => game === state.game && mode === state.mode);
  const open = (game, mode) => {
    const there = plans.filter((one) => one.game === game).map((one) => one.mode);
    go("explore", { game, mode: there.includes(mode) ? mode : there[0] });
  };
  return html`
    <section class="planbar" aria-label="Plan">
      <${Segments} legend="Plan for" value=${state.game} onChange=${(game) => open(game, state.mode)}
        options=${games.map((game) => [game, game])} />
      <${Segments} legend="Mode" value=${state.mode} onChange=${(mode) => open(state.game, mode)}
        options=${modes.map((mode) => [mode, mode])} />
      ${plan && html`<p class="soft small">${`${plan.proven ? "Proven best" : "A plan"}: ${plural(plan.total, "guess", "guesses")} for
        ${plural(plan.answers, "answer")}, ${number(plan.total / plan.answers, 4)} on average, ${plan.worst} at most.`}</p>`}
    </section>`;
}

const steps = (state) => (state.at ?? "").split(".").filter(Boolean);

function Node({ state }) {
  const path = steps(state);
  const { game, mode } = state;
  const { value: node, error, loading } = useAnswer(
    (signal) => get("/plans/node", { game, mode, feedback: path.map((one) => one.replace("_", ",")) }, signal),
    [game, mode, state.at],
  );
  const to = (at) => link("explore", { ...state, at: at.join(".") });
  if (error) return html`<section class="card"><${Wrong} error=${error} /></section>`;
  if (!node) return html`<section class="card"><${Waiting}>Unfolding<//></section>`;
  return html`
    <section class="card stack node" aria-label="Node" aria-busy=${loading}>
      <nav class="path" aria-label="Path">
        <ol>
          ${node.path.map(({ guess, feedback }, place) => html`
            <li key=${place}><a href=${to(path.slice(0, place))} aria-label=${`Back to ${guess}`}>
              <${Tiles} kind="mini" word=${guess} feedback=${feedback} /></a></li>`)}
          <li aria-current="step"><span class="here">${capitals(node.guess)}</span></li>
        </ol>
        ${path.length > 0 && html`<a class="button plain small" href=${to(path.slice(0, -1))}>
          <${Icon} name="back" />Back</a>`}
      </nav>
      <div class="facts">
        <dl class="figures">
          <div><dt>Answers</dt><dd>${node.answers.toLocaleString("en")}</dd></div>
          <div><dt>Mean from here</dt><dd>${number(node.mean, 4)}</dd></div>
          <div><dt>At most</dt><dd>${node.worst}</dd></div>
          <div><dt>Groups</dt><dd>${node.branches.length}</dd></div>
        </dl>
        <${Histogram} counts=${node.histogram} label="Answers by guesses from here" />
      </div>
      <h3>${node.is_answer ? `${capitals(node.guess)} may win; otherwise` : `After ${capitals(node.guess)}`}</h3>
      <${Branches} node=${node} path=${path} to=${to} />
      ${node.answers <= 60 && node.answers > 1 && html`<h3>The answers here</h3>
        <${WordList} words=${node.words} count=${node.answers} />`}
    </section>`;
}

const FIRST = 24;

function Branches({ node, path, to }) {
  const [all, setAll] = useState(false);
  useEffect(() => setAll(false), [path.join(".")]);
  const most = node.branches[0]?.answers ?? 1;
  const shown = all ? node.branches : node.branches.slice(0, FIRST);
  return html`
    <ul class="branches">
      ${shown.map((branch) => {
        const inner = html`
          <${Shapes} feedback=${branch.feedback} />
          <span class="count"><span class="bar" style=${{ width: `${(100 * branch.answers) / most}%` }}
            >${branch.answers}</span></span>
          <span class="then">${branch.guess === null ? "found" : branch.word === branch.guess && branch.answers === 1
            ? `it is ${branch.word}` : branch.guess}</span>`;
        const leaf = branch.guess === null || branch.answers === 1;
        return html`<li key=${branch.feedback}>${leaf ? html`<span class="branch">${inner}</span>`
          : html`<a class="branch" href=${to([...path, branch.feedback.replace(",", "_")])}
              >${inner}<${Icon} name="next" /></a>`}</li>`;
      })}
    </ul>
    ${!all && node.branches.length > FIRST && html`<p><button type="button" class="button small"
      onClick=${() => setAll(true)}>Show all ${node.branches.length} groups</button></p>`}`;
}

function FindWord({ state }) {
  const { game, mode, word = "" } = state;
  const [text, setText] = useState(word);
  const id = useId();
  const { value, error } = useAnswer(
    (signal) => (word ? get("/plans/path", { game, mode, word }, signal) : null), [game, mode, word],
  );
  const find = (event) => {
    event.preventDefault();
    go("explore", { ...state, word: text.trim().toLowerCase().slice(0, 60) });
  };
  return html`
    <section class="card stack" aria-label="Find a word">
      <h2>How a word is found</h2>
      <form class="wordfield" onSubmit=${find}>
        <label class="hidden" for=${id}>An answer</label>
        <input id=${id} class="input" value=${text} placeholder="An answer" autocomplete="off"
          autocapitalize="none" spellcheck=${false} aria-invalid=${Boolean(error)}
          onInput=${(event) => setText(event.target.value)} />
        <button class="button">Find</button>
        <div class="full"><${Wrong} error=${error} /></div>
      </form>
      ${value && html`
        <ol class="found" aria-label=${`The plan's game against ${value.word}`}>
          ${value.rows.map(({ guess, feedback }, place) => html`
            <li key=${place}><a href=${link("explore", { ...state,
              at: value.rows.slice(0, place).map((row) => row.feedback.replace(",", "_")).join("."),
            })} aria-label=${`Guess ${place + 1}: ${guess}`}><${Tiles} word=${guess} feedback=${feedback} /></a></li>`)}
        </ol>
        <p class="small soft">${plural(value.rows.length, "guess", "guesses")}. Click a row to see it in the plan.</p>`}
    </section>`;
}

function Compare({ state }) {
  const { game, mode, a = "", b = "" } = state;
  const [words, setWords] = useState([a, b]);
  const ids = [useId(), useId()];
  const asked = [a, b].filter(Boolean);
  const splits = useAnswer(
    (signal) => Promise.all(asked.map((word) => get("/openers", { game, mode, word }, signal))), [game, mode, a, b],
  );
  const worth = useWorth(game, mode, asked, Boolean(splits.value) && !splits.error);
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
      ${splits.value?.length > 0 && html`<${Compared} splits=${splits.value} worth=${worth} />`}
    </section>`;
}

/** What openers are worth, tightening while one looks. */
function useWorth(game, mode, words, ready) {
  const [found, setFound] = useState({ worth: {}, busy: false });
  useEffect(() => {
    if (!ready || !words.length) return undefined;
    const control = new AbortController();
    setFound({ worth: {}, busy: true });
    const read = (advice) => {
      const rows = advice.suggestions.filter(({ guess }) => words.includes(guess.toLowerCase()));
      setFound({ worth: Object.fromEntries(rows.map((row) => [row.guess, row])), busy: true });
    };
    stream("/suggest/stream", { game, mode, consider: words, seconds: 10 }, read, control.signal)
      .catch(() => null).then(() => setFound((before) => ({ ...before, busy: false })));
    return () => control.abort();
  }, [game, mode, words.join(" "), ready]);
  return found;
}

function Compared({ splits, worth }) {
  const rows = [
    ["Expected guesses", ({ guess }) => shown(worth.worth[guess], worth.busy)],
    ["Groups", ({ groups }) => groups],
    ["Largest group", ({ largest }) => largest],
    ["Mean group", ({ expected }) => number(expected, 1)],
    ["Information, bits", ({ bits }) => number(bits, 3)],
    ["Can be the answer", ({ is_answer }) => (is_answer ? "yes" : "no")],
  ];
  const most = Math.max(...splits.map(({ sizes }) => sizes[0]));
  return html`
    <div class="table"><table>
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

function shown(row, busy) {
  if (!row) return busy ? html`<span class="spin"></span>` : "–";
  return row.proven ? number(row.expected, 4) : `${number(row.lower, 3)}–${number(row.upper, 3)}`;
}

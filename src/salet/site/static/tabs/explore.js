// Explore: a proven plan, one node at a time.
import { html, useEffect, useId, useRef, useState } from "../lib.js";
import { planNode, planPath, plans as allPlans } from "../api.js";
import { specOf, useFacts } from "../games.js";
import { Icon } from "../icons.js";
import { Compare, Openers } from "../openers.js";
import { Histogram, MODES, Segments, Shapes, Tiles, useAnswer, Waiting, WordList, Wrong } from "../parts.js";
import { go, link } from "../route.js";
import { capitals, number, plural } from "../words.js";

export function Explore({ params }) {
  const plans = useAnswer(() => allPlans(), []);
  const first = plans.value?.find((plan) => plan.mode === "normal") ?? plans.value?.[0];
  const { game: asked = first?.game, mode = first?.mode } = params;
  const { facts } = useFacts(specOf({ game: asked, mode }));
  const game = facts?.name ?? asked; // nyt is short for the newest list
  const state = { ...params, game, mode };
  if (!plans.value) return plans.error ? html`<${Wrong} error=${plans.error} />` : html`<${Waiting}>Opening the plans<//>`;
  return html`
    <div class="stack">
      <${PlanChoice} plans=${plans.value} state=${state} />
      <div class="two explore">
        <${Node} state=${state} />
        <div class="stack">
          <${FindWord} state=${state} key=${`word ${game} ${mode}`} />
          <${Openers} state=${state} key=${`openers ${game} ${mode}`} />
          <${Compare} state=${state} key=${`compare ${game} ${mode}`} />
        </div>
      </div>
    </div>`;
}

function PlanChoice({ plans, state }) {
  const games = [...new Set(plans.map(({ game }) => game))];
  const modes = plans.filter(({ game }) => game === state.game).map(({ mode }) => mode);
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
        options=${MODES.filter(([mode]) => modes.includes(mode))} />
      ${plan && html`<p class="soft small">${`${plan.proven ? "Proven best" : "A plan"}: ${plural(plan.total, "guess", "guesses")} for
        ${plural(plan.answers, "answer")}, ${number(plan.total / plan.answers, 4)} on average, ${plan.worst} at most.`}</p>`}
    </section>`;
}

const steps = (state) => (state.at ?? "").split(".").filter(Boolean);

function Node({ state }) {
  const path = steps(state);
  const { game, mode } = state;
  const { value: node, error, loading } = useAnswer(
    () => planNode(game, mode, path.map((one) => one.replace("_", ","))),
    [game, mode, state.at],
  );
  const to = (at) => link("explore", { ...state, at: at.join(".") });
  const section = useRef();
  const before = useRef(state.at);
  useEffect(() => { // a step from far down in the list begins at the top of the next one
    if (before.current !== state.at && section.current?.getBoundingClientRect().top < 0) section.current.scrollIntoView();
    before.current = state.at;
  }, [state.at]);
  if (error) return html`<section class="card"><${Wrong} error=${error} /></section>`;
  if (!node) return html`<section class="card"><${Waiting}>Unfolding<//></section>`;
  return html`
    <section class="card stack node" aria-label="Node" ref=${section} aria-busy=${loading}>
      <h2 class="hidden">${path.length ? `After ${plural(path.length, "guess", "guesses")}` : "The first guess"}</h2>
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
    () => (word ? planPath(game, mode, word) : null), [game, mode, word],
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

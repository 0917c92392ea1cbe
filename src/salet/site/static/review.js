// After the game: a verdict for each guess, and how perfect play would have gone.
import { html, useEffect } from "./lib.js";
import { analyse, planPath, suggest, score } from "./api.js";
import { complete } from "./history.js";
import { Tiles, useAnswer, useLive, Waiting, WordsLeft } from "./parts.js";
import { costOf, luckOf, Verdict } from "./verdict.js";
import { capitals, plural } from "./words.js";

const Side = ({ title, rows }) => html`
  <div class="side"><h3>${title}</h3>
    <ol class="found">${rows.map(({ guess, feedback }, place) => html`
      <li key=${place}><${Tiles} kind="mini" word=${guess} feedback=${feedback} /></li>`)}</ol></div>`;

/** The verdicts of a finished game of Play, which complete its record. */
export function Reviewed({ spec, facts, state }) {
  const words = state.rows.map(({ guess }) => guess);
  const { value, busy } = useLive(
    (update, signal) => analyse(spec, { words, answer: state.answer, seconds: 10 }, update, signal), [words.join(" "), state.answer],
  );
  const analysis = value?.analysis;
  useEffect(() => {
    if (!analysis || busy) return;
    const { score: skill, luck, lost, lost_games, luck_games } = analysis;
    complete(state, { score: skill, luck, lost, lost_games, luck_games });
  }, [analysis, busy]);
  if (!analysis) return busy ? html`<${Waiting}>Weighing your guesses<//>` : null;
  return html`
    <section class="card stack reviewed" aria-label="Your guesses, judged" aria-busy=${busy}>
      <header><h2>How you played</h2><span class="small soft">skill ${analysis.score} of 99</span></header>
      <${Verdicts} analysis=${analysis} />
      <${Perfect} spec=${spec} facts=${facts} answer=${state.answer} mine=${state.rows} won=${state.won} />
    </section>`;
}

export function Verdicts({ analysis }) {
  return html`
    <ol class="verdicts">${analysis.turns.map((turn, place) => html`
      <li key=${place}>
        <${Tiles} kind="mini" word=${turn.guess} feedback=${turn.feedback} />
        <span><${Verdict} turn=${turn} cap=${analysis.cap} bound=${!turn.proven} />
          <span class="small soft">${` ${sentenceOf(turn)}`}</span>
          <${WordsLeft} turn=${turn} /></span>
      </li>`)}</ol>`;
}

function sentenceOf(turn) {
  const cost = turn.lost > 0.0005 || Math.abs(turn.lost_games ?? 0) > 0.0005 ? `${costOf(turn)}; ${capitals(turn.best)} was best; ` : "";
  return `${cost}${turn.remaining_after === 0 ? "found it, " : ""}${luckOf(turn)}`;
}

/** The rows of perfect play against an answer: the shipped plan, else the best guess again and again. */
async function perfectRows(spec, facts, answer, signal) {
  if (facts.plan && !spec.weights) return (await planPath(spec.game, spec.mode, answer)).rows;
  const rows = [];
  const most = facts.cap ?? 12;
  const win = facts.tiles ? /^G+$/ : new RegExp(`^${facts.length},0$`);
  while (rows.length < most && !(rows.length && win.test(rows.at(-1).feedback))) {
    const { guess } = await suggest(spec, { rows, seconds: 2, count: 1 }, undefined, signal);
    rows.push({ guess, feedback: await score(guess, answer, facts.rule) });
  }
  return rows;
}

/** The player's game, and how perfect play finds the same answer. */
export function Perfect({ spec, facts, answer, mine, won }) {
  const { value: rows, loading } = useAnswer(
    (signal) => perfectRows(spec, facts, answer, signal), [JSON.stringify(spec), answer],
  );
  if (!rows) return loading ? html`<${Waiting}>Playing the same word perfectly<//>` : null;
  return html`
    <div class="sides">
      <${Side} title=${`You: ${won ? plural(mine.length, "guess", "guesses") : "not found"}`} rows=${mine} />
      <div class="perfect" role="group" aria-label="Perfect play against the same answer">
        <${Side} title=${`Perfect play: ${plural(rows.length, "guess", "guesses")}`} rows=${rows} /></div>
    </div>`;
}

// An analysed game: score, chances, verdicts, turn by turn. A lost game looks like one; `gaveUp` is the
// answer of one that was given up.
import { html, useId, useState } from "./lib.js";
import { whatIf } from "./api.js";
import { Chart } from "./chart.js";
import { Tiles, WordList, WordsLeft, Wrong } from "./parts.js";
import { Perfect } from "./review.js";
import { link, packRows } from "./route.js";
import { ShareButton } from "./share.js";
import { costOf, isBad, luckOf, Verdict } from "./verdict.js";
import { capitals, number, percent, plural, sentence, signed } from "./words.js";

export function Result({ found, gaveUp, busy, done, spec, facts }) {
  const turns = found.turns;
  const isLost = found.over && !found.won;
  // a bound that may still fall to nothing shows no chance of losing
  const risk = turns.some((turn) => (turn.proven || !busy) && (turn.losses_before > 0 || turn.losses_after > 0));
  return html`
    <section class="card stack ${isLost ? "islost" : ""}" aria-label="Result" aria-busy=${busy}>
      ${busy && html`<p class="small soft row" role="status"><span class="spin"></span>${`Tightening: ${done} of ${turns.length} turns are final`}</p>`}
      <div class="scoreline">
        <div class="score" role="img" aria-label=${`${isLost ? "Lost. " : ""}Score ${found.score} of 99`} style=${{ "--part": found.score / 99 }}>
          <b>${found.score}</b><small>skill</small></div>
        <dl class="figures">
          <div><dt>${gaveUp ? "Given up" : isLost ? "Lost" : "Guesses"}</dt><dd class=${isLost || gaveUp ? "bad" : ""}>${found.won ? turns.length : found.over ? "X" : `${turns.length}${gaveUp ? "" : " so far"}`}${found.cap ? html`<small> of ${found.cap}</small>` : ""}</dd></div>
          <div><dt>Cost</dt><dd class=${found.lost > 0.1 ? "cost" : ""}>${number(found.lost, 2)}</dd></div>
          ${risk && html`<div><dt>Added risk</dt><dd class=${found.lost_games > 0.0005 ? "bad" : ""}>${found.lost_games > 0.0005 ? `+${percent(found.lost_games)}` : "none"}</dd></div>`}
          <div><dt>Luck</dt><dd>${signed(found.luck)}${risk && Math.abs(found.luck_games) > 0.0005
            ? html`<small class=${found.luck_games < 0 ? "bad" : ""}> ${`${signed(100 * found.luck_games, 0)} % chance to win`}</small>` : ""}</dd></div>
        </dl>
        <${ShareButton} text=${() => found.summary}>Share<//>
      </div>
      ${isLost && html`<p class="note">${told(found)}</p>`}
      ${gaveUp && html`<p class="note">The game was given up and counts as lost; the answer was ${capitals(gaveUp)}.
        The score is that of the guesses made.</p>`}
      <${Course} found=${found} isLost=${isLost} />
      ${risk && html`<${Risk} found=${found} isLost=${isLost} />`}
      ${found.over && facts && html`<${Perfect} spec=${{ ...spec, mode: found.mode }} facts=${facts} answer=${found.answer} mine=${turns} won=${found.won} />`}
      <p class="small soft">${`${scoring(found, risk)} ${found.notes.map(sentence).join(" ")}`}</p>
    </section>`;
}

/** How the score comes about, in words. */
const scoring = ({ cap }, risk) => "Skill starts at 99 and halves with every guess that your choices cost on average"
  + `${risk ? `; a game lost by choice counts as ${cap ?? 6} guesses` : ""}.`;

/** A lost game in a sentence: how it came about. */
function told(found) {
  const start = found.turns[0].losses_before;
  const worst = found.turns.reduce((a, b) => ((b.lost_games ?? 0) > (a.lost_games ?? 0) ? b : a));
  const chance = start > 0.0005 ? `Perfect play loses ${percent(start)} of the time.` : "Perfect play never loses here.";
  return worst.lost_games > 0.0005
    ? `The answer was ${capitals(found.answer)}. ${chance} ${capitals(worst.guess)} raised your risk by ${percent(worst.lost_games)}.`
    : `The answer was ${capitals(found.answer)}. ${chance} No guess of yours raised the risk: it was bad luck.`;
}

function Course({ found, isLost }) {
  const turns = found.turns;
  // a game that was lost does not end at nothing to come
  const after = turns.map((turn) => turn.expected_after);
  const expected = [turns[0].expected_before, ...(isLost ? after.slice(0, -1) : after)];
  const points = expected.map((value, place) => [place, value, number(value, 2)]);
  const ideal = Array.from({ length: turns.length + 1 }, (_, place) => [place, Math.max(0, expected[0] - place)]);
  const high = Math.max(4, Math.ceil(Math.max(...expected)));
  const lost = { name: "lost", colour: "var(--bad)", dash: "2 5", dots: true, points: [points.at(-1).slice(0, 2), [turns.length, high - 0.5, "lost"]] };
  return html`
    <${Chart} height=${230} series=${[
      { name: "perfect play, no luck", colour: "var(--strong-line)", dash: "3 6", points: ideal },
      { name: "expected guesses still to come", colour: "var(--accent)", points, dots: true,
        area: [[0, 0], ...points, [points.length - 1, 0]] },
      ...(isLost ? [lost] : []),
    ]} x=${{ low: 0, high: turns.length, ticks: ideal.map(([place]) => place), name: "guesses made" }}
      y=${{ low: 0, high, ticks: Array.from({ length: high + 1 }, (_, at) => at) }}
      label=${`Expected guesses still to come: ${points.map(([place, , text]) => `${text} after ${place}`).join(", ")}${isLost ? `, lost after ${turns.length}` : ""}`} />
    <div class="legend"><span><i style=${{ "--key": "var(--accent)" }}></i>expected guesses still to come</span>
      <span><i class="dotted" style=${{ "--key": "var(--strong-line)" }}></i>perfect play, no luck</span></div>`;
}

/** The chance of losing, after each guess. */
function Risk({ found, isLost }) {
  const chances = [found.turns[0].losses_before, ...found.turns.map((turn) => turn.losses_after)];
  const points = chances.map((value, place) => [place, 100 * value, percent(value)]);
  return html`
    <${Chart} height=${170} series=${[{ name: "chance of losing", colour: "var(--bad)", points, dots: true,
        area: [[0, 0], ...points, [points.length - 1, 0]] }]}
      x=${{ low: 0, high: found.turns.length, ticks: points.map(([place]) => place), name: "guesses made" }}
      y=${{ low: 0, high: 100, ticks: [0, 50, 100], show: (value) => `${value} %` }}
      label=${`Chance of losing: ${points.map(([place, , text]) => `${text} after ${place}`).join(", ")}${isLost ? "; the game was lost" : ""}`} />
    <div class="legend"><span><i style=${{ "--key": "var(--bad)" }}></i>chance of losing</span></div>`;
}

export function Turns({ found, words, answer, spec }) {
  return html`
    <ol class="turns" aria-label="Turn by turn">
      ${found.turns.map((turn, place) => html`
        <li key=${place} class="card stack ${isBad(turn, found.cap) ? "bad" : ""}">
          <header><h2>Turn ${place + 1}</h2>
            <span class="small soft">${plural(turn.remaining_before, "word")} → ${turn.remaining_after === 0 ? "found" : turn.remaining_after}</span></header>
          <div class="row between">
            <${Tiles} word=${turn.guess} feedback=${turn.feedback} />
            <dl class="figures small">
              <div><dt>Cost</dt><dd class=${turn.lost >= 0.005 ? "cost" : ""}>${signed(turn.lost).replace("+", "")}</dd></div>
              ${Math.abs(turn.lost_games) > 0.0005 && html`<div><dt>Risk</dt><dd class=${turn.lost_games > 0 ? "bad" : ""}>${turn.lost_games > 0 ? "+" : "−"}${percent(Math.abs(turn.lost_games))}</dd></div>`}
              <div><dt>Luck</dt><dd>${signed(turn.luck)}</dd></div>
            </dl>
          </div>
          <p><${Verdict} turn=${turn} cap=${found.cap} bound=${!turn.proven} />${" "}
            ${turn.best !== turn.guess && html`<span class="chip">best: <strong>${capitals(turn.best)}</strong></span>${" "}`}
            <span class="small soft">${luckOf(turn)}</span></p>
          ${turn.losses_after > 0.0005 && html`<p class="small bad">${place + 1 === found.turns.length && found.over ? "The game was lost here."
            : `From here perfect play still loses ${percent(turn.losses_after)}.`}</p>`}
          <p class="small">${sentence(turn.explanation)}</p>
          <${WordsLeft} turn=${turn} />
          <${WhatIf} spec=${{ ...spec, mode: found.mode }} words=${words} turn=${place + 1} answer=${answer} cap=${found.cap}
            idea=${turn.best === turn.guess ? "" : turn.best} />
          <p><a class="small" href=${link("assist", { game: spec.game, mode: found.mode, rows: packRows(found.turns.slice(0, place)) })}
            >Open this position in Assist</a></p>
        </li>`)}
    </ol>`;
}

function WhatIf({ spec, words, turn, answer, idea, cap }) {
  const [text, setText] = useState("");
  const [state, setState] = useState({ found: null, error: null, busy: false });
  const id = useId();
  const ask = (event) => {
    event.preventDefault();
    const guess = text.trim().toLowerCase();
    if (!guess) return setState({ found: null, error: "Type a word to try.", busy: false });
    setState({ found: null, error: null, busy: true });
    return whatIf(spec, { words, turn, guess, answer: answer || undefined, seconds: 5 }).then(
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
        <p class="small"><${Verdict} turn=${found} cap=${cap} bound=${!found.proven} />${" "}${
          `${capitals(found.guess)} would have cost ${found.lost > 0.0005 || Math.abs(found.lost_games) > 0.0005 ? costOf(found) : "nothing"} and ${found.next
            ? `left ${plural(found.remaining_after, "word")}; then ${capitals(found.next)}, ${number(found.expected_after, 2)} more on average`
            : /^G+$/.test(found.feedback) || found.remaining_after === 0 ? "found the answer" : "ended the game"}.`}</p>
        ${found.next && html`<${WordList} words=${found.words.slice(0, 30)} count=${found.remaining_after} />`}
      </div>`}
    </form>`;
}

export function Behind({ reading }) {
  return html`
    <section class="card stack" aria-label="Behind the grid">
      <header><h2>Likeliest words behind the grid</h2>
        <span class="small soft">${plural(reading.possible ?? reading.answers.length, "answer")} possible</span></header>
      <div class="table" tabindex="0" role="region" aria-label="Likeliest guesses by row"><table>
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

// Likelihood: all answers alike, or familiar ones more and past ones less; and what that changes.
import { html, useId, useState } from "./lib.js";
import { analyse, analysisChange, suggest } from "./api.js";
import { keepPast, pastAnswers, readText, wordsOf } from "./games.js";
import { Segments, useAnswer, useLive, Wrong } from "./parts.js";
import { capitals, number, plural, sentence } from "./words.js";

/** The switch, and the list of past answers behind it. */
export function Likelihood({ w, facts, onChange }) {
  const off = facts && !facts.frequencies && !pastAnswers().length;
  return html`
    <div class="stack likelihood">
      <${Segments} legend="Answers" value=${w === "prior" ? "prior" : ""} onChange=${onChange}
        options=${[["", "All alike"], ["prior", "By familiarity", off && w !== "prior"]]} />
      ${w === "prior" && html`<${Past} length=${facts?.length ?? 5} onDone=${() => onChange("prior")} />`}
    </div>`;
}

function Past({ length, onDone }) {
  const [text, setText] = useState(() => pastAnswers().join(" "));
  const [told, setTold] = useState("");
  const [error, setError] = useState("");
  const id = useId();
  const done = (event) => {
    event.preventDefault();
    const words = wordsOf(text, length);
    if (text.trim() && !words.length) return setError(`There is no word of ${length} letters in it.`);
    setError("");
    setTold(keepPast(words));
    return onDone();
  };
  const file = async (event) => {
    try {
      setText(await readText(event.target.files[0]));
      setError("");
    } catch (problem) {
      setError(problem.message);
    }
  };
  return html`
    <details><summary>Past answers count a tenth${pastAnswers().length ? `: ${plural(pastAnswers().length, "word")}` : ""}</summary>
      <form class="stack" onSubmit=${done}>
        <div class="field"><label for=${id}>Words that were answers before, pasted or from a file</label>
          <textarea id=${id} class="input low" rows="3" value=${text} spellcheck=${false} onInput=${(event) => { setText(event.target.value); setTold(""); }}></textarea></div>
        <${Wrong} error=${error} />
        <div class="row"><button class="button small">Keep</button>
          <label class="button small plain">From a file<input class="hidden" type="file" accept=".txt,.csv,text/*" onChange=${file} /></label>
          <span role="status" class="small soft">${told}</span></div>
      </form></details>`;
}

/** What the switch has changed: the best guess if all answers were alike. */
export function Changed({ spec, rows, objective, advice, busy }) {
  const { weights, past, ...plain } = spec;
  const { value } = useLive(
    (update, signal) => suggest(plain, { rows, objective, seconds: 3, count: 1, consider: [advice.guess] }, update, signal),
    [JSON.stringify([spec, rows, objective]), advice.guess], !busy,
  );
  if (!value) return null;
  const same = value.guess === advice.guess;
  return html`<p class="note calm" role="status">${same
    ? `${capitals(advice.guess)} is best with all answers alike, too.`
    : `With all answers alike ${capitals(value.guess)} would be best: ${number(value.expected, 2)} guesses on average.`}</p>`;
}

/** What the switch has changed in the analysis of a game. */
export function ChangedAnalysis({ spec, question, analysis }) {
  const { weights, past, ...plain } = spec;
  const key = JSON.stringify([spec, question]);
  const { value: equal, busy } = useLive((update, signal) => analyse(plain, question, update, signal), [key]);
  const known = !busy && equal?.analysis;
  const { value: text } = useAnswer(
    async () => (known ? analysisChange(analysis, known) : ""), [key, Boolean(known)],
  );
  return text ? html`<p class="note calm" role="status">${sentence(text)}</p>` : null;
}

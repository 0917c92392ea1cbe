// Files dropped on the page: a list of words to play with, past answers, or a history.
import { html, useEffect, useState } from "./lib.js";
import { addOwnList, CHOSEN, keepPast, pastAnswers, readText, removeOwnList, shortName, useGames, wordsOf } from "./games.js";
import { add, readGames } from "./history.js";
import { Dialog, Wrong } from "./parts.js";
import { go } from "./route.js";
import { plural } from "./words.js";

export function DropZone() {
  const [over, setOver] = useState(false);
  const [dropped, setDropped] = useState(null);
  useEffect(() => {
    let count = 0; // a file dropped after another starts afresh
    const files = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const drag = (event) => { if (files(event)) { event.preventDefault(); setOver(true); } };
    const leave = (event) => { if (!event.relatedTarget) setOver(false); };
    const take = async (file) => {
      if (!file) return;
      const content = await read(file);
      setDropped({ ...content, count: count += 1 });
    };
    const drop = async (event) => {
      if (!files(event)) return;
      event.preventDefault();
      setOver(false);
      await take(event.dataTransfer.files[0]);
    };
    const chosen = ({ detail }) => take(detail);
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    addEventListener(CHOSEN, chosen);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
      removeEventListener(CHOSEN, chosen);
    };
  }, []);
  return html`
    ${over && html`<div class="dropping" aria-hidden="true">Drop a list of words, past answers or a history</div>`}
    <${Dialog} open=${Boolean(dropped)} title=${dropped?.name ?? ""} onClose=${() => setDropped(null)}>
      <${Dropped} key=${dropped?.count} ...${dropped} onDone=${() => setDropped(null)} />
    <//>`;
}

/** A file as it was given: its text, or why there is none. */
async function read(file) {
  try {
    return { name: file.name, text: await readText(file) };
  } catch (error) {
    return { name: file.name, error };
  }
}

/** What can be done with a file. */
export function Dropped({ name, text = "", error, onDone }) {
  const [problem, setProblem] = useState(error ?? null);
  const [told, setTold] = useState("");
  const isHistory = /^\s*\{/.test(text) || readGames(text).found.length > 0;
  const play = async () => {
    try {
      const { facts, kept } = await addOwnList(name, text);
      if (!kept) return setTold(`${facts.name} is ready, but only until the page is closed: the browser's storage is full or forbidden.`);
      go("play", { game: facts.name, mode: "normal" });
      return onDone();
    } catch (wrong) {
      return setProblem(wrong);
    }
  };
  const past = () => {
    const words = wordsOf(text);
    setTold(keepPast([...new Set([...pastAnswers(), ...words])]));
  };
  const games = () => {
    const { found, wrong } = readGames(text);
    const { added } = add(...found);
    setTold(`${plural(added, "game")} added.`);
    if (wrong.length) setProblem(`${plural(wrong.length, "part")} could not be read, the first: ${wrong[0]}`);
  };
  return html`
    <${Wrong} error=${problem} />
    ${text && html`<div class="row">
      ${isHistory ? html`<button type="button" class="button main" onClick=${games}>Add to your history</button>`
        : html`<button type="button" class="button main" onClick=${play}>Play with this list</button>
          <button type="button" class="button" onClick=${past}>These were past answers</button>`}</div>`}
    <p role="status" class="small soft">${told}</p>
    <${OwnLists} />`;
}

function OwnLists() {
  const { games } = useGames();
  const own = games.filter(({ own: mine }) => mine);
  if (!own.length) return null;
  return html`<ul class="stack">${own.map(({ name }) => html`
    <li key=${name} class="row between"><span>${shortName(name)}</span><button type="button" class="button small plain"
      onClick=${() => removeOwnList(name)}>Remove</button></li>`)}</ul>`;
}

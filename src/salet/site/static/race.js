// A race: two players on a word that the visitor picks.
import { html, useEffect, useId, useState } from "./lib.js";
import { planPath, readRows, score } from "./api.js";
import { Tiles, Wrong } from "./parts.js";
import { go } from "./route.js";
import { plural } from "./words.js";

const SPEC = { game: "original", mode: "normal", cap: "none" }; // slow players need more than six
const OPENERS = { familiar: "house", alphabet: "aback" };
const PLAYERS = { // names that fit two side by side on a phone, and how they play
  perfect: ["Perfect play", "follows the proven plan"],
  familiar: ["Familiar", "plays the most familiar word that fits"],
  alphabet: ["A to Z", "plays the first word of the dictionary that fits"],
};

/** The game of a player against an answer. */
async function gameOf(player, answer) {
  if (player === "perfect") return (await planPath(SPEC.game, SPEC.mode, answer)).rows;
  const rows = [];
  while (rows.length < 12 && rows.at(-1)?.feedback !== "GGGGG") {
    const guess = rows.length ? next(player, (await readRows(SPEC, rows, { limit: 500 })).words) : OPENERS[player];
    rows.push({ guess, feedback: await score(guess, answer) });
  }
  return rows;
}

const next = (player, words) => (player === "alphabet" ? [...words].sort()[0] : words[0]);

export function Race({ params }) {
  const { word = "", a = "perfect", b = "familiar" } = params;
  const players = [a, b].map((name) => (name in PLAYERS ? name : "perfect"));
  const [text, setText] = useState(word);
  const { games, error, shown } = useRace(players, word);
  const id = useId();
  const start = (event) => {
    event.preventDefault();
    go("about", { ...params, word: text.trim().toLowerCase().slice(0, 40) }, { replace: true });
  };
  const choose = (place, name) => go("about", { ...params, [place ? "b" : "a"]: name }, { replace: true });
  return html`
    <section class="card stack" aria-label="A race">
      <h2>A race</h2>
      <p class="small soft">Pick a word; two players look for it.</p>
      <form class="wordfield" onSubmit=${start}>
        <label class="hidden" for=${id}>The word to find</label>
        <input id=${id} class="input" value=${text} placeholder="A five-letter word" autocomplete="off" autocapitalize="none"
          spellcheck=${false} aria-invalid=${Boolean(error)} onInput=${(event) => setText(event.target.value)} />
        <button class="button main">Go</button>
        <div class="full"><${Wrong} error=${error} /></div>
      </form>
      <div class="lanes">${players.map((player, place) => html`
        <div key=${place} class="lane stack">
          <label class="field"><span class="hidden">Player ${place + 1}</span>
            <select class="input" value=${player} onChange=${(event) => choose(place, event.target.value)}>
              ${Object.entries(PLAYERS).map(([name, [title]]) => html`<option value=${name} selected=${name === player}>${title}</option>`)}
            </select></label>
          <p class="small soft">${PLAYERS[player][1]}</p>
          ${games && html`<ol class="found">${games[place].slice(0, shown).map(({ guess, feedback }, at) => html`
            <li key=${at}><${Tiles} kind="mini" word=${guess} feedback=${feedback} turning=${at + 1 === shown} /></li>`)}</ol>`}
          ${games && shown >= games[place].length && html`<p class="small" role="status"><strong>${plural(games[place].length, "guess", "guesses")}</strong></p>`}
        </div>`)}</div>
    </section>`;
}

/** Both games, a row of each at a time. */
function useRace(players, word) {
  const [found, setFound] = useState({ games: null, error: null, shown: 0 });
  useEffect(() => {
    if (!word) return undefined;
    let current = true;
    let timer = 0;
    setFound({ games: null, error: null, shown: 0 });
    const show = (games, shown) => {
      setFound({ games, error: null, shown });
      if (shown < Math.max(...games.map((rows) => rows.length))) timer = setTimeout(() => show(games, shown + 1), 700);
    };
    // the plan knows which words are answers: it says what is wrong before anybody plays
    gameOf("perfect", word).then(() => Promise.all(players.map((player) => gameOf(player, word)))).then(
      (games) => current && show(games, 1),
      (error) => current && setFound({ games: null, error, shown: 0 }),
    );
    return () => { current = false; clearTimeout(timer); };
  }, [players.join(" "), word]);
  return found;
}

// Play: a game against a secret that a number names.
import { html, useEffect, useRef, useState } from "../lib.js";
import { post } from "../api.js";
import { Keyboard, useKeys } from "../keyboard.js";
import { Icon } from "../icons.js";
import { CopyButton, GamePicker, Histogram, Tiles, useFacts, Waiting, Wrong } from "../parts.js";
import { go, link, packRows } from "../route.js";
import { record, statistics } from "../store.js";
import { capitals, letters, plural, spoken } from "../words.js";

const draw = () => Math.floor(Math.random() * 2 ** 40);
const today = () => Number(new Date().toLocaleDateString("sv").replaceAll("-", ""));

const read = ({ game = "nyt", mode = "normal", n, g = "" }) => ({
  game, mode, number: n ? Number(n) || 0 : today(), guesses: g.split(".").filter(Boolean),
});

export function Play({ params }) {
  const { game, mode, number, guesses } = read(params);
  const { facts, error: unknown } = useFacts(game, mode);
  const { state, error, guess, setError } = useGame(game, mode, number, guesses);
  const start = (wish) => go("play", { game, mode, n: draw(), ...wish });
  return html`
    <div class="two play">
      <section class="stage" aria-label="Board">
        <${Wrong} error=${unknown} />
        ${facts && state ? html`
          <${Board} key=${`${game} ${mode} ${number}`} facts=${facts} state=${state} error=${error}
            guess=${guess} setError=${setError} start=${start} />`
        : !unknown && (error ? html`<${Wrong} error=${error} />` : html`<${Waiting}>Laying out the tiles<//>`)}
      </section>
      <aside class="stack">
        <section class="card stack" aria-label="Game">
          <${GamePicker} game=${game} mode=${mode} facts=${facts} onChange=${start} />
          <div class="row">
            <button type="button" class="button" onClick=${() => start({})}>
              <${Icon} name="again" />New word</button>
            <${CopyButton} text=${() => friendly(game, mode, number)}>Invite<//>
            ${number !== today() && html`<a class="button plain small"
              href=${link("play", { game, mode, n: today() })}>Today's word</a>`}
          </div>
          ${facts && html`<p class="small soft">${described(facts, number)}</p>`}
        </section>
        <${Statistics} of=${`${game} ${mode}`} state=${state} />
      </aside>
    </div>`;
}

const described = (facts, number) =>
  `${facts.name}: ${plural(facts.answers, "answer")}, ${plural(facts.guesses, "guess", "guesses")}, ` +
  `${facts.cap ? plural(facts.cap, "try", "tries") : "no limit"}. ` +
  (number === today() ? "Today's word." : `Word number ${number}.`);

const friendly = (game, mode, number) =>
  `${location.origin}/${link("play", { game, mode, n: number })}`;

/** The game as the server sees it; a refused guess leaves it as it was. */
function useGame(game, mode, number, guesses) {
  const key = [game, mode, number].join(" ");
  const wanted = guesses.join(".");
  const [state, setState] = useState(null);
  const [error, setError] = useState(null);
  const shown = useRef("");
  useEffect(() => {
    if (shown.current === `${key} ${wanted}`) return;
    let current = true;
    setError(null);
    post("/play", { game, mode, number, guesses }).then((found) => {
      if (!current) return;
      shown.current = `${key} ${wanted}`;
      setState({ ...found, fresh: 0 });
    }, (problem) => current && setError(problem));
    return () => { current = false; };
  }, [key, wanted]);
  const made = useRef(guesses);
  made.current = guesses;
  const guess = async (word, giveUp = false) => {
    const next = giveUp ? made.current : [...made.current, word];
    try {
      const found = await post("/play", { game, mode, number, guesses: next, give_up: giveUp });
      shown.current = `${key} ${next.join(".")}`;
      made.current = next;
      setError(null);
      setState({ ...found, fresh: found.rows.length });
      if (found.over) record(`${game} ${mode}`, number, found.won, found.rows.length);
      go("play", { game, mode, n: number, g: next.join(".") }, { replace: true });
      return true;
    } catch (problem) {
      setError(problem);
      return false;
    }
  };
  return { state, error, guess, setError };
}

function Board({ facts, state, error, guess, setError, start }) {
  const [typed, setTyped] = useState([]);
  const [sent, setSent] = useState([]); // words on their way, so that fast fingers need not wait
  const [shaking, setShaking] = useState(false);
  const line = useRef(Promise.resolve());
  const now = useRef([]); // what is typed, known at once: keys may come faster than the screen
  const { length, cap, alphabet } = facts;
  const show = (signs) => { now.current = signs; setTyped(signs); };
  const letter = (sign) => {
    if (state.over) return;
    setError(null);
    if (now.current.length < length) show([...now.current, sign]);
  };
  const erase = () => { setError(null); show(now.current.slice(0, -1)); };
  const refuse = () => {
    setShaking(true);
    setTimeout(() => setShaking(false), 400);
  };
  const enter = () => {
    const word = now.current;
    if (state.over || !word.length) return;
    if (word.length < length) {
      setError(new Error(`${capitals(word.join(""))} has ${plural(word.length, "letter")}; words have ${length}`));
      return refuse();
    }
    show([]);
    setSent((before) => [...before, word]);
    line.current = line.current.then(async () => {
      const taken = await guess(word.join(""));
      setSent((before) => before.slice(1));
      if (taken) return;
      if (!now.current.length) show(word); // nothing of what was typed is lost
      refuse();
    });
  };
  useKeys(alphabet, { onLetter: letter, onEnter: enter, onErase: erase });
  const rows = state.rows;
  const open = state.over ? 0 : 1;
  const blank = cap ? Math.max(0, cap - rows.length - sent.length - open) : 0;
  const size = { "--letters": length, "--rows": cap ?? Math.max(6, rows.length + open) };
  return html`
    <ol class="board" aria-label="Your guesses" style=${size}>
      ${rows.map(({ guess: word, feedback }, place) => html`
        <li key=${place}><${Tiles} word=${word} feedback=${feedback} turning=${place + 1 === state.fresh} /></li>`)}
      ${sent.map((word, place) => html`
        <li key=${`sent${place}`}><${Tiles} word=${word.join("")} length=${length} /></li>`)}
      ${!state.over && rows.length + sent.length < (cap ?? Infinity) && html`<li key="open"><${Tiles} word=${typed.join("")} length=${length}
        shaking=${shaking} /></li>`}
      ${Array.from({ length: blank }, (_, place) => html`
        <li key=${`blank${place}`} aria-hidden="true"><${Tiles} word="" length=${length} /></li>`)}
    </ol>
    <div class="told"><${Wrong} error=${error} />
      ${!error && !state.over && html`<p class="soft small">${rows.length
        ? `${plural(state.remaining, "answer")} still ${state.remaining === 1 ? "fits" : "fit"}`
        : `Find the ${length}-letter ${facts.tiles ? "word" : "code"}${cap ? ` in ${cap} tries` : ""}`}</p>`}
      ${state.over && html`<${Ending} state=${state} start=${start} />`}
    </div>
    <p class="hidden" role="status">${rows.length
      ? `Guess ${rows.length}: ${spoken(rows.at(-1).guess, rows.at(-1).feedback)}` : ""}</p>
    <${Keyboard} alphabet=${alphabet} rows=${rows} disabled=${state.over}
      onLetter=${letter} onEnter=${enter} onErase=${erase} />
    ${!state.over && rows.length > 0 && html`<p class="center"><button type="button"
      class="button plain small" onClick=${() => guess("", true)}>Show me the answer</button></p>`}`;
}

const PRAISE = ["", "First try. Buy a ticket.", "Two. Splendid.", "Three. Beautifully done.",
  "Four. Well played.", "Five. There it is.", "Six. That was close."];

function Ending({ state, start }) {
  const { game, mode, rows, won, answer } = state;
  return html`
    <div class="ending" role="status">
      <p>${won ? html`<strong>${PRAISE[rows.length] ?? `Found in ${rows.length}.`}</strong>`
        : html`The answer was <strong>${capitals(answer)}</strong>.`}</p>
      <div class="row center">
        <button type="button" class="button main" onClick=${() => start({})}><${Icon} name="again" />Play again</button>
        <${CopyButton} text=${() => state.share}>Share<//>
        ${rows.length > 0 && html`<a class="button" href=${link("analyse", {
          game, mode, words: rows.map(({ guess }) => guess).join(" "), answer: won ? "" : answer,
        })}><${Icon} name="analyse" />Analyse</a>`}
        ${!won && rows.length > 0 && html`<a class="button plain" href=${link("assist", {
          game, mode, rows: packRows(rows),
        })}>What was best?</a>`}
      </div>
    </div>`;
}

function Statistics({ of, state }) {
  const kept = statistics(of);
  const now = state?.over && state.won ? state.rows.length : null;
  const figures = [
    ["Played", kept.played],
    ["Won", kept.played ? `${Math.round((100 * kept.won) / kept.played)}%` : "–"],
    ["Streak", kept.streak],
    ["Best", kept.best],
  ];
  const sizes = Object.keys(kept.counts).map(Number);
  const all = Object.fromEntries(Array.from(
    { length: Math.max(6, ...sizes) }, (_, place) => [place + 1, kept.counts[place + 1] ?? 0],
  ));
  return html`
    <section class="card stack" aria-label="Statistics">
      <h2>Statistics</h2>
      <dl class="figures">${figures.map(([name, value]) => html`
        <div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      ${kept.played > 0
        ? html`<${Histogram} counts=${all} now=${now} lost=${kept.played - kept.won} label="Wins by tries" />`
        : html`<p class="small soft">Your games are counted here, in this browser only.</p>`}
    </section>`;
}

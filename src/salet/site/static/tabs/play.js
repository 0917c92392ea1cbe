// Play: a game against a secret that a number names.
import { html, useRef, useState } from "../lib.js";
import { Board } from "../board.js";
import { specOf, useFacts } from "../games.js";
import { Help } from "../help.js";
import { Icon } from "../icons.js";
import { isField } from "../keyboard.js";
import { isUnfinished, keptGame, todaysNumber, useGame } from "../play_state.js";
import { GamePicker, Histogram, Leaving, Segments, useListAge, Waiting, Wrong } from "../parts.js";
import { summary, useGamesPlayed } from "../history.js";
import { go, link } from "../route.js";
import { isReachable, publicAddress, ShareButton } from "../share.js";
import { read, write } from "../store.js";
import { plural } from "../words.js";
import { BoardCount, boardsOf, BoardsPlay } from "./boards.js";

const draw = () => Math.floor(Math.random() * 2 ** 40);

/** One board, or several. */
export const Play = ({ params }) => (boardsOf(params) > 1 ? html`<${BoardsPlay} params=${params} />` : html`<${OneBoard} params=${params} />`);

const HOSTS = [["secret", "A secret word"], ["adversary", "An adversary"]];

function settled({ game, mode, n, g = "", end, host }) {
  const last = read("last", {});
  return {
    game: game ?? last.game ?? "nyt", mode: mode ?? (game ? "normal" : last.mode ?? "normal"),
    number: n ? Math.abs(Math.trunc(Number(n))) || 0 : todaysNumber(), guesses: g.split(".").filter(Boolean), end: end === "1",
    host: host === "adversary" ? host : "secret",
  };
}

function OneBoard({ params }) {
  const { game, mode, number, guesses, end, host } = settled(params);
  const spec = specOf({ game, mode });
  const { facts, error: unknown } = useFacts(spec);
  const played = useGame(spec, number, guesses, end, host);
  const { state, error } = played;
  const [wish, setWish] = useState(null); // what was asked for while a game is on
  const [helping, setHelping] = useState(false);
  const [typed, setTyped] = useState([]);
  const board = useRef();
  // to the board, unless the player is in a text field by then
  const focus = () => requestAnimationFrame(() => isField(document.activeElement) || board.current?.focus({ preventScroll: true }));
  const start = (next) => {
    const chosen = { game, mode, n: draw(), host: host === "adversary" ? host : "", ...next };
    write("last", { game: chosen.game, mode: chosen.mode });
    setHelping(false);
    go("play", chosen);
    scrollTo(0, 0); // to the board
    focus();
  };
  const choose = (next) => {
    if (state && isUnfinished(state)) return setWish(next);
    // nothing is begun yet: the same day's word in the other mode or game
    return start({ ...next, n: state?.rows.length ? draw() : number });
  };
  const stay = () => { setWish(null); focus(); };
  const clicked = (event) => event.detail > 0 && !event.target.closest("input, textarea, select, a, summary, dialog") && focus();
  return html`
    <div class="two play" onClick=${clicked}>
      <section class="stage" aria-label="Board">
        <${Wrong} error=${unknown} />
        ${facts && state ? html`
          <${Board} key=${`${game} ${mode} ${number} ${host}`} board=${board} facts=${facts} played=${played} spec=${spec}
            start=${() => start({})} onHelp=${() => setHelping(!helping)} helping=${helping} onTyped=${setTyped} />`
        : !unknown && (error ? html`<${Wrong} error=${error} />` : html`<${Waiting}>Laying out the tiles<//>`)}
      </section>
      <aside class="stack">
        ${helping && facts && state && !state.over && html`<${Help} spec=${spec} facts=${facts} rows=${state.rows} typed=${typed}
          onStep=${played.noteHelp} onPick=${(letters) => { played.put.current?.(letters); scrollTo(0, 0); focus(); }} />`}
        <${Choice} game=${game} mode=${mode} number=${number} host=${host} facts=${facts} onChoose=${choose}
          onNew=${() => (state && isUnfinished(state) ? setWish({}) : start({}))} />
        <${Statistics} game=${game} mode=${mode} state=${state} />
      </aside>
      <${Leaving} open=${Boolean(wish)} guesses=${state?.rows.length ?? 0} onStay=${stay}
        go=${wish?.boards ? `Play ${wish.boards} boards` : wish?.mode && wish.mode !== mode ? `Start a new word in ${wish.mode} mode` : "Start a new word"}
        onGo=${() => { const next = wish; setWish(null); start(next); }} />
    </div>`;
}

function Choice({ game, mode, number, host, facts, onChoose, onNew }) {
  const age = useListAge(game);
  const ours = number === todaysNumber();
  const open = !ours && isUnfinished(keptGame(game, mode, todaysNumber()));
  return html`
    <section class="card stack" aria-label="Game">
      <${GamePicker} game=${game} mode=${mode} facts=${facts} onChange=${onChoose} />
      <${BoardCount} boards=${1} onChange=${(boards) => onChoose({ boards })} />
      <${Segments} legend="Against" value=${host} options=${HOSTS}
        onChange=${(wish) => onChoose({ host: wish === "adversary" ? wish : "" })} />
      ${host === "adversary" && html`<p class="small soft">It has no word in mind: after each guess it keeps the largest group of words that still fit.</p>`}
      <div class="row">
        <button type="button" class="button" onClick=${onNew}><${Icon} name="again" />New word</button>
        <${ShareButton} title="Invite" text=${() => invitation(game, mode, number)}
          note=${isReachable() ? "" : "This page is only on your own device, so the link works there alone."}>Invite<//>
        ${!ours && html`<a class="button plain" href=${link("play", { game, mode, n: todaysNumber() })}
          >${open ? "Back to today's word" : "Today's word"}</a>`}
      </div>
      ${facts && html`<p class="small soft">${described(facts, ours, number, age)}</p>`}
    </section>`;
}

const described = (facts, ours, number, age) =>
  `${facts.name}: ${plural(facts.answers, "answer")}, ${plural(facts.guesses, "guess", "guesses")}, ` +
  `${facts.cap ? plural(facts.cap, "try", "tries") : "no limit"}${age ? `, ${age}` : ""}. ` +
  (ours ? "Today's word." : `Word number ${number}.`);

const invitation = (game, mode, number) =>
  `Play the same word as me: ${publicAddress()}${link("play", { game, mode, n: number })}`;

function Statistics({ game, mode, state }) {
  const found = summary(useGamesPlayed().filter((one) => one.game === (state?.game ?? game) && one.mode === mode && one.puzzle !== undefined));
  const now = state?.over && state.won ? state.rows.length : null;
  const figures = [
    ["Played", found.played],
    ["Won", found.played ? `${Math.round((100 * found.won) / found.played)} %` : "–"],
    ["Streak", found.streak],
    ["Best", found.best],
  ];
  const sizes = Object.keys(found.counts).map(Number);
  const all = Object.fromEntries(Array.from(
    { length: Math.max(6, ...sizes) }, (_, place) => [place + 1, found.counts[place + 1] ?? 0],
  ));
  return html`
    <section class="card stack" aria-label="Statistics">
      <h2>Statistics</h2>
      <dl class="figures">${figures.map(([name, value]) => html`
        <div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      ${found.played > 0
        ? html`<${Histogram} counts=${all} now=${now} lost=${found.played - found.won} label="Wins by tries" />
          <p><a class="small" href="#/history">All your games</a></p>`
        : html`<p class="small soft">Your games are counted here, in this browser only.</p>`}
    </section>`;
}

// Several boards at once: Play and Assist for 2, 4 and 8 of them.
import { html, useEffect, useRef, useState } from "../lib.js";
import { playBoards, readBoards, suggestBoards } from "../api.js";
import { asText, isFull, isSolved, openRows, packBoards, settledRows, SOLVED, unpackBoards } from "../board_rows.js";
import { specOf, useFacts } from "../games.js";
import { Icon } from "../icons.js";
import { Keyboard, useKeys } from "../keyboard.js";
import { GameBar, GamePicker, Leaving, Segments, Tile, Tiles, useLive, Waiting, WordList, Wrong } from "../parts.js";
import { todaysNumber } from "../play_state.js";
import { go, link } from "../route.js";
import { ShareButton } from "../share.js";
import { read, useKept, write } from "../store.js";
import { capitals, letters, number, percent, plural, SAID, spoken, UNKNOWN, upper } from "../words.js";

const COUNTS = [1, 2, 4, 8];
const MOST_KEPT = 100;
const draw = () => Math.floor(Math.random() * 2 ** 40);

/** How many boards a link asks for: one where it asks for none. */
export const boardsOf = ({ boards }) => {
  const count = Math.trunc(Number(boards));
  return count >= 2 && count <= 32 ? count : 1;
};

export const BoardCount = ({ boards, onChange }) => html`
  <${Segments} legend="Boards" value=${boards} options=${[...new Set([...COUNTS, boards])].map((count) => [count, String(count)])}
    onChange=${onChange} />`;

// ---- play

const keyOf = (game, boards, number_) => `${game} boards=${boards} ${number_}`;

/** A game on several boards, kept at every guess; `mode` is that of one board, to which the player may return. */
function useBoards(spec, boards, number_, linked, endLinked, mode) {
  const key = keyOf(spec.game, boards, number_);
  const [all] = useKept("boards", {});
  const guesses = all[key]?.guesses ?? linked;
  const end = all[key]?.end ?? endLinked;
  const [problem, setProblem] = useState(null);
  const asked = `${key} ${guesses.join(".")} ${end}`;
  const found = useLive(() => playBoards(spec, { boards, number: number_, guesses, giveUp: end }), [asked]);
  const guess = async (word, giveUp = false) => {
    const made = read("boards", {})[key]?.guesses ?? linked; // another word may have gone before
    const next = giveUp ? made : [...made, word];
    try {
      await playBoards(spec, { boards, number: number_, guesses: next, giveUp });
    } catch (error) {
      setProblem(error);
      return false;
    }
    setProblem(null);
    const others = Object.entries(read("boards", {})).filter(([name]) => name !== key);
    write("boards", Object.fromEntries([...others, [key, { guesses: next, end: giveUp }]].slice(-MOST_KEPT)));
    go("play", { game: spec.game, mode, boards, n: number_, g: next.join("."), end: giveUp ? "1" : "" }, { replace: true });
    return true;
  };
  return { state: found.value, error: problem ?? found.error, setProblem, guess };
}

export function BoardsPlay({ params }) {
  const game = params.game ?? read("last", {}).game ?? "nyt";
  const boards = boardsOf(params);
  const number_ = params.n ? Math.abs(Math.trunc(Number(params.n))) || 0 : todaysNumber();
  const spec = specOf({ game, mode: "normal" });
  const { facts, error } = useFacts(spec);
  const played = useBoards(spec, boards, number_, (params.g ?? "").split(".").filter(Boolean), params.end === "1", params.mode);
  const { state } = played;
  const isOwn = state && state.number === number_ && state.boards === boards;
  const [wish, setWish] = useState(null); // what was asked for while a game is on
  const start = (next = {}) => go("play", { game, mode: params.mode, boards, n: draw(), ...next });
  const choose = (next) => (isOwn && state.turn > 0 && !state.over ? setWish(next) : start(next));
  return html`
    <div class="boards-play">
      <section class="stage" aria-label="Boards">
        <${Wrong} error=${error} />
        ${facts && isOwn ? html`<${Boards} key=${keyOf(game, boards, number_)} facts=${facts} played=${played} start=${() => start()} />`
          : !error && (played.error ? html`<${Wrong} error=${played.error} />` : html`<${Waiting}>Laying out the tiles<//>`)}
      </section>
      <section class="card stack" aria-label="Game">
        <${BoardCount} boards=${boards} onChange=${(count) => choose({ boards: count === 1 ? "" : count, n: number_ })} />
        <${GamePicker} game=${game} mode="normal" facts=${ofBoards(facts, boards)}
          onChange=${(next) => choose({ game: next.game, mode: "", n: number_ })} />
        <div class="row">
          <button type="button" class="button" onClick=${() => choose({})}><${Icon} name="again" />New words</button>
          ${number_ !== todaysNumber() && html`<a class="button plain" href=${link("play", { game, boards, n: todaysNumber() })}>Today's words</a>`}
        </div>
        ${facts && state && html`<p class="small soft">${boards} different answers, one guess for all boards,
          ${state.cap ? ` ${state.cap} tries` : " no limit"}.</p>`}
      </section>
      <${Leaving} open=${Boolean(wish)} guesses=${state?.turn ?? 0} go=${wish?.boards === "" ? "Play one board" : "Start new words"}
        onStay=${() => setWish(null)} onGo=${() => { const next = wish; setWish(null); start(next); }} />
    </div>`;
}

function Boards({ facts, played, start }) {
  const { state, error, setProblem, guess } = played;
  const [typed, setTyped] = useState([]);
  const [asking, setAsking] = useState(false);
  const [shaking, setShaking] = useState(false);
  const now = useRef([]);
  const line = useRef(Promise.resolve());
  const show = (signs) => { now.current = signs; setTyped(signs); };
  const letter = (sign) => {
    if (state.over) return;
    setProblem(null);
    setAsking(false);
    if (now.current.length < facts.length) show([...now.current, sign]);
  };
  const erase = () => { setProblem(null); show(now.current.slice(0, -1)); };
  const refuse = () => { setShaking(true); setTimeout(() => setShaking(false), 400); };
  const enter = () => {
    const word = now.current;
    if (state.over || !word.length) return;
    if (word.length < facts.length) {
      setProblem(new Error(`${capitals(word.join(""))} has ${plural(word.length, "letter")}; words have ${facts.length}`));
      refuse();
      return;
    }
    show([]);
    line.current = line.current.then(async () => {
      if (await guess(word.join(""))) return;
      if (!now.current.length) show(word); // nothing of what was typed is lost
      refuse();
    });
  };
  useKeys(facts.alphabet, { typing: () => now.current.length > 0, onLetter: letter, onEnter: enter, onErase: erase });
  const last = state.rows.at(-1);
  const grid = useRef();
  useEffect(() => { // the row that is typed stays in sight
    for (const board of grid.current?.querySelectorAll("ol") ?? []) board.scrollTop = board.scrollHeight;
  }, [state.rows.length]);
  return html`
    <div class="boards" ref=${grid} data-boards=${state.boards} style=${{ "--letters": facts.length }}>
      ${state.solved.map((turn, board) => html`
        <ol key=${board} class=${turn ? "solved" : ""} tabindex="0"
          aria-label=${`Board ${board + 1}${turn ? `, solved in ${turn}` : ""}`}>
          ${state.rows.map(({ guess: word, feedback }, at) => feedback[board] && (!turn || state.over || at + 1 === turn) && html`
            <li key=${at}><${Tiles} word=${word} feedback=${feedback[board]} turning=${false} /></li>`)}
          ${!turn && !state.over && html`<li key="typed"><${Tiles} word=${typed.join("")} length=${facts.length} shaking=${shaking} /></li>`}
          ${!turn && state.answers && html`<li key="answer" class="answer">${capitals(state.answers[board])}</li>`}
        </ol>`)}
    </div>
    <div class="console">
      <div class="told"><${Wrong} error=${error} />
        ${!error && !state.over && html`<p class="row center"><span class="soft small">${state.cap
          ? `Guess ${state.turn + 1} of ${state.cap}` : `Guess ${state.turn + 1}`}, ${plural(state.solved.filter((turn) => !turn).length, "board")} open</span>
          ${state.turn > 0 && (asking
            ? html`<span>Give up?</span><button type="button" class="button small" onClick=${() => guess("", true)}>Give up</button>
              <button type="button" class="button plain small" onClick=${() => setAsking(false)}>Play on</button>`
            : html`<a class="button plain small" href=${link("assist", { game: state.game, boards: state.boards, rows: packBoards(rowsOf(state)) })}>Coach</a>
              <button type="button" class="button plain small" onClick=${() => setAsking(true)}>Give up</button>`)}</p>`}
      </div>
      <p class="hidden" role="status">${last ? `Guess ${state.turn}, ${last.feedback.map((field, board) =>
        (field ? `board ${board + 1}: ${spoken(last.guess, field)}` : "")).filter(Boolean).join("; ")}` : ""}</p>
      ${state.over ? html`<${Ending} state=${state} start=${start} />`
        : html`<${Keyboard} alphabet=${facts.alphabet} rows=${openRows(state.rows, state.solved)} onLetter=${letter} onEnter=${enter} onErase=${erase} />`}
    </div>`;
}

const rowsOf = (state) => state.rows.map(({ guess, feedback }) => ({ guess, fields: feedback.map((field) => field ?? SOLVED) }));

const Ending = ({ state, start }) => html`
  <div class="ending" role="status">
    <p>${state.won ? html`<strong>All ${state.boards} boards in ${state.turn}.</strong>`
      : html`<strong class="bad">Lost.</strong> ${plural(state.solved.filter((turn) => !turn).length, "board")} stayed open.`}</p>
    <div class="row center">
      <button type="button" class="button main" onClick=${start}><${Icon} name="again" />Play again</button>
      <${ShareButton} text=${() => state.share}>Share<//>
    </div>
  </div>`;

// ---- assist

/** The facts of a game, as they are with several boards. */
const ofBoards = (facts, boards) => facts && { ...facts, modes: ["normal"], cap: facts.cap && facts.cap + boards - 1 };

export function BoardsAssist({ params }) {
  const { game = "nyt" } = params;
  const boards = boardsOf(params);
  const rows = unpackBoards(params.rows, boards);
  const spec = specOf({ game, mode: "normal" });
  const { facts, error } = useFacts(spec);
  const change = (wish, options) => {
    const next = { game, boards, rows, ...wish };
    if (next.boards === 1) return go("assist", { game: next.game });
    const kept = next.game === game && next.boards === boards ? settledRows(next.rows, facts?.length ?? 5) : [];
    return go("assist", { game: next.game, boards: next.boards, rows: packBoards(kept) }, options);
  };
  const coloured = rows.every(isFull);
  const key = JSON.stringify([spec, boards, rows]);
  const told = useLive(() => readBoards(spec, boards, asText(rows)), [key], Boolean(facts) && coloured);
  const open = coloured && !told.busy && told.value && !told.value.over;
  const advice = useLive((update, signal) => suggestBoards(spec, boards, { rows: asText(rows), seconds: 5 }, update, signal), [key], Boolean(open));
  const problem = told.error ?? advice.error;
  const blank = () => Array.from({ length: boards }, (_, board) =>
    (isSolved(rows, board) ? SOLVED : facts.tiles ? UNKNOWN.repeat(facts.length) : UNKNOWN));
  const add = (guess, fields) => change({ rows: [...rows, { guess, fields: fields ?? blank() }] });
  const set = (at, board, field) => change({ rows: rows.map((row, place) =>
    (place === at ? { ...row, fields: row.fields.map((old, which) => (which === board ? field : old)) } : row)) }, { replace: true });
  return html`
    <div class="stack">
      <${GameBar} game=${game} mode="normal" facts=${ofBoards(facts, boards)} error=${error} onChange=${change}>
        <${BoardCount} boards=${boards} onChange=${(count) => change({ boards: count })} />
      <//>
      <div class="two assist">
        <section class="card stack" aria-label="Your guesses">
          <header><h2>${boards} boards</h2>
            ${rows.length > 0 && html`<span class="row">
              <button type="button" class="button plain small" onClick=${() => change({ rows: rows.slice(0, -1) })}>Remove the last row</button>
              <button type="button" class="button plain small" onClick=${() => change({ rows: [] })}>Clear</button></span>`}</header>
          ${facts && html`<${GuessField} facts=${facts} boards=${boards} rows=${rows} onDone=${add} />`}
          <${Wrong} error=${problem} />
          ${facts && rows.length > 0 && html`<${Coloured} rows=${rows} boards=${boards} facts=${facts} onSet=${set}
            remaining=${told.value?.rows.length === rows.length ? told.value.remaining : []} />`}
          <p class="small soft">${facts?.tiles ? `Tap the tiles of each board to colour them, or type “crane ${sample(boards)}”.`
            : `Type code and pegs of every board: “1122 ${Array.from({ length: boards }, () => "1,0").join("/")}”.`}</p>
        </section>
        <div class="stack">
          ${told.value?.won && coloured ? html`<section class="card stack" aria-label="Best guess"><h2>All boards are solved, in ${rows.length}</h2></section>`
            : html`<${Next} advice=${coloured && open ? advice.value : null} waits=${!coloured} problem=${problem} busy=${advice.busy} onPick=${(guess) => add(guess)} />`}
        </div>
      </div>
    </div>`;
}

const sample = (boards) => Array.from({ length: boards }, (_, at) => (at ? "bbbyb" : "bybbg")).slice(0, 4).join("/") + (boards > 4 ? "/…" : "");

/** A field for a guess, or a guess and the feedback of all boards. */
function GuessField({ facts, boards, rows, onDone }) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const done = (event) => {
    event.preventDefault();
    const [word = "", feedback = "", ...rest] = text.trim().split(/[\s:]+/);
    if (!word) return setError("Type a guess first.");
    if (rest.length) return setError("One guess at a time: a word, and the colours of all boards if you like.");
    const size = letters(word).length;
    if (size !== facts.length) return setError(`“${word.slice(0, 40)}” has ${plural(size, "letter")}; this game's words have ${facts.length}.`);
    const fields = feedback ? feedback.toUpperCase().split("/") : null;
    if (fields && fields.length !== boards) return setError(`There are ${plural(fields.length, "field")} of colours for ${boards} boards; give one for each, with “-” for a solved one.`);
    const shape = facts.tiles ? new RegExp(`^(?:[GYB]{${facts.length}}|-)$`) : /^(?:\d+,\d+|-)$/;
    const wrong = fields?.findIndex((field) => !shape.test(field)) ?? -1;
    if (wrong >= 0) return setError(`Board ${wrong + 1}: “${fields[wrong].slice(0, 40)}” is no feedback; ${facts.tiles ? `give ${facts.length} letters out of G, Y and B` : "give two numbers, as in 1,2"}.`);
    setError("");
    setText("");
    return onDone(word.toLowerCase(), fields);
  };
  return html`
    <form class="wordfield" onSubmit=${done}>
      <label class="hidden" for="boards-guess">Next guess</label>
      <input id="boards-guess" class="input" value=${text} placeholder=${rows.length ? "Next guess" : "First guess"} autocomplete="off"
        autocapitalize="none" autocorrect="off" spellcheck=${false} enterkeyhint="done" aria-invalid=${Boolean(error)}
        aria-describedby="boards-guess-error" onInput=${(event) => { setText(event.target.value); setError(""); }} />
      <button class="button main"><${Icon} name="plus" />Add</button>
      <div class="full"><${Wrong} id="boards-guess-error" error=${error} /></div>
    </form>`;
}

const NEXT = { [UNKNOWN]: "B", B: "Y", Y: "G", G: "B" };

/** The rows board by board; tiles of open boards are buttons. */
function Coloured({ rows, boards, facts, onSet, remaining }) {
  const at = (field, place) => (/[BYG]/.test(field[place] ?? "") ? field[place] : UNKNOWN);
  return html`
    <div class="boards colouring" data-boards=${boards} style=${{ "--letters": facts.length }}>
      ${Array.from({ length: boards }, (_, board) => {
        const solved = isSolved(rows, board);
        const lines = rows.map(({ guess, fields }, row) => ({ guess, field: fields[board], row })).filter(({ field }) => field !== SOLVED);
        const last = lines.at(-1);
        const isOpen = last && facts.tiles && last.field.includes(UNKNOWN);
        return html`
          <div key=${board} class="board-card ${solved ? "solved" : ""}" role="group" aria-label=${`Board ${board + 1}`}>
            <p class="small soft">Board ${board + 1}${solved ? ", solved" : remaining[board] ? `: ${plural(remaining[board], "word")}` : ""}</p>
            ${lines.map(({ guess, field, row }) => html`
              <span key=${row} class="tiles">${letters(guess).map((letter, place) => (facts.tiles ? html`
                <${Tile} key=${place} letter=${letter} place=${place} state=${at(field, place) === UNKNOWN ? "" : field[place]}
                  label=${`${upper(letter)}, ${SAID[at(field, place)]}. Change`}
                  onClick=${() => onSet(row, board, [...field].map((old, where) => (where === place ? NEXT[at(field, place)] : old)).join(""))} />`
                : html`<${Tile} key=${place} letter=${letter} />`))}
                ${!facts.tiles && html`<span class="pegs">${field}</span>`}</span>`)}
            ${isOpen && html`<span class="row fills">
              <button type="button" class="button small" aria-label=${`Board ${board + 1}: the rest grey`}
                onClick=${() => onSet(last.row, board, last.field.replaceAll(UNKNOWN, "B"))}>Rest grey</button>
              <button type="button" class="button small" aria-label=${`Board ${board + 1}: all green`}
                onClick=${() => onSet(last.row, board, "G".repeat(facts.length))}>Green</button></span>`}
          </div>`;
      })}
    </div>`;
}

function Next({ advice, waits, problem, busy, onPick }) {
  if (problem) return html`<section class="card stack" aria-label="Best guess"><h2>Next guess</h2><p class="soft">There is no advice until the rows are right.</p></section>`;
  if (waits) return html`<section class="card stack" aria-label="Best guess"><h2>Next guess</h2><p class="soft">Give every board its colours.</p></section>`;
  if (!advice) return html`<section class="card stack" aria-label="Best guess"><h2>Next guess</h2><${Waiting}>Thinking<//></section>`;
  const [best] = advice.suggestions;
  const open = advice.solved.filter((turn) => !turn).length;
  return html`
    <section class="card stack best" aria-label="Best guess" aria-busy=${busy}>
      <header><h2>Next guess</h2><span class="chip">${busy ? html`<span class="spin"></span>playing on` : advice.rolled ? `${advice.rolled} games tried` : "estimated"}</span></header>
      <div class="row between"><${Tiles} word=${best.guess} />
        <button type="button" class="button main" onClick=${() => onPick(best.guess)}>Play it</button></div>
      <p class="lead" aria-live="polite">${why(best)} ${plural(open, "board")} ${open === 1 ? "is" : "are"} open;
        about ${number(best.expected, 2)} guesses to come, and never fewer than ${open}.</p>
    </section>
    <section class="card stack" aria-label="Other guesses"><h2>Others</h2>
      <div class="table"><table><thead><tr><th>Guess</th><th>To come</th><th>Solves one now</th></tr></thead>
        <tbody>${advice.suggestions.slice(1).map((one) => html`<tr key=${one.guess}>
          <td><button type="button" class="button plain small" onClick=${() => onPick(one.guess)}>${one.guess}</button></td>
          <td>${number(one.expected, 2)}</td><td>${one.solves ? percent(one.solves) : "–"}</td></tr>`)}</tbody></table></div>
    </section>
    <section class="card stack" aria-label="Words that remain"><h2>What remains</h2>
      ${advice.words.map((words, board) => words.length > 0 && html`<div key=${board}><p class="small soft">Board ${board + 1}: ${plural(advice.remaining[board], "word")}</p>
        <${WordList} words=${words.slice(0, 12)} count=${advice.remaining[board]} onPick=${onPick} /></div>`)}
    </section>`;
}

function why({ guess, solves, boards }) {
  if (solves > 1 - 1e-9) return `${capitals(guess)} solves board ${boards[0]} for sure.`;
  if (boards.length) return `${capitals(guess)} may solve board ${boards.join(" or ")} (${percent(solves)}).`;
  return `${capitals(guess)} solves no board now, and tells most about all.`;
}

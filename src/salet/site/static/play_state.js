// A game that is being played: kept at every guess, so that nothing is lost and nothing undone.
import { play } from "./api.js";
import { useEffect, useRef, useState } from "./lib.js";
import { add } from "./history.js";
import { go } from "./route.js";
import { read, useKept, write } from "./store.js";
import { today } from "./words.js";

const MOST_KEPT = 100; // games; older ones are forgotten

/** The number of today's word. */
export const todaysNumber = () => Number(today().replaceAll("-", ""));

const keyOf = (game, mode, number, host = "secret") => `${game} ${mode} ${number}${host === "adversary" ? " adversary" : ""}`;

/** The guesses made in a game so far, {guesses, end, help}; nothing if it was never begun here. */
export const keptGame = (game, mode, number) => read("play", {})[keyOf(game, mode, number)];

function keep(key, game) {
  const others = Object.entries(read("play", {})).filter(([name]) => name !== key);
  write("play", Object.fromEntries([...others, [key, game]].slice(-MOST_KEPT)));
}

/** Begun, and not at its end? Takes a state of play or a kept game. */
export const isUnfinished = (game) =>
  Boolean(game) && (game.rows ?? game.guesses).length > 0 && !(game.over ?? game.over_kept);

/** The game of a number as it stands. What was kept here goes before what a link says: neither a reload
 * nor an old link takes a guess back. */
export function useGame(spec, number, linked, endLinked, host = "secret") {
  const { game, mode } = spec;
  const key = keyOf(game, mode, number, host);
  const [all] = useKept("play", {}); // another tab may play the same game
  const kept = all[key];
  const guesses = kept?.guesses ?? linked;
  const end = kept?.end ?? endLinked;
  const wanted = `${key} ${guesses.join(".")} ${end ? "end" : ""}`;
  const [found, setFound] = useState({ state: null, error: null, shown: "" });
  const put = useRef(null); // the board's way to take letters from elsewhere
  const made = useRef({});
  made.current = { guesses, end, help: kept?.help ?? [] };
  const latest = useRef(); // effects end late: another game may be wanted before the one asked for is there
  latest.current = wanted;
  useEffect(() => {
    if (found.shown === wanted) return undefined;
    let active = true;
    const isWanted = () => active && latest.current === wanted;
    const show = (state, error = null) => isWanted() && setFound({ state: { ...state, fresh: 0 }, error, shown: wanted });
    play(spec, { number, guesses, giveUp: end, host }).then(show, async (problem) => {
      // a link from elsewhere with a guess that is none: the rest of it is played
      const whole = guesses.slice(0, Math.max(0, (problem.row ?? 1) - 1));
      try {
        show(await play(spec, { number, guesses: whole, giveUp: false, host }), problem);
      } catch {
        if (isWanted()) setFound({ state: null, error: problem, shown: wanted });
      }
    });
    return () => { active = false; };
  }, [wanted]);

  const shownFor = found.shown.startsWith(`${key} `);
  const guess = async (word, giveUp = false) => {
    const next = giveUp ? made.current.guesses : [...made.current.guesses, word];
    try {
      const state = await play(spec, { number, guesses: next, giveUp, host });
      const help = made.current.help;
      setFound({ state: { ...state, fresh: giveUp ? 0 : state.rows.length }, error: null, shown: `${key} ${next.join(".")} ${giveUp ? "end" : ""}` });
      made.current = { guesses: next, end: giveUp, help };
      keep(key, { guesses: next, end: giveUp, help, over_kept: state.over });
      if (state.over && host === "secret") add(recordOf(state, help)); // no luck to count against an adversary
      go("play", { game, mode, n: number, g: next.join("."), end: giveUp ? "1" : "", host: host === "adversary" ? host : "" }, { replace: true });
      return true;
    } catch (error) {
      setFound((before) => ({ ...before, error }));
      return false;
    }
  };
  const noteHelp = (step) => {
    const help = [...new Set([...made.current.help, step])];
    keep(key, { ...made.current, help });
  };
  return {
    state: shownFor ? found.state : null, error: shownFor ? found.error : null, guess, noteHelp, put,
    setError: (error) => setFound((before) => ({ ...before, error })),
  };
}

function recordOf(state, help) {
  return {
    date: today(), game: state.game, mode: state.mode, cap: state.cap, puzzle: state.number, source: "play",
    words: state.rows.map(({ guess }) => guess), rows: state.rows.map(({ feedback }) => feedback),
    answer: state.answer, won: state.won, help: help.length ? help : undefined,
  };
}

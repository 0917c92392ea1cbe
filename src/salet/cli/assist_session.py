"""The interactive session of `salet assist`: type, edit and undo rows, with advice after each."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from salet.cli.questions import REVEAL, Question, view
from salet.cli.render.board import board
from salet.cli.render.console import console, show
from salet.cli.render.games import headline
from salet.errors import InputError, SaletError

if TYPE_CHECKING:
    from salet.cli.questions import Answer
    from salet.coach.coach import AdviceOptions, Coach
    from salet.coach.position import Position
    from salet.game.rows import Row

HELP = """\
crane bybbg     a guess and its colours: b grey, y yellow, g green (or emoji, or 0 1 2)
crane           a guess alone: you are asked for its colours
2               edit row 2 (arrow keys move, up and down bring back what was typed before)
2 slate bbgyb   replace row 2
undo            undo the last change, whatever it was
hard, normal    change the mode
hint            help without spoilers, one step further every time: how many words fit, what
                the best guess achieves, which letters are worth testing, the best guess
hint 1          from now on show no more than this step (`hint 4`: everything)
rate WORD       how good is this guess? (also `WORD?`)
opener WORD     always list this guess as well (`opener` alone: stop doing so)
mean, worst …   change the objective (also mean-then-worst, win-then-mean)
likely          switch between answers weighted by likelihood and all equally likely
past WORDS      past answers, pasted: less likely, but never excluded
words           list every word that remains
more            search again, twice as long
new             start another game
quit            or Ctrl-D"""


def announce_compiling() -> None:
    """Print why the first search on a machine takes long."""
    from salet.coach.coach import is_compiled

    if sys.stderr.isatty() and not is_compiled():
        text = "compiling the search (once on every machine, half a minute or more) …"
        console(stderr=True).print(text, style="dim")


def show_live(position: Position, options: AdviceOptions, question: Question) -> Answer:
    """Show an answer that improves on the screen, and return it; any key ends the search."""
    from rich.live import Live

    from salet.cli.keyboard import key_pressed

    with key_pressed() as pressed, Live(console=console(), auto_refresh=False) as live:
        for answer in question.answers(position, options, pressed):
            live.update(view(answer), refresh=True)
    return answer


class AssistSession:
    """The rows, the mode and the options so far, with everything that can be undone."""

    def __init__(self, coach: Coach, options: AdviceOptions, step: int = REVEAL) -> None:
        self.coach, self.options = coach, options
        self.step = step
        """the last step of help that is shown without being asked for"""
        self._shown = 0
        """the last step of help shown in this position"""
        self.rows: list[Row] = []
        self._coaches = {_kind(coach): coach}
        self._before: list[tuple[Coach, list[Row]]] = []
        self._out = console()
        self._warming: threading.Thread | None = None

    def run(self) -> None:
        """Read commands until the user leaves."""
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (arrow keys and history)
        show(headline(self.coach.game).append(". `?` helps, Ctrl-D ends.\n"))
        self._advise()
        self._warm_up()
        while True:
            typed = self._ask(f"{len(self.rows) + 1}> ")
            if typed is None or typed in ("quit", "exit", "q"):
                return
            try:
                self._do(typed)
            except SaletError as error:  # the up key recalls the line
                self._out.print(f"   {error}", style="red", markup=False)

    def _ask(self, prompt: str, text: str = "") -> str | None:
        """Prompt for a line, prefilled with `text`; None at the end of input."""
        with _prefilled(text):
            try:
                typed: str = click.prompt(prompt, prompt_suffix="", default="", show_default=False)
            except click.Abort as abort:
                if isinstance(abort.__context__, EOFError):
                    click.echo()
                    return None
                raise
        return " ".join(typed.strip().lower().replace(":", " ").split())

    def _do(self, typed: str) -> None:
        from salet.coach.likelihood import read_past
        from salet.search.objectives import OBJECTIVES

        first, *rest = typed.split() or [""]
        if typed in ("?", "help"):
            self._out.print(HELP, markup=False)
        elif first == "":
            self._advise()
        elif typed in ("undo", "u"):
            self._undo()
        elif typed in ("hard", "normal", "strict"):
            self._change(self.rows, mode=typed)
        elif typed == "likely":
            is_equal = self.coach.weighting == "equal"
            self._change(self.rows, weighting="prior" if is_equal else "equal")
            text = (
                "answers are now weighted by likelihood"
                if is_equal
                else "all answers are now equally likely"
            )
            self._out.print(text, style="dim")
        elif first == "past" and rest:
            found = read_past(typed.removeprefix("past"), self.coach.game)
            self._change(self.rows, past=self.coach.past | set(found.words))
        elif typed in OBJECTIVES:
            self.options = replace(self.options, objective=typed)
            self._advise()
        elif first == "opener" and len(rest) <= 1:
            for word in rest:
                self.coach.game.index(word)
            self.options = replace(self.options, consider=tuple(rest))
            self._advise()
        elif first in ("hint", "rate") or (typed.endswith("?") and not rest):
            self._help(first, rest)
        elif typed == "words":
            self._words()
        elif typed == "more":
            self._advise(2)
        elif typed == "new":
            self._change([])
        elif first.isdigit() and len(first) < 3:
            self._edit(int(first), rest)
        else:
            self._change([*self.rows, *self._read_rows(first, rest)])

    def _help(self, first: str, rest: list[str]) -> None:
        """Show the next hint, limit hints to a step, or rate a guess."""
        if first != "hint":
            ideas = [first[:-1]] if first.endswith("?") else rest
            if len(ideas) != 1:
                raise InputError("rate one word, as in `rate crane`")
            self._answer(Question(idea=ideas[0]))
        elif not rest:
            self._answer(Question(min(self._shown + 1, REVEAL)))
        elif rest[0] in "1234" and len(rest) == 1 and len(rest[0]) == 1:
            self.step = int(rest[0])
            self._answer(Question(self.step))
        else:
            raise InputError(f"hint {' '.join(rest)!r}: there are steps 1 to {REVEAL}")

    def _read_rows(self, guess: str, rest: list[str]) -> list[Row]:
        """Parse the typed rows; prompts for the colours if only a guess was typed."""
        from salet.game.rows import parse_rows

        word = self.coach.game.guesses[self.coach.game.index(guess)]
        if not rest:
            rest = (self._ask(f"   colours of {word}> ") or "").split()
        if not rest:
            raise InputError(f"{word!r} has no colours: write them as {guess} bybbg")
        if all(len(tile) == 1 for tile in rest):  # b y b b g
            rest = ["".join(rest)]
        return parse_rows([word, *rest])

    def _edit(self, number: int, rest: list[str]) -> None:
        if not 1 <= number <= len(self.rows):
            raise InputError(f"there is no row {number}; there are {len(self.rows)}")
        if not rest:
            typed = self._ask(f"{number}: ", " ".join(self.rows[number - 1]))
            if not typed:
                return
            rest = typed.split()
        rows = [*self.rows]
        rows[number - 1 : number] = self._read_rows(rest[0], rest[1:])
        self._change(rows)

    def _undo(self) -> None:
        if not self._before:
            raise InputError("there is nothing to undo")
        self.coach, self.rows = self._before.pop()
        self._show()

    def _change(
        self,
        rows: list[Row],
        *,
        mode: str | None = None,
        weighting: str | None = None,
        past: frozenset[str] | None = None,
    ) -> None:
        """Switch to other rows, another mode or likelihood; an error changes nothing."""
        from salet.coach.coach import Coach

        old = self.coach
        mode, weighting = mode or old.game.mode, weighting or old.weighting
        kind = (mode, weighting, old.past if past is None else past)
        coach = self._coaches.get(kind)
        if coach is None:
            game = old.unweighted.replace(mode=mode)
            weights = None if weighting == "equal" else weighting
            coach = Coach(game, past=kind[2], weights=weights)
        state = _position(coach, rows).state
        self._coaches[kind] = coach
        self._before.append((old, self.rows))
        self.coach, self.rows = coach, list(state.turns)
        self._show()

    def _show(self) -> None:
        """Show the board, and advice unless the game is over."""
        show(headline(self.coach.game))
        if self.rows:
            show(board(self.coach.game, self.rows))
        self._out.print()
        state = _position(self.coach, self.rows).state
        if state.won:
            self._out.print(f"Found in {state.turn}. `new` starts another game.")
            self._out.print(f"Skill and luck of this game: {self._analyse_command()}")
        elif state.guesses_left == 0:
            words = " ".join(state.words[:12])
            self._out.print(f"No guess is left. It was one of {len(state.candidates)}: {words}")
            command = f"{self._analyse_command()} --answer {state.words[0]}"
            self._out.print(f"Skill and luck of this game: {command}")
        else:
            self._advise()

    def _analyse_command(self) -> str:
        """The command that analyses the game."""
        game = self.coach.game
        mode = "" if game.mode == "normal" else f" --mode {game.mode}"
        return f"salet analyse {' '.join(guess for guess, _ in self.rows)} --game {game.name}{mode}"

    def _advise(self, longer: int = 1) -> None:
        self._shown = 0
        self._answer(Question(self.step), longer)

    def _answer(self, question: Question, longer: int = 1) -> None:
        if self._warming is not None and self._warming.is_alive():
            with self._out.status("compiling (once on every machine)"):
                self._warming.join()
        position = _position(self.coach, self.rows)
        consider = _legal(position, self.options.consider)
        options = replace(self.options, seconds=longer * self.options.seconds, consider=consider)
        answer = show_live(position, options, question)
        change = question.likelihood_change(position, options, answer)
        if change is not None:
            self._out.print(f"· {change}", style="dim", markup=False)
        if question.idea is None:
            self._shown = question.step
        self._out.print()

    def _words(self) -> None:
        from salet.coach.likelihood import likely_first

        position = _position(self.coach, self.rows)
        words = position.state.game.guesses
        order = likely_first(position.state.candidates, position.coach.likelihood)
        self._out.print(" ".join(words[index] for index in order))

    def _warm_up(self) -> None:
        """Load or compile the search while the first row is being typed."""
        announce_compiling()
        self._warming = threading.Thread(target=self.coach.warm_up, daemon=True)
        self._warming.start()


def _kind(coach: Coach) -> tuple[str, str, frozenset[str]]:
    """The key under which a session caches a coach."""
    return coach.game.mode, coach.weighting, coach.past


def _position(coach: Coach, rows: list[Row]) -> Position:
    from salet.coach.position import read_position

    return read_position(coach, rows)


def _legal(position: Position, words: tuple[str, ...]) -> tuple[str, ...]:
    """The words among these that are legal guesses now."""
    legal = set(position.state.legal.tolist()) if words else set()
    return tuple(word for word in words if position.state.game.index(word) in legal)


@contextlib.contextmanager
def _prefilled(text: str) -> Iterator[None]:
    """Prefill the next line of input with `text`, if readline is available."""
    try:
        import readline
    except ImportError:
        yield
        return
    readline.set_startup_hook((lambda: readline.insert_text(text)) if text else None)
    try:
        yield
    finally:
        readline.set_startup_hook(None)

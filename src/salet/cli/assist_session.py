"""The conversation of `salet assist`: rows typed, edited and taken back, advice after each."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from salet.cli.render.board import board
from salet.cli.render.console import console, show
from salet.cli.render.games import headline
from salet.errors import InputError, SaletError

if TYPE_CHECKING:
    from salet.coach.coach import AdviceOptions, Coach
    from salet.coach.position import Position
    from salet.game.rows import Row

HELP = """\
crane bybbg     a guess and its colours: b grey, y yellow, g green (or emoji, or 0 1 2)
crane           a guess alone: you are asked for its colours
2               edit row 2 (arrow keys move, up and down bring back what was typed before)
2 slate bbgyb   replace row 2
undo            take back the last change, whatever it was
hard, normal    change the mode
opener WORD     show what another guess is worth (`opener` alone: no longer)
mean, worst …   change the objective (also mean-then-worst, win-then-mean)
words           list every word that remains
more            search again, twice as long
new             start another game
quit            or Ctrl-D"""


def announce_compiling() -> None:
    """Say why the first search on a machine takes long."""
    from salet.coach.coach import is_compiled

    if sys.stderr.isatty() and not is_compiled():
        text = "compiling the search (once on every machine, half a minute or more) …"
        console(stderr=True).print(text, style="dim")


def show_live(position: Position, options: AdviceOptions) -> None:
    """Show advice that improves on the screen; any key ends the search."""
    from rich.live import Live

    from salet.cli.keyboard import key_pressed
    from salet.cli.render.advice import advice_view

    with key_pressed() as pressed, Live(console=console(), auto_refresh=False) as live:
        for advice in position.coach.suggest(position, options, cancel=pressed):
            live.update(advice_view(advice), refresh=True)


class AssistSession:
    """The rows, the mode and the options so far, with everything that can be undone."""

    def __init__(self, coach: Coach, options: AdviceOptions) -> None:
        self.coach, self.options = coach, options
        self.rows: list[Row] = []
        self._coaches = {coach.game.mode: coach}
        self._before: list[tuple[str, list[Row]]] = []
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
            except SaletError as error:  # the line stays in the history: the up key brings it back
                self._out.print(f"   {error}", style="red", markup=False)

    def _ask(self, prompt: str, text: str = "") -> str | None:
        """One line of input, which starts out as `text`; None at the end of input."""
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
        from salet.search.objectives import OBJECTIVES

        first, *rest = typed.split() or [""]
        if typed in ("?", "help"):
            self._out.print(HELP, markup=False)
        elif first == "":
            self._advise()
        elif typed in ("undo", "u"):
            self._undo()
        elif typed in ("hard", "normal", "strict"):
            self._change(typed, self.rows)
        elif typed in OBJECTIVES:
            self.options = replace(self.options, objective=typed)
            self._advise()
        elif first == "opener" and len(rest) <= 1:
            for word in rest:
                self.coach.game.index(word)
            self.options = replace(self.options, consider=tuple(rest))
            self._advise()
        elif typed == "words":
            self._words()
        elif typed == "more":
            self._advise(2)
        elif typed == "new":
            self._change(self.coach.game.mode, [])
        elif first.isdigit() and len(first) < 3:
            self._edit(int(first), rest)
        else:
            self._change(self.coach.game.mode, [*self.rows, *self._read_rows(first, rest)])

    def _read_rows(self, guess: str, rest: list[str]) -> list[Row]:
        """The rows that were typed; asks for the colours of a guess alone."""
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
        self._change(self.coach.game.mode, rows)

    def _undo(self) -> None:
        if not self._before:
            raise InputError("there is nothing to undo")
        mode, rows = self._before.pop()
        self.coach, self.rows = self._coaches[mode], rows
        self._show()

    def _change(self, mode: str, rows: list[Row]) -> None:
        """Switch to other rows or another mode; an error leaves everything as it was."""
        from salet.coach.coach import Coach

        coach = self._coaches.get(mode)
        if coach is None:
            old = self.coach
            weights = None if old.weighting == "equal" else old.weighting
            coach = Coach(old.game.with_(mode=mode), past=old.past, weights=weights)
        state = _position(coach, rows).state
        self._coaches[mode] = coach
        self._before.append((self.coach.game.mode, self.rows))
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
        elif state.guesses_left == 0:
            words = " ".join(state.words[:12])
            self._out.print(f"No guess is left. It was one of {len(state.candidates)}: {words}")
        else:
            self._advise()

    def _advise(self, longer: int = 1) -> None:
        if self._warming is not None and self._warming.is_alive():
            with self._out.status("compiling (once on every machine)"):
                self._warming.join()
        position = _position(self.coach, self.rows)
        consider = _legal(position, self.options.consider)
        options = replace(self.options, seconds=longer * self.options.seconds, consider=consider)
        show_live(position, options)
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


def _position(coach: Coach, rows: list[Row]) -> Position:
    from salet.coach.position import read_position

    return read_position(coach, rows)


def _legal(position: Position, words: tuple[str, ...]) -> tuple[str, ...]:
    """The words among these that are legal guesses now."""
    legal = set(position.state.legal.tolist()) if words else set()
    return tuple(word for word in words if position.state.game.index(word) in legal)


@contextlib.contextmanager
def _prefilled(text: str) -> Iterator[None]:
    """Let the next line of input start out as `text`, where readline is there to do it."""
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

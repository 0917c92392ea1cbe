"""The conversation of `salet assist`: rows typed, edited and taken back, advice after each."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from salet.cli.assist import announce, show_live
from salet.cli.coaching import board, headline
from salet.cli.show import console
from salet.errors import InputError, SaletError

if TYPE_CHECKING:
    from salet.coach.coach import Coach
    from salet.coach.position import Position
    from salet.coach.suggest import Wishes
    from salet.game.rows import Row

HELP = """\
crane bybbg     a guess and its colours: b grey, y yellow, g green (or emoji, or 0 1 2)
crane           a guess alone: its colours are asked for
2               edit row 2 (arrow keys move, up and down bring back what was typed before)
2 slate bbgyb   put another row in its place
undo            take back the last change, whatever it was
hard, normal    change the mode
opener WORD     show what another guess is worth (`opener` alone: no longer)
mean, worst, win   what counts
words           every word that remains
more            search on, twice as long
new             another game
quit            or Ctrl-D"""


class Session:
    """What a person and the coach have agreed on so far."""

    def __init__(self, coach: Coach, wishes: Wishes) -> None:
        self.coach, self.wishes = coach, wishes
        self.rows: list[Row] = []
        self._coaches = {coach.game.mode: coach}
        self._before: list[tuple[str, list[Row]]] = []
        self._out = console()
        self._warming: threading.Thread | None = None

    def run(self) -> None:
        """Talk until the person leaves."""
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (arrow keys and history)
        self._out.print(f"{headline(self.coach.game)}. `?` helps, Ctrl-D ends.\n")
        self._advise()
        self._warm_up()
        while True:
            typed = self._ask(f"{len(self.rows) + 1}> ")
            if typed is None or typed in ("quit", "exit", "q"):
                return
            try:
                self._do(typed)
            except SaletError as error:  # what was typed stays in the history: up brings it back
                self._out.print(f"   {error}", style="red")

    def _ask(self, prompt: str, text: str = "") -> str | None:
        """One line; `text` stands there already, to be edited."""
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
        from salet.coach.suggest import OBJECTIVES

        first, *rest = typed.split() or [""]
        if typed == "?" or typed == "help":
            self._out.print(HELP, markup=False)
        elif first == "":
            self._advise()
        elif typed in ("undo", "u"):
            self._undo()
        elif typed in ("hard", "normal", "strict"):
            self._change(typed, self.rows)
        elif typed in OBJECTIVES:
            self.wishes = replace(self.wishes, objective=typed)
            self._advise()
        elif first == "opener" and len(rest) <= 1:
            for word in rest:
                self.coach.game.index(word)
            self.wishes = replace(self.wishes, consider=tuple(rest))
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
            self._change(self.coach.game.mode, [*self.rows, self._row(first, rest)])

    def _row(self, guess: str, rest: list[str]) -> Row:
        """A row; its colours are asked for if they are missing."""
        word = self.coach.game.guesses[self.coach.game.index(guess)]
        colours = " ".join(rest) or self._ask(f"   colours of {word}> ")
        if not colours:
            raise InputError(f"{word!r} has no colours: write them as {guess} bybbg")
        return word, colours.replace(" ", "")

    def _edit(self, number: int, rest: list[str]) -> None:
        if not 1 <= number <= len(self.rows):
            raise InputError(f"there is no row {number}; there are {len(self.rows)}")
        if not rest:
            typed = self._ask(f"{number}: ", " ".join(self.rows[number - 1]))
            if not typed:
                return
            rest = typed.split()
        rows = [*self.rows]
        rows[number - 1] = self._row(rest[0], rest[1:])
        self._change(self.coach.game.mode, rows)

    def _undo(self) -> None:
        if not self._before:
            raise InputError("there is nothing to undo")
        mode, rows = self._before.pop()
        self.coach, self.rows = self._coaches[mode], rows
        self._show()

    def _change(self, mode: str, rows: list[Row]) -> None:
        """Go to other rows or another mode, if that can be; else all stays as it was."""
        from salet.coach.coach import Coach
        from salet.coach.position import read_position

        coach = self._coaches.get(mode)
        if coach is None:
            old = self.coach
            weights = None if old.weighting == "equal" else old.weighting
            game = old.game.with_(mode=mode)
            coach = Coach(game, past=old.past, weights=weights)
        state = read_position(coach, rows).state
        self._coaches[mode] = coach
        self._before.append((self.coach.game.mode, self.rows))
        self.coach, self.rows = coach, list(state.turns)
        self._show()

    def _show(self) -> None:
        """The board, and advice unless the game is over."""
        from salet.coach.position import read_position

        self._out.print(headline(self.coach.game))
        if self.rows:
            self._out.print(board(self.coach.game, self.rows))
        self._out.print()
        state = read_position(self.coach, self.rows).state
        if state.won:
            self._out.print(f"Found in {state.turn}. `new` begins another game.")
        elif state.guesses_left == 0:
            left = " ".join(state.words[:12])
            self._out.print(f"No guess is left. It was one of {len(state.candidates)}: {left}")
        else:
            self._advise()

    def _advise(self, longer: int = 1) -> None:
        from salet.coach.position import read_position

        if self._warming is not None and self._warming.is_alive():
            with self._out.status("compiling (once on every machine)"):
                self._warming.join()
        position = read_position(self.coach, self.rows)
        consider = _legal(position, self.wishes.consider)
        wishes = replace(self.wishes, seconds=longer * self.wishes.seconds, consider=consider)
        show_live(position, wishes)
        self._out.print()

    def _words(self) -> None:
        from salet.coach.likelihood import likely_first
        from salet.coach.position import read_position

        position = read_position(self.coach, self.rows)
        words = position.state.game.guesses
        places = likely_first(position.state.candidates, position.coach.likely)
        self._out.print(" ".join(words[place] for place in places))

    def _warm_up(self) -> None:
        """Load or compile the search while the first row is being typed."""
        announce()
        self._warming = threading.Thread(target=self.coach.warm_up, daemon=True)
        self._warming.start()


def _legal(position: Position, words: tuple[str, ...]) -> tuple[str, ...]:
    """What was asked to be listed, unless the mode forbids it now."""
    legal = set(position.state.legal.tolist()) if words else set()
    return tuple(word for word in words if position.state.game.index(word) in legal)


@contextlib.contextmanager
def _prefilled(text: str) -> Iterator[None]:
    """Let the next line that is read begin with a text."""
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

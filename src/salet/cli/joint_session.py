"""The interactive session of `salet assist` on several boards: type and undo rows."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from salet.cli.render.board import joint_board
from salet.cli.render.console import console, show
from salet.cli.render.games import headline
from salet.errors import SaletError

if TYPE_CHECKING:
    from salet.coach.coach import AdviceOptions, Coach
    from salet.game.joint_state import JointState

HELP = """\
crane bybbg/bbbyb/-/ggggg   a guess and its colours on every board; - for a solved one
undo                        undo the last row
words                       list every word that remains, board by board
new                         start another game
quit                        or Ctrl-D"""


class JointSession:
    """The rows so far, and advice after each."""

    def __init__(self, coach: Coach, options: AdviceOptions, state: JointState) -> None:
        self.coach, self.options, self.state = coach, options, state
        self._before: list[JointState] = []

    def run(self) -> None:
        """Read rows until the user leaves."""
        show(headline(self.coach.game).append(". `?` helps, Ctrl-D ends.\n"))
        self._advise()
        while True:
            try:
                number = self.state.turn + 1
                typed = click.prompt(
                    f"{number}", prompt_suffix="> ", default="", show_default=False
                )
            except click.Abort as abort:
                if isinstance(abort.__context__, EOFError):
                    click.echo()
                    return
                raise
            if typed.strip().lower() in ("quit", "exit", "q"):
                return
            try:
                self._do(typed.strip().lower())
            except SaletError as error:
                console().print(f"   {error}", style="red", markup=False)

    def _do(self, typed: str) -> None:
        from salet.game.rows import parse_rows

        if typed in ("?", "help"):
            console().print(HELP, markup=False)
        elif typed == "words":
            for number in self.state.open:
                show(f"board {number + 1}: {' '.join(self.state.boards[number].words)}")
        elif typed in ("undo", "u"):
            if self._before:
                self.state = self._before.pop()
            self.show()
        elif typed in ("new", ""):
            self.state = self.coach.game.joint_start() if typed else self.state
            self.show()
        else:
            state = self.state
            for guess, feedback in parse_rows(typed):
                state = state.after(guess, feedback)
            self._before.append(self.state)
            self.state = state
            self.show()

    def show(self) -> None:
        """Show the boards, and advice unless the game is over."""
        show(headline(self.coach.game))
        if self.state.turn:
            show(joint_board(self.state), "")
        if self.state.won:
            show(f"All boards are solved, in {self.state.turn}.")
        else:
            self._advise()

    def _advise(self) -> None:
        from rich.live import Live

        from salet.cli.keyboard import key_pressed
        from salet.cli.render.advice import joint_advice_view

        if not sys.stdout.isatty():
            *_, advice = self.coach.suggest_joint(self.state, self.options)
            show(joint_advice_view(advice))
            return
        with key_pressed() as pressed, Live(console=console(), auto_refresh=False) as live:
            for advice in self.coach.suggest_joint(self.state, self.options, cancel=pressed):
                live.update(joint_advice_view(advice), refresh=True)

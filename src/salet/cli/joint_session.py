"""The interactive session of `salet assist` on several boards: type and undo rows."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from salet.cli.questions import REVEAL, Question, view
from salet.cli.render.board import joint_board
from salet.cli.render.console import console, show
from salet.cli.render.games import headline
from salet.cli.render.progress import live_progress
from salet.errors import InputError, SaletError

if TYPE_CHECKING:
    from salet.coach.coach import AdviceOptions, Coach
    from salet.game.joint_state import JointState

HELP = """\
crane bybbg/bbbyb/-/ggggg   a guess and its colours on every board; - for a solved one
undo                        undo the last change, whatever it was
hint                        help without spoilers, one step further every time: how many words fit,
                            what the best guess achieves, letters worth testing, the best guess
hint 1                      from now on show no more than this step (`hint 4`: everything)
rate WORD                   how good is this guess? (also `WORD?`)
words                       list every word that remains, board by board
more                        search again, twice as long
new                         start another game
quit                        or Ctrl-D"""


class JointSession:
    """The rows so far, and advice after each."""

    def __init__(
        self, coach: Coach, options: AdviceOptions, state: JointState, step: int = REVEAL
    ) -> None:
        self.coach, self.options, self.state = coach, options, state
        self.step = step
        """the last step of help that is shown without being asked for"""
        self._shown = 0
        """the last step of help shown in this position"""
        self._before: list[JointState] = []

    def run(self) -> None:
        """Read rows until the user leaves."""
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (arrow keys and history)
        show(headline(self.coach.game).append(". `?` helps, Ctrl-D ends.\n"))
        self._answer(Question(self.step))
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
        from salet.coach.joint_adviser import check_open
        from salet.game.rows import parse_rows

        first, *rest = typed.split() or [""]
        if typed in ("?", "help"):
            console().print(HELP, markup=False)
        elif typed == "words":
            for number in self.state.open:
                show(f"board {number + 1}: {' '.join(self.state.boards[number].words)}")
        elif typed in ("undo", "u"):
            if not self._before:
                raise InputError("there is nothing to undo")
            self._go_to(self._before.pop())
        elif typed == "hint":
            self._answer(Question(min(self._shown + 1, REVEAL)))
        elif first == "hint" and len(rest) == 1 and rest[0] in "1234":
            self.step = int(rest[0])
            self._answer(Question(self.step))
        elif typed.endswith("?") or (first == "rate" and len(rest) == 1):
            self._answer(Question(idea=typed.removeprefix("rate ").removesuffix("?").strip()))
        elif typed == "more":
            self.options = replace(self.options, seconds=2 * self.options.seconds)
            self._answer(Question(REVEAL))
        elif typed == "":
            self.show()
        else:
            state = self.coach.game.joint_start() if typed == "new" else self.state
            for guess, feedback in [] if typed == "new" else parse_rows(typed):
                check_open(state)
                state = state.after(guess, feedback)
            self._before.append(self.state)
            self._go_to(state)

    def _go_to(self, state: JointState) -> None:
        self.state, self._shown = state, 0
        self.show()

    def show(self, question: Question | None = None) -> None:
        """Show the boards, and an answer of the coach unless the game is over."""
        show(headline(self.coach.game))
        if self.state.turn:
            show(joint_board(self.state), "")
        if self.state.won:
            show(f"All boards are solved, in {self.state.turn}.")
        elif self.state.guesses_left == 0:
            show(f"The cap of {self.state.game.cap} guesses is used up.")
        else:
            self._answer(question or Question(self.step))

    def _answer(self, question: Question) -> None:
        from rich.live import Live

        from salet.cli.keyboard import key_pressed

        if question.idea is None:
            self._shown = question.step
        if not sys.stdout.isatty():
            with live_progress("searching"):
                *_, answer = question.joint_answers(self.coach, self.state, self.options)
            show(view(answer))
            return
        with key_pressed() as pressed, Live(console=console(), auto_refresh=False) as live:
            for answer in question.joint_answers(self.coach, self.state, self.options, pressed):
                live.update(view(answer), refresh=True)

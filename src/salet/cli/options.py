"""Options that many commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.errors import InputError

if TYPE_CHECKING:
    from salet.game.game import Game

Command = Callable[..., Any]


@dataclass(frozen=True)
class GameChoice:
    """What the game options say; opened when the command knows that it needs it."""

    game: str | None
    answers: Path | None
    guesses: Path | None
    rule: str | None
    mode: str | None
    hard: bool
    cap: str

    @property
    def chosen_mode(self) -> str:
        """What --mode and --hard say together."""
        if self.hard and self.mode not in (None, "hard"):
            raise InputError(f"--hard contradicts --mode {self.mode}; give one of them")
        return "hard" if self.hard else self.mode or "normal"

    def open(self) -> Game:
        """The chosen game."""
        from salet.game.named import named_game

        return named_game(
            self.game or "original",
            answers=self.answers,
            guesses=self.guesses,
            rule=self.rule,
            mode=self.chosen_mode,
            cap=self.cap,
        )


def game_options(default: str | None = "original") -> Callable[[Command], Command]:
    """Add --game, --answers, --guesses, --rule, --mode, --hard and --cap; the command gets them
    as one `choice`."""
    options = [
        click.option("--game", default=default, show_default=default is not None, metavar="NAME",
                     help="A game of `salet games`, with options: original:first=200."),
        click.option("--answers", type=click.Path(path_type=Path), metavar="FILE",
                     help="Possible answers instead of the game's, one a line."),
        click.option("--guesses", type=click.Path(path_type=Path), metavar="FILE",
                     help="Legal guesses instead of the game's, one a line."),
        click.option("--rule", metavar="RULE", help="Feedback: standard, present or pegs."),
        click.option("--mode", metavar="MODE", help="Legal guesses: normal, hard or strict."),
        click.option("--hard", is_flag=True, help="Short for --mode hard."),
        click.option("--cap", default="default", metavar="N",
                     help="Most guesses, or none  [6 for original and nyt-*, otherwise none]."),
    ]  # fmt: skip

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def run(**values: Any) -> Any:
            fields = {name: values.pop(name) for name in GameChoice.__dataclass_fields__}
            return command(choice=GameChoice(**fields), **values)

        for option in reversed(options):
            run = option(run)
        return run

    return decorate


opener_option = click.option(
    "--opener", metavar="WORD", help="The first guess  [the strategy's own]."
)
ties_option = click.option(
    "--ties", default="candidate", show_default=True,
    help="Equal guesses: candidate, first or first-candidate.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def seed_option(default: int | None = 0) -> Callable[[Command], Command]:
    """Add --seed to a command that draws something at random."""
    return click.option(
        "--seed", type=click.IntRange(0), default=default, metavar="S",
        help="The same seed gives the same result.", show_default=default is not None,
    )  # fmt: skip


def examples(*lines: str) -> str:
    """An epilog that shows how the command is typed."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def check_output(path: Path | None) -> None:
    """Refuse a file that cannot be written before the work begins."""
    if path is None:
        return
    if path.is_dir():
        raise InputError(f"cannot write {str(path)!r}: it is a directory; give a file name")
    if not path.parent.is_dir():
        raise InputError(f"cannot write {str(path)!r}: there is no directory {str(path.parent)!r}")

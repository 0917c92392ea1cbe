"""Options that several commands share, and the checks that go with them."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from salet.errors import InputError

if TYPE_CHECKING:
    from salet.game.game import Game

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

DEFAULT_GAME = "nyt"
"""The game of every command without --game."""


@dataclass(frozen=True)
class GameChoice:
    """The game options of a command line; the game itself is built by `open()`."""

    game: str | None
    answers: Path | None
    guesses: Path | None
    rule: str | None
    mode: str | None
    hard: bool
    cap: str

    @property
    def name(self) -> str:
        """The name given with --game, or the default."""
        return DEFAULT_GAME if self.game is None else self.game

    @property
    def chosen_mode(self) -> str:
        """The mode that --mode and --hard ask for together."""
        if self.hard and self.mode not in (None, "hard"):
            raise InputError(f"--hard contradicts --mode {self.mode}; give one of them")
        return "hard" if self.hard else self.mode or "normal"

    def open(self, host: str = "secret") -> Game:
        """Build the chosen game."""
        from salet.game.named import named_game

        return named_game(
            self.name,
            answers=self.answers,
            guesses=self.guesses,
            rule=self.rule,
            mode=self.chosen_mode,
            cap=self.cap,
            host=host,
        )


def game_options(shown_default: str = DEFAULT_GAME) -> Decorator:
    """Add --game, --answers, --guesses, --rule, --mode, --hard and --cap to a command, which
    receives them as one GameChoice called `choice`."""
    options = [
        click.option("--game", metavar="NAME", show_default=shown_default,
                     help="A game listed by `salet games`, perhaps with options: "
                          "original:first=200, original:boards=4."),
        click.option("--answers", type=click.Path(path_type=Path), metavar="FILE",
                     help="Use these answers instead of the game's, one word per line."),
        click.option("--guesses", type=click.Path(path_type=Path), metavar="FILE",
                     help="Use these legal guesses instead of the game's, one word per line."),
        click.option("--rule", metavar="RULE", show_default="the game's own",
                     help="Feedback rule: standard, present or pegs."),
        click.option("--mode", metavar="MODE", show_default="normal",
                     help="Which guesses are legal: normal, hard or strict."),
        click.option("--hard", is_flag=True, help="Short for --mode hard."),
        click.option("--cap", default="default", metavar="N|none",
                     show_default="6 for the Wordle games, otherwise none",
                     help="Maximum number of guesses in a game."),
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


class OutputFile(click.Path):
    """A file to be written; refuses one that cannot be, before the work begins."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if path.is_dir():
            raise InputError(f"cannot write {str(path)!r}: it is a directory; give a file name")
        if not path.parent.is_dir():
            raise InputError(
                f"cannot write {str(path)!r}: there is no directory {str(path.parent)!r}"
            )
        return path


class PlotFile(OutputFile):
    """A picture to be drawn; refuses formats that cannot be, and a missing matplotlib."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        from salet.cli.render.plots import check_plot

        path = super().convert(value, param, ctx)
        check_plot(path)
        return path


def output_option(name: str, help_text: str) -> Decorator:
    """Add an option that names a file to be written."""
    return click.option(name, type=OutputFile(), metavar="FILE", help=help_text)


def plot_option(what: str) -> Decorator:
    """Add --plot FILE."""
    return click.option("--plot", type=PlotFile(), metavar="FILE",
                        help=f"Draw {what} to FILE (.svg, .png or .pdf).")  # fmt: skip


def memory_option(default: float, what: str) -> Decorator:
    """Add --memory GB."""
    return click.option("--memory", type=float, default=default, show_default=True, metavar="GB",
                        help=f"Maximum memory for {what}.")  # fmt: skip


def seed_option(default: int | None = 0) -> Decorator:
    """Add --seed; without a default every run draws a new one."""
    return click.option(
        "--seed", type=click.IntRange(0), default=default, metavar="S",
        help="Seed of the random choices; the same seed gives the same result.",
        show_default="a new one every time" if default is None else True,
    )  # fmt: skip


def jobs_option(what: str) -> Decorator:
    """Add --jobs, one for each core by default."""
    return click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1,
                        show_default="one per core", metavar="N", help=what)  # fmt: skip


def timeout_option(name: str, default: float, help_text: str) -> Decorator:
    """Add a limit in seconds, which must be positive."""
    return click.option(name, type=click.FloatRange(0, min_open=True), default=default,
                        show_default=True, metavar="S", help=help_text)  # fmt: skip


objective_option = click.option(
    "--objective", default="mean", show_default=True, metavar="O",
    help="What to minimise: mean, worst, mean-then-worst or win-then-mean.",
)  # fmt: skip
host_option = click.option(
    "--host", default="secret", show_default=True, metavar="HOST",
    help="Who answers: secret (draws an answer first), or adversary (has none and always keeps the "
         "largest group).",
)  # fmt: skip
threads_option = click.option(
    "--threads", type=click.IntRange(1), show_default="all cores", metavar="N",
    help="Number of threads.",
)  # fmt: skip
opener_option = click.option(
    "--opener", show_default="the strategy's own", metavar="WORD", help="The first guess."
)
ties_option = click.option(
    "--ties", default="candidate", show_default=True, metavar="T",
    help="How to choose between equally good guesses: candidate, first or first-candidate.",
)  # fmt: skip
protocol_option = click.option(
    "--protocol", default="go-stop", show_default=True, metavar="P",
    help="Protocol over the pipes: go-stop or jsonl; see docs/arena.md.",
)  # fmt: skip
weights_option = click.option(
    "--weights", metavar="prior|FILE", show_default="all answers equally likely",
    help="Weights of the answers: `prior` (how common they are), or a file of `word weight` lines.",
)  # fmt: skip
likely_option = click.option(
    "--likely", is_flag=True,
    help="Weight answers by how likely they are (--weights prior), and show what that changes.",
)  # fmt: skip
past_option = click.option(
    "--past", metavar="FILE|-",
    help="Past answers, in a file or pasted to stdin: less likely, but never excluded.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def chosen_weights(weights: str | None, likely: bool) -> str | None:
    """The weights that --weights and --likely ask for together."""
    if likely and weights not in (None, "prior"):
        raise InputError(f"--likely contradicts --weights {weights}; give one of them")
    return "prior" if likely else weights


def read_past_answers(source: str | None, game: Game) -> tuple[str, ...]:
    """The past answers that --past names; words that the game does not have are reported."""
    if source is None:
        return ()
    from salet.coach.likelihood import read_past

    try:
        raw = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        text = raw.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"cannot read past answers {source!r}: {reason.lower()}") from None
    found = read_past(text, game, repr(source))
    if found.unknown:
        some = " ".join(found.unknown[:5]) + (" …" if len(found.unknown) > 5 else "")
        count = len(found.unknown)
        click.echo(f"salet: --past: {count} not in {game.name}, ignored: {some}", err=True)
    return tuple(found.words)


def search_options(iterations_default: str = "no limit") -> Decorator:
    """Add what `search` and `compare-pickers` share: budget, algorithm, memory and files."""
    options: list[Decorator] = [
        click.option("--iterations", type=int, metavar="N", show_default=iterations_default,
                     help="Stop after N iterations."),
        click.option("--seconds", type=float, metavar="S", show_default="no limit",
                     help="Stop after S seconds, not counting the time to load and compile."),
        click.option("--faithful", is_flag=True,
                     help="Tree search as published in 2022: no cap, no proof."),
        click.option("--top-k", type=int, metavar="K", show_default="2",
                     help="Tree search: guesses explored at the root in one iteration."),
        threads_option,
        click.option("--dp-threshold", type=int, metavar="N", show_default="the method's own",
                     help="Solve states of at most N answers exactly."),
        memory_option(2.0, "the search tree"),
        output_option("--curve", "Write the bounds over time to FILE (.csv)."),
        plot_option("the bounds over time"),
    ]  # fmt: skip

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def examples(*lines: str) -> str:
    """The end of a help text: command lines that work as they stand."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)

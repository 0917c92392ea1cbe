"""`salet assist`: live help with a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from salet.cli.options import GameChoice, examples, game_options, json_option
from salet.cli.show import console, emit, waiting

if TYPE_CHECKING:
    from salet.coach.coach import Coach
    from salet.coach.position import Position
    from salet.coach.suggest import Wishes
    from salet.game.rows import Row


@click.command(
    epilog=examples(
        "salet assist",
        "salet assist crane:bybbg",
        "salet assist crane bybbg slot bgybb --hard --seconds 10",
        "salet assist crane:bybbg --objective worst --json",
        "salet assist --opener crane --past answers.txt --game original",
    )
)
@click.argument("rows", nargs=-1)
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=5.0, show_default=True,
              metavar="S", help="Search at most so long; it ends when all is proven.")  # fmt: skip
@click.option("--objective", default="mean", show_default=True, metavar="O",
              help="mean, worst (case) or win (within the cap).")  # fmt: skip
@click.option("--weights", metavar="prior|FILE",
              help="Weigh the answers: by likelihood, or lines of `word weight`.")  # fmt: skip
@click.option("--past", type=click.Path(path_type=Path), metavar="FILE",
              help="Past answers, one a line: less likely, never excluded.")  # fmt: skip
@click.option("--opener", metavar="WORD", help="A guess to list whatever it is worth.")
@json_option
@game_options("nyt")
def command(
    choice: GameChoice,
    rows: tuple[str, ...],
    seconds: float,
    objective: str,
    weights: str | None,
    past: Path | None,
    opener: str | None,
    as_json: bool,
) -> None:
    """Say what to guess after ROWS (as crane:bybbg slot:bgybb); without ROWS, row by row.

    b is grey, y yellow and g green; emoji and 0 1 2 will do as well. Expected guesses are means
    over the answers that remain, the guess itself included.
    """
    from salet.coach.coach import Coach
    from salet.coach.suggest import Wishes
    from salet.game.packs.files import read_word_file
    from salet.game.rows import parse_rows

    used = () if past is None else tuple(read_word_file(past))
    coach = Coach(choice.open(), past=used, weights=weights)
    consider = () if opener is None else (opener,)
    wishes = Wishes(objective=objective, seconds=seconds, consider=consider)
    if rows or as_json or not sys.stdin.isatty():
        _once(coach, parse_rows(" ".join(rows)), wishes, as_json)
    else:
        from salet.cli.session import Session

        Session(coach, wishes).run()


def _once(coach: Coach, rows: list[Row], wishes: Wishes, as_json: bool) -> None:
    from salet.cli.coaching import board, headline, picture
    from salet.coach.position import read_position
    from salet.coach.suggest import suggest

    if rows:
        announce()
    with waiting("searching"):
        position = read_position(coach, rows)
        if as_json or not sys.stdout.isatty():
            *_, advice = suggest(position, wishes)
    if as_json:
        emit(advice.to_dict())
        return
    out = console()
    out.print(headline(coach.game))
    if rows:
        out.print(board(coach.game, position.state.turns))
    out.print()
    if sys.stdout.isatty():
        show_live(position, wishes)
    else:
        out.print(picture(advice))


def show_live(position: Position, wishes: Wishes) -> None:
    """Advice that gets better on the screen; a key ends the search."""
    from rich.live import Live

    from salet.cli.coaching import picture
    from salet.cli.keys import key_pressed
    from salet.coach.suggest import suggest

    with key_pressed() as pressed, Live(console=console(), auto_refresh=False) as live:
        for advice in suggest(position, wishes, pressed):
            live.update(picture(advice), refresh=True)


def announce() -> None:
    """Say why the first search on a machine takes long."""
    from salet.coach.coach import compiled_before

    if sys.stderr.isatty() and not compiled_before():
        text = "compiling the search (once on every machine, half a minute or more) …"
        console(stderr=True).print(text, style="dim")

"""`salet assist`: live help with a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    json_option,
    objective_option,
    weights_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress

if TYPE_CHECKING:
    from salet.coach.coach import AdviceOptions, Coach
    from salet.game.rows import Row


@click.command(
    epilog=examples(
        "salet assist",
        "salet assist crane bybbg slots bgybb --hard --seconds 10",
        "salet assist crane:bybbg --objective worst --json",
        "salet assist --opener crane --past answers.txt --game original",
    )
)
@click.argument("rows", nargs=-1)
@click.option("--seconds", type=click.FloatRange(0.1, 3600), default=5.0, show_default=True,
              metavar="S", help="Time limit; the search ends sooner if all is proven.")  # fmt: skip
@objective_option
@weights_option
@click.option("--past", type=click.Path(path_type=Path), metavar="FILE",
              help="Past answers, one word per line: less likely, but never excluded.")  # fmt: skip
@click.option("--opener", metavar="WORD", help="A guess to list whatever it is worth.")
@json_option
@game_options()
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
    """Suggest what to guess after ROWS; without ROWS, help with a game row by row.

    Write rows as crane:bybbg or crane bybbg: b is grey, y yellow and g green; emoji and 0 1 2 work
    too. Expected guesses are means over the answers that remain, the guess itself included.
    """
    from salet.coach.coach import AdviceOptions, Coach
    from salet.game.packs.files import read_word_file
    from salet.game.rows import parse_rows

    used = () if past is None else tuple(read_word_file(past))
    coach = Coach(choice.open(), past=used, weights=weights)
    consider = () if opener is None else (opener,)
    options = AdviceOptions(objective=objective, seconds=seconds, consider=consider)
    if rows or as_json or not sys.stdin.isatty():
        _advise_once(coach, parse_rows(rows), options, as_json)
    else:
        from salet.cli.assist_session import AssistSession

        AssistSession(coach, options).run()


def _advise_once(coach: Coach, rows: list[Row], options: AdviceOptions, as_json: bool) -> None:
    from salet.cli.assist_session import announce_compiling, show_live
    from salet.cli.render.advice import advice_view
    from salet.cli.render.board import board
    from salet.cli.render.games import headline
    from salet.coach.position import read_position

    if rows:
        announce_compiling()
    live = sys.stdout.isatty() and not as_json
    with live_progress("searching"):
        position = read_position(coach, rows)
        advice = None if live else list(coach.suggest(position, options))[-1]
    if as_json and advice is not None:
        emit(advice.to_dict())
        return
    show(headline(coach.game))
    if rows:
        show(board(coach.game, position.state.turns))
    show("")
    if advice is None:
        show_live(position, options)
    else:
        show(advice_view(advice))

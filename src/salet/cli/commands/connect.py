"""`salet connect GAME PLAYER`: connect two programs, as the piped connector of 2022 did."""

from __future__ import annotations

from pathlib import Path

import click

from salet.cli.options import examples, json_option, timeout_option
from salet.cli.render.console import emit
from salet.cli.render.progress import counted_progress
from salet.errors import InputError

WORD_FILE = "cuvinte_wordle.txt"


@click.command(
    epilog=examples(
        "salet connect ./game ./player --jobs 4",
        'salet connect ./game "salet serve-player --game romanian" --jobs 2 --count 11454',
        'salet connect "salet serve-game --game romanian" ./player --count 11454',
    )
)
@click.argument("game_command", metavar="GAME_CMD")
@click.argument("player_command", metavar="PLAYER_CMD")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), metavar="N",
              help="Number of concurrent pairs of programs, each with a share of the "
                   "secrets.")  # fmt: skip
@click.option("--count", type=click.IntRange(1), metavar="N",
              show_default=f"the number of words in {WORD_FILE}",
              help="Number of secrets of the game.")  # fmt: skip
@timeout_option("--timeout", 30.0, "Maximum time without output.")
@timeout_option("--game-timeout", 300.0, "Time limit of a game: from one Go to the next.")
@json_option
def command(
    game_command: str,
    player_command: str,
    jobs: int,
    count: int | None,
    timeout: float,
    game_timeout: float,
    as_json: bool,
) -> None:
    """Connect a game program with a player program for all secrets, and print the mean.

    Starts GAME_CMD LO HI ID and PLAYER_CMD for each share of the secrets and connects their pipes.
    The transcripts desfasurare<ID>.txt that the games write are joined to desfasurareFin.txt.
    """
    import msgspec

    from salet.arena.child_process import parse_command
    from salet.arena.connector import connect
    from salet.arena.match import Limits

    game, player = parse_command(game_command), parse_command(player_command)
    with counted_progress("games") as report:
        result = connect(
            game,
            player,
            count if count is not None else _count_words(Path(WORD_FILE)),
            jobs=jobs,
            limits=Limits(timeout, game_timeout),
            progress=report,
        )
    if as_json:
        emit(msgspec.to_builtins(result))
    else:
        click.echo(f"Numarul mediu de incercari este {result.mean:.5f}")


def _count_words(path: Path) -> int:
    try:
        return len(path.read_text("utf-8").split())
    except (OSError, UnicodeDecodeError):
        raise InputError(
            f"the number of secrets is unknown: there is no {path.name} here; give --count N"
        ) from None

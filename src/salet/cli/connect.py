"""`salet connect GAME PLAYER`: join two foreign programs, as the founding connector did."""

from __future__ import annotations

from pathlib import Path

import click

from salet.cli.options import examples, json_option
from salet.cli.show import emit, progress
from salet.errors import InputError

LIST = "cuvinte_wordle.txt"


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
              help="Pairs of programs at once; each plays a chunk of the secrets.")  # fmt: skip
@click.option("--count", type=click.IntRange(1), metavar="N",
              help=f"How many secrets the game has  [the words in {LIST}].")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=30.0,
              show_default=True, metavar="S", help="Most seconds of silence.")  # fmt: skip
@click.option("--game-timeout", type=click.FloatRange(0, min_open=True), default=300.0,
              show_default=True, metavar="S", help="Most seconds from Go to Go.")  # fmt: skip
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
    """Start GAME_CMD lo hi id and PLAYER_CMD for each chunk of the secrets and join their pipes.

    The games' desfasurare<id>.txt are joined to desfasurareFin.txt, and the mean is printed.
    """
    import msgspec

    from salet.arena.child_process import parse_command
    from salet.arena.connector import connect
    from salet.arena.match import Limits

    game, player = parse_command(game_command), parse_command(player_command)
    with progress("games") as report:
        result = connect(
            game,
            player,
            count if count is not None else _words(Path(LIST)),
            jobs=jobs,
            limits=Limits(timeout, game_timeout),
            progress=report,
        )
    if as_json:
        emit(msgspec.to_builtins(result))
    else:
        click.echo(f"Numarul mediu de incercari este {result.mean:.5f}")


def _words(path: Path) -> int:
    try:
        return len(path.read_text("utf-8").split())
    except (OSError, UnicodeDecodeError):
        raise InputError(
            f"how many secrets has the game? There is no {path.name} here; give --count N"
        ) from None

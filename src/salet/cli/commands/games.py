"""`salet games`: the games that `--game` accepts."""

from __future__ import annotations

import click

from salet.cli.options import DEFAULT_GAME, examples, json_option
from salet.cli.render.console import emit, show


@click.command(epilog=examples("salet games", "salet games --json"))
@json_option
def command(as_json: bool) -> None:
    """List the games with their sizes, sources and checksums."""
    from salet.game.generated import CODE_GAMES
    from salet.game.named import ALIASES, describe_games

    rows = describe_games()
    if as_json:
        emit({"games": rows, "aliases": dict(ALIASES)})
        return
    from salet.cli.render.games import games_table

    codes = [
        f"{name}:PxC has P positions and C symbols; {note}." for name, note in CODE_GAMES.items()
    ]
    show(
        *games_table(rows, DEFAULT_GAME, ALIASES),
        *codes,
        "nerdle:N has the equations of N characters, 5 to 8; nerdle:8,commuted=win lets",
        "equations win in any order of summands and factors.",
        "Options follow the name: original:first=200, original:sample=200,seed=7,",
        "nyt-2022-03:guesses=answers, original:answers=guesses.",
        "original:boards=4 has four boards with different answers; 2 to 32 are possible.",
        "--host adversary (play, assist, solve, simulate) has no answer and evades you.",
        "Your own lists: `salet packs add`.",
    )

"""`salet games`: what `--game` takes."""

from __future__ import annotations

import click

from salet.cli.options import examples, json_option
from salet.cli.show import console, emit


@click.command(epilog=examples("salet games", "salet games --json"))
@json_option
def command(as_json: bool) -> None:
    """List the games with their size, source and checksum."""
    from salet.game.named import ALIASES, CODE_GAMES, describe_games

    rows = describe_games()
    if as_json:
        emit({"games": rows, "aliases": dict(ALIASES)})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("game", "answers", "sha256", "guesses", "sha256", "rule", "cap"):
        right = title in ("answers", "guesses", "cap")
        table.add_column(title, justify="right" if right else "left", no_wrap=True)
    table.add_column("source")
    for row in rows:
        table.add_row(
            row["name"],
            str(row["answers"]),
            row["answers_sha256"][:8],
            str(row["guesses"]),
            row["guesses_sha256"][:8],
            row["rule"],
            "none" if row["cap"] is None else str(row["cap"]),
            row["source"],
        )
    out = console()
    out.print(table)
    out.print()
    for alias, name in ALIASES.items():
        out.print(f"{alias} is short for {name}.")
    for name, what in CODE_GAMES.items():
        out.print(f"{name}:PxC has P positions and C symbols ({what}), as in {name}:4x6.")
    out.print("Options follow the name: original:first=200, original:sample=200,seed=7,")
    out.print("nyt-2022-03:guesses=answers. Lists of your own: `salet packs add`.")

"""`salet openers`: how good every first guess is."""

from __future__ import annotations

from pathlib import Path

import click

from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    json_option,
    memory_option,
    output_option,
    threads_option,
)
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress
from salet.errors import InputError


@click.command(
    epilog=examples(
        "salet openers crane adieu qajaq",
        "salet openers --top 20 --common --hard",
        "salet openers --game original --csv openers.csv",
        "salet openers --game mastermind:3x4 --seconds 10",
    )
)
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--top", type=int, metavar="K", show_default="10; all with --csv or --json",
              help="Show the K best openers.")  # fmt: skip
@click.option("--common", is_flag=True, help="Show only words that can be answers.")
@output_option("--csv", "Save the openers to FILE, one per line.")
@click.option("--seconds", type=float, metavar="S", show_default="60 without a table",
              help="Search for at most S seconds for what the table does not settle.")  # fmt: skip
@threads_option
@memory_option(3.0, "the transposition table")
@json_option
@game_options()
def command(
    choice: GameChoice,
    words: tuple[str, ...],
    top: int | None,
    common: bool,
    csv: Path | None,
    seconds: float | None,
    threads: int | None,
    memory: float,
    as_json: bool,
) -> None:
    """Show rank, total, mean, worst case and groups of openers.

    Totals are sums over all answers. Each is proven exact, or bounded, or the opener is proven to
    exceed the cap. Tables for original and nyt, normal and hard, come with salet; openers of other
    games are searched.
    """
    from salet.cli.render.openers import opener_fields, openers_table, write_csv
    from salet.search.openers import DEFAULT_TOP, openers

    game = choice.open()
    whole = bool(words) or csv is not None or as_json
    asked = list(words) or None
    if common:
        asked = [word for word in words or game.answers if game.index(word) < game.answer_count]
        if not asked:
            raise InputError(f"--common: none of {', '.join(words)} can be an answer")
    with live_progress("preparing") as update:
        found = openers(
            game,
            asked,
            top=top,
            seconds=seconds,
            threads=threads,
            memory=memory,
            progress=lambda done, count: update(f"{done} of {count} openers decided"),
        )
    if top is None and not whole:
        found = found[:DEFAULT_TOP]
    if csv is not None:
        write_csv(csv, game, found)
    if as_json:
        emit(opener_fields(game, found))
    else:
        show(*openers_table(game, found if csv is None else found[:DEFAULT_TOP]))

"""`salet export games`: games as data for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    opener_option,
    output_option,
    seed_option,
    ties_option,
)
from salet.cli.render.console import show
from salet.cli.render.progress import counted_progress


@click.group(invoke_without_command=True, epilog=examples("salet export games --out train.jsonl"))
@click.pass_context
def command(ctx: click.Context) -> None:
    """Write games as data for other programs."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command(
    "games",
    epilog=examples(
        "salet export games --out train.jsonl",
        "salet export games --strategy exact --game original --hard --format jsonl-tools",
        "salet export games --strategy entropy --split test --out test.jsonl",
    ),
)
@click.option("--strategy", default="exact", show_default=True, metavar="S",
              help="The player whose games are written; see `salet simulate --help`.")  # fmt: skip
@click.option("--format", "style", default="jsonl", show_default=True, metavar="F",
              help="jsonl (guesses in brackets) or jsonl-tools (calls of a tool).")  # fmt: skip
@click.option("--split", default="train", show_default=True, metavar="SPLIT",
              help="Answers to play: train, validation, test or all.")  # fmt: skip
@output_option("--out", "Write to FILE instead of stdout.")
@opener_option
@ties_option
@seed_option()
@game_options()
def games(
    choice: GameChoice,
    strategy: str,
    style: str,
    split: str,
    out: Path | None,
    opener: str | None,
    ties: str,
    seed: int,
) -> None:
    """Write a strategy's games as chat transcripts, one JSON object per line.

    They hold what a language model is shown and what it should reply, for supervised training.
    Answers reserved for validation and test are left out unless --split asks for them
    (docs/text.md).
    """
    import msgspec

    from salet.env.text.tasks import SPLITS, split_answers
    from salet.errors import InputError, UnknownNameError
    from salet.storage import output
    from salet.strategies.chat_games import STYLES, chat_games
    from salet.strategies.simulate import simulate

    for kind, given, known in (("format", style, STYLES), ("split", split, (*SPLITS, "all"))):
        if given not in known:
            raise UnknownNameError(kind, given, known)
    game = choice.open()
    game.check_one_board()
    if not split_answers(game, split):
        raise InputError(
            f"no answer of {game.name} is in the split {split!r}; choose another, or 'all'"
        )
    with counted_progress(f"{strategy} on {game.name}") as report:
        result = simulate(game, strategy, opener=opener, ties=ties, seed=seed, progress=report)
    lines = [msgspec.json.encode(row) for row in chat_games(game, result.games, split, style)]
    if out is None:
        for line in lines:
            click.echo(line.decode())
        return
    with output(out) as file:
        file.writelines(line + b"\n" for line in lines)
    show(f"{len(lines)} games of {game.name} ({split}) in {out}", stderr=True)

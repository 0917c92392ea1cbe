"""`salet serve-player`: a strategy as a program that plays over standard input and output."""

from __future__ import annotations

import click

from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    opener_option,
    protocol_option,
    seed_option,
    ties_option,
)


@click.command(
    name="serve-player",
    epilog=examples(
        "salet serve-player --strategy entropy --opener soare",
        'salet arena --player "salet serve-player --strategy parts" --jobs 2',
        'salet connect ./game "salet serve-player --game romanian" --jobs 4',
    ),
)
@click.option("--strategy", default="entropy", show_default=True, metavar="S",
              help="A player as in `salet simulate`, or `echo`, which repeats one "
                   "word.")  # fmt: skip
@opener_option
@ties_option
@protocol_option
@seed_option()
@game_options()
def command(
    choice: GameChoice, strategy: str, opener: str | None, ties: str, protocol: str, seed: int
) -> None:
    """Play with a strategy over standard input and output, like any program in the arena.

    The other side must play the same game; with the protocol jsonl it says which one. Decisions
    are cached, so that no state is searched twice.
    """
    from salet.arena.protocols import protocol_named
    from salet.arena.serve import Pipe, serve_echo, serve_player
    from salet.strategies.registry import strategy_named

    spoken = protocol_named(protocol)
    pipe = Pipe(spoken)
    if strategy == "echo":
        game = choice.open()
        winning = game.rule.notation.format(game.compiled.code(game.win), game.length)
        serve_echo(pipe, spoken, opener or game.guesses[0], winning)
        return
    player = strategy_named(strategy, ties=ties, seed=seed)
    game_or_none = None if protocol == "jsonl" else choice.open()
    if game_or_none is not None and opener is not None:
        game_or_none.index(opener)
    serve_player(pipe, spoken, game_or_none, player, opener)

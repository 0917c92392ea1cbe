"""`salet serve-game`: the game as a program that players talk to over pipes."""

from __future__ import annotations

from pathlib import Path

import click

from salet.cli.options import (
    GameChoice,
    examples,
    game_options,
    protocol_option,
    seed_option,
)
from salet.errors import InputError


@click.command(
    name="serve-game",
    epilog=examples(
        "salet serve-game",
        "salet serve-game 0 100 0 --game romanian",
        'salet connect "salet serve-game --game romanian" ./player --count 11454',
    ),
)
@click.argument("numbers", nargs=-1, type=int, metavar="[LO HI ID]")
@protocol_option
@seed_option(None)
@game_options()
def command(choice: GameChoice, numbers: tuple[int, ...], protocol: str, seed: int | None) -> None:
    """Host games with the answers LO to HI - 1 for a player on stdin and stdout.

    Every game is written to desfasurare<ID>.txt as it ends, and the number of guesses to the last
    line. Without numbers, one answer is drawn.
    """
    from salet.arena.protocols import protocol_named, word_list_files
    from salet.arena.serve import Pipe, serve_game
    from salet.game.round import draw_secret

    spoken = protocol_named(protocol)
    game = choice.open()
    if not numbers:
        secrets: list[int] = [draw_secret(game, seed)]
    elif len(numbers) != 3:
        raise InputError(f"{' '.join(map(str, numbers))!r}: give LO HI ID, or nothing")
    elif not 0 <= numbers[0] <= numbers[1] <= game.answer_count:
        raise InputError(
            f"answers {numbers[0]} to {numbers[1]}: {game.name} has 0 to {game.answer_count}"
        )
    else:
        secrets = list(range(numbers[0], numbers[1]))
    transcript = Path(f"desfasurare{numbers[2]}.txt") if numbers else None
    with word_list_files(game, spoken) as lists:
        serve_game(Pipe(spoken), spoken, game, secrets, lists, transcript)

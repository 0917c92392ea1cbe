"""`salet watch`: two players at the same secrets, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import GameChoice, examples, game_options, json_option, seed_option
from salet.cli.show import console, emit, tiles

if TYPE_CHECKING:
    from salet.game.game import Game
    from salet.game.round import Round


@click.command(
    epilog=examples(
        "salet watch --strategy dqn --against entropy",
        "salet watch --strategy entropy --against minimax --answer zesty",
        "salet watch --strategy parts --against random --count 3 --json",
    )
)
@click.option("--strategy", default="dqn", show_default=True, metavar="S", help="A player.")
@click.option("--against", default="entropy", show_default=True, metavar="S",
              help="The player beside it.")  # fmt: skip
@click.option("--count", default=5, show_default=True, type=click.IntRange(1), metavar="N",
              help="Games, with secrets drawn at random.")  # fmt: skip
@click.option("--answer", "words", multiple=True, metavar="WORD",
              help="This secret instead; may be given several times.")  # fmt: skip
@seed_option()
@json_option
@game_options()
def command(
    choice: GameChoice,
    strategy: str,
    against: str,
    count: int,
    words: tuple[str, ...],
    seed: int,
    as_json: bool,
) -> None:
    """Print games of two players side by side."""
    import numpy as np

    from salet.strategies.registry import strategy_named

    game = choice.open()
    players = [strategy_named(name, seed=seed) for name in (strategy, against)]
    if words:
        secrets = [game.answer_index(word) for word in words]
    else:
        drawn = np.random.default_rng(seed).permutation(game.answer_count)[:count]
        secrets = [int(place) for place in drawn]
    games = []
    out = console()
    for secret in secrets:
        rounds = [_play(game, secret, player) for player in players]
        games.append(
            {
                "answer": game.guesses[secret],
                **{
                    name: {"guesses": r.state.turns, "won": r.won}
                    for name, r in zip(("strategy", "against"), rounds, strict=True)
                },
            }
        )
        if not as_json:
            _show(out, game, secret, (strategy, against), rounds)
    if as_json:
        emit({"game": game.name, "strategy": strategy, "against": against, "games": games})


def _play(game: Game, secret: int, player: Any) -> Round:
    from salet.game.round import Round

    current = Round(game, secret)
    while not current.over:
        current.guess(player.choose(current.state))
    return current


def _show(out: Any, game: Game, secret: int, names: tuple[str, str], rounds: list[Round]) -> None:
    from rich.table import Table

    from salet.game.notation import TILES

    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left",
                  title=f"the answer is [bold]{game.guesses[secret]}[/]")  # fmt: skip
    for name, current in zip(names, rounds, strict=True):
        result = f"in {current.state.turn}" if current.won else "lost"
        table.add_column(f"{name}, {result}", min_width=3 * game.length)
    turns = [current.state.turns for current in rounds]
    for number in range(max(map(len, turns))):
        cells = []
        for made in turns:
            if number >= len(made):
                cells.append("")
            elif game.rule.notation is TILES:
                cells.append(tiles(*made[number]))
            else:
                cells.append(" ".join(made[number]))
        table.add_row(*cells)
    out.print(table)
    out.print()

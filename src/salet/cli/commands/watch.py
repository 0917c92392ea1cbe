"""`salet watch`: two players on the same secrets, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from salet.cli.options import GameChoice, examples, game_options, json_option, seed_option
from salet.cli.render.console import emit, show
from salet.cli.render.progress import live_progress

if TYPE_CHECKING:
    from salet.game.game import Game
    from salet.game.round import Round
    from salet.strategies.base import Strategy


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
              help="Number of games, with secrets drawn at random.")  # fmt: skip
@click.option("--answer", "words", multiple=True, metavar="WORD",
              help="Play this secret instead; repeatable.")  # fmt: skip
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
    """Print the games of two players side by side."""
    from salet.cli.render.board import side_by_side
    from salet.cli.render.games import headline
    from salet.strategies.registry import strategy_named

    game = choice.open()
    players = [strategy_named(name, seed=seed) for name in (strategy, against)]
    secrets = [game.answer_index(word) for word in words] or _draw(game, count, seed)
    if not as_json:
        show(headline(game))
    games: list[dict[str, Any]] = []
    for secret in secrets:
        with live_progress(f"game {len(games) + 1} of {len(secrets)}"):
            rounds = [_play(game, secret, player) for player in players]
        games.append(_fields(rounds))
        if not as_json:
            show("", side_by_side((strategy, against), rounds))
    if as_json:
        emit({"game": game.name, "strategy": strategy, "against": against, "games": games})


def _draw(game: Game, count: int, seed: int) -> list[int]:
    """Different answers, drawn at random."""
    import numpy as np

    return [int(i) for i in np.random.default_rng(seed).permutation(game.answer_count)[:count]]


def _play(game: Game, secret: int, player: Strategy) -> Round:
    from salet.game.round import Round

    current = Round(game, secret)
    while not current.over:
        current.guess(player.choose(current.state))
    return current


def _fields(rounds: list[Round]) -> dict[str, Any]:
    """One game of both players, as `--json` prints it."""
    first, second = ({"guesses": r.state.turns, "won": r.won} for r in rounds)
    return {"answer": rounds[0].answer, "strategy": first, "against": second}

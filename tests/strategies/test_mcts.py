"""The player that searches before every move."""

from __future__ import annotations

import pytest

from salet import simulate, solve, strategy_named
from salet.errors import InputError
from salet.strategies.mcts import Mcts


def test_small_games_are_played_best(tiny_game):
    game = tiny_game(cap=6)
    assert simulate(game, "mcts").total == solve(game).total


def test_it_plays_with_a_budget_of_iterations_or_seconds(tiny_game):
    quick = strategy_named("mcts:iterations=1,picker=laplace")
    assert quick.config.iterations == 1
    timed = strategy_named("mcts:seconds=0.5")
    assert (timed.config.seconds, timed.config.iterations) == (0.5, None)
    assert simulate(tiny_game(), timed).losses == 0


def test_large_states_are_searched(tiny_game):
    game = tiny_game(cap=6)
    player = Mcts(iterations=3)
    player.dp_threshold = 2
    assert simulate(game, player).losses == 0


def test_it_plays_on_where_the_cap_cannot_be_guaranteed(tiny_game):
    result = simulate(tiny_game(cap=2), "mcts")
    assert result.losses > 0


@pytest.mark.parametrize("spec", ["mcts:iterations=0", "mcts:seconds=x", "mcts:picker=no"])
def test_wrong_budgets(spec):
    with pytest.raises(InputError):
        strategy_named(spec)

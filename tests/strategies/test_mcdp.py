"""The player with a budget for every move."""

from __future__ import annotations

import pytest

from salet import Game, simulate, solve, strategy_named
from salet.errors import InputError


def test_with_enough_budget_it_is_perfect() -> None:
    game = Game.named("mastermind:3x3")
    assert simulate(game, "mcdp:iterations=5000").total == solve(game).total


def test_with_little_it_still_plays_by_a_plan() -> None:
    game = Game.named("original:first=40", cap=None)
    played = simulate(game, "mcdp:iterations=2,dp-threshold=3")
    assert played.losses == 0
    assert played.total >= solve(game).total
    assert played.total == simulate(game, "mcdp:iterations=2,dp-threshold=3").total


@pytest.mark.parametrize("spec", ["mcdp:iterations=0", "mcdp:dp-threshold=-1", "mcdp:memory=0"])
def test_a_budget_of_nothing_is_refused(spec: str) -> None:
    with pytest.raises(InputError):
        strategy_named(spec)

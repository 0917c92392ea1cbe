"""Bounds of all actions of a state: they hold, and close."""

from __future__ import annotations

import math

import numpy as np

from salet import Game
from salet.search.action_bounds import ActionBounds, aim_of, top_indices
from salet.search.game_process import GameProcess
from salet.search.value import Evaluator


def test_sweeps_lower_the_bound_and_never_below_the_value() -> None:
    game = Game.named("original:first=120")
    optimum = -Evaluator(game).total(game.start()) / 120
    process = GameProcess(game)
    bounds = ActionBounds(process, process.start())
    seen = [bounds.high]
    for _ in range(2000):
        bounds.sweep(optimum, 0.0)
        seen.append(bounds.high)
    assert seen == sorted(seen, reverse=True)
    assert seen[-1] < seen[0]
    assert seen[-1] >= optimum - 1e-9


def test_actions_that_cannot_beat_the_limit_are_left_alone() -> None:
    process = GameProcess(Game.named("original:first=60"))
    bounds = ActionBounds(process, process.start())
    before = bounds.high
    bounds.sweep(before + 1, 10.0)
    assert bounds.high == before


def test_the_aim_lies_between_limit_and_bound() -> None:
    assert aim_of(10.0, 2.0, 10.0) == 8.0  # a quarter at first
    assert aim_of(6.0, 2.0, 10.0) == 4.0  # then half
    assert aim_of(2.5, 2.0, 10.0) == 2.0  # the last pass
    assert aim_of(5.0, -math.inf, 10.0) == -math.inf  # no policy is known


def test_the_largest_come_first_and_ties_in_the_order_given() -> None:
    values = np.array([3.0, 9.0, 1.0, 7.0, 5.0, 7.0])
    assert top_indices(values, np.array([0, 2, 3, 4]), 2).tolist() == [3, 4]
    assert top_indices(values, np.array([2, 1]), 5).tolist() == [1, 2]
    assert top_indices(values, np.array([5, 4, 3, 2]), 1).tolist() == [5]
    assert top_indices(values, np.array([], np.intp), 3).tolist() == []

"""Bounds of openers within a tolerance."""

from __future__ import annotations

import pytest

from salet.search import opener_within as module
from salet.search.budget import Budget
from salet.search.opener_within import opener_within
from salet.search.value import INF, Evaluator, SearchInterruptedError


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
@pytest.mark.parametrize("cap", [None, 3, 4, 5])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("tolerance", [0.0, 0.02, 0.2])
def test_bounds_hold_and_are_within(mode, cap, weighted, tolerance, tiny_game, monkeypatch):
    monkeypatch.setattr(module, "MAX_EXACT", 2)
    weights = [1 + i % 3 for i in range(20)] if weighted else None
    game = tiny_game(mode=mode, cap=cap, weights=weights)
    start = game.start()
    exact, evaluator = Evaluator(game, megabytes=2), Evaluator(game, megabytes=2)
    for opener in range(len(game.guesses)):
        total = exact.total(start, opener)
        lower, upper = opener_within(evaluator, start, opener, tolerance)
        assert lower <= total <= upper
        assert (upper >= INF) == (total >= INF)
        assert upper <= (1 + tolerance) * lower


def test_a_tolerance_leaves_a_gap(tiny_game, monkeypatch):
    monkeypatch.setattr(module, "MAX_EXACT", 2)
    game = tiny_game(cap=None)
    evaluator = Evaluator(game, megabytes=2)
    bounds = [opener_within(evaluator, game.start(), g, 0.3) for g in range(len(game.guesses))]
    assert any(lower < upper for lower, upper in bounds)


def test_it_can_be_interrupted(tiny_game, monkeypatch):
    monkeypatch.setattr(module, "MAX_EXACT", 2)
    game = tiny_game(cap=None)
    clock = Budget(cancel=lambda: True).start()
    with pytest.raises(SearchInterruptedError):
        for opener in range(len(game.guesses)):
            opener_within(Evaluator(game, megabytes=2), game.start(), opener, 0.0, clock)

"""Bounds of weighted openers hold for every plan."""

from __future__ import annotations

import pytest

from random_tables import INF, puzzles
from salet.search.quick_bounds import WeightedBound


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_levels_are_a_lower_bound(mode):
    met = 0
    for rng, puzzle in puzzles(83, 24, mode=mode, unit=False, answers=10):
        if puzzle.win > 255:
            continue
        depth = rng.choice([4, 4, 5, 11])
        quick = WeightedBound(puzzle.layout, puzzle.root(puzzle.answers, depth), 0.1)
        for opener in rng.sample(sorted(puzzle.guesses), min(8, len(puzzle.guesses))):
            value = puzzle.value_of_guess(puzzle.answers, opener, depth)
            for target in (INF, value, max(1, value - 2), 1):
                bound = quick(opener, target)
                assert bound <= value
                met += bound == value < INF
    assert met > 0

"""A guess whose parts are asked for a little at a time."""

from __future__ import annotations

import pytest

from salet import Game
from salet.search.exact.engine import AT_ONCE
from salet.search.exact.model import INF
from salet.search.exact.solver import Solver
from salet.search.terms import rules_of


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
@pytest.mark.parametrize("cap", [4, 6])
def test_rounds_give_what_one_part_after_the_other_gives(mode, cap):
    game = Game.named("original:first=400,guesses=answers", mode=mode, cap=cap)
    rules = rules_of(game)
    searched = False
    for guess in (0, 57, 203, 399):
        value = Solver(rules).value((), guess)
        largest = max(len(below.candidates) for below in game.start().groups(guess).values())
        searched |= largest > AT_ONCE and value < INF
        betas = [value - 40, value - 1, value, value + 1, value + 40] if value < INF else [2000]
        for beta in betas:
            found = Solver(rules).value((), guess, beta, in_rounds=True)
            if value < beta:
                assert found == value
            else:
                assert beta <= found <= value
    assert searched or cap == 4

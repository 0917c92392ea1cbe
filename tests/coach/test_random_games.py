"""The coach's claims about adversarial games, against brute force."""

from __future__ import annotations

import pytest

import naive
import random_games
from salet.coach.coach import AdviceOptions, Coach

GAMES, CHUNKS = 300, 3
LONG = AdviceOptions(seconds=600)


def oracle_of(case: random_games.Case, objective: str) -> naive.Optimum:
    """Where the cap cannot be kept, the coach goes on with the fewest losses."""
    wanted = "win-then-mean" if objective == "mean" else objective
    best = naive.solve(case.game, wanted, case.turns)
    return best or naive.solve(case.game, "win-then-mean", case.turns)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_proven_is_the_optimum(chunk) -> None:
    for number in range(chunk, GAMES, CHUNKS):
        case = random_games.case(number)
        state = random_games.state_of(case)
        oracle = oracle_of(case, case.objective)
        guesses = oracle.total - oracle.losses  # a lost answer counts the guesses made for it
        options = AdviceOptions(seconds=600, objective=case.objective)
        pieces = list(Coach(state.game).suggest(state, options))
        for advice in pieces:
            if advice.proven or advice is pieces[-1]:
                assert advice.proven, case
                assert advice.losses * state.weight == pytest.approx(oracle.losses), case
                assert advice.expected * state.weight == pytest.approx(guesses), case
            if not advice.losses and case.objective != "worst":
                assert advice.lower * state.weight <= guesses + 1e-6, case
                assert advice.upper * state.weight >= guesses - 1e-6, case
        last = pieces[-1]
        assert state.game.index(last.guess) in oracle.guesses, case
        if oracle.worst is not None:
            assert last.suggestions[0].worst == oracle.worst, case

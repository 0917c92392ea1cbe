"""Every objective when guesses are decided one by one, as in large states."""

from __future__ import annotations

import pytest

import naive
import random_games
from salet.search.solve import solve


@pytest.fixture(autouse=True)
def _every_state_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("salet.search.objective_search.OPENER_BY_OPENER", 1)


def test_the_optimum_of_random_games() -> None:
    lost = worst = 0
    for number in range(240):
        case = random_games.case(number)
        state = random_games.state_of(case)
        oracle = naive.solve(case.game, case.objective, case.turns, case.opener)
        found = solve(state, objective=case.objective, opener=case.opener, threads=1)
        assert found.proven, case
        assert found.total == (None if oracle is None else oracle.total), case
        if oracle is not None:
            if case.game.weights is None:  # otherwise these are lost weights
                assert found.losses == oracle.losses, case
            lost += oracle.losses > 0 and case.opener is None
            if oracle.worst is not None:
                assert found.worst == oracle.worst, case
            worst += case.objective == "worst" and case.opener is None
    assert min(lost, worst) > 5


def test_a_ranking_with_losses() -> None:
    met = 0
    for number in range(150):
        case = random_games.case(number)
        if case.objective != "win-then-mean" or case.opener is not None:
            continue
        state = random_games.state_of(case)
        found = solve(state, objective="win-then-mean", top=3, threads=1)
        if not found.losses or found.top is None:
            continue
        for row in found.top:
            oracle = naive.solve(
                case.game, "win-then-mean", case.turns, state.game.index(row.guess)
            )
            assert oracle is not None
            assert (row.losses, row.total) == (oracle.losses, oracle.total), case
            met += 1
    assert met

"""Cached plans: their totals are those of the plans themselves."""

from __future__ import annotations

import math

import pytest

import naive
import random_games
from salet import Game
from salet.game.state import State
from salet.search.anytime_run import KnownPlan, plan_total
from salet.search.game_process import GameProcess
from salet.search.plan_cache import PlanCache
from salet.search.process import PolicySource
from salet.search.search_state import SearchState
from salet.search.value import INF, Evaluator

CASES = 120


def state_of(case: random_games.Case) -> State:
    tiny = case.game
    fields = {"rule": tiny.rule, "mode": tiny.mode, "cap": tiny.cap, "weights": tiny.weights}
    state = Game(tiny.answers, tiny.guesses, **fields).start()
    for guess, secret in case.history:
        state = state.after(guess, int(state.game.table[guess, secret]))
    return state


def grown(process: GameProcess) -> int:
    """The total of the cached plan of the first state, played out."""
    plan = KnownPlan(process, lambda _: (PolicySource.CACHED, None)).grow()
    return plan_total(plan, process.start().state)


def test_cached_plans_have_the_totals_they_state() -> None:
    cached = 0
    for number in range(CASES):
        case = random_games.case(number)
        state = state_of(case)
        if not len(state.candidates) or state.guesses_left == 0:
            continue
        oracle = naive.solve(case.game, "mean", case.turns)
        total = INF if oracle is None else oracle.total
        process = GameProcess(state.game, start=state)
        key = process.start().key
        exact = process.plans.store(state)
        assert exact == total, case
        if process.plans.guess(key) is not None:
            cached += 1
            assert grown(process) == total, case
    assert cached > CASES / 4


def test_wider_beams_never_lose_a_better_plan() -> None:
    game = Game.named("original:first=150")
    process = GameProcess(game)
    start = process.start()
    optimum = Evaluator(game).total(start.state)
    totals = [process.plans.widen(start.state, start.key) for _ in range(4)]
    assert totals == sorted(totals, reverse=True)
    assert optimum <= totals[-1] < INF
    assert grown(process) == totals[-1]


def test_nothing_is_cached_if_no_plan_keeps_within_the_cap() -> None:
    game = Game(["aaa", "aab", "aac", "aad", "aae"], cap=2)
    plans = PlanCache(Evaluator(game))
    start = SearchState(game.start())
    assert plans.widen(start.state, start.key) == INF
    assert plans.guess(start.key) is None


@pytest.mark.parametrize("effort", [1, 64, 256])
def test_refine_within_an_effort_returns_bounds_that_hold(effort: int) -> None:
    game = Game.named("original:first=400")
    whole = Evaluator(game)
    process = GameProcess(game)
    for below in game.start().groups(game.index("aback")).values():
        state = SearchState(below)
        if below.won or len(below.candidates) < 3:
            continue
        value = -whole.total(below) / below.weight
        for _ in range(2):
            low, high = process.refine(state, effort=effort)
            assert low <= value + 1e-9 and value <= high + 1e-9
            if low > -math.inf and process.source_of(state, low) is PolicySource.CACHED:
                assert grown(process.at(below)) == round(-low * below.weight)


def test_refine_is_exact_with_effort_enough() -> None:
    game = Game.named("original:first=100")
    process = GameProcess(game)
    start = process.start()
    total = Evaluator(game).total(start.state)
    while (found := process.refine(start, effort=64)).low < found.high:
        assert round(-found.low * 100) >= total
        process.plans.widen(start.state, start.key)
    assert round(-found.low * 100) == total

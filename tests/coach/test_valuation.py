"""The cost of states against the brute force of tests/naive.py."""

from __future__ import annotations

import itertools

import hypothesis.strategies as st
import pytest
from hypothesis import given

import naive
from drawn import ANSWERS, OTHERS
from salet import Game
from salet.coach.valuation import Valuation, candidate_cost
from salet.search.budget import Budget
from salet.search.value import INF, Cost, Evaluator

WORDS = [*ANSWERS, *OTHERS]


def valuation(game: Game, seconds: float = 600) -> Valuation:
    return Valuation(Evaluator(game), Budget(seconds).start())


def naive_cost(state) -> Cost:
    """(losses, guesses) by trying everything; a lost answer counts the guesses made for it."""
    game = state.game
    weights = None if game.weights is None else tuple(game.weights.tolist())
    tiny = naive.Tiny(
        tuple(game.answers), tuple(game.guesses), game.rule.name, game.mode, game.cap, weights
    )
    history = [
        (guess, tuple("BYG".index(tile) for tile in pattern)) for guess, pattern in state.turns
    ]
    found = naive.solve(tiny, "win-then-mean", history)
    assert found is not None and found.total is not None
    return Cost(found.losses, found.total - found.losses)


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
@pytest.mark.parametrize("cap", [None, 6, 4, 3, 2, 1])
def test_states_and_guesses_cost_what_brute_force_says(mode: str, cap: int | None) -> None:
    game = Game(WORDS[:12], [*WORDS[:12], *OTHERS[:6]], mode=mode, cap=cap)
    found = valuation(game)
    start = game.start()
    assert found.exact(start) == naive_cost(start)
    for guess in range(0, len(game.guesses), 3):
        value = found.of_guess(start, guess)
        rest = Cost(0, game.answer_count)
        for pattern, part in start.groups(guess).items():
            if pattern != game.win:
                rest += naive_cost(part) if cap != 1 else Cost(len(part.candidates), 0)
        assert value.exact and value.upper == rest
        assert found.exact(start) <= value.upper


@given(data=st.data())
def test_bounds_hold_what_is_exact(data) -> None:
    mode = data.draw(st.sampled_from(["normal", "hard"]))
    cap = data.draw(st.sampled_from([None, 3, 4, 6]))
    weights = data.draw(st.none() | st.lists(st.integers(1, 9), min_size=10, max_size=10))
    game = Game(WORDS[:10], WORDS[:16], mode=mode, cap=cap, weights=weights)
    state = game.start()
    guess = data.draw(st.sampled_from(state.legal.tolist()))
    found = valuation(game)
    quick = found.of_guess(state, guess, quick=True)
    exact = found.of_guess(state, guess)
    assert exact.exact
    assert quick.lower <= exact.lower <= quick.upper
    for pattern, part in state.groups(guess).items():
        if pattern != game.win and part.guesses_left != 0:
            cost = naive_cost(part)
            assert found.exact(part) == cost
            assert Cost(0, part.size_bound) <= cost <= found.upper(part)


@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_the_worst_case_is_the_least_that_the_cost_allows(mode: str) -> None:
    game = Game(WORDS[:14], WORDS[:22], mode=mode, cap=6)
    found = valuation(game)
    tiny = naive.Tiny(tuple(game.answers), tuple(game.guesses), mode=mode, cap=6)
    best = naive.solve(tiny, "mean-then-worst")
    start = game.start()
    cost = found.exact(start)
    assert best is not None and cost is not None
    assert (cost.losses, cost.guesses) == (0, best.total)
    assert found.worst(start, cost) == best.worst
    reached = [
        found.worst_of_guess(start, guess)
        for guess in range(len(game.guesses))
        if found.of_guess(start, guess).upper == cost
    ]
    assert min(reached) == best.worst


def test_a_stopped_search_says_so_and_bounds_stay_true() -> None:
    game = Game.named("original")
    state = game.start().after("mamma", "bbbbb")  # too large for one slice of the search
    stopped = valuation(game, seconds=0)
    assert stopped.exact(state) is None
    guess = game.index("sloth")
    loose = stopped.of_guess(state, guess)
    tight = valuation(game).of_guess(state, guess)
    assert tight.exact
    assert loose.lower <= tight.lower <= loose.upper


def test_halving_the_gap_ends_at_the_value() -> None:
    game = Game.named("original")
    state = game.start().after("salet", "bbbbb")
    evaluator = Evaluator(game)
    exact = evaluator.total(state)
    low, high = state.size_bound, 3 * len(state.candidates)
    steps = list(evaluator.bisect_total(state, low, high))
    assert len(steps) > 1 and steps[-1] == (exact, exact)
    for before, after in itertools.pairwise([(low, high), *steps]):
        assert before[0] <= after[0] <= exact <= after[1] <= before[1]
        assert after != before
    assert evaluator.can_find_all(state, depth=5)
    assert not evaluator.can_find_all(state, depth=2)
    assert list(evaluator.bisect_total(state, low, INF, depth=2))[-1] == (INF, INF)


def test_when_time_is_up_the_bound_is_a_plan_of_possible_answers() -> None:
    game = Game.named("original:first=60")
    state = game.start()
    hurried = Valuation(Evaluator(game), Budget(nodes=0).start(), timed_beam=True)
    assert hurried.upper(state) == candidate_cost(state)
    exact = valuation(game).exact(state)
    assert exact is not None and exact <= candidate_cost(state)
    assert candidate_cost(state, 1) == Cost(59, 60)
    assert candidate_cost(game.start(), 0) == Cost(60, 0)

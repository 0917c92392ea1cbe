"""The worth of states against the brute force of tests/naive.py."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

import naive
from drawn import ANSWERS, OTHERS
from salet import Game
from salet.coach.worth import Clock, Engines, Worth, Worths, size_bound

WORDS = [*ANSWERS, *OTHERS]


def worths(game: Game, seconds: float = 600) -> Worths:
    return Worths(Engines(game), Clock(seconds))


def naive_worth(state) -> Worth:
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
    return Worth(found.losses, found.total - found.losses)


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
@pytest.mark.parametrize("cap", [None, 6, 4, 3, 2, 1])
def test_states_and_guesses_are_worth_what_brute_force_says(mode: str, cap: int | None) -> None:
    game = Game(WORDS[:12], [*WORDS[:12], *OTHERS[:6]], mode=mode, cap=cap)
    found = worths(game)
    start = game.start()
    assert found.exact(start) == naive_worth(start)
    for guess in range(0, len(game.guesses), 3):
        value = found.of_guess(start, guess)
        rest = Worth(0, game.answer_count)
        for pattern, part in start.groups(guess).items():
            if pattern != game.win:
                rest += naive_worth(part) if cap != 1 else Worth(len(part.candidates), 0)
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
    found = worths(game)
    quick = found.of_guess(state, guess, quick=True)
    exact = found.of_guess(state, guess)
    assert exact.exact
    assert quick.lower <= exact.lower <= quick.upper
    for pattern, part in state.groups(guess).items():
        if pattern != game.win and part.guesses_left != 0:
            worth = naive_worth(part)
            assert found.exact(part) == worth
            assert size_bound(part) <= worth <= found.at_most(part)


@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_the_worst_case_is_the_least_that_the_worth_allows(mode: str) -> None:
    game = Game(WORDS[:14], WORDS[:22], mode=mode, cap=6)
    found = worths(game)
    tiny = naive.Tiny(tuple(game.answers), tuple(game.guesses), mode=mode, cap=6)
    best = naive.solve(tiny, "mean-then-worst")
    start = game.start()
    worth = found.exact(start)
    assert best is not None and worth is not None
    assert (worth.losses, worth.guesses) == (0, best.total)
    assert found.worst(start, worth) == best.worst
    reached = [
        found.worst_of_guess(start, guess)
        for guess in range(len(game.guesses))
        if found.of_guess(start, guess).upper == worth
    ]
    assert min(reached) == best.worst


def test_a_stopped_search_says_so_and_bounds_stay_true() -> None:
    game = Game.named("original")
    state = game.start().after("crane", "bbbbb")
    stopped = worths(game, seconds=0)
    assert stopped.exact(state) is None
    guess = game.index("sloth")
    loose = stopped.of_guess(state, guess)
    tight = worths(game).of_guess(state, guess)
    assert tight.exact
    assert loose.lower <= tight.lower <= loose.upper


def test_halving_the_gap_ends_at_the_value() -> None:
    game = Game.named("original")
    state = game.start().after("salet", "bbbbb")
    found = worths(game)
    exact = found.exact(state)
    assert exact is not None
    low, high = size_bound(state).guesses, 3 * len(state.candidates)
    steps = 0
    while low < high:
        closer = worths(game).closes(state, low, high)
        assert closer is not None
        assert low < closer[0] <= exact.guesses <= closer[1] <= high or closer[0] == closer[1]
        low, high = closer
        steps += 1
    assert low == exact.guesses and steps > 1
    assert found.keeps(state, 6) is True
    assert found.keeps(state, 3) is False

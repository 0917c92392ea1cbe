"""Symmetric search equals search without symmetry, and brute force."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import naive
from salet import Game, prove
from salet.search import symmetric_search as module
from salet.search.exact import solver as solver_module
from salet.search.exact.solver import SearchInterruptedError
from salet.search.roots import root_of
from salet.search.symmetric_search import Memo, SymmetricSearch, symmetric_search
from salet.search.value import INF, Evaluator

WORDS = ["".join(letters) for letters in itertools.product("abc", repeat=3)]
HEAVY = [3 if len(set(word)) == 1 else 1 for word in WORDS]
SMALL = ("mastermind:2x3", "mastermind:3x2", "bulls-and-cows:2x4", "bulls-and-cows:3x4")


@pytest.fixture(autouse=True)
def _symmetries_of_small_states(monkeypatch):
    """Without the thresholds, these games would be left to the kernels."""
    monkeypatch.setattr(module, "_MIN_SYMMETRIC", 3)
    monkeypatch.setattr(module, "_MIN_ONE_BY_ONE", 5)
    monkeypatch.setattr(solver_module, "_MIN_ALTERNATIVES", 3)


def check(state, *, losses=False, depth=None, rng=None):
    """Every bound that symmetric search gives of a state and its guesses is right."""
    rng = rng or random.Random(1)
    evaluator = Evaluator(state.game, megabytes=1)
    root, memo = root_of(state, depth), Memo()
    with evaluator.solver(losses=losses) as plain:
        value = plain.value(root)
        guesses = state.legal[:: max(1, len(state.legal) // 9)].tolist()
        totals = {guess: plain.value(root, guess) for guess in guesses}
    other = Evaluator(state.game, megabytes=1)
    with other.solver() as lossless, other.solver(losses=losses) as solver:
        search = symmetric_search(memo, state, depth, None, solver, lossless if losses else None)
        for guess, total in totals.items():
            for beta in (min(INF, total + rng.choice([-2, 0, 1, 9])), INF):
                found = search.value_of_guess(state, guess, beta)
                assert found == total if total < beta else beta <= found <= max(total, beta)
        for beta in (value - 1, value, min(value + 1, INF), INF):
            found = search.value(state, beta)
            assert found == value if value < beta else beta <= found <= max(value, beta)
    assert len(memo)
    return value


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("cap", [None, 2, 3, 4])
def test_small_games_are_brute_force(name, cap):
    game = Game.named(name, cap=cap)
    words = tuple(game.guesses)
    optimum = naive.solve(naive.Tiny(words, words, "pegs", "normal", cap))
    assert check(game.start()) == (INF if optimum is None else optimum.total)
    check(game.start(), losses=True)


@pytest.mark.parametrize("cap", [None, 3, 4, 5])
@pytest.mark.parametrize("name", ["mastermind:3x4", "bulls-and-cows:3x5", "mastermind:2x6"])
def test_larger_games_are_search_without_symmetry(name, cap):
    game = Game.named(name, cap=cap)
    check(game.start())
    if cap:
        check(game.start(), losses=True)


@pytest.mark.parametrize(
    ("rule", "mode"),
    [  # hard mode is for tiles
        *(("standard", mode) for mode in ("normal", "hard", "strict")),
        *(("present", mode) for mode in ("normal", "hard", "strict")),
        *(("pegs", mode) for mode in ("normal", "strict")),
    ],
)
@pytest.mark.parametrize("weights", [None, HEAVY])
def test_words_over_few_letters_in_every_mode(rule, mode, weights):
    rng = random.Random(f"{rule} {mode}")
    for cap in (None, 3, 5):
        game = Game(WORDS, rule=rule, mode=mode, weights=weights, cap=cap)
        check(game.start(), rng=rng)
        check(game.start(), losses=True, rng=rng)


def test_a_state_after_some_guesses_and_a_depth_below_the_cap():
    game = Game.named("mastermind:3x4", cap=6)
    for guess, depth in itertools.product((0, 1, 6), (None, 3, 4)):
        for state in game.start().groups(guess).values():
            if len(state.candidates) > 5:
                check(state, depth=depth)
                check(state, depth=depth, losses=True)


def test_a_memo_is_shared_by_searches_with_and_without_losses():
    """Bounds of states with another number of guesses left, or another price, are kept apart."""
    game = Game.named("bulls-and-cows:3x4", cap=4)
    state, evaluator, memo = game.start(), Evaluator(game, megabytes=1), Memo()
    for depth, losses in itertools.product((4, 2, 3), (False, True, False)):
        with Evaluator(game).solver(losses=losses) as plain:
            wanted = plain.value(root_of(state, depth))
        with evaluator.solver() as lossless, evaluator.solver(losses=losses) as solver:
            for other in (None, lossless if losses else None):
                search = symmetric_search(memo, state, depth, None, solver, other)
                assert search.value(state) == wanted


def test_a_memo_joins_bounds_and_tells_of_those_that_improve():
    memo, told = Memo(), []
    memo.on_improved = lambda *row: told.append(row)
    assert memo[1, 2] == (0, INF)
    for lower, upper in ((3, 9), (2, 9), (2, INF), (4, 8), (4, 8)):
        memo.improve((1, 2), lower, upper)
    assert told == [((1, 2), 3, 9), ((1, 2), 4, 8)]
    assert memo[1, 2] == (4, 8)


@pytest.mark.parametrize(
    "name",
    ["mastermind:3x5", "mastermind:3x6", "mastermind:3x7", "bulls-and-cows:3x6",
     "bulls-and-cows:3x7", "mastermind:2x9", "bulls-and-cows:2x12", "mastermind:4x3"],
)  # fmt: skip
def test_losses_with_four_guesses_left(name):
    """With four left they are counted for each guess; these games lose 0 to 136 codes."""
    game = Game.named(name, cap=4)
    evaluator = Evaluator(game, megabytes=4)
    wanted = Evaluator(game, megabytes=4).cost(game.start())
    with evaluator.solver() as lossless, evaluator.solver(losses=True) as solver:
        search = symmetric_search(Memo(), game.start(), None, None, solver, lossless)
        assert evaluator.cost_of(search.value(game.start())) == wanted


def test_it_stops_and_goes_on():
    game = Game.named("mastermind:3x5")
    state, evaluator, memo = game.start(), Evaluator(game, megabytes=4), Memo()
    with evaluator.solver() as solver:
        with pytest.raises(SearchInterruptedError):
            SymmetricSearch(solver, memo, state, stop=lambda _: True).value(state)
        found = SymmetricSearch(solver, memo, state).value(state)
    assert found == Evaluator(game, megabytes=4).total(state)


@pytest.mark.parametrize("cap", [None, 4, 5])
def test_proofs_are_those_without_symmetry(cap, monkeypatch):
    game = Game.named("mastermind:3x4", cap=cap)
    found = prove(game, ranking="all", threads=2)
    monkeypatch.setattr(type(game.symmetry), "is_trivial", True)
    plain = prove(Game.named("mastermind:3x4", cap=cap), ranking="all", threads=1)
    assert plain.ranking == found.ranking


def test_few_guesses_are_tried():
    """After the first guess of mastermind:4x4 guesses fall into far fewer orbits."""
    game = Game.named("mastermind:4x4")
    state = max(game.start().groups(1).values(), key=lambda state: len(state.candidates))
    with Evaluator(game).solver() as plain, Evaluator(game).solver() as solver:
        wanted = plain.value(root_of(state))
        assert SymmetricSearch(solver, Memo(), state).value(state) == wanted
        assert solver.stack.counters[0].guesses < plain.stack.counters[0].guesses
    assert len(np.unique(game.symmetry.first_equivalent(state.guesses))) < 60

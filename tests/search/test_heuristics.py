"""Heuristics: costs by their formulas, and exact ties."""

from __future__ import annotations

import itertools
import math
import string

import numpy as np
import pytest
from hypothesis import given

import naive
from salet import Game
from salet.errors import UnknownNameError
from salet.search.heuristics import HEURISTICS, heuristic_named
from salet.search.splits import Splits, splits
from states import sizes_of, states

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


def expected_guesses(sizes, is_candidate, rest):
    """p * 1 + (1 - p) * E, as the published players define it."""
    if len(sizes) == 1:
        return math.inf
    chance = 1 / sum(sizes) if is_candidate else 0
    return chance + (1 - chance) * rest


def entropic(sizes, is_candidate):
    n = sum(sizes)
    return expected_guesses(
        sizes, is_candidate, len(sizes) > 1 and math.log2(n) / naive.entropy(sizes) + 1
    )


def statistical(sizes, is_candidate):
    n = sum(sizes)
    left = sum(size * size for size in sizes) / n
    return expected_guesses(
        sizes, is_candidate, len(sizes) > 1 and 1 + math.log(n) / math.log(n / left)
    )


COSTS = {
    "entropy": lambda sizes, _: -naive.entropy(sizes),
    "expected-size": lambda sizes, _: sum(size * size for size in sizes) / sum(sizes),
    "parts": lambda sizes, _: -len(sizes),
    "minimax": lambda sizes, _: max(sizes),
    "entropic": entropic,
    "statistical": statistical,
}
"""what each heuristic is by definition; lower is better"""

EXACT = {
    "entropy": lambda sizes, _: naive.power_product(sizes),
    "expected-size": lambda sizes, _: sum(size * size for size in sizes),
    "parts": lambda sizes, _: len(sizes),
    "minimax": lambda sizes, _: max(sizes),
    "entropic": lambda sizes, is_candidate: (
        (is_candidate, naive.power_product(sizes)) if len(sizes) > 1 else None
    ),
    "statistical": lambda sizes, is_candidate: (
        (is_candidate, sum(size * size for size in sizes)) if len(sizes) > 1 else None
    ),
}
"""whole numbers that are equal just when the costs are (of guesses alike in being candidates)"""


def test_every_heuristic_has_an_oracle():
    assert set(HEURISTICS) == set(COSTS) == set(EXACT)
    for name, heuristic in HEURISTICS.items():
        assert heuristic.name == name
        assert heuristic.summary


def described(words, state, found):
    for k, guess in enumerate(found.guesses.tolist()):
        yield sizes_of(words, state, guess), bool(found.is_candidate[k])


@pytest.mark.parametrize("name", HEURISTICS)
@given(case=states())
def test_costs_order_guesses_as_the_formula_does(name, case):
    words, state = case
    if len(state.candidates) < 2:
        return
    found = splits(state)
    heuristic = HEURISTICS[name]
    costs = np.asarray(heuristic.cost(found), float)
    assert costs.shape == (len(found.guesses),)
    right = np.array([COSTS[name](*each) for each in described(words, state, found)])
    for i, j in itertools.combinations(range(len(costs)), 2):
        if right[i] < right[j] - 1e-9:
            assert costs[i] < costs[j]
        elif right[i] > right[j] + 1e-9:
            assert costs[i] > costs[j]


@pytest.mark.parametrize("name", HEURISTICS)
@given(case=states(most=40))
def test_exact_ties_are_ties_and_nothing_else_is(name, case):
    words, state = case
    if len(state.candidates) < 2:
        return
    found = splits(state)
    heuristic = HEURISTICS[name]
    costs = heuristic.cost(found)
    facts = list(described(words, state, found))
    exact = [EXACT[name](*each) for each in facts]
    for i, j in itertools.combinations(range(len(costs)), 2):
        if name in ("entropic", "statistical") and facts[i][1] != facts[j][1]:
            continue
        tied = costs[i] == costs[j] or abs(costs[i] - costs[j]) <= heuristic.tolerance
        assert bool(tied) == (exact[i] == exact[j])


def state_of(n):
    """A state with n answers."""
    words = itertools.product(string.ascii_lowercase, repeat=2)
    return Game(["".join(letters) for letters in itertools.islice(words, n)]).start()


@pytest.mark.parametrize("name", ["entropic", "statistical"])
def test_perfect_splits_are_exact(name):
    """A candidate that tells all n answers apart takes (2n - 1) / n guesses, another one 2."""
    for n in range(2, 60):
        found = Splits(
            state_of(n),
            np.array([0, n], np.int32),
            np.array([True, False]),
            np.array([n, n]),
            np.array([1, 1]),
            np.array([n, n]),
            np.zeros(2),
        )
        assert HEURISTICS[name].cost(found).tolist() == pytest.approx([(2 * n - 1) / n, 2.0])


@pytest.mark.parametrize("name", ["entropic", "statistical"])
def test_a_guess_without_information_is_never_chosen(name):
    found = Splits(
        state_of(5),
        np.array([0, 9], np.int32),
        np.array([True, False]),
        np.array([2, 1]),
        np.array([4, 5]),
        np.array([17, 25]),
        np.array([8.0, 5 * math.log2(5)]),
    )
    costs = HEURISTICS[name].cost(found)
    assert math.isfinite(costs[0])
    assert costs[1] == math.inf


def partitions(n, most=None):
    """Every way to write n as a sum, greatest first."""
    if n == 0:
        yield ()
    for first in range(min(n, most or n), 0, -1):
        for rest in partitions(n - first, first):
            yield (first, *rest)


@pytest.mark.parametrize("n", [8, 16, 24, 30])
def test_the_tolerance_of_entropy_lies_between_noise_and_the_smallest_difference(n):
    """Of all splits of n answers, those that are not exactly equal differ by far more."""
    values: dict[int, list[float]] = {}
    for sizes in partitions(n):
        total = 0.0
        for size in sizes:
            total += size * math.log2(size)
        values.setdefault(naive.power_product(sizes), []).append(total)
    tolerance = HEURISTICS["entropy"].tolerance
    assert max(max(each) - min(each) for each in values.values()) < tolerance / 100
    middles = sorted(min(each) for each in values.values())
    assert min(b - a for a, b in itertools.pairwise(middles)) > 10 * tolerance


def test_unknown_heuristics_suggest():
    with pytest.raises(UnknownNameError, match=r"unknown heuristic 'entropie'; did you mean"):
        heuristic_named("entropie")
    assert heuristic_named("minimax") is HEURISTICS["minimax"]

"""Entropies added in the order of two historical players, bit for bit."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet import Game
from salet.search.rounding import _pairwise, _sum_in_order, numpy_entropy, romanian_entropy
from states import states

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


def summed(terms):
    """The sum of the terms as the kernel adds them: one answer and one pattern for each."""
    lanes, additions = _pairwise(len(terms))
    out = np.zeros(1)
    # a table of one guess: answer k gets pattern k, and stands k + 1 times among the candidates
    sizes = np.arange(1, len(terms) + 1)
    candidates = np.repeat(np.arange(len(terms)), sizes).astype(np.int32)
    table = np.arange(len(terms), dtype=np.uint16).reshape(1, -1)
    rank = np.arange(len(terms), dtype=np.int32)
    looked_up = np.array([0.0, *terms])
    _sum_in_order(table, candidates, np.zeros(1, np.int32), looked_up, rank, lanes, additions, out)
    return out[0]


@pytest.mark.parametrize(
    "count", [2, 3, 7, 8, 9, 15, 16, 17, 27, 81, 127, 128, 129, 136, 137, 200, 243, 256, 257, 300]
)
def test_the_order_is_that_of_numpy(count):
    for seed in range(5):
        terms = np.random.default_rng([count, seed]).lognormal(size=count, sigma=4)
        assert summed(terms) == np.sum(terms)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_the_order_is_that_of_numpy_for_any_numbers(terms):
    assert summed(np.array(terms)) == np.sum(np.array(terms))


def test_longer_sums():
    for count in (729, 2187):
        lanes, additions = _pairwise(count)
        terms = np.random.default_rng(count).lognormal(size=count, sigma=4)
        sums = np.zeros(lanes.max() + 9)
        for lane, term in zip(lanes, terms, strict=True):
            sums[lane] += term
        for target, source in additions:
            sums[target] += sums[source]
        assert sums[0] == np.sum(terms)


def counts_of(state, guess):
    """The number of answers with each pattern id."""
    game = state.game
    row = game.table[guess, state.candidates]
    return np.bincount(row, minlength=game.compiled.patterns)


def scipy_like(counts):
    """scipy.stats.entropy(counts, base=2), written out."""
    shares = counts / counts.sum()
    terms = np.array([-p * math.log(p) if p > 0 else 0.0 for p in shares])
    return np.sum(terms) / math.log(2)


@given(case=states(most=30))
def test_numpy_entropy(case):
    _, state = case
    found = numpy_entropy(state)
    assert found.shape == (len(state.legal),)
    for k, guess in enumerate(state.legal.tolist()):
        assert found[k] == scipy_like(counts_of(state, guess))


def romanian_loop(state, guess):
    """The Romanian player's loop: patterns as base-3 numbers, G=0 Y=1 W=2, first letter first."""
    game = state.game
    counts = {}
    for answer in state.candidates:
        text = game.show(int(game.table[guess, answer]))
        code = sum("GYB".index(tile) * 3 ** (len(text) - 1 - i) for i, tile in enumerate(text))
        counts[code] = counts.get(code, 0) + 1
    n = len(state.candidates)
    total = 0.0
    for code in range(3**game.length):
        if code in counts:
            total += (math.log2(n) - math.log2(counts[code])) * counts[code]
    return total / n


@given(case=states(most=30))
def test_romanian_entropy(case):
    _, state = case
    if state.game.rule.name == "pegs":
        assert romanian_entropy(state).shape == (len(state.legal),)
        return
    found = romanian_entropy(state)
    for k, guess in enumerate(state.legal.tolist()):
        assert found[k] == romanian_loop(state, guess)


@pytest.mark.parametrize("entropy", [numpy_entropy, romanian_entropy])
def test_few_patterns_and_many(entropy):
    """Few patterns are sorted, many are scanned; the sum is the same."""
    words = ["".join(letters) for letters in itertools.product("abc", repeat=4)]
    game = Game(words, rule="present")
    state = game.start()
    oracle = romanian_loop if entropy is romanian_entropy else None
    found = entropy(state)
    for guess in range(0, 81, 7):
        expected = oracle(state, guess) if oracle else scipy_like(counts_of(state, guess))
        assert found[guess] == expected

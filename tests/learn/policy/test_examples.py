"""Examples: taken, concatenated, stored and sampled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet.learn.policy.examples import Example, Examples

MANY = st.lists(
    st.lists(st.integers(0, 99), min_size=1, max_size=6, unique=True), min_size=1, max_size=8
)


def array(numbers):
    return np.array(sorted(numbers), np.int32)


def examples_of(many):
    return Examples.of(
        [Example(array(each), k, 7 * k, array(each[:2]), array(range(len(each[:2]))), 1 / (k + 1))
         for k, each in enumerate(many)]
    )  # fmt: skip


@given(MANY, st.data())
def test_examples_taken_concatenated_and_stored(many, data):
    examples = examples_of(many)
    restored = Examples.from_arrays(examples.arrays())
    for name in ("totals", "guesses", "losses", "guess_starts", "weights"):
        assert getattr(restored, name).dtype == getattr(examples, name).dtype
    assert restored.sets.words.dtype == examples.sets.words.dtype
    both = Examples.concatenate([examples, restored])
    assert len(both) == 2 * len(many)
    indices = data.draw(st.lists(st.integers(0, 2 * len(many) - 1), min_size=1, max_size=6))
    taken = both.take(np.array(indices, np.int64))
    for k, index in enumerate(indices):
        source = index % len(many)
        assert taken.sets[k].tolist() == sorted(many[source])
        assert taken.totals[k] == 7 * source
        own = slice(taken.guess_starts[k], taken.guess_starts[k + 1])
        assert taken.guesses[own].tolist() == sorted(many[source][:2])
        assert taken.weights[k] == 1 / (source + 1)


def test_the_best_of_each_set():
    """The same words at the same turn are one set: the smallest total counts, then the latest."""

    def example(words, turn, total, good, other):
        losses = [0, 4] if good < other else [4, 0]
        return Example(array(words), turn, total, array([good, other]), np.array(losses, np.int32))

    examples = Examples.of(
        [
            example([1, 2, 3], 1, 6, 10, 20),
            example([4, 5, 6], 1, 5, 11, 20),
            example([1, 2, 3], 1, 7, 12, 20),
            example([4, 5, 6], 1, 5, 20, 13),
            example([1, 2, 3], 2, 9, 14, 20),
        ]
    )
    best = examples.best_of_each_set(10)
    found = [(best.sets[k].tolist(), int(best.totals[k])) for k in range(len(best))]
    assert found == [([1, 2, 3], 6), ([4, 5, 6], 5), ([1, 2, 3], 9)]
    assert best.best_guesses() == {
        best.sets.key(0): 10,
        best.sets.key(1): 20,
        best.sets.key(2): 14,
    }
    assert examples.best_of_each_set(2).totals.tolist() == [5, 9]


@pytest.mark.parametrize("by_size", [False, True])
def test_sampling_follows_weight_and_size(by_size):
    sizes = [1, 4, 49, 100]
    examples = Examples.of(
        [Example(array(range(size)), 0, size, array([0]), array([0]), 1 / (k + 1))
         for k, size in enumerate(sizes)]
    )  # fmt: skip
    expected = np.array(sizes if by_size else [1, 2, 6, 6]) / np.arange(1, 5)
    cumulative = examples.cumulative_weights(by_size=by_size)
    assert np.diff(cumulative, prepend=0) == pytest.approx(expected / expected.sum())
    sampled = examples.sample(cumulative, 20_000, np.random.default_rng(0))
    frequencies = [(sampled.totals == size).mean() for size in sizes]
    assert frequencies == pytest.approx(expected / expected.sum(), abs=0.02)

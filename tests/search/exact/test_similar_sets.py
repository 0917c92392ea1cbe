"""Bounds from similar sets are lower bounds, however the table of sets is filled."""

from __future__ import annotations

import random

import numpy as np
import pytest

from random_tables import puzzles, trials
from salet.search.exact.similar_sets import (
    BUCKET_SIZE,
    ORDERS,
    bucket_of,
    empty_similar_sets,
    lower_bound,
    minhash,
    remember,
)

pytestmark = pytest.mark.tiny

KEY = np.uint64(0)
"""Of the legal guesses in normal mode."""


def max_parts(puzzle, members):
    """parts(S): the most parts of any guess, one more for a candidate."""
    return max(len(puzzle.split(members, g)) + (g in members) for g in puzzle.guesses)


def as_members(members):
    return np.array(sorted(members), np.int32)


def test_the_bound_of_a_set_is_a_lower_bound():
    better = 0
    for rng, puzzle in puzzles(61, 24, mode="normal", unit=True, answers=9):
        sets = empty_similar_sets(len(puzzle.answers), 0)
        for _ in range(40):
            members = rng.sample(puzzle.answers, rng.randint(1, len(puzzle.answers)))
            n, depth = len(members), rng.randint(3, 9)
            bound = lower_bound(sets, KEY, as_members(members), n)
            assert 2 * n - 1 <= bound <= puzzle.value(members, depth)
            better += bound > 2 * n - 1
            remember(sets, KEY, as_members(members), n, max_parts(puzzle, members))
    assert better > 0


def test_the_bound_is_the_best_of_the_sets_that_share_a_bucket():
    """In one bucket is every set with the same signature: the bound is written out for those."""
    rng = random.Random(62)
    for _ in range(trials(40)):
        answers = rng.randint(70, 200)
        sets = empty_similar_sets(answers, 0)
        members = rng.sample(range(answers), rng.randint(8, 60))
        assert lower_bound(sets, KEY, as_members(members), len(members)) == 2 * len(members) - 1
        parts = rng.randint(2, len(members) + 1)
        remember(sets, KEY, as_members(members), len(members), parts)
        same = lower_bound(sets, KEY, as_members(members), len(members))
        assert same == max(2 * len(members) - 1, 3 * len(members) - parts)
        fewer = members[: len(members) - 2]
        found = lower_bound(sets, KEY, as_members(fewer), len(fewer))
        assert found in (2 * len(fewer) - 1, max(2 * len(fewer) - 1, 3 * len(fewer) - parts))
        other = next(a for a in range(answers) if a not in members)
        more = lower_bound(sets, KEY, as_members([*members, other]), len(members) + 1)
        assert more in (2 * len(members) + 1, max(2 * len(members) + 1, same + 1))


def test_in_a_full_table_the_newest_replaces_the_oldest():
    rng = random.Random(63)
    answers = 65  # one bit in a second word
    sets = empty_similar_sets(answers, 0)
    room = len(sets.bits)
    first = as_members(range(40, 65))
    remember(sets, KEY, first, 25, 4)
    assert lower_bound(sets, KEY, first, 25) == 3 * 25 - 4
    for _ in range(room - 1):
        one = as_members(rng.sample(range(40), 1))
        remember(sets, KEY, one, 1, 2)
    assert sets.stored[0] == room
    assert lower_bound(sets, KEY, first, 25) == 3 * 25 - 4
    bits = sets.bits.copy()
    last = as_members(range(30, 64))
    remember(sets, KEY, last, 34, 3)
    assert np.array_equal(sets.bits[1:], bits[1:])
    assert lower_bound(sets, KEY, last, 34) == 3 * 34 - 3
    # What is left of the first in its buckets leads to the last, of which the bound is true.
    assert lower_bound(sets, KEY, first, 25) in (2 * 25 - 1, 3 * 24 - 3 + 1)


def test_in_a_full_bucket_the_newest_replaces_the_oldest():
    sets = empty_similar_sets(10, 0)
    members = as_members(range(10))
    for parts in range(2, 2 + BUCKET_SIZE):
        remember(sets, KEY, members, 10, parts)
        assert lower_bound(sets, KEY, members, 10) == 3 * 10 - 2  # that of the first
    remember(sets, KEY, members, 10, 9)
    assert lower_bound(sets, KEY, members, 10) == 3 * 10 - 3


def test_sets_with_other_legal_guesses_tell_nothing():
    sets = empty_similar_sets(10, 0)
    members = as_members(range(10))
    remember(sets, np.uint64(7), members, 10, 3)
    assert lower_bound(sets, np.uint64(7), members, 10) == 3 * 10 - 3
    assert lower_bound(sets, KEY, members, 10) == 2 * 10 - 1
    # Not even where their keys lead to the same bucket.
    sets.buckets[:, 0] = 1
    assert lower_bound(sets, KEY, members, 10) == 2 * 10 - 1


def test_minhashes_are_the_least_ranks():
    rng = random.Random(64)
    sets = empty_similar_sets(100, 0)
    assert all(sorted(sets.ranks[:, order]) == list(range(100)) for order in range(ORDERS))
    for _ in range(trials(40)):
        members = rng.sample(range(100), rng.randint(1, 100))
        minhash(sets, as_members(members), len(members))
        assert sets.signature.tolist() == sets.ranks[members].min(axis=0).tolist()
        for pair in range(ORDERS // 2):
            assert 0 <= bucket_of(sets, KEY, pair) < len(sets.buckets)


@pytest.mark.parametrize("megabytes", [0, 1, 20])
def test_sets_take_the_memory_allowed(megabytes):
    sets = empty_similar_sets(2315, megabytes)
    size = sum(array.nbytes for array in sets)
    assert size <= 1.3 * max(megabytes, 0.5) * (1 << 20)
    assert len(sets.buckets) & (len(sets.buckets) - 1) == 0

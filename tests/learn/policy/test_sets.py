"""Sets and lessons end to end: what is taken out is what was put in."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from salet.learn.policy.lessons import Lesson, Lessons, chosen
from salet.learn.policy.sets import Sets

MANY = st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=6, unique=True), max_size=8)


def array(numbers):
    return np.array(sorted(numbers), np.int32)


@given(MANY, st.data())
def test_sets(many, data):
    sets = Sets.of([array(each) for each in many], range(len(many)))
    assert [sets[place].tolist() for place in range(len(sets))] == [sorted(each) for each in many]
    assert sets.sizes.tolist() == [len(each) for each in many]
    places = data.draw(st.lists(st.integers(0, max(len(many) - 1, 0)), max_size=5 * bool(many)))
    taken = sets.take(np.array(places, np.int64))
    assert [taken[k].tolist() for k in range(len(taken))] == [sorted(many[p]) for p in places]
    assert taken.turns.tolist() == places
    parts = list(sets.chunks(3))
    assert sum(len(part) for part in parts) == len(sets)
    assert all(len(part) <= 3 for part in parts)


def lessons_of(many):
    return Lessons.of(
        [Lesson(array(each), k, 7 * k, array(each[:2]), array(range(len(each[:2]))), 1 / (k + 1))
         for k, each in enumerate(many)]
    )  # fmt: skip


@given(MANY.filter(bool), st.data())
def test_lessons_taken_joined_and_stored(many, data):
    lessons = lessons_of(many)
    again = Lessons.from_arrays(lessons.arrays())
    for name in ("totals", "guesses", "losses", "told", "weights"):
        assert getattr(again, name).dtype == getattr(lessons, name).dtype
    assert again.sets.words.dtype == lessons.sets.words.dtype
    both = Lessons.joined([lessons, again])
    assert len(both) == 2 * len(many)
    places = data.draw(st.lists(st.integers(0, 2 * len(many) - 1), min_size=1, max_size=6))
    taken = both.take(np.array(places, np.int64))
    for k, place in enumerate(places):
        source = place % len(many)
        assert taken.sets[k].tolist() == sorted(many[source])
        assert taken.totals[k] == 7 * source
        told = slice(taken.told[k], taken.told[k + 1])
        assert taken.guesses[told].tolist() == sorted(many[source][:2])
        assert taken.weights[k] == 1 / (source + 1)


def test_the_best_of_each_set():
    """The same words at the same turn are one set: the least total counts, then the latest."""

    def lesson(words, turn, total, good, other):
        return Lesson(array(words), turn, total, array([good, other]),
                      array([0, 4]) if good < other else np.array([4, 0], np.int32))  # fmt: skip

    lessons = Lessons.of(
        [
            lesson([1, 2, 3], 1, 6, 10, 20),
            lesson([4, 5, 6], 1, 5, 11, 20),
            lesson([1, 2, 3], 1, 7, 12, 20),
            lesson([4, 5, 6], 1, 5, 20, 13),
            lesson([1, 2, 3], 2, 9, 14, 20),
        ]
    )
    least = lessons.least(10)
    found = [(least.sets[k].tolist(), int(least.totals[k])) for k in range(len(least))]
    assert found == [([1, 2, 3], 6), ([4, 5, 6], 5), ([1, 2, 3], 9)]
    assert least.best_guesses() == {
        least.sets.key(0): 10,
        least.sets.key(1): 20,
        least.sets.key(2): 14,
    }
    assert lessons.least(2).totals.tolist() == [5, 9]


def test_only_the_best_are_told():
    guesses = np.arange(50, dtype=np.int32)
    losses = (guesses % 3).astype(np.int32)
    kept, lost = chosen(guesses, losses, 20, np.random.default_rng(0))
    assert len(set(kept.tolist())) == 20
    assert lost.tolist() == [0] * 17 + [1] * 3
    assert (kept % 3 == lost).all()

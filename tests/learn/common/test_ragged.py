"""Ragged arrays against lists of lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from salet.learn.common.ragged import AnswerSets

MANY = st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=6, unique=True), max_size=8)


@given(MANY, st.data())
def test_sets_are_taken_out_as_they_were_put_in(many, data):
    lists = [sorted(each) for each in many]
    sets = AnswerSets.of([np.array(each, np.int32) for each in lists], range(len(lists)))
    assert [sets[index].tolist() for index in range(len(sets))] == lists
    assert sets.sizes.tolist() == [len(each) for each in lists]
    assert sets.owners.tolist() == [index for index, each in enumerate(lists) for _ in each]
    indices = data.draw(st.lists(st.integers(0, max(len(lists) - 1, 0)), max_size=5 * bool(lists)))
    taken = sets.take(np.array(indices, np.int64))
    assert [taken[k].tolist() for k in range(len(taken))] == [lists[index] for index in indices]
    assert taken.turns.tolist() == indices
    chunks = list(sets.chunks(3))
    assert [chunk[k].tolist() for chunk in chunks for k in range(len(chunk))] == lists
    assert all(len(chunk) <= 3 for chunk in chunks)


def test_keys_tell_words_and_turns_apart():
    words = [np.array(each, np.int32) for each in ([1, 2], [1, 2], [1, 2], [1, 3])]
    sets = AnswerSets.of(words, [1, 1, 2, 1])
    assert sets.key(0) == sets.key(1)
    assert len({sets.key(index) for index in range(4)}) == 3

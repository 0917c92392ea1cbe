"""Relations of letters, against a plain count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet.learn.pair.relations import RELATIONS, SIMILARITIES, fill_relations, relation, similarity

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.tiny]

WORDS = st.lists(st.integers(0, 3), min_size=5, max_size=5)


def codes(*words):
    return np.array(words, np.uint8)


def counted(guess, answer, p):
    letter, others = guess[p], [q for q in range(len(guess)) if q != p]
    elsewhere = sum(answer[q] == letter for q in others)
    spent = sum(guess[q] == answer[q] == letter for q in others)
    earlier = sum(guess[q] == letter != answer[q] for q in range(p))
    return 27 * (answer[p] == letter) + 9 * min(elsewhere, 2) + 3 * min(spent, 2) + min(earlier, 2)


@given(WORDS, WORDS)
def test_a_relation_counts_equal_letters(guess, answer):
    both = codes(guess, answer)
    for p in range(5):
        assert relation(both[0], both[1], p) == counted(guess, answer, p) < RELATIONS


@given(WORDS, WORDS, st.permutations(range(4)))
def test_letters_are_never_named(guess, answer, names):
    both, renamed = (
        codes(guess, answer),
        codes([names[x] for x in guess], [names[x] for x in answer]),
    )
    for p in range(5):
        assert relation(both[0], both[1], p) == relation(renamed[0], renamed[1], p)


@given(WORDS, WORDS)
def test_similarity_counts_positions_and_letters(one, other):
    matches = sum(a == b for a, b in zip(one, other, strict=True))
    shared = sum(min(one.count(x), other.count(x)) for x in set(one))
    both = codes(one, other)
    expected = 6 * min(matches, 4) + min(shared, 5)
    assert similarity(both[0], both[1]) == similarity(both[1], both[0]) == expected < SIMILARITIES


def test_all_relations_of_a_batch():
    words = codes([0, 1, 2, 3, 0], [1, 1, 0, 0, 2], [3, 3, 3, 1, 1])
    sets, guesses = np.array([[0, 2], [1, 1]], np.int32), np.array([1, 2], np.int32)
    out = np.empty((2, 2, 5), np.uint8)
    fill_relations(words, sets, guesses, out)
    for i in range(2):
        for k in range(2):
            expected = [counted(words[guesses[i]], words[sets[i, k]], p) for p in range(5)]
            assert out[i, k].tolist() == expected

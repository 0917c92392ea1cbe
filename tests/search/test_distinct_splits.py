"""Guesses with equal splits, against plain counting."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import naive
from salet.search.distinct_splits import distinct_splits, split_keys
from salet.search.splits import splits
from states import states


def groups_of(words, state, guess):
    """The groups that a guess makes, as sets of answers."""
    found = naive.groups(
        state.game.rule.name, words[guess], [words[index] for index in state.candidates]
    )
    return frozenset(frozenset(group) for group in found.values())


@pytest.mark.tiny
@settings(max_examples=100)
@given(states())
def test_one_of_each_split_remains(drawn) -> None:
    words, state = drawn
    found = splits(state)
    kept = distinct_splits(state, found.guesses, found.is_candidate)
    keys = [tuple(key) for key in split_keys(state, found.guesses).tolist()]
    seen: dict[object, list[int]] = {}
    for index, guess in enumerate(found.guesses.tolist()):
        seen.setdefault(groups_of(words, state, guess), []).append(index)
    for alike in seen.values():
        candidates = [index for index in alike if found.is_candidate[index]]
        assert [index for index in alike if kept[index]] == (candidates or alike[:1])
        assert len({keys[index] for index in alike}) == 1
    assert len(set(keys)) == len(seen)

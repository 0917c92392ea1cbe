"""Kernels over many sets against plain Python."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import drawn
import naive
from salet import Game
from salet.learn.common.ragged import AnswerSets
from salet.learn.common.splitting import count_groups, split_sets
from salet.learn.policy.network import (
    MAX_COUNT,
    MAX_TURNS,
    PolicyNetworkShape,
    set_features,
    word_features,
)

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.tiny]

LISTS = drawn.word_lists(least=2, most=12, lengths=(2, 6), letters=6)


def some_sets(count, seed):
    generator = np.random.default_rng(seed)
    sets = [
        np.sort(generator.choice(count, generator.integers(1, count + 1), replace=False))
        for _ in range(3)
    ]
    return AnswerSets.of([each.astype(np.int32) for each in sets], generator.integers(0, 9, 3))


@given(LISTS, st.integers(0, 99))
def test_features_of_sets(words, seed):
    game = Game(drawn.spelled(words))
    lexicon = game.lexicon
    letters, length = len(lexicon.alphabet), game.length
    sets = some_sets(len(words), seed)
    features = set_features(lexicon.codes, letters, sets)
    marks = word_features(lexicon.codes, letters)
    assert features.shape[1] == PolicyNetworkShape(length, letters).features
    for index, row in enumerate(features):
        members = sets[index]
        n = len(members)
        share = marks[members].mean(0)
        present = (marks[members, length * letters : (length + 1) * letters]).astype(float)
        joint = [
            4
            * ((present[:, a] * present[:, b]).mean() - present[:, a].mean() * present[:, b].mean())
            for a, b in combinations(range(letters), 2)
        ]
        rest = np.zeros(2 + MAX_COUNT + MAX_TURNS)
        rest[:2] = np.log(n) / 4, 1 / n
        if n <= MAX_COUNT:
            rest[1 + n] = 1
        rest[2 + MAX_COUNT + min(sets.turns[index], MAX_TURNS - 1)] = 1
        expected = np.concatenate([share, 4 * share * (1 - share), joint, rest])
        assert row == pytest.approx(expected, abs=1e-5)


@given(LISTS)
def test_features_of_words(words):
    game = Game(drawn.spelled(words))
    letters, length = game.lexicon.alphabet, game.length
    for word, row in zip(words, word_features(game.lexicon.codes, len(letters)), strict=True):
        spelled = [letter.lower() for letter in word]
        table = row.reshape(length + 2, len(letters))
        for column, letter in enumerate(letters):
            count = Counter(spelled)[letter]
            at = [position for position in range(length) if spelled[position] == letter]
            assert np.flatnonzero(table[:length, column]).tolist() == at
            assert table[length:, column].tolist() == [count >= 1, count >= 2]


@given(LISTS, st.integers(0, 99))
def test_groups_are_those_of_the_feedback_rule(words, seed):
    game = Game(drawn.spelled(words))
    sets = some_sets(len(words), seed)
    guesses = np.random.default_rng(seed).integers(len(words), size=(len(sets), 2))
    groups, parents = split_sets(game.compiled, sets, guesses.astype(np.int32))
    found: dict[int, list[list[int]]] = {}
    for group, parent in enumerate(parents.tolist()):
        found.setdefault(parent, []).append(groups[group].tolist())
        assert groups.turns[group] == sets.turns[parent // 2] + 1
    for parent, guess in enumerate(guesses.ravel().tolist()):
        by_pattern: dict[object, list[int]] = {}
        for answer in sets[parent // 2].tolist():
            pattern = naive.standard(words[guess], words[answer])
            by_pattern.setdefault(pattern, []).append(answer)
        expected = [each for each in by_pattern.values() if guess not in each]
        assert sorted(found.get(parent, [])) == sorted(expected)
    members = sets[0]
    counts = np.empty(len(words), np.int64)
    count_groups(game.compiled.by_answer, members, counts)
    for guess in range(len(words)):
        shown = {naive.standard(words[guess], words[answer]) for answer in members}
        assert counts[guess] == len(shown)

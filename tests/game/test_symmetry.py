"""Guesses that a game cannot tell apart."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from salet import Game, solve
from salet.game.feedback import RULES
from salet.game.symmetry import first_alike


def test_mastermind_has_five_first_guesses():
    game = Game.named("mastermind:4x6")
    assert [game.guesses[i] for i in np.unique(first_alike(game))] == [
        "1111", "1112", "1122", "1123", "1234",
    ]  # fmt: skip


def test_words_of_a_language_have_no_symmetry():
    game = Game.named("original:first=300")
    assert (first_alike(game) == np.arange(len(game.guesses))).all()


def test_weights_break_symmetry():
    words = ["".join(letters) for letters in itertools.product("ab", repeat=2)]
    assert first_alike(Game(words)).tolist() == [0, 1, 1, 0]
    assert first_alike(Game(words, weights=[1, 1, 2, 1])).tolist() == [0, 1, 2, 3]


def test_guesses_that_are_no_answers_stay_apart():
    words = ["".join(letters) for letters in itertools.product("ab", repeat=2)]
    assert first_alike(Game(words[:2], words)).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_alike_guesses_are_worth_the_same(rule, mode):
    if mode == "hard" and rule == "pegs":
        pytest.skip("hard mode is for tiles")
    words = ["".join(letters) for letters in itertools.product("abc", repeat=3)]
    game = Game(words, rule=rule, mode=mode)
    least = first_alike(game)
    assert 1 < len(np.unique(least)) < len(words)
    totals = {}
    for guess, first in enumerate(least):
        total = solve(game, opener=guess, threads=1).total
        assert totals.setdefault(int(first), total) == total

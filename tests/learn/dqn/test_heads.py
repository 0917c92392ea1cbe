"""Heads: the best word of each, and the meaning of outputs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import drawn
from salet import Game
from salet.env.game_arrays import GameArrays
from salet.errors import InputError, UnknownNameError
from salet.learn.dqn.heads import HEADS, head_named, vocabulary_of

pytestmark = pytest.mark.usefixtures("own_cache")


def head_for(name, game):
    return head_named(name, game, GameArrays.of(game), vocabulary_of(name, game))


@pytest.mark.tiny
@pytest.mark.parametrize("name", HEADS)
@given(
    words=drawn.word_lists(least=2, most=20, lengths=(2, 7), letters=5),
    seed=st.integers(0, 99),
    coarse=st.booleans(),
)
def test_best_is_the_first_legal_guess_of_largest_value(name, words, seed, coarse):
    game = Game(drawn.spelled(words))
    head = head_for(name, game)
    generator = np.random.default_rng(seed)
    outputs = generator.standard_normal((4, head.size)).astype(np.float32)
    if coarse:
        outputs = np.sign(outputs)  # many ties, all exact
    legal = generator.random((4, len(words))) < 0.6
    legal[:, seed % len(words)] = True
    best, values = head.best(outputs, legal)
    every = head.all_values(outputs)
    expected = np.where(legal, every, -np.inf)
    assert values == pytest.approx(expected.max(axis=1), rel=1e-5, abs=1e-5)
    assert legal[np.arange(4), best].all()
    if coarse and name != "embedding":
        assert best.tolist() == expected.argmax(axis=1).tolist()
    again = head.values_of(torch.from_numpy(outputs), torch.from_numpy(best).long())
    assert again.numpy() == pytest.approx(values, rel=1e-4, abs=1e-4)
    shared, _ = head.best(outputs, np.ones((1, len(words)), bool))
    assert every[np.arange(4), shared] == pytest.approx(every.max(axis=1), rel=1e-5, abs=1e-5)


@pytest.mark.tiny
@pytest.mark.parametrize("name", HEADS)
def test_nan_outputs_still_give_a_legal_word(tiny_game, name):
    game = tiny_game()
    head = head_for(name, game)
    legal = np.zeros((1, len(game.guesses)), bool)
    legal[0, 7:] = True
    best, values = head.best(np.full((2, head.size), np.nan, np.float32), legal)
    assert best.tolist() == [7, 7]
    assert np.isnan(values).all()


def test_sizes_on_the_original_list():
    game = Game.named("original")
    assert head_for("letters", game).size == 130
    assert head_for("pairs", game).size == 1480
    assert head_for("words", game).size == 12972
    assert head_for("embedding", game).size == 21


def test_every_letter_of_a_word_counts_in_pairs(tiny_game):
    """The pairs of the original DQN ignored the last letter of a word."""
    game = tiny_game()
    parts = head_for("pairs", game).parts.numpy()
    assert len({tuple(row) for row in parts.tolist()}) == len(game.guesses)


def test_words_unknown_to_the_weights_are_refused(tiny_game):
    game = tiny_game()
    other = Game(["zebra"])
    alphabet = tuple("abcdefghijklmnopqrstuvwxyz")
    for name, message in (("pairs", "have never seen"), ("words", "is not among the 31 words")):
        with pytest.raises(InputError, match=message):
            head_named(name, other, GameArrays.of(other, alphabet), vocabulary_of(name, game))
    with pytest.raises(UnknownNameError, match="did you mean 'letters'"):
        head_for("letter", game)

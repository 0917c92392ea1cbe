"""Observations against their plain definitions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

import naive_env
from drawn_histories import CAP, histories
from salet.env.game_arrays import GameArrays, Histories
from salet.env.observations import OBSERVATIONS, observer_named
from salet.errors import InputError, UnknownNameError

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]

ALPHABET = tuple("abcdefghijklmnopqrstuvwxyz")


@given(histories())
def test_features_match_their_definitions(case):
    game, _, arrays, plain = case
    observer = observer_named("classic-313+counts-313+history", GameArrays.of(game))
    sizes = len(game.lexicon.alphabet), game.length, CAP
    classic = naive_env.classic(plain, *sizes)
    counts = naive_env.counts(plain, *sizes, game.rule.counts_letters)
    tiles = [
        1 + 3 * letter + colour
        for word, colours in plain
        for letter, colour in zip(word, colours, strict=True)
    ]
    tiles += [0] * (CAP * game.length - len(tiles))
    observation = observer.observe(arrays)[0]
    assert observation.tolist() == pytest.approx([*classic, *counts, *tiles])
    assert 0 <= observation.min() <= observation.max() <= observer.high


@given(histories())
def test_candidate_statistics(case):
    game, state, arrays, _ = case
    observation = observer_named("candidates", GameArrays.of(game)).observe(arrays)[0].tolist()
    size, n = len(game.lexicon.alphabet), len(state.candidates)
    words = [tuple(map(int, game.lexicon.codes[answer])) for answer in state.candidates]
    bits = math.log(n) / math.log(max(game.answer_count, 2))
    shares = naive_env.statistics(words, size, game.length)
    left = (CAP - state.turn) / CAP
    assert observation == pytest.approx([*shares, bits, 1 / n, left], abs=1e-6)


def test_widths_with_an_alphabet_of_26_letters(tiny_game):
    game = GameArrays.of(tiny_game(cap=6), ALPHABET)
    widths = {name: observer_named(name, game).width for name in OBSERVATIONS}
    assert widths == {"classic-313": 313, "counts-313": 313, "candidates": 159, "history": 30}
    assert observer_named("counts-313+candidates", game).width == 472


def test_classic_keeps_the_flaw_of_the_original_and_counts_does_not(tiny_game):
    """geese against terse: the grey e says that there are only two, and both are green. The
    original then marks the green positions as "no", and no others."""
    game = tiny_game(cap=6)
    arrays = GameArrays.of(game, ALPHABET)
    history = Histories.empty(1, 6)
    guess, answer = game.index("geese"), game.answer_index("terse")
    history.guesses[0, 0], history.patterns[0, 0] = guess, game.table[guess, answer]
    history.turns[0] = 1
    e = 52 + 10 * ALPHABET.index("e")
    assert game.feedback("geese", "terse") == "BGBGG"
    classic = observer_named("classic-313", arrays).observe(history)[0]
    assert classic[e : e + 10].tolist() == [0, 0, 1, 1, 0, 0, 1, 0, 1, 1]
    counts = observer_named("counts-313", arrays).observe(history)[0]
    assert counts[e : e + 10].tolist() == [1, 0, 0, 1, 1, 0, 1, 0, 0, 1]
    assert counts[ALPHABET.index("e")] == pytest.approx(3 / 5)
    assert counts[26 + ALPHABET.index("e")] == 2


@pytest.mark.parametrize("name", ["classic", "counts-313+", "tiles"])
def test_unknown_observations_are_refused(tiny_game, name):
    with pytest.raises(UnknownNameError, match="unknown observation"):
        observer_named(name, GameArrays.of(tiny_game(cap=6)))


def test_what_is_not_a_name_is_refused(tiny_game):
    with pytest.raises(InputError, match="observation None is not a name; known: classic-313"):
        observer_named(None, GameArrays.of(tiny_game(cap=6)))

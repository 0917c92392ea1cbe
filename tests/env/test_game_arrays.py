"""Games and histories as arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn_histories import histories
from salet import Game
from salet.env.game_arrays import (
    MAX_EPISODE_STEPS,
    GameArrays,
    Histories,
    draw_candidates,
    make_guesses,
    remaining_answers,
)
from salet.errors import InputError

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


@given(histories(), st.floats(0, 0.999))
def test_remaining_answers_are_the_candidates_of_the_state(case, fraction):
    game, state, arrays, _ = case
    found = np.empty(game.answer_count, np.int32)
    count = remaining_answers(GameArrays.of(game), arrays, 0, found)
    assert found[:count].tolist() == state.candidates.tolist()
    chosen = np.zeros(1, np.int32)
    draw_candidates(GameArrays.of(game), arrays, np.array([fraction]), chosen)
    assert chosen[0] == state.candidates[int(fraction * len(state.candidates))]


def test_guesses_are_made_in_the_listed_games_only(tiny_game):
    game = tiny_game(cap=6)
    arrays = GameArrays.of(game)
    played = Histories.empty(3, 6)
    answers = np.array([4, 5, 6], np.int32)
    make_guesses(arrays, played, np.array([0, 2]), np.array([9, 6], np.int32), answers)
    assert played.turns.tolist() == [1, 0, 1]
    assert played.guesses[[0, 2], 0].tolist() == [9, 6]
    assert played.patterns[[0, 2], 0].tolist() == [game.table[9, 4], game.win]


def test_unique_histories(tiny_game):
    game = tiny_game(cap=6)
    played = Histories.empty(20, 6)
    start, inverse = played.unique()
    assert len(start.turns) == 1
    assert not inverse.any()
    answers = np.arange(20, dtype=np.int32)
    make_guesses(GameArrays.of(game), played, np.arange(20), np.full(20, 7, np.int32), answers)
    unique, inverse = played.unique()
    assert len(unique.turns) == len(set(played.patterns[:, 0].tolist())) > 1
    assert np.array_equal(unique.patterns[inverse, 0], played.patterns[:, 0])


def test_a_game_without_a_cap_has_a_horizon(tiny_game):
    assert GameArrays.of(tiny_game(cap=None)).horizon == MAX_EPISODE_STEPS
    assert GameArrays.of(tiny_game(cap=5)).horizon == 5


def test_games_without_tiles_are_refused():
    with pytest.raises(InputError, match="gives no hint for each letter"):
        GameArrays.of(Game.named("mastermind:2x3"))


def test_letters_outside_the_alphabet_are_refused(tiny_game):
    with pytest.raises(InputError, match="has the letter 'g'"):
        GameArrays.of(tiny_game(), tuple("abcdef"))

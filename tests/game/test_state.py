"""States and the states that follow them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import drawn
import naive
from salet import Game, State
from salet.errors import IllegalGuessError, InputError, UnknownNameError

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


def test_start(tiny_game):
    game = tiny_game(cap=6)
    state = game.start()
    assert isinstance(state, State)
    assert state.words == game.answers == drawn.ANSWERS
    assert (state.turn, state.history, state.turns, state.previous) == (0, (), (), None)
    assert state.guesses_left == 6
    assert not state.won
    assert np.array_equal(state.legal, np.arange(31))
    assert tiny_game().start().guesses_left is None


def test_after_keeps_the_history(tiny_game):
    game = tiny_game(cap=6)
    start = game.start()
    first = start.after("LABEL", "BBBBB")
    assert first.words == ("fight", "might", "night", "right", "sight", "tight")
    second = first.after("fungi", "⬛⬛🟨🟨🟨")
    assert second.words == ("night",)
    assert second.turns == (("label", "BBBBB"), ("fungi", "BBYYY"))
    assert second.previous is first
    assert first.previous is start
    assert second.guesses_left == 4
    assert (start.turn, start.words) == (0, drawn.ANSWERS)  # nothing changed behind its back
    won = second.after("night", "ggggg")
    assert won.won
    assert won.words == ("night",)
    assert not second.won


def test_after_accepts_indices_and_pattern_ids(tiny_game):
    game = tiny_game()
    by_text = game.start().after("crane", "bybbb")
    by_number = game.start().after(game.index("crane"), int(game.table[game.index("crane"), 5]))
    assert by_text.words == by_number.words
    assert by_text.history == by_number.history
    numpy = game.start().after(np.int32(game.index("crane")), game.table[game.index("crane"), 5])
    assert numpy.words == by_text.words


def test_impossible_feedback_leaves_no_answer(tiny_game):
    state = tiny_game().start().after("mamma", "ggggg")
    assert state.words == ()
    assert state.turn == 1
    assert state.after("crane", "bbbbb").words == ()


@pytest.mark.parametrize(
    ("guess", "pattern", "error", "says"),
    [
        ("crame", "bbbbb", UnknownNameError, "unknown word 'crame'; did you mean .*'crane'"),
        ("crane", "bbbb", InputError, "4 tiles"),
        ("crane", 243, InputError, "pattern 243 is not in 0 to 242"),
        ("crane", -1, InputError, "pattern -1"),
        (31, "bbbbb", InputError, "guess number 31 is not in 0 to 30"),
        (-1, "bbbbb", InputError, "guess number -1"),
    ],
)
def test_after_refuses(tiny_game, guess, pattern, error, says):
    with pytest.raises(error, match=says):
        tiny_game().start().after(guess, pattern)


def test_after_refuses_what_the_mode_forbids(tiny_game):
    state = tiny_game(mode="hard").start().after("crane", "bybbb")
    with pytest.raises(IllegalGuessError, match=r"'mamma' is not allowed: .*R.*crane BYBBB"):
        state.after("mamma", "bbbbb")


@pytest.mark.parametrize("length", [5, 12])  # as codes, and as dense ids
@pytest.mark.parametrize("rule", naive.RULES)
@given(data=st.data())
def test_groups_are_what_after_gives(rule, length, data):
    words, answers = data.draw(drawn.split_lists(least=2, most=12, lengths=(length, length)))
    words_text = drawn.spelled(words)
    game = Game(words_text[:answers], words_text, rule=rule)
    state = game.start()
    if data.draw(st.booleans()):
        guess = data.draw(st.integers(0, len(words) - 1))
        secret = data.draw(st.integers(0, answers - 1))
        state = state.after(guess, int(game.table[guess, secret]))
    guess = data.draw(st.integers(0, len(words) - 1))
    groups = state.groups(guess)
    assert list(groups) == sorted(groups)
    expected = naive.groups(rule, words[guess], [words[index] for index in state.candidates])
    assert {game.show(pattern) for pattern in groups} == {
        naive.shown(rule, pattern) for pattern in expected
    }
    for pattern, below in groups.items():
        one_by_one = state.after(guess, pattern)
        assert below.candidates.tolist() == one_by_one.candidates.tolist()
        assert below.candidates.tolist() == sorted(below.candidates.tolist())
        assert below.history == one_by_one.history
        assert below.previous is state
        assert below.words == tuple(
            "".join(word) for word in expected[_pattern_of(rule, below.turns[-1][1])]
        )
        assert below.won == (pattern == game.win)


def _pattern_of(rule, text):
    if rule == "pegs":
        return tuple(map(int, text.split(",")))
    return tuple("BYG".index(letter) for letter in text)


def test_legal_arrays_are_not_shared_for_writing(tiny_game):
    state = tiny_game().start()
    with pytest.raises(ValueError, match="read-only"):
        state.legal[0] = 3

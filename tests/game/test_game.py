"""Games: order of guesses, weights, caps, and refused input."""

from __future__ import annotations

import time

import numpy as np
import pytest

import drawn
import naive
from salet import Game
from salet.errors import InputError, UnknownNameError

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


def test_answers_come_first_and_files_keep_their_order():
    game = Game(["slate", "crane"], ["zebra", "crane", "apple", "slate"])
    assert game.guesses == ("slate", "crane", "zebra", "apple")
    assert game.answers == ("slate", "crane")
    assert game.answer_count == 2
    assert game.length == 5


def test_answers_alone_are_the_guesses():
    game = Game(["slate", "crane"])
    assert game.guesses == game.answers == ("slate", "crane")


def test_output_keeps_the_case_of_the_answers_list():
    game = Game(["Slate", "CRANE"], ["crane", "slate", "Apple"])
    assert game.guesses == ("Slate", "CRANE", "Apple")
    assert game.index("aPPLE") == 2
    assert game.feedback("APPLE", "slate") == naive.shown(
        "standard", naive.standard("apple", "slate")
    )


def test_table_and_win(tiny_game):
    game = tiny_game()
    assert game.table.shape == (31, 20)
    assert game.win == 242
    assert game.show(game.win) == "GGGGG"
    assert game.code("ggggg") == 242
    assert game.code(17) == 17
    for guess in drawn.ANSWERS + drawn.OTHERS:
        for answer in drawn.ANSWERS:
            expected = naive.shown("standard", naive.standard(guess, answer))
            assert game.feedback(guess, answer) == expected


def test_feedback_needs_an_answer(tiny_game):
    with pytest.raises(InputError, match="'mamma' is a guess of tiny but not one of its answers"):
        tiny_game().feedback("crane", "mamma")
    with pytest.raises(UnknownNameError, match="unknown answer 'qqqqq'"):
        tiny_game().answer_index("qqqqq")


def test_codes_of_long_words_are_not_ids():
    game = Game(["abcdefghijklm", "abcdefghijkln", "nbcdefghijklm"])
    assert game.table.max() == game.win < 10
    assert game.show(game.win) == "G" * 13
    assert game.code(game.win) == 3**13 - 1
    assert game.feedback("abcdefghijklm", "nbcdefghijklm") == "B" + "G" * 12


def test_repr_shows_all_settings(tiny_game):
    assert repr(tiny_game()) == "Game(tiny, 20 answers, 31 guesses, standard, normal, no cap)"
    assert repr(tiny_game(mode="hard", cap=4, rule="present")) == (
        "Game(tiny, 20 answers, 31 guesses, present, hard, cap 4)"
    )


def test_with_changes_only_what_is_given(tiny_game):
    game = tiny_game(mode="hard", cap=4, weights=range(1, 21))
    other = game.replace(cap=None)
    assert (other.cap, other.mode, other.name, other.rule.name) == (
        None,
        "hard",
        "tiny",
        "standard",
    )
    assert (other.guesses, other.answers) == (game.guesses, game.answers)
    assert other.weights.tolist() == list(range(1, 21))
    assert game.replace(rule="present").feedback("geese", "terse") == naive.shown(
        "present", naive.present("geese", "terse")
    )


def test_weights(tiny_game):
    game = tiny_game(weights=[3] * 19 + [10**12])
    assert game.weights.dtype == np.int64
    assert game.weights[-1] == 10**12
    assert tiny_game().weights is None


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([1] * 19, "19 weights for 20 answers"),
        ([1] * 19 + [0], "weight 0 of 'trace'"),
        ([-1] + [1] * 19, "weight -1 of 'eight'"),
        ([1, 1.5] + [1] * 18, "weight 1.5 of 'fight'"),
    ],
)
def test_bad_weights(tiny_game, weights, says):
    with pytest.raises(InputError, match=says):
        tiny_game(weights=weights)


@pytest.mark.parametrize("cap", [0, -1])
def test_a_cap_that_allows_no_guess(tiny_game, cap):
    with pytest.raises(InputError, match=f"a cap of {cap} allows no guess; give at least 1"):
        tiny_game(cap=cap)


@pytest.mark.parametrize(
    ("answers", "guesses", "says"),
    [
        ([], None, "empty"),
        ([], ["crane"], "empty"),
        (["crane"], [], "answer 'crane' is not a guess"),
        (["crane"], ["slate"], "answer 'crane' is not a guess"),
        (["crane", "crane"], None, "'crane' is twice in the word list"),
        (["crane", "CRANE"], ["crane"], "'CRANE' is twice in the word list"),
        (["crane"], ["crane", "slate", "Slate"], "'Slate' is twice in the word list"),
        (["crane"], ["crane", "slates"], "'slates' has 6 letters"),
        ("crane", None, "a list, not as one string"),
        (["crane"], "crane", "a list, not as one string"),
    ],
)
def test_bad_lists(answers, guesses, says):
    with pytest.raises(InputError, match=says):
        Game(answers, guesses)


def test_bad_rule_and_mode():
    with pytest.raises(UnknownNameError, match="'presnt'; did you mean 'present'"):
        Game(["crane"], rule="presnt")
    with pytest.raises(UnknownNameError, match="unknown mode 'normale'; did you mean 'normal'"):
        Game(["crane"], mode="normale")


# ---------------------------------------------------------------------------- near misses


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (
            "hell",
            "'hell' has 4 letters; words of this game have 5; did you mean 'shell' or 'hello'?",
        ),
        ("xsalet", "'xsalet' has 6 letters; words of this game have 5; did you mean 'salet'?"),
        ("wordle", "'wordle' has 6 letters; words of this game have 5"),
        ("qq", "'qq' has 2 letters; words of this game have 5"),
        ("sotuh", "unknown word 'sotuh'; did you mean 'south'?"),
        ("cranx", "unknown word 'cranx'; did you mean 'crane' or 'crank'?"),
        ("crnae", "unknown word 'crnae'; did you mean 'crane'?"),
        ("qqqqq", "unknown word 'qqqqq'; it is not one of the 12972 words"),
    ],
)
def test_mistyped_words_get_the_answer_a_person_expects(word, message):
    with pytest.raises(InputError) as caught:
        Game.named("original").index(word)
    assert str(caught.value) == message


def test_mistyped_answers_suggest_answers_only():
    game = Game(["crane", "slate"], ["crane", "slate", "crank", "sleet"])
    with pytest.raises(UnknownNameError, match=r"unknown answer 'cranx'; did you mean 'crane'\?$"):
        game.answer_index("cranx")
    with pytest.raises(UnknownNameError, match=r"did you mean 'crane' or 'crank'\?$"):
        game.index("cranx")


def test_suggestions_are_fast():
    """Within some 50 ms on an idle machine; the bound leaves room for a busy one."""
    original = Game.named("original")
    original.frequencies  # noqa: B018  (read from disk once)
    start = time.perf_counter()
    with pytest.raises(UnknownNameError):
        original.index("cranx")
    assert time.perf_counter() - start < 0.5

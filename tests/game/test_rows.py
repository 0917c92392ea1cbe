"""Rows as people type them."""

from __future__ import annotations

import pytest

from salet import Game
from salet.errors import RowError


def test_rows_are_replayed(tiny_game):
    game = tiny_game(cap=6)
    state = game.state("crane:bybbb fungi:00011")
    assert state.words == ("right",)
    assert game.state(["crane:bybbb", "FUNGI:⬛⬛⬛🟨🟨"]).history == state.history
    assert game.state("crane bybbb fungi bbbyy").history == state.history
    assert game.state([("crane", "bybbb"), ("fungi", "bbbyy")]).history == state.history
    assert game.state(state.turns).history == state.history
    assert game.state("").turn == 0
    assert game.state([]).turn == 0


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("crane", r"row 1 'crane' has no feedback; write guess and feedback as 'crane:bybbg'"),
        ("crane slate:bbgby", r"row 1 'crane' has no feedback"),
        ("crane:bybbb fungi", r"row 2 'fungi'"),
        ("crane:ygggg", r"row 1 'crane:ygggg': no answer of tiny fits"),
        ("crane:bybbb mamma:ggggg fungi:bbbbb", r"row 2 'mamma:ggggg': no answer of tiny fits"),
        (
            "crane:bybbb fungi:bbbyy label:bbbbb right:ggggg",
            r"row 4 'right:ggggg' exceeds the cap of 3 guesses",
        ),
        ("crane:byb", r"'byb' has 3 tiles"),
        ("crame:bybbb", r"unknown word 'crame'; did you mean .*'crane'"),
        ("crane:", r"row 1 'crane:' has no feedback"),
        (":bbbbb", r"row 1 ':bbbbb' has no guess"),
    ],
)
def test_the_first_impossible_row_is_named(tiny_game, rows, says):
    with pytest.raises(RowError, match=says):
        tiny_game(cap=3).state(rows)


def test_the_mode_is_enforced(tiny_game):
    with pytest.raises(RowError, match=r"row 2 .*fungi"):
        tiny_game(mode="hard").state("crane:bybbb fungi:bbbyy")


def test_pegs():
    game = Game.named("mastermind:2x3")
    assert game.state("12:1,0").words == ("11", "13", "22", "32")
    assert game.state("12:1,0 13:01").words == ("32",)
    with pytest.raises(RowError, match=r"row 1 '12:1,1': no answer of mastermind:2x3 fits"):
        game.state("12:1,1")

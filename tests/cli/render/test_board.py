"""Tiles, boards and games side by side, without colours."""

from __future__ import annotations

import pytest

from salet.cli.render.board import alphabet, board, row, side_by_side, tiles
from salet.game.game import Game
from salet.game.round import Round


def test_tiles_can_be_told_apart_without_colour() -> None:
    assert tiles("crane", "GYBBB").plain == "[C](R) A  N  E "
    assert tiles("über", "BGYB").plain == " Ü [B](E) R "


def test_a_board_numbers_its_rows(tiny_game) -> None:
    rows = [("crane", "BYBBG"), ("slate", "BBBBG")]
    assert board(tiny_game(), rows).plain == "1   C (R) A  N [E]\n2   S  L  A  T [E]"
    assert board(tiny_game(), []).plain == ""


def test_pegs_are_put_into_words() -> None:
    game = Game.named("mastermind:4x6")
    assert row(game, "1122", "2,1").plain == "1122  2 right, 1 in the wrong place"


@pytest.fixture
def current() -> Round:
    game = Round(Game(["apple", "angle", "ankle"]), secret=2)
    game.guess("apple")
    return game


def test_letters_keep_their_best_tile(current: Round) -> None:
    assert alphabet(current).plain.split(" ") == [
        *("[A]", "[E]", "g", "k", "[L]", "n", "", "P", ""),
    ]


def test_games_of_different_lengths_stand_side_by_side(current: Round) -> None:
    from salet.cli.render.console import console

    other = Round(current.game, secret=2)
    other.guess("ankle")
    current.guess("ankle")
    out = console()
    with out.capture() as shown:
        out.print(side_by_side(("one [x]", "two"), (current, other)))
    lines = [line.split() for line in shown.get().splitlines()]
    assert lines[0] == ["the", "answer", "is", "ankle"]
    assert lines[1] == ["one", "[x],", "in", "2", "two,", "in", "1"]
    assert lines[3] == ["[A][N][K][L][E]"]

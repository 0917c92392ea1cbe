"""Rows as typed: answers outside the list, mistyped rows, contradictions."""

from __future__ import annotations

import pytest

from salet import Game
from salet.coach.coach import Coach
from salet.coach.position import read_position
from salet.errors import RowError
from salet.game.rows import parse_rows


@pytest.fixture(scope="module")
def coach() -> Coach:
    return Coach(Game.named("original"))


def test_rows_in_every_way_of_writing(coach: Coach) -> None:
    wanted = read_position(coach, [("crane", "bybbg")]).state.words
    assert coach.position([("crane", "bybbg")]).state.words == wanted
    for text in ("crane:bybbg", "crane bybbg", "CRANE\n⬛🟨⬛⬛🟩", "crane 01002", "crane:BYBBG"):
        position = read_position(coach, parse_rows(text))
        assert position.state.words == wanted
        assert not position.outside


def test_an_answer_outside_the_list_is_no_dead_end(coach: Coach) -> None:
    game = coach.game
    word = "adrad"
    assert game.index(word) >= game.answer_count
    rows = [(guess, _feedback(guess, word)) for guess in ("crane", "humid", "adrad")]
    state = read_position(coach, rows[:2])
    assert state.outside and word in state.state.words
    assert state.state.turns == tuple((guess, shown) for guess, shown in rows[:2])
    for other in state.state.words:
        assert all(_feedback(guess, other) == shown for guess, shown in rows[:2])
    assert read_position(coach, rows).state.won


def _feedback(guess: str, answer: str) -> str:
    from salet import score

    return score(guess, answer)


def test_the_mistyped_row_is_named_with_what_would_fit(coach: Coach) -> None:
    right = [(guess, _feedback(guess, "light")) for guess in ("slate", "moist", "might")]
    assert "light" in read_position(coach, right).state.words
    for row in range(3):
        guess, shown = right[row]
        wrong = [*right]
        wrong[row] = (guess, shown[:-1] + ("B" if shown[-1] == "G" else "G"))
        with pytest.raises(RowError) as error:
            read_position(coach, wrong)
        assert "most likely mistyped" in str(error.value)
        assert f"row {error.value.row} " in str(error.value)
    with pytest.raises(RowError, match=r"row 3 'might:BGGGB' .* 'BGGGG' would fit") as error:
        read_position(coach, [*right[:2], ("might", "bgggb")])
    assert error.value.row == 3


def test_mistyped_pegs_are_named_too() -> None:
    coach = Coach(Game.named("mastermind:3x4"))
    with pytest.raises(RowError, match="most likely mistyped"):
        read_position(coach, [(sign * 3, "0,0") for sign in "1234"])


BAD_ROWS = {
    "unknown word": ("crane bybbg slaet bbbbb", 2, "did you mean"),
    "short feedback": ("crane bybb", 1, "4 tiles"),
    "no tile": ("crane bybbq", 1, "'q' is not a tile"),
    "no feedback": ("crane bybbg slate", 2, "has no feedback"),
    "other length": ("cranes bybbgb", 1, "'cranes' has 6 letters; words of this game have 5"),
    "after the win": ("crane ggggg slate bbbbb", 2, "row 1 already found the answer"),
    "too many": (" ".join(["fuzzy bbbbb"] * 7), 7, "cap of 6"),
    "no word, all green": ("crane bybbg zzzzz ggggg", 2, "unknown word 'zzzzz'"),
    "green against grey": ("crane bbbbb crony ggggg", None, "no word fits these rows"),
    "green against green": ("crane gbbbb slate gbbbb", None, "no word fits these rows"),
    "contradiction": ("crane ggbbb crane bbbbb", None, "most likely mistyped"),
}


@pytest.mark.parametrize("fault", BAD_ROWS)
def test_bad_rows(coach: Coach, fault: str) -> None:
    text, row, said = BAD_ROWS[fault]
    with pytest.raises(RowError) as error:
        read_position(coach, parse_rows(text))
    assert said in str(error.value)
    assert row is None or error.value.row == row


def test_hard_mode_says_what_the_row_must_use() -> None:
    coach = Coach(Game.named("original", mode="hard"))
    with pytest.raises(RowError, match=r"row 2 'slots:bbbbb': .* must be E") as error:
        read_position(coach, parse_rows("crane bybbg slots bbbbb"))
    assert error.value.row == 2

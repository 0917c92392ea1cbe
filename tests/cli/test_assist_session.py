"""The conversation of `salet assist`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from salet.cli.assist_session import AssistSession
from salet.coach.coach import AdviceOptions, Coach
from salet.game.game import Game


@pytest.fixture
def converse(type_lines, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Types these lines into a session; returns what it printed."""

    def talk(*lines: str) -> str:
        type_lines(*lines, "quit")
        AssistSession(Coach(Game.named("original:first=400")), AdviceOptions(seconds=0.5)).run()
        return capsys.readouterr().out

    return talk


def test_rows_modes_and_objectives_can_be_changed(converse) -> None:
    out = converse(
        "crane", "bybbg", "hard", "slots bbbbb", "opener verse", "undo", "1 crane bybby", "9",
        "blah", "words", "worst", "more", "?", "new", "undo", "",
    )  # fmt: skip
    assert out.startswith("original:first=400: 400 answers, 6 guesses, normal mode")
    assert "hard mode" in out
    assert "'slots' is not allowed: hard mode" in out
    assert "there is no row 9" in out
    assert "'blah' has 4 letters" in out
    assert "take back the last change" in out
    assert out.count(" C (R) A  N [E]") >= 3 and " C (R) A  N (E)" in out


def test_a_row_can_be_edited_and_a_game_found(converse) -> None:
    out = converse("crane bybbg", "1", "crane ggggg", "undo", "undo", "undo")
    assert "Found in 1" in out
    assert "there is nothing to undo" in out


@pytest.mark.parametrize(
    "typed", ["crane:bybbg slate:bbbbg", "crane bybbg slate bbbbg", "crane:bybbg slate bbbbg"]
)
def test_several_rows_can_be_typed_at_once(converse, typed: str) -> None:
    out = converse(typed)
    assert "1   C (R) A  N [E]\n2   S  L  A  T [E]" in out


def test_tiles_may_be_separated(converse) -> None:
    assert " C (R) A  N [E]" in converse("crane b y b b g")


def test_wrong_rows_are_refused_and_change_nothing(converse) -> None:
    out = converse("crane bybb", "crane bybbq", "crane", "", "crane bybbg slate", "undo")
    assert "4 tiles" in out
    assert "'q'" in out
    assert "'crane' has no colours" in out
    assert "row 2 'slate' has no feedback" in out
    assert "there is nothing to undo" in out

"""The interactive session of `salet assist`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from salet.cli.assist_session import AssistSession
from salet.coach.coach import AdviceOptions, Coach
from salet.game.game import Game


@pytest.fixture
def converse(type_lines, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Types these lines into a session; returns what it printed."""

    def talk(*lines: str, step: int = 4) -> str:
        type_lines(*lines, "quit")
        coach = Coach(Game.named("original:first=400"))
        AssistSession(coach, AdviceOptions(seconds=0.5), step).run()
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
    assert "undo the last change" in out
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


def test_help_goes_one_step_further_every_time(converse) -> None:
    out = converse("crane bybbg", "hint", "hint", "hint", "verse?", "rate verse", step=1)
    steps = ["400 words fit", "words fit; 5 guesses", "the best guess takes", "letters worth",
             "guess  ", "VERSE is", "VERSE is"]  # fmt: skip
    places, start = [], 0
    for step in steps:
        start = out.index(step, start) + 1
        places.append(start)
    assert places == sorted(places)


def test_a_step_can_be_set_for_good(converse) -> None:
    out = converse("hint 1", "crane bybbg", "hint 7", "hint now", "rate", "rate a b")
    assert "guess  " not in out[out.index("400 words fit") :]
    assert "hint '7': there are steps 1 to 4" in out and "hint 'now'" in out
    assert out.count("rate one word") == 2


def test_likelihood_can_be_switched(converse) -> None:
    out = converse("crane bybbg", "likely", "past there qqqqq", "past 1 2", "likely", "undo")
    assert out.count("· likelihood counts: ") == 3
    assert "holds no word of" in out


def test_the_end_of_a_game_leads_to_its_analysis(converse) -> None:
    out = converse("crane ggggg", "new", "catch bgggg", "hard")
    assert "Skill and luck of this game: salet analyse crane --game original:first=400" in out

"""The verifier replays plans by rules of its own, and refuses wrong ones with line and reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from drawn import spelled, split_lists
from salet import Game, Plan
from salet.errors import DataError
from salet.plan_formats import PlanNode
from salet.verification.plans import colour, keeps_hints, verify

WORDS = ["angle", "ankle", "apple"]
GOOD = "ankle GGBGG1 angle GGGGG2\n      GBBGG1 apple GGGGG2\n      GGGGG1\n"


@pytest.fixture
def game() -> Game:
    return Game(WORDS, [*WORDS, "maple"], cap=3, name="three")


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "plan.tree"
    path.write_text(text)
    return path


@pytest.mark.tiny
def test_a_good_plan(tmp_path: Path, game: Game) -> None:
    verdict = verify(write(tmp_path, GOOD), game)
    assert (verdict.total, verdict.worst, verdict.losses) == (5, 2, 0)
    assert verdict.histogram == {1: 1, 2: 2}
    assert verdict.opener == "ankle"


WRONG = {
    "unknown word": (GOOD.replace("apple", "appel"), "line 2: 'appel' is not one of the 4 guesses"),
    "missing branch": (
        "ankle GGBGG1 angle GGGGG2\n",
        "line 1: no guess follows ankle GBBGG, the feedback if the answer is 'apple'",
    ),
    "missing branch in json": ('{"format": "salet plan 1", "tree": "ankle"}', "no guess follows"),
    "other rule": ('{"format": "salet plan 1", "rule": "pegs", "tree": "ankle"}', "'pegs'"),
    "answer not played": ("ankle\nankle angle\n", "no line plays the answer 'apple'"),
    "played twice": ("ankle\nankle\n", "line 2: 'ankle' was played before"),
    "no answer": ("ankle maple\n", "'maple' is not one of the answers"),
    "undecided": ("ankle\nankle angle\nmaple apple\n", "line 3 guesses 'maple' where line 1"),
    "too long": ("ankle\nankle angle\nankle maple angle apple\n", "takes 4 guesses; the cap is 3"),
}


@pytest.mark.tiny
@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_plan_is_refused(tmp_path: Path, game: Game, fault: str) -> None:
    text, said = WRONG[fault]
    with pytest.raises(DataError) as caught:
        verify(write(tmp_path, text), game)
    assert said in str(caught.value)
    assert "plan.tree" in str(caught.value)


@pytest.mark.tiny
def test_a_plan_in_memory_is_verified_like_its_file(tmp_path: Path, game: Game) -> None:
    path = write(tmp_path, GOOD)
    plan = Plan.load(path, game)
    from_file, in_memory = verify(str(path), game), verify(plan, game)
    assert (from_file.plan, in_memory.plan) == (str(path), None)
    assert in_memory.to_dict() == {**from_file.to_dict(), "plan": None}


@pytest.mark.tiny
def test_a_wrong_plan_in_memory_is_refused_without_a_line(game: Game) -> None:
    with pytest.raises(DataError, match=r"^the plan: 'appel' is not one of the 4 guesses"):
        verify(Plan(game, PlanNode("appel")), game)
    with pytest.raises(DataError, match=r"^the plan is for game 'three', not 'other'"):
        verify(Plan(game, PlanNode("ankle")), game.replace(name="other"))


@pytest.mark.tiny
def test_illegal_guesses_are_named(tmp_path: Path, game: Game) -> None:
    plan = write(tmp_path, "ankle apple angle\nankle apple\nankle\n")
    verify(plan, game)
    for mode, said in (("hard", "ignores a hint"), ("strict", "does not fit")):
        with pytest.raises(DataError, match=f"line 1: 'apple' {said}"):
            verify(plan, game.replace(mode=mode))


@pytest.mark.tiny
@given(split_lists(least=2, most=4), st.sampled_from(["standard", "present", "pegs"]))
def test_feedback_agrees_with_the_naive_rules(lists, rule: str) -> None:
    words, _ = lists
    guess, answer = words[0], words[1]
    said = colour(*spelled([guess, answer]), rule)
    game = Game(spelled([guess, answer]), rule=rule)
    assert said == game.feedback(*spelled([guess, answer]))
    assert said == naive.shown(rule, naive.RULES[rule](guess, answer))


@pytest.mark.tiny
@given(
    split_lists(least=3, most=3, letters=4, lengths=(3, 5)),
    st.sampled_from(["standard", "present"]),
)
def test_hard_mode_agrees_with_the_game(lists, rule: str) -> None:
    words, _ = lists
    first, second, answer = spelled(words)
    game = Game([answer, first, second], rule=rule, mode="hard")
    state = game.start().after(first, game.feedback(first, answer))
    legal = second in {game.guesses[index] for index in state.legal}
    assert keeps_hints(second, first, colour(first, answer, rule), rule) == legal

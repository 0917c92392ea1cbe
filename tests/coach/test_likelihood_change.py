"""What weighing answers by likelihood changes: values against brute force, and the texts."""

from __future__ import annotations

from pathlib import Path

import pytest

import naive
from drawn import ANSWERS, OTHERS
from salet import Game
from salet.coach.coach import AdviceOptions, Coach
from salet.coach.likelihood_change import analysis_change, rating_change

LONG = AdviceOptions(seconds=600)
WORDS = (*ANSWERS[:10], *OTHERS[:6])
WEIGHTS = (1, 1, 40, 1, 3, 1, 9, 1, 1, 2)


@pytest.fixture
def coach(tmp_path: Path) -> Coach:
    path = tmp_path / "weights.txt"
    path.write_text("".join(f"{w} {n}\n" for w, n in zip(ANSWERS, WEIGHTS, strict=False)))
    return Coach(Game(ANSWERS[:10], WORDS, name="tiny"), weights=path)


def test_both_values_are_what_brute_force_says(coach: Coach) -> None:
    position = coach.position("")
    *_, advice = coach.suggest(position, LONG)
    found = coach.likelihood_change(position, advice, LONG)
    for weights, guess, expected in (
        (WEIGHTS, found.guess, found.expected),
        (None, found.equal_guess, found.equal_expected),
    ):
        game = naive.Tiny(ANSWERS[:10], WORDS, "standard", "normal", None, weights)
        best = naive.solve(game)
        assert best is not None and WORDS.index(guess or "") in best.guesses
        assert expected == pytest.approx(best.total / sum(weights or (1,) * 10))
    assert (found.likeliest, found.chance) == (ANSWERS[2], 40 / sum(WEIGHTS))
    assert found.spoiler.startswith("likelihood counts: LIGHT, not ")
    assert "instead of" in found.text and found.text.endswith("has a chance of 66.7 %")
    assert not {found.guess, found.equal_guess, "light"} & set(found.text.lower().split())


def test_a_hint_tells_what_changed_without_a_word(coach: Coach) -> None:
    position = coach.position("")
    found = coach.likelihood_change(position, coach.hint(position, 2, LONG), LONG)
    assert found.guess is None and found.spoiler.count(";") == 1


def test_ratings(coach: Coach) -> None:
    equal = coach.equal_position(coach.position(""))
    *_, best = coach.rate("", ANSWERS[2], LONG)
    *_, other = equal.coach.rate(equal, ANSWERS[2], LONG)
    assert best.verdict == "best" and best.weights.endswith("weights.txt")
    assert other.weights == "equal" and other.verdict == "costly"
    assert rating_change(best, other) == "likelihood counts: best instead of costly"
    assert rating_change(best, best) == "likelihood counts: best, as without"


def test_analyses(coach: Coach) -> None:
    words = [ANSWERS[2], ANSWERS[6]]
    likely = coach.analyse(words, seconds=600)
    equal = coach.equal.analyse(words, seconds=600)
    assert (likely.score, likely.turns[0].verdict) == (99, "best") and equal.score < 99
    text = analysis_change(likely, equal)
    assert text.startswith(f"likelihood counts: score 99 instead of {equal.score}; guess 1 is best")
    assert any("weigh the answers" in note for note in likely.notes)
    assert analysis_change(equal, equal) == f"likelihood counts: score {equal.score}, as without"


def test_without_weights_the_coach_is_its_own_equal() -> None:
    coach = Coach(Game(ANSWERS[:10], cap=6))
    assert coach.equal is coach

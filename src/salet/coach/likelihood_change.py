"""What weighing the answers by likelihood changes, in plain words."""

from __future__ import annotations

import msgspec

from salet.coach.advice import Advice
from salet.coach.analysis import Analysis
from salet.coach.hints import Hint
from salet.coach.rating import Rating
from salet.coach.verdicts import UNDECIDED, percent

_START = "likelihood counts"


class LikelihoodChange(msgspec.Struct, frozen=True, kw_only=True):
    """What weighing the answers by likelihood changes in a position."""

    guess: str | None
    """best guess with likelihood; None for a hint that names no guess"""
    equal_guess: str
    """best guess if all answers are equally likely"""
    expected: float
    """mean guesses to come with likelihood; an upper bound unless proven"""
    equal_expected: float
    likeliest: str
    chance: float
    """probability of the likeliest answer"""
    text: str
    """what changed, without naming a word"""
    spoiler: str
    """what changed, with the words"""


def advice_change(
    likely: Advice | Hint, equal: Advice, likeliest: str, chance: float
) -> LikelihoodChange:
    """What changed in advice, or in a hint of step 2 or later."""
    expected = likely.upper or 0.0
    mine, other = f"{expected:.4g}", f"{equal.expected:.4g}"
    number = f"{mine} guesses expected" + ("" if mine == other else f" instead of {other}")
    named = ""
    if likely.guess is not None:
        same = likely.guess == equal.guess
        named = f"{likely.guess.upper()}{' again' if same else f', not {equal.guess.upper()}'}; "
    share = f"has a chance of {percent(chance)}"
    return LikelihoodChange(
        guess=likely.guess,
        equal_guess=equal.guess,
        expected=expected,
        equal_expected=equal.expected,
        likeliest=likeliest,
        chance=chance,
        text=f"{_START}: {number}; the likeliest word {share}",
        spoiler=f"{_START}: {named}{number}; {likeliest.upper()} {share}",
    )


def rating_change(likely: Rating, equal: Rating) -> str:
    """What changed in the rating of a guess."""
    return f"{_START}: {_instead(_name(likely.verdict), _name(equal.verdict))}"


def analysis_change(likely: Analysis, equal: Analysis) -> str:
    """What changed in the analysis of a game: the score and the verdicts."""
    parts = [f"score {_instead(str(likely.score), str(equal.score))}"]
    for number, (one, other) in enumerate(zip(likely.turns, equal.turns, strict=True), 1):
        if one.verdict != other.verdict:
            changed = _instead(_name(one.verdict), _name(other.verdict))
            parts.append(f"guess {number} is {changed}")
        elif one.best != other.best and one.verdict != "best":
            parts.append(f"guess {number}: {one.best.upper()} is better, not {other.best.upper()}")
    return f"{_START}: {'; '.join(parts)}"


def _instead(now: str, without: str) -> str:
    return f"{now}, as without" if now == without else f"{now} instead of {without}"


def _name(verdict: str) -> str:
    return "not decided yet" if verdict == UNDECIDED else verdict

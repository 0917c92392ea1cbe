"""Games and failures, counted."""

from __future__ import annotations

import pytest

from salet.arena.outcomes import Fault, GameOutcome, standing

LATE = Fault("timeout", "no guess within 1 s")


def outcome(secret: str, *guesses: str, fault: Fault | None = None) -> GameOutcome:
    won = fault is None and guesses[-1] == secret
    return GameOutcome(secret, list(guesses), won, fault)


def test_games_and_failures_are_counted() -> None:
    outcomes = [
        outcome("apple", "apple"),
        outcome("angle", "apple", "ankle"),
        outcome("ankle", "apple", "angle", "ankle"),
        outcome("maple", fault=LATE),
        outcome("ample", "apple", fault=LATE),
        outcome("panel", fault=Fault("crash", "exit code 1")),
    ]
    found = standing("./me", outcomes, 2, 1.23456)
    assert (found.games, found.losses, found.worst, found.seconds) == (3, 1, 3, 1.235)
    assert found.total == 1 + 3 + 3  # the lost game counts cap + 1
    assert found.mean == pytest.approx(7 / 3)
    assert found.histogram == {1: 1, 3: 1}
    assert found.failures == {"crash": 1, "timeout": 2}
    uncapped = standing("./me", outcomes, None, 1)
    assert uncapped.total == 1 + 2 + 3


def test_figures_without_games_are_null() -> None:
    found = standing("./me", [outcome("apple", fault=LATE)], 6, 1)
    assert (found.total, found.mean, found.worst) == (None, None, None)
    lost = standing("./me", [outcome("apple", "angle")], 1, 1)
    assert (lost.total, lost.mean, lost.worst, lost.losses) == (2, 2.0, None, 1)

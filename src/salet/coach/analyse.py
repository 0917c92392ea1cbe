"""What a game's guesses were worth: skill and luck, turn by turn."""

from __future__ import annotations
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from salet.coach.coach import Coach
from salet.coach.grids import Grid
from salet.coach.position import Position


@dataclass(frozen=True)
class Amount:
    """Games and guesses, compared in this order; differences are taken in each."""

    games: Fraction
    guesses: Fraction


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One guess, priced. Expected numbers are guesses still to come."""

    guess: str
    feedback: str
    best: str
    """the guess itself where it is as good as any"""
    expected_before: Amount
    expected_after: Amount
    lost: Amount
    """expected after the guess, feedback unknown, against the best guess: never negative"""
    luck: Amount
    """what the feedback brought: expected minus obtained"""
    remaining_before: int
    remaining_after: int
    proven: bool
    """are these exact? otherwise `expected_*` are at most so many"""
    explanation: str


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """A game, priced. `to_dict()` is what `salet analyse --json` prints."""

    game: str
    mode: str
    cap: int | None
    answer: str
    won: bool
    over: bool
    """found, or out of guesses"""
    turns: list[Turn]
    lost: Amount
    luck: Amount
    score: int
    formula: str
    proven: bool
    notes: list[str]

    def to_dict(self) -> dict[str, Any]:
        raise NotImplementedError

    def summary(self, palette: str = "dark") -> str:
        """Grid, score and luck, without a word of the game."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """Another guess in a turn of a game."""

    turn: int
    guess: str
    feedback: str
    expected_before: Amount
    expected_after: Amount
    lost: Amount
    remaining_after: int
    words: list[str]
    proven: bool
    explanation: str

    def to_dict(self) -> dict[str, Any]:
        raise NotImplementedError


def analyse(
    coach: Coach,
    words: Sequence[str],
    *,
    answer: str | None = None,
    grid: Grid | None = None,
    seconds: float = 20.0,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    raise NotImplementedError


def what_if(
    coach: Coach,
    words: Sequence[str],
    turn: int,
    guess: str,
    *,
    answer: str | None = None,
    seconds: float = 10.0,
    stop: Callable[[], bool] = lambda: False,
) -> Alternative:
    """Turn counts from 1."""
    raise NotImplementedError

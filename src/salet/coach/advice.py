"""Advice of the coach: plain facts, the fields of `salet assist --json`.

Means are over the remaining answers, weighted if the game has weights. Guesses to come include the
suggested one.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A guess and its bounds."""

    guess: str
    expected: float
    """mean guesses to come; an upper bound unless proven"""
    lower: float
    upper: float
    proven: bool
    """whether both bounds are equal"""
    losses: float
    """share of the answers not found within the cap; an upper bound unless proven"""
    groups: int
    largest: int
    win: float
    """probability that this guess is the answer"""
    worst: int | None
    """maximum number of guesses of a plan with the expected mean; None while unknown, and where an
    answer can be lost"""
    candidate: bool
    """whether it can be the answer"""


class Trap(msgspec.Struct, frozen=True, kw_only=True):
    """Answers that differ in one letter, more of them than guesses are left."""

    shape: str
    """as _ATCH"""
    words: list[str]
    guesses_left: int | None
    splitters: list[str]
    """legal guesses that split them into the most groups"""
    groups: int
    """number of these groups"""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """Everything known about a position so far."""

    game: str
    mode: str
    cap: int | None
    objective: str
    weights: str
    """`equal`, or how the answers are weighted"""
    turn: int
    """guesses made"""
    remaining: int
    words: list[str]
    """the remaining answers, likeliest first"""
    outside: bool
    """whether no listed answer fits; `words` are then all guesses that fit"""
    guess: str
    expected: float
    lower: float
    """lower bound over all guesses of the position"""
    upper: float
    proven: bool
    """whether the guess is proven best"""
    losses: float
    """share of the answers lost with the best guess; 0 where the cap can be guaranteed"""
    complete: bool
    """whether all listed guesses are exact and no other guess is better than any of them"""
    explanation: str
    notes: list[str]
    """assumptions, traps, and a cap that cannot be guaranteed"""
    traps: list[Trap]
    suggestions: list[Suggestion]
    """the best guess first"""
    seconds: float
    """since it was asked"""

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields

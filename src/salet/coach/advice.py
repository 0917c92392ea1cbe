"""What the coach says: plain facts, the fields of `salet assist --json`.

Means are over the answers that remain (all equally likely unless weights were asked for); guesses
are those still to come, the suggested one included.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A guess and what is known of it."""

    guess: str
    expected: float
    """mean guesses still to come; at most so many where it is not proven"""
    lower: float
    upper: float
    proven: bool
    """are both bounds the same?"""
    losses: float
    """share of the answers that are not found within the cap; at most so many where not proven"""
    groups: int
    largest: int
    win: float
    """chance that this very guess is the answer"""
    worst: int | None
    """most guesses until the answer is found with the expected number of guesses; None where an
    answer can be lost, and as long as it is not known"""
    candidate: bool
    """can it be the answer?"""


class Trap(msgspec.Struct, frozen=True, kw_only=True):
    """Answers that differ in one letter, and more of them than guesses are left."""

    shape: str
    """as _ATCH"""
    words: list[str]
    guesses_left: int | None
    splitters: list[str]
    """legal guesses that tell most of them apart"""
    groups: int
    """into how many groups these split them"""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is known of a position at one moment."""

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
    """the answers that remain, likely ones first"""
    outside: bool
    """does no listed answer fit, so that these are all guesses that do?"""
    guess: str
    expected: float
    lower: float
    """no guess of this position has an expected number below this"""
    upper: float
    proven: bool
    """is the guess proven best?"""
    losses: float
    """share of the answers lost with the best guess; 0 where the cap can be guaranteed"""
    complete: bool
    """are all listed guesses exact, and is no other guess better than one of them?"""
    explanation: str
    notes: list[str]
    """what should be known besides: assumptions, traps, a cap that cannot be kept"""
    traps: list[Trap]
    suggestions: list[Suggestion]
    """the best guess first"""
    seconds: float
    """since it was asked"""

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields

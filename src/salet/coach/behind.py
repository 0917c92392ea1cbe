"""The likeliest words behind a grid."""

from __future__ import annotations
import msgspec
from salet.coach.coach import Coach
from salet.coach.grids import Grid


class Likely(msgspec.Struct, frozen=True):
    word: str
    chance: float


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a grid tells of its words, likeliest first."""

    answers: list[Likely]
    rows: list[list[Likely]]
    """the likeliest guesses of each row"""


def behind(coach: Coach, grid: Grid, answer: str | None = None, count: int = 10) -> Reading:
    raise NotImplementedError

"""Rows as people type them, read into a state without dead ends."""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass
from salet.coach.coach import Coach
from salet.errors import InputError
from salet.game.state import State

Row = tuple[str, str]
"""a guess and its feedback, as typed"""


class RowError(InputError):
    """A row that cannot be; `row` counts from 1 (0 where no single row is to blame)."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True, eq=False)
class Position:
    """Where a game stands, as a coach sees it."""

    coach: Coach
    """of the state's game: another one than was asked where `outside`"""
    state: State
    outside: bool = False
    """fits no listed answer; the candidates are all guesses that fit"""


def read_position(coach: Coach, rows: Sequence[Row]) -> Position:
    """The position after these rows; RowError says which row is wrong and what it should be."""
    raise NotImplementedError

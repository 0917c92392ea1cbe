"""The figures of a run: one row for each round."""

from __future__ import annotations

from pathlib import Path

from salet.learn.directory import Figures, rows_of


class Row(Figures, frozen=True, kw_only=True):
    """The figures of one round."""

    seconds: float
    lessons: int
    """lessons remembered"""
    learning_rate: float
    loss: float
    """mean over the round's steps"""
    hindsight: float | None
    """mean of the latest own play of the game, with hindsight"""
    lost: int | None
    """of the network alone on every answer of the game, where it was evaluated"""
    mean: float | None
    """and its guesses a game; a loss counts cap + 1"""


def read_rows(path: Path) -> list[Row]:
    """The rows of a run's CSV file."""
    return rows_of(Row, path)

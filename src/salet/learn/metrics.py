"""The figures of a run: one row for each evaluation, as CSV and as a picture."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from salet.arrays import Bools, Indices
from salet.errors import DataError
from salet.storage import output

if TYPE_CHECKING:
    from salet.learn.agent import Score
    from salet.learn.learner import Learner

FILE = "metrics.csv"


class Row(msgspec.Struct, frozen=True):
    """The figures of one evaluation."""

    round: int
    games: int
    """games played to learn from"""
    seconds: float
    epsilon: float
    learning_rate: float
    loss: float
    """mean over the steps since the last row; 0 before learning begins"""
    train_win_rate: float
    train_mean: float
    """of the games played to learn from, random guesses included; a loss counts cap + 1"""
    wins: int
    mean: float
    """of greedy play of the validation words"""
    answers: int


@dataclass
class Recent:
    """What happened since the last row."""

    losses: list[float] = field(default_factory=list)
    games: int = 0
    won: int = 0
    guesses: int = 0
    began: float = field(default_factory=time.monotonic)

    def add(self, turns: Indices, won: Bools, cap: int) -> None:
        """Count a round's games."""
        self.games += len(turns)
        self.won += int(won.sum())
        self.guesses += int(np.where(won, turns, cap + 1).sum())

    def row(self, learner: Learner, epsilon: float, score: Score) -> Row:
        """The figures since the last row; the time goes to the learner's account."""
        progress = learner.progress
        progress.seconds += time.monotonic() - self.began
        return Row(
            round=learner.rounds_done(),
            games=learner.games_done(),
            seconds=round(progress.seconds, 1),
            epsilon=epsilon,
            learning_rate=learner.optimizer.param_groups[0]["lr"],
            loss=float(np.mean(self.losses)) if self.losses else 0.0,
            train_win_rate=self.won / self.games,
            train_mean=self.guesses / self.games,
            wins=score.wins,
            mean=score.mean,
            answers=score.answers,
        )


class Metrics:
    """The CSV file of a run. Rows after the checkpoint that a run goes on from are dropped."""

    def __init__(self, directory: Path, rounds: int) -> None:
        self._path = directory / FILE
        self.rows = [row for row in read_rows(self._path) if row.round <= rounds]

    def write(self, row: Row) -> None:
        """Add a row."""
        self.rows.append(row)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Row.__struct_fields__)
        writer.writerows(msgspec.structs.astuple(row) for row in self.rows)
        with output(self._path) as file:
            file.write(text.getvalue().encode())


def read_rows(path: Path) -> list[Row]:
    """The rows of a CSV file; none where there is no file."""
    if not path.is_file():
        return []
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return [msgspec.convert(row, Row, strict=False) for row in csv.DictReader(file)]
    except (msgspec.ValidationError, UnicodeDecodeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None

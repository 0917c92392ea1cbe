"""The figures of a run: one row for each round, as CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import msgspec

from salet.errors import DataError
from salet.storage import output

FILE = "metrics.csv"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one round."""

    round: int
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
        writer.writerows(msgspec.structs.astuple(each) for each in self.rows)
        with output(self._path) as file:
            file.write(text.getvalue().encode())


def read_rows(path: Path) -> list[Row]:
    """The rows of a CSV file; none where there is no file."""
    if not path.is_file():
        return []
    try:
        with path.open(newline="", encoding="utf-8") as file:
            given = [{k: v for k, v in row.items() if v} for row in csv.DictReader(file)]
        blank = {"hindsight": None, "lost": None, "mean": None}
        return [msgspec.convert({**blank, **row}, Row, strict=False) for row in given]
    except (msgspec.ValidationError, UnicodeDecodeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None

"""The metrics of a run: a CSV file with one row for each evaluation or round."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from salet.errors import DataError
from salet.learn.common.run_directory import METRICS_FILE
from salet.storage import output


class MetricsRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of metrics; agents add their own columns."""

    round: int
    """rounds done"""


class RoundMetrics(MetricsRow, frozen=True, kw_only=True):
    """One round of an agent that learns from sets of answers."""

    seconds: float
    """time spent on the run"""
    examples: int
    """examples in memory"""
    loss: float
    """mean loss of the round's gradient steps"""
    hindsight: float | None = None
    """guesses per game in the latest self-play, with hindsight"""
    lost: int | None
    """answers that the network alone loses, if it was evaluated"""
    mean: float | None
    """guesses per game of the network alone, if it was evaluated; a loss counts cap + 1"""
    learning_rate: float | None = None
    """learning rate of the last gradient step"""


Row = TypeVar("Row", bound=MetricsRow)


class MetricsFile(Generic[Row]):
    """The metrics file of a run directory."""

    def __init__(self, kind: type[Row], directory: Path, rounds: int) -> None:
        """Rows after round `rounds`, where the run is resumed, are dropped."""
        self._kind = kind
        self._path = directory / METRICS_FILE
        self.rows = [row for row in read_metrics(kind, self._path) if row.round <= rounds]

    def append(self, row: Row) -> None:
        """Add a row and write the file."""
        self.rows.append(row)
        columns = self._kind.__struct_encode_fields__
        write_csv(self._path, columns, (msgspec.structs.astuple(each) for each in self.rows))


def read_metrics(kind: type[Row], path: Path) -> list[Row]:
    """The rows of a metrics file, with None for empty cells; [] if there is no file."""
    if not path.is_file():
        return []
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        given = [{name: text or None for name, text in row.items()} for row in rows]
        return [msgspec.convert(row, kind, strict=False) for row in given]
    except (msgspec.ValidationError, UnicodeDecodeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write a CSV file, whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    with output(path) as file:
        file.write(text.getvalue().encode())

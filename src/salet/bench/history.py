"""Every run of the benchmark in one SQLite file; each result is stored as soon as it is known."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from salet.bench.peers import Duel
from salet.bench.worker import Measure
from salet.errors import DataError, InputError

FILE = "history.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL, about TEXT NOT NULL, began TEXT NOT NULL,
  finished TEXT);
CREATE TABLE IF NOT EXISTS measures (
  run INTEGER NOT NULL REFERENCES runs(id), kind TEXT NOT NULL, name TEXT NOT NULL,
  result TEXT NOT NULL, PRIMARY KEY (run, kind, name));
"""
T = TypeVar("T", Measure, Duel)


@dataclass(frozen=True)
class HistoryPoint:
    """One entry of one run."""

    name: str
    game: str
    """Game with mode and cap."""
    date: str
    commit: str | None
    measure: Measure


class BenchHistory:
    """The SQLite file, as a context manager."""

    def __init__(self, directory: Path) -> None:
        if directory.exists() and not directory.is_dir():
            raise InputError(f"cannot write to {str(directory)!r}: it is a file; give a directory")
        self.path = directory / FILE
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(self.path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"cannot write {str(self.path)!r}: {_reason(error)}") from None
        try:
            self._database.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            self._database.close()
            if isinstance(error, sqlite3.OperationalError):
                raise InputError(f"cannot write {str(self.path)!r}: {_reason(error)}") from None
            raise DataError(f"{str(self.path)!r} is not a benchmark history ({error})") from None

    def __enter__(self) -> BenchHistory:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def open_run(self, key: str, about: dict[str, Any], now: str) -> int:
        """The id of the unfinished run with this key, or of a new one."""
        query = "SELECT id FROM runs WHERE key = ? AND finished IS NULL ORDER BY id DESC"
        with self._reading():
            for (run,) in self._fetch(query, key):
                return int(run)
        return self._execute(
            "INSERT INTO runs (key, about, began) VALUES (?, ?, ?)",
            key,
            msgspec.json.encode(about).decode(),
            now,
        )

    def results(self, run: int, kind: type[T]) -> dict[str, T]:
        """The results of one kind that a run has already, by name."""
        query = "SELECT name, result FROM measures WHERE run = ? AND kind = ?"
        with self._reading():
            rows = self._fetch(query, run, kind.__name__)
            return {name: msgspec.json.decode(text, type=kind) for name, text in rows}

    def add(self, run: int, result: Measure | Duel) -> None:
        """Store a result of a run."""
        self._execute(
            "INSERT OR REPLACE INTO measures (run, kind, name, result) VALUES (?, ?, ?, ?)",
            run,
            type(result).__name__,
            result.name,
            msgspec.json.encode(result).decode(),
        )

    def finish(self, run: int, now: str) -> None:
        """Mark a run as complete."""
        self._execute("UPDATE runs SET finished = ? WHERE id = ?", now, run)

    def points(self, game: str | None = None) -> list[HistoryPoint]:
        """Return every measure of every run (of one game), by name and time."""
        query = (
            "SELECT measures.name, runs.began, runs.about, measures.result FROM measures "
            "JOIN runs ON runs.id = measures.run WHERE measures.kind = 'Measure' "
            "ORDER BY measures.name, runs.id"
        )
        points = []
        with self._reading():
            for name, date, about, result in self._fetch(query):
                facts = msgspec.json.decode(about)
                if game is None or facts["game"] == game:
                    measure = msgspec.json.decode(result, type=Measure)
                    cap = "no cap" if facts["cap"] is None else f"cap {facts['cap']}"
                    description = f"{facts['game']}, {facts['mode']}, {cap}"
                    points.append(HistoryPoint(name, description, date, facts["commit"], measure))
        return points

    def _execute(self, query: str, *values: Any) -> int:
        """Write to the database; return the id of the row."""
        try:
            with closing(self._database.execute(query, values)) as cursor:
                return cursor.lastrowid or 0
        except sqlite3.Error as error:
            raise InputError(
                f"cannot write {str(self.path)!r}: {_reason(error)}; earlier measurements are "
                "saved: free some space and run the same command to resume"
            ) from None

    def _fetch(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(self._database.execute(query, values)) as rows:
            return rows.fetchall()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, msgspec.DecodeError, KeyError, TypeError) as error:
            raise DataError(
                f"{str(self.path)!r} is damaged ({error}); move it away to start over"
            ) from None


def _reason(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower()

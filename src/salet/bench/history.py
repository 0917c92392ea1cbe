"""Every run of the benchmark in one SQLite file. Each measure is there as soon as it is made."""

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
class Point:
    """One figure of one run."""

    name: str
    game: str
    """with mode and cap"""
    date: str
    commit: str | None
    measure: Measure


class History:
    """The file; use it as a context manager."""

    def __init__(self, directory: Path) -> None:
        if directory.exists() and not directory.is_dir():
            raise InputError(f"cannot write to {str(directory)!r}: it is a file; give a directory")
        self.path = directory / FILE
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(self.path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"cannot write {str(self.path)!r}: {_why(error)}") from None
        try:
            self._base.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            self._base.close()
            if isinstance(error, sqlite3.OperationalError):
                raise InputError(f"cannot write {str(self.path)!r}: {_why(error)}") from None
            raise DataError(f"{str(self.path)!r} is no benchmark history ({error})") from None

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def open_run(self, key: str, about: dict[str, Any], now: str) -> int:
        """The unfinished run with this key, or a new one."""
        query = "SELECT id FROM runs WHERE key = ? AND finished IS NULL ORDER BY id DESC"
        with self._reading():
            for (found,) in self._ask(query, key):
                return int(found)
        return self._do(
            "INSERT INTO runs (key, about, began) VALUES (?, ?, ?)",
            key,
            msgspec.json.encode(about).decode(),
            now,
        )

    def known(self, run: int, kind: type[T]) -> dict[str, T]:
        """What a run has already."""
        query = "SELECT name, result FROM measures WHERE run = ? AND kind = ?"
        with self._reading():
            rows = self._ask(query, run, kind.__name__)
            return {name: msgspec.json.decode(text, type=kind) for name, text in rows}

    def add(self, run: int, measure: Measure | Duel) -> None:
        """Keep one more."""
        self._do(
            "INSERT OR REPLACE INTO measures (run, kind, name, result) VALUES (?, ?, ?, ?)",
            run,
            type(measure).__name__,
            measure.name,
            msgspec.json.encode(measure).decode(),
        )

    def finish(self, run: int, now: str) -> None:
        """Nothing is missing."""
        self._do("UPDATE runs SET finished = ? WHERE id = ?", now, run)

    def points(self, game: str | None = None) -> list[Point]:
        """Every measure of every run, by name and time."""
        query = (
            "SELECT measures.name, runs.began, runs.about, measures.result FROM measures "
            "JOIN runs ON runs.id = measures.run WHERE measures.kind = 'Measure' "
            "ORDER BY measures.name, runs.id"
        )
        found = []
        with self._reading():
            for name, date, about, result in self._ask(query):
                facts = msgspec.json.decode(about)
                if game is None or facts["game"] == game:
                    measure = msgspec.json.decode(result, type=Measure)
                    cap = "no cap" if facts["cap"] is None else f"cap {facts['cap']}"
                    stated = f"{facts['game']}, {facts['mode']}, {cap}"
                    found.append(Point(name, stated, date, facts["commit"], measure))
        return found

    def _do(self, query: str, *values: Any) -> int:
        """Write; returns the number of the row."""
        try:
            with closing(self._base.execute(query, values)) as done:
                return done.lastrowid or 0
        except sqlite3.Error as error:
            raise InputError(
                f"cannot write {str(self.path)!r}: {_why(error)}; what was measured before is kept:"
                " make room and run the same command to go on"
            ) from None

    def _ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(self._base.execute(query, values)) as rows:
            return rows.fetchall()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, msgspec.DecodeError, KeyError, TypeError) as error:
            raise DataError(
                f"{str(self.path)!r} is damaged ({error}); move it away to begin again"
            ) from None


def _why(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower()

"""Every run of the benchmark in one SQLite file. Each measure is there as soon as it is made."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from salet.arena.bench.peers import Duel
from salet.arena.bench.worker import Measure
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
        row = self._ask(
            "SELECT id FROM runs WHERE key = ? AND finished IS NULL ORDER BY id DESC", key
        )
        if row is not None:
            return int(row[0])
        self._do(
            "INSERT INTO runs (key, about, began) VALUES (?, ?, ?)",
            key,
            msgspec.json.encode(about).decode(),
            now,
        )
        new = self._ask("SELECT last_insert_rowid()")
        return int(new[0]) if new is not None else 0

    def known(self, run: int, kind: type[T]) -> dict[str, T]:
        """What a run has already."""
        query = "SELECT name, result FROM measures WHERE run = ? AND kind = ?"
        with closing(self._base.execute(query, (run, kind.__name__))) as rows:
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

    def points(self, game: str | None = None) -> Iterator[Point]:
        """Every measure of every run, by name and time."""
        query = (
            "SELECT measures.name, runs.began, runs.about, measures.result FROM measures "
            "JOIN runs ON runs.id = measures.run WHERE measures.kind = 'Measure' "
            "ORDER BY measures.name, runs.id"
        )
        with closing(self._base.execute(query)) as rows:
            for name, date, about, result in rows:
                facts = msgspec.json.decode(about)
                if game is None or facts["game"] == game:
                    measure = msgspec.json.decode(result, type=Measure)
                    cap = "no cap" if facts["cap"] is None else f"cap {facts['cap']}"
                    stated = f"{facts['game']}, {facts['mode']}, {cap}"
                    yield Point(name, stated, date, facts["commit"], measure)

    def _do(self, query: str, *values: Any) -> None:
        try:
            self._base.execute(query, values)
        except sqlite3.Error as error:
            raise InputError(
                f"cannot write {str(self.path)!r}: {_why(error)}; what was measured before is kept:"
                " make room and run the same command to go on"
            ) from None

    def _ask(self, query: str, *values: Any) -> tuple[Any, ...] | None:
        with closing(self._base.execute(query, values)) as rows:
            row: tuple[Any, ...] | None = rows.fetchone()
        return row


def _why(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower()

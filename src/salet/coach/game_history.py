"""The player's history of games: an append-only file of JSON lines.

Each line is a `SavedGame`. If several lines have the same id, the last one counts, so a game that
is analysed later is appended again. A line that cannot be read is reported with its number and left
as it is. Writers hold a lock and append all their lines in one write.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from salet.errors import InputError
from salet.storage import data_root

if TYPE_CHECKING:
    from salet.coach.analysis import Analysis
    from salet.game.round import Round

VERSION = 1
FIRST_DAY = datetime.date(2021, 6, 19)
"""Date of Wordle 0."""
DAILY = "wordle"
"""Prefix of the ids of daily puzzles."""
MAX_BYTES = 64 << 20
_ROW = re.compile(r"[BYG]+|\d+,\d+")


class SavedGame(msgspec.Struct, frozen=True, kw_only=True):
    """One game of the history; the fields of a line of the file."""

    salet_history: int = VERSION
    """version of these fields"""
    id: str
    """`wordle-1234` for a daily puzzle; otherwise a digest of date, game, rows and words"""
    date: str
    """as 2026-11-18"""
    game: str
    mode: str = "normal"
    cap: int | None = None
    number: int | None = None
    """number of the daily puzzle"""
    won: bool
    used: int
    """guesses made"""
    rows: list[str] = []
    """feedback of every guess, as BYBBG; empty if only the result is known"""
    words: list[str] = []
    """guesses; empty if only the colours are known"""
    answer: str | None = None
    score: int | None = None
    """skill from 0 to 99; None until the game is analysed"""
    lost: float | None = None
    """guesses given away"""
    luck: float | None = None
    """guesses gained by luck"""
    lost_games: float | None = None
    """chance of losing added by choices"""
    luck_games: float | None = None
    """chance of losing removed by luck"""
    source: str = "import"
    """`play`, `analyse` or `import`"""


class RejectedText(msgspec.Struct, frozen=True):
    """A line of a history, or a share text, that cannot be read."""

    line: int
    """its first line in the file, counted from 1"""
    text: str
    """its beginning"""
    reason: str

    def __str__(self) -> str:
        return f"line {self.line} {self.text!r}: {self.reason}"


class GameHistory(msgspec.Struct, frozen=True):
    """The content of a history file."""

    games: list[SavedGame]
    """by date, then in file order; of games with the same id the last"""
    damaged: list[RejectedText]


def history_path() -> Path:
    """The default path of the history file."""
    return data_root() / "history.jsonl"


def read_history(path: Path) -> GameHistory:
    """Read a history file; one that does not exist is an empty history."""
    try:
        if path.is_dir():
            raise InputError(f"history {str(path)!r} is a directory; give a file")
        if path.exists() and path.stat().st_size > MAX_BYTES:
            raise InputError(f"history {str(path)!r} is larger than {MAX_BYTES >> 20} MB")
        raw = path.read_bytes()
    except FileNotFoundError:
        raw = b""
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot read history {str(path)!r}: {reason}") from None
    return parse_history(raw)


def parse_history(raw: bytes) -> GameHistory:
    """Parse JSON lines into games and the lines that cannot be read."""
    games: dict[str, SavedGame] = {}
    damaged: list[RejectedText] = []
    for number, line in enumerate(raw.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            game = parse_line(line)
        except InputError as error:
            text = line[:40].decode("utf-8", "replace")
            damaged.append(RejectedText(number, text, str(error)))
        else:
            games[game.id] = game
    return GameHistory(sorted(games.values(), key=lambda game: game.date), damaged)


def parse_line(line: bytes | str) -> SavedGame:
    """Parse one line; the error says what is wrong with it."""
    try:
        fields = json.loads(line)
    except ValueError:
        raise InputError("it is not JSON") from None
    version = fields.get("salet_history") if isinstance(fields, dict) else None
    if not isinstance(version, int):
        raise InputError("it is not a game of a history (it has no version salet_history)")
    if version > VERSION:
        raise InputError(f"a newer salet wrote it (version {version}; this one knows {VERSION})")
    try:
        game = msgspec.convert(fields, SavedGame)
    except msgspec.ValidationError as error:
        raise InputError(str(error)[:1].lower() + str(error)[1:]) from None
    _check(game)
    return game


def _check(game: SavedGame) -> None:
    """Raise an error for fields that contradict each other."""
    parse_date(game.date)
    if not 1 <= game.used <= 1000:
        raise InputError(f"{game.used} guesses: a game has 1 to 1000")
    for name, entries in (("rows", game.rows), ("words", game.words)):
        if entries and len(entries) != game.used:
            raise InputError(f"it has {len(entries)} {name} for {game.used} guesses")
    for row in game.rows:
        if not _ROW.fullmatch(row):
            raise InputError(f"row {row!r} is not feedback such as BYBBG")
    if game.score is not None and not 0 <= game.score <= 99:
        raise InputError(f"score {game.score} is not from 0 to 99")


def parse_date(text: str) -> datetime.date:
    """Parse a date written as 2026-11-18."""
    try:
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            raise InputError(f"date {text!r}: write it as 2026-11-18")
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise InputError(f"date {text!r} does not exist") from None


def daily_number(date: datetime.date) -> int:
    """The number of the daily puzzle on a date."""
    return (date - FIRST_DAY).days


def daily_date(number: int) -> datetime.date:
    """The date of a daily puzzle."""
    return FIRST_DAY + datetime.timedelta(days=number)


def game_id(
    date: str, game: str, rows: Iterable[str], words: Iterable[str], number: int | None
) -> str:
    """The id of a game, the same on every device."""
    if number is not None:
        return f"{DAILY}-{number}"
    parts = [date, game, " ".join(rows), " ".join(words)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def game_from_analysis(
    found: Analysis, date: datetime.date, number: int | None = None
) -> SavedGame:
    """The record of an analysed game; raises an error if the game is not over."""
    if not found.over:
        raise InputError("the game is not over; only finished games are saved")
    words, rows = [turn.guess for turn in found.turns], [turn.feedback for turn in found.turns]
    day = date.isoformat()
    return SavedGame(
        id=game_id(day, found.game, rows, words, number),
        date=day,
        game=found.game,
        mode=found.mode,
        cap=found.cap,
        number=number,
        won=found.won,
        used=len(words),
        rows=rows,
        words=words,
        answer=found.answer,
        score=found.score,
        lost=float(found.lost.guesses),
        luck=float(found.luck.guesses),
        lost_games=float(found.lost.games),
        luck_games=float(found.luck.games),
        source="analyse",
    )


def game_from_round(current: Round, date: datetime.date) -> SavedGame:
    """The record of a game played with `salet play`; one that was given up is lost."""
    game, turns = current.game, current.state.turns
    rows, words = [row for _, row in turns], [word for word, _ in turns]
    day = date.isoformat()
    return SavedGame(
        id=game_id(day, game.name, rows, words, None),
        date=day,
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        won=current.won,
        used=len(words),
        rows=rows,
        words=words,
        answer=current.answer,
        source="play",
    )


def format_line(game: SavedGame) -> bytes:
    """A game as a line of the file."""
    return msgspec.json.encode(game) + b"\n"


def add_games(path: Path, games: Iterable[SavedGame]) -> list[SavedGame]:
    """Append games to a file and return those that were appended.

    A game that is already there is appended again only if the new record has more: rows, words or
    a score.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path) as file:
            file.seek(0)
            before = file.read()
            new = _new_games(parse_history(before).games, games)
            text = b"".join(format_line(game) for game in new)
            if text and before and not before.endswith(b"\n"):
                text = b"\n" + text  # a truncated last line must not damage the next one
            file.write(text)
            file.flush()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write history {str(path)!r}: {reason}") from None
    return new


def _new_games(saved: Iterable[SavedGame], games: Iterable[SavedGame]) -> list[SavedGame]:
    """The games that are not saved yet, or only with less detail."""
    known = {game.id: game for game in saved}
    by_day: dict[str, list[SavedGame]] = {}
    for game in known.values():
        by_day.setdefault(game.date, []).append(game)
    new: list[SavedGame] = []
    for game in games:
        same_day = by_day.setdefault(game.date, [])
        old = known.get(game.id) or next((one for one in same_day if _is_same(game, one)), None)
        if old is not None:
            if not _has_more(game, old):
                continue
            game = msgspec.structs.replace(game, id=old.id, number=game.number or old.number)
            same_day.remove(old)
        known[game.id] = game
        same_day.append(game)
        new.append(game)
    return new


def _is_same(one: SavedGame, other: SavedGame) -> bool:
    """Whether two records of one day are the same game; the words of one may be unknown."""
    if not one.rows or one.rows != other.rows or one.mode != other.mode:
        return False
    numbers, words = {one.number, other.number}, {tuple(one.words), tuple(other.words)}
    names = {one.game.partition("-")[0], other.game.partition("-")[0]}
    return len(names) == 1 and len(numbers - {None}) <= 1 and len(words - {()}) <= 1


def _has_more(game: SavedGame, old: SavedGame) -> bool:
    """Whether a record has everything that the old one has, and more."""

    def known_fields(one: SavedGame) -> tuple[bool, bool, bool]:
        return bool(one.rows), bool(one.words), one.score is not None

    now, then = known_fields(game), known_fields(old)
    return now != then and all(has >= had for has, had in zip(now, then, strict=True))


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading and appending, locked against other writers."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(handle, "r+b") as file:
        try:
            import fcntl
        except ImportError:  # not a POSIX system
            import msvcrt

            file.seek(MAX_BYTES)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined]
            try:
                yield file
            finally:
                file.seek(MAX_BYTES)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined]
        else:
            fcntl.flock(file, fcntl.LOCK_EX)  # released when the file is closed
            yield file

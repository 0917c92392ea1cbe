"""The history of one's own games: a file of JSON lines that only ever grows.

A line is a `KeptGame`. Of lines with the same id the last one counts, so a game that is analysed
later gets another line. A line that cannot be read is reported with its number and stays as it is.
Writers take turns with a lock, and what is added goes to the end of the file in one piece.
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
"""the day of Wordle 0"""
DAILY = "wordle"
"""how ids of the daily puzzle begin"""
MAX_BYTES = 64 << 20
_ROW = re.compile(r"[BYG]+|\d+,\d+")


class KeptGame(msgspec.Struct, frozen=True, kw_only=True):
    """One game as it is kept: the fields of a line of the file."""

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
    """of the daily puzzle"""
    won: bool
    used: int
    """guesses made"""
    rows: list[str] = []
    """the feedback of every guess, as BYBBG; none if only the result is known"""
    words: list[str] = []
    """the guesses; none if only colours are known"""
    answer: str | None = None
    score: int | None = None
    """skill from 0 to 99; None as long as the game was not analysed"""
    lost: float | None = None
    """guesses given away"""
    luck: float | None = None
    """guesses gained by luck"""
    lost_games: float | None = None
    """chance of losing added by choices"""
    luck_games: float | None = None
    """chance of losing taken away by luck"""
    source: str = "import"
    """`play`, `analyse` or `import`"""


class DamagedLine(msgspec.Struct, frozen=True):
    """A line that cannot be read."""

    line: int
    """counted from 1"""
    text: str
    """its beginning"""
    reason: str

    def __str__(self) -> str:
        return f"line {self.line} {self.text!r}: {self.reason}"


class GameHistory(msgspec.Struct, frozen=True):
    """What a file holds."""

    games: list[KeptGame]
    """by date, then in the order of the file; of equal ids the last"""
    damaged: list[DamagedLine]


def history_path() -> Path:
    """Where the history is kept unless told otherwise."""
    return data_root() / "history.jsonl"


def read_history(path: Path) -> GameHistory:
    """The games of a file; there are none if it does not exist."""
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
    """The games among lines of JSON, and the lines that cannot be read."""
    games: dict[str, KeptGame] = {}
    damaged: list[DamagedLine] = []
    for number, line in enumerate(raw.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            game = parse_line(line)
        except InputError as error:
            text = line[:40].decode("utf-8", "replace")
            damaged.append(DamagedLine(number, text, str(error)))
        else:
            games[game.id] = game
    return GameHistory(sorted(games.values(), key=lambda game: game.date), damaged)


def parse_line(line: bytes | str) -> KeptGame:
    """One game; an error says what is wrong with the line."""
    try:
        fields = json.loads(line)
    except ValueError:
        raise InputError("it is no JSON") from None
    version = fields.get("salet_history") if isinstance(fields, dict) else None
    if not isinstance(version, int):
        raise InputError("it is no kept game (it has no version salet_history)")
    if version > VERSION:
        raise InputError(f"a newer salet wrote it (version {version}; this one knows {VERSION})")
    try:
        game = msgspec.convert(fields, KeptGame)
    except msgspec.ValidationError as error:
        raise InputError(str(error)[:1].lower() + str(error)[1:]) from None
    _check(game)
    return game


def _check(game: KeptGame) -> None:
    """Refuse what cannot be a game."""
    parse_date(game.date)
    if not 1 <= game.used <= 1000:
        raise InputError(f"{game.used} guesses are no game")
    for name, entries in (("rows", game.rows), ("words", game.words)):
        if entries and len(entries) != game.used:
            raise InputError(f"it has {len(entries)} {name} for {game.used} guesses")
    for row in game.rows:
        if not _ROW.fullmatch(row):
            raise InputError(f"row {row!r} is no feedback such as BYBBG")
    if game.score is not None and not 0 <= game.score <= 99:
        raise InputError(f"score {game.score} is not from 0 to 99")


def parse_date(text: str) -> datetime.date:
    """The day that is written as 2026-11-18; one that does not exist is refused."""
    try:
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            raise InputError(f"date {text!r}: write it as 2026-11-18")
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise InputError(f"date {text!r} does not exist") from None


def daily_number(date: datetime.date) -> int:
    """The number of the daily puzzle of a day."""
    return (date - FIRST_DAY).days


def daily_date(number: int) -> datetime.date:
    """The day of a daily puzzle."""
    return FIRST_DAY + datetime.timedelta(days=number)


def game_id(
    date: str, game: str, rows: Iterable[str], words: Iterable[str], number: int | None
) -> str:
    """The id of a game: the same game gets the same one wherever it is kept."""
    if number is not None:
        return f"{DAILY}-{number}"
    parts = [date, game, " ".join(rows), " ".join(words)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def kept_analysis(found: Analysis, date: datetime.date, number: int | None = None) -> KeptGame:
    """An analysed game as it is kept; one that is not over is refused."""
    if not found.over:
        raise InputError("the game is not over; only finished games are kept")
    words, rows = [turn.guess for turn in found.turns], [turn.feedback for turn in found.turns]
    day = date.isoformat()
    return KeptGame(
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


def kept_round(current: Round, date: datetime.date) -> KeptGame:
    """A game that was played here, as it is kept; given up, it is lost."""
    game, turns = current.game, current.state.turns
    rows, words = [row for _, row in turns], [word for word, _ in turns]
    day = date.isoformat()
    return KeptGame(
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


def format_line(game: KeptGame) -> bytes:
    """A game as a line of the file."""
    return msgspec.json.encode(game) + b"\n"


def add_games(path: Path, games: Iterable[KeptGame]) -> list[KeptGame]:
    """Add games to a file and return those that are new. A game that is there already is added
    again only if this says more of it: its skill, or its words."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path) as file:
            file.seek(0)
            before = file.read()
            new = _news(parse_history(before).games, games)
            text = b"".join(format_line(game) for game in new)
            if text and before and not before.endswith(b"\n"):
                text = b"\n" + text  # the last line was cut off: it stays damaged, alone
            file.write(text)
            file.flush()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write history {str(path)!r}: {reason}") from None
    return new


def _news(kept: Iterable[KeptGame], games: Iterable[KeptGame]) -> list[KeptGame]:
    """The games that are not kept yet, or of which less is kept."""
    known = {game.id: game for game in kept}
    by_day: dict[str, list[KeptGame]] = {}
    for game in known.values():
        by_day.setdefault(game.date, []).append(game)
    new: list[KeptGame] = []
    for game in games:
        same_day = by_day.setdefault(game.date, [])
        old = known.get(game.id) or next((one for one in same_day if _is_same(game, one)), None)
        if old is not None:
            if not _says_more(game, old):
                continue
            game = msgspec.structs.replace(game, id=old.id, number=game.number or old.number)
            same_day.remove(old)
        known[game.id] = game
        same_day.append(game)
        new.append(game)
    return new


def _is_same(one: KeptGame, other: KeptGame) -> bool:
    """Do two records of one day show the same game? The words of one may be unknown."""
    if not one.rows or one.rows != other.rows or one.mode != other.mode:
        return False
    numbers, words = {one.number, other.number}, {tuple(one.words), tuple(other.words)}
    names = {one.game.partition("-")[0], other.game.partition("-")[0]}
    return len(names) == 1 and len(numbers - {None}) <= 1 and len(words - {()}) <= 1


def _says_more(game: KeptGame, old: KeptGame) -> bool:
    def told(one: KeptGame) -> tuple[bool, bool, bool]:
        return bool(one.rows), bool(one.words), one.score is not None

    return told(game) != told(old) and all(
        now >= then for now, then in zip(told(game), told(old), strict=True)
    )


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """The file, open to be read and added to by nobody else meanwhile."""
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
            fcntl.flock(file, fcntl.LOCK_EX)  # ends with the file
            yield file

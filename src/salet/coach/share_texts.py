"""Read old results, copied from a chat or a note, into saved games.

    Wordle 1,234 4/6*        title, number, guesses, hard mode
    ⬛🟨⬛⬛⬛                 as many rows as the line above says; or none
    …

Text between the results is ignored. The date of a Wordle follows from its number; other games need
a date on the line of the title or before it, as 2026-11-18. What looks like a result but cannot be
read is rejected with its line number and the reason; the rest is still read.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from salet.coach.game_history import (
    RejectedText,
    SavedGame,
    daily_date,
    game_id,
    parse_date,
    parse_history,
)
from salet.coach.grids import count_squares, parse
from salet.errors import InputError

_HEAD = re.compile(
    r"(?P<title>.*?)(?<![\d/.,])(?P<used>[1-9]\d?|[xX])/(?P<cap>\d{1,2})(?P<hard>\*?)(?![\d/])"
)
_DAILY = re.compile(r"\bWordle\s*#?\s*(?P<number>\d[\d.,'\u2019\s]*)\W*$", re.IGNORECASE)
_OWN = re.compile(r"\bsalet (?P<game>\S+)$")
_SKILL = re.compile(r"skill (?P<score>\d{1,2})/99(?:, luck (?P<luck>[+-]\d+\.\d+) guesses)?")
_DATE = re.compile(r"\b\d{4}-\d{1,2}-\d{1,2}\b")


class SharedGames(msgspec.Struct, frozen=True):
    """The games found in a text, and the results that could not be read."""

    games: list[SavedGame]
    refused: list[RejectedText]


@dataclass
class _Block:
    """The lines of one share text."""

    line: int
    head: re.Match[str]
    date: str | None
    rows: list[str] = field(default_factory=list)
    skill: re.Match[str] | None = None
    is_closed: bool = False
    """whether other text has begun"""

    def is_full(self, length: int) -> bool:
        """Whether there are as many rows as the title says."""
        if self.is_closed:
            return True
        expected = self.head["cap"] if self.head["used"] in "xX" else self.head["used"]
        return sum(map(count_squares, self.rows)) >= length * int(expected)


def read_shares(
    text: str, today: datetime.date, game: str | None = None, length: int = 5
) -> SharedGames:
    """The games in share texts, or in the lines of an exported history.

    Without `game`, only results of Wordle and of salet are read; with it, every result is one of
    that game, whose words have `length` letters.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("{"):
        found = parse_history(text.encode())
        return SharedGames(found.games, found.damaged)
    games, refused = [], []
    for block in _blocks(text, length):
        if isinstance(block, RejectedText):
            refused.append(block)
            continue
        try:
            found_game = _read(block, today, game, length)
            if found_game is not None:
                games.append(found_game)
        except InputError as error:
            refused.append(RejectedText(block.line, _short(block.head[0]), str(error)))
    return SharedGames(games, refused)


def number_in(title: str) -> int | None:
    """The number of the daily puzzle in a title such as `Wordle 1,234`; None if it has none."""
    daily = _DAILY.search(title)
    return int(re.sub(r"\D", "", daily["number"])) if daily else None


def _blocks(text: str, length: int) -> Iterator[_Block | RejectedText]:
    """Split text into share texts; squares that belong to none are rejected once."""
    block: _Block | None = None
    date = None
    is_stray = False
    for number, line in enumerate(text.splitlines(), 1):
        skill = _SKILL.search(line)
        if skill and block is not None:
            block.skill = skill
        elif not skill and (head := _HEAD.match(line.strip())) and head["title"].strip():
            if block is not None:
                yield block
            own = _DATE.search(line)
            block = _Block(number, head, own[0] if own else date)
            date, is_stray = None, False
            rest = line.strip()[head.end() :]
            block.rows += [rest] if count_squares(rest) else []
        elif count_squares(line):
            if block is not None and not block.is_full(length):
                block.rows.append(line)
            elif not is_stray:
                is_stray = True
                yield RejectedText(
                    number,
                    _short(line.strip()),
                    "squares without a line such as 'Wordle 1,234 4/6' before them",
                )
        elif line.strip():
            if block is not None:
                block.is_closed = True
            found = _DATE.search(line)
            date = found[0] if found else date
    if block is not None:
        yield block


def _read(block: _Block, today: datetime.date, game: str | None, length: int) -> SavedGame | None:
    """The game of a share text; None if it is just a chat message such as `24/7`."""
    head, title = block.head, block.head["title"].strip(" \t:#-")
    daily, own = _DAILY.search(title), _OWN.search(title)
    if not daily and not own and not block.rows:
        return None
    if game is None and not daily and not own:
        raise InputError("this is another game than Wordle; name its words with --game if you can")
    number = number_in(title) if game is None else None
    date = _date(number, block.date, today)
    won, cap = head["used"] not in "xX", int(head["cap"])
    used = int(head["used"]) if won else cap
    if used > cap:
        raise InputError(f"{used} guesses are more than {cap}")
    rows = _rows(block, length)
    name = game or (own["game"] if own else "nyt")
    return SavedGame(
        id=game_id(date, name, rows, (), number),
        date=date,
        game=name,
        mode="hard" if head["hard"] else "normal",
        cap=cap,
        number=number,
        won=won,
        used=used,
        rows=rows,
        score=int(block.skill["score"]) if block.skill else None,
        luck=float(block.skill["luck"]) if block.skill and block.skill["luck"] else None,
    )


def _date(number: int | None, written: str | None, today: datetime.date) -> str:
    """The date of a game: from its number, or as written before it."""
    if number is not None:
        if number > (today - daily_date(0)).days + 1:  # some time zones are a day ahead
            raise InputError(f"there is no Wordle {number} yet")
        return daily_date(number).isoformat()
    if written is None:
        raise InputError("it has no number and no date; write its date before it, as 2026-11-18")
    date = parse_date(written)
    if date > today + datetime.timedelta(days=1):
        raise InputError(f"date {written!r} is in the future")
    return date.isoformat()


def _rows(block: _Block, length: int) -> list[str]:
    """The rows of squares as feedback; empty if the text has only the result."""
    if not block.rows:
        return []
    head = block.head
    title = f"x {head['used']}/{head['cap']}{head['hard']}"
    grid = parse("\n".join([title, *block.rows]), length)
    return ["".join("BYG"[colour] for colour in row) for row in grid.rows]


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"

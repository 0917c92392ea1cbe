"""Share texts in bulk: old results copied from a chat or a note, read into kept games.

    Wordle 1,234 4/6*        title, number, guesses, hard mode
    ⬛🟨⬛⬛⬛                 as many rows as the line above says; or none
    …

What stands between the texts is passed over. The day of a Wordle follows from its number; other
games need their date on the line of the title or before it, as 2026-11-18. What looks like a
result and cannot be read is refused with its line and the reason; the rest is read all the same.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from salet.coach.game_history import (
    KeptGame,
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


class RefusedText(msgspec.Struct, frozen=True):
    """A text that is no game, and why."""

    line: int
    """counted from 1"""
    text: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.line} {self.text!r}: {self.reason}"


class SharedGames(msgspec.Struct, frozen=True):
    """What was found in a text."""

    games: list[KeptGame]
    refused: list[RefusedText]


@dataclass
class _Block:
    """The lines of one share text."""

    line: int
    head: re.Match[str]
    date: str | None
    rows: list[str] = field(default_factory=list)
    skill: re.Match[str] | None = None
    is_closed: bool = False
    """has other text begun?"""

    def is_full(self, length: int) -> bool:
        """Are all rows there that the title speaks of?"""
        if self.is_closed:
            return True
        told = self.head["cap"] if self.head["used"] in "xX" else self.head["used"]
        return sum(map(count_squares, self.rows)) >= length * int(told)


def read_shares(
    text: str, today: datetime.date, game: str | None = None, length: int = 5
) -> SharedGames:
    """The games of share texts, or of lines that a history exported. Without `game`, texts of
    Wordle and of salet are read; with it every text, as one of that game, whose words have
    `length` letters."""
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("{"):
        found = parse_history(text.encode())
        return SharedGames(
            found.games, [RefusedText(one.line, one.text, one.reason) for one in found.damaged]
        )
    games, refused = [], []
    for block in _blocks(text, length):
        if isinstance(block, RefusedText):
            refused.append(block)
            continue
        try:
            found_game = _read(block, today, game, length)
            if found_game is not None:
                games.append(found_game)
        except InputError as error:
            refused.append(RefusedText(block.line, _short(block.head[0]), str(error)))
    return SharedGames(games, refused)


def number_in(title: str) -> int | None:
    """The number of the daily puzzle in a title such as `Wordle 1,234`; None if it has none."""
    daily = _DAILY.search(title)
    return int(re.sub(r"\D", "", daily["number"])) if daily else None


def _blocks(text: str, length: int) -> Iterator[_Block | RefusedText]:
    """The share texts among lines of text; squares that belong to none are refused once."""
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
                yield RefusedText(
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


def _read(block: _Block, today: datetime.date, game: str | None, length: int) -> KeptGame | None:
    """The game of a share text; None if it is just a line of a chat (`24/7`)."""
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
    return KeptGame(
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
    """The day of a game: by its number, or as it is written before it."""
    if number is not None:
        if number > (today - daily_date(0)).days + 1:  # tomorrow has begun somewhere
            raise InputError(f"there is no Wordle {number} yet")
        return daily_date(number).isoformat()
    if written is None:
        raise InputError("it has no number and no date; write its date before it, as 2026-11-18")
    date = parse_date(written)
    if date > today + datetime.timedelta(days=1):
        raise InputError(f"date {written!r} is to come")
    return date.isoformat()


def _rows(block: _Block, length: int) -> list[str]:
    """The rows of squares as feedback; none where only the result was written down."""
    if not block.rows:
        return []
    head = block.head
    told = f"x {head['used']}/{head['cap']}{head['hard']}"
    grid = parse("\n".join([told, *block.rows]), length)
    return ["".join("BYG"[colour] for colour in row) for row in grid.rows]


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"

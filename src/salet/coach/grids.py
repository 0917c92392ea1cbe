"""Share grids: the coloured squares that people post, in every palette they come in.

    Wordle 1,234 4/6*

    ⬛🟨⬛⬛⬛
    🟩⬛🟨⬛⬛
    …

A palette is three symbols for grey, yellow and green. Any palette is accepted, mixed or not, with
or without emoji selectors, and so are Slack's names of the squares; text around the grid is
ignored. `*` after the count means hard mode.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from salet.errors import InputError, UnknownNameError
from salet.game.notation import GREEN, GREY, YELLOW

MAX_CHARACTERS = 20_000
"""Longest text that is parsed; a hundred rows of squares written as Slack names are shorter."""
MAX_ROWS = 100

PALETTES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "dark": ("⬛", "🟨", "🟩"),
        "light": ("⬜", "🟨", "🟩"),
        "contrast": ("⬛", "🟦", "🟧"),
        "contrast-light": ("⬜", "🟦", "🟧"),
        "letters": ("B", "Y", "G"),
        "slack": (":black_large_square:", ":large_yellow_square:", ":large_green_square:"),
        "slack-light": (":white_large_square:", ":large_yellow_square:", ":large_green_square:"),
        "slack-contrast": (":black_large_square:", ":large_blue_square:", ":large_orange_square:"),
    }
)
"""(grey, yellow, green) by name"""

_SQUARES: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys("⬛⬜◼◻◾◽▪▫🔲🔳🖤🤍", GREY),
        **dict.fromkeys("🟨🟦💛💙", YELLOW),
        **dict.fromkeys("🟩🟧💚🧡", GREEN),
    }
)
_LETTERS: Mapping[str, int] = MappingProxyType(
    {**dict.fromkeys("bwx-_.0", GREY), **dict.fromkeys("y1", YELLOW), **dict.fromkeys("g2", GREEN)}
)
_NAMES = {"green": GREEN, "orange": GREEN, "yellow": YELLOW, "blue": YELLOW}
_SLACK = re.compile(r":((?:[a-z]+[_-])*(?:square|heart)(?:[_-][a-z]+)*(?:_button)?):")
_INVISIBLE = re.compile("[\ufe0e\ufe0f\u200b-\u200d\u2060\ufeff]")
_COUNT = re.compile(r"^(?P<title>.*?)\s*\b(?P<used>[1-9]\d?|[xX])/(?P<cap>\d{1,2})(?P<hard>\*?)")


@dataclass(frozen=True)
class Grid:
    """The colours of a game without its words."""

    rows: tuple[tuple[int, ...], ...]
    """the colours of each row: 0 grey, 1 yellow, 2 green"""
    hard: bool = False
    """whether it is marked with `*`"""
    title: str = ""
    """text before the count: `Wordle 1,234`"""
    cap: int | None = None
    """the 6 of 4/6"""

    @property
    def won(self) -> bool:
        """Whether the last row is all green."""
        return all(colour == GREEN for colour in self.rows[-1])


def parse(text: str, length: int = 5) -> Grid:
    """Parse a grid for words of this length; errors name the row that is wrong.

    >>> parse("Wordle 1,234 2/6*\\n\\n⬛🟨⬛⬛🟩\\n🟩🟩🟩🟩🟩").rows
    ((0, 1, 0, 0, 2), (2, 2, 2, 2, 2))
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the text has {len(text):,} characters; a share grid is a few rows of squares "
            f"(at most {MAX_CHARACTERS:,} characters)"
        )
    rows: list[tuple[int, ...]] = []
    title, cap, used, hard = "", None, None, False
    for line in _INVISIBLE.sub("", text).splitlines():
        found = _COUNT.search(line.strip())
        if found and not rows:
            title, hard = found["title"].strip(), found["hard"] == "*"
            used, cap = found["used"].upper(), int(found["cap"])
            line = line.strip()[found.end() :]
        rows += _rows(line, length, len(rows) + 1)
    grid = Grid(tuple(rows), hard, title, cap)
    _check(grid, used, text)
    return grid


def count_squares(line: str) -> int:
    """The number of squares of any palette in a line of text; letters do not count."""
    return sum(char in _SQUARES for char in _SLACK.sub(_square, line))


def _rows(line: str, length: int, number: int) -> list[tuple[int, ...]]:
    """The rows in a line of text: usually none or one, several if they were pasted together."""
    bare = _SLACK.sub(_square, line).strip()
    parts = [_colours(part, length) for part in bare.split()]
    squares = [colour for part in parts if part is not None for colour in part]
    if not squares:
        return []
    if len(squares) == length:
        return [tuple(squares)]
    if all(part is None or len(part) == length for part in parts):
        return [part for part in parts if part is not None]
    raise InputError(
        f"row {number} {_short(line)!r} has {len(squares)} squares; words have {length} "
        "letters: give one square for each"
    )


def _colours(part: str, length: int) -> tuple[int, ...] | None:
    """The colours of squares, or of exactly `length` letters; None if there are none."""
    squares = tuple(_SQUARES[char] for char in part if char in _SQUARES)
    if squares:
        return squares
    letters = part.lower()
    if len(letters) == length and all(char in _LETTERS for char in letters):
        return tuple(_LETTERS[char] for char in letters)
    return None


def _square(found: re.Match[str]) -> str:
    """The square that a Slack name stands for."""
    colours = [_NAMES[part] for part in re.split("[_-]", found[1]) if part in _NAMES]
    return PALETTES["dark"][colours[0] if colours else GREY]


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _check(grid: Grid, used: str | None, text: str) -> None:
    if not grid.rows:
        raise InputError(
            f"{_short(text.strip())!r} holds no row of squares; paste the grid that the game "
            "shares, as ⬛🟨⬛⬛🟩"
        )
    count = len(grid.rows)
    if count > MAX_ROWS:
        raise InputError(f"the grid has {count} rows; a game has at most {MAX_ROWS}")
    for number, row in enumerate(grid.rows[:-1], 1):
        if all(colour == GREEN for colour in row):
            raise InputError(
                f"row {number} of the grid is all green, yet {count - number} more follow; "
                "paste one game at a time"
            )
    if used is not None:
        stated = grid.cap if used == "X" else int(used)
        if stated != count or (used == "X") == grid.won:
            raise InputError(
                f"the grid says {used}/{grid.cap} but has {count} rows, the last "
                f"{'all' if grid.won else 'not all'} green; paste it whole"
            )


def check_palette(name: str) -> None:
    """Raise an error for an unknown palette."""
    if name not in PALETTES:
        raise UnknownNameError("palette", name, PALETTES)


def format_grid(grid: Grid, palette: str = "dark") -> str:
    """Write a grid in one of the PALETTES; `parse` reads it back."""
    check_palette(palette)
    signs = PALETTES[palette]
    lines = ["".join(signs[colour] for colour in row) for row in grid.rows]
    if grid.cap is None:
        return "\n".join(lines)
    used = str(len(grid.rows)) if grid.won else "X"
    head = f"{grid.title} {used}/{grid.cap}{'*' if grid.hard else ''}".strip()
    return "\n".join([head, "", *lines])

"""Patterns as text: tiles (a colour for each letter) and pegs (two counts)."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

from salet.errors import InputError

GREY, YELLOW, GREEN = 0, 1, 2
LETTERS = "BYG"

_COLOUR_OF = {
    **dict.fromkeys("bwx-_.0⬛⬜🔲🖤", GREY),
    **dict.fromkeys("y1🟨🟦", YELLOW),
    **dict.fromkeys("g2🟩🟧", GREEN),
}
_SELECTORS = re.compile("[\ufe0e\ufe0f\\s]")


@dataclass(frozen=True)
class Notation:
    """How the pattern codes of a rule are counted, parsed and written."""

    name: str
    patterns: Callable[[int], int]
    """number of codes for words of a length; the last one is the win"""
    parse: Callable[[str, int], int]
    """code of a text, given the length of words"""
    format: Callable[[int, int], str]
    """text of a code, given the length of words"""


def tiles(code: int, length: int) -> tuple[int, ...]:
    """The colours of a tile pattern, left to right: 0 grey, 1 yellow, 2 green."""
    colours = []
    for _ in range(length):
        code, colour = divmod(code, 3)
        colours.append(colour)
    return tuple(colours)


def tile_code(colours: tuple[int, ...]) -> int:
    """The code of tile colours: the sum of colour_i * 3**i."""
    return sum(colour * 3**index for index, colour in enumerate(colours))


def _parse_tiles(text: str, length: int) -> int:
    bare = _SELECTORS.sub("", text).lower()
    unknown = [char for char in bare if char not in _COLOUR_OF]
    example = ("bygbb" * 4)[:length]
    if unknown:
        raise InputError(
            f"feedback {text!r}: {unknown[0]!r} is not a tile; write b, y or g "
            f"(or 0 1 2, or ⬛🟨🟩) for each letter, as in {example!r}"
        )
    if len(bare) != length:
        raise InputError(
            f"feedback {text!r} has {len(bare)} tile{'' if len(bare) == 1 else 's'}; "
            f"write one for each of the {length} letters, as in {example!r}"
        )
    return tile_code(tuple(_COLOUR_OF[char] for char in bare))


@functools.lru_cache(maxsize=1 << 16)
def _format_tiles(code: int, length: int) -> str:
    return "".join(LETTERS[colour] for colour in tiles(code, length))


@functools.cache
def _peg_pairs(length: int) -> tuple[tuple[int, int], ...]:
    return tuple((b, w) for b in range(length + 1) for w in range(length + 1 - b))


def _parse_pegs(text: str, length: int) -> int:
    numbers = re.findall(r"\d+", text)
    shape = re.fullmatch(r"\s*\d+\s*[b, ;:/+]\s*\d+\s*w?\s*|\s*\d\d\s*", text.lower())
    if shape and len(numbers) == 1:
        numbers = list(numbers[0])  # "22"
    if not shape or len(numbers) != 2:
        raise InputError(
            f"feedback {text!r}: write black and white pegs as '1,2' (1 black, 2 white)"
        )
    black, white = map(int, numbers)
    if black + white > length:
        raise InputError(
            f"feedback {text!r}: {black} black and {white} white are more than {length} pegs"
        )
    return _peg_pairs(length).index((black, white))


def _format_pegs(code: int, length: int) -> str:
    return "{},{}".format(*_peg_pairs(length)[code])


TILES = Notation("tiles", lambda length: 3**length, _parse_tiles, _format_tiles)
PEGS = Notation("pegs", lambda length: len(_peg_pairs(length)), _parse_pegs, _format_pegs)

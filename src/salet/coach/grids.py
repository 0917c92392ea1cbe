"""Share grids: the coloured squares that people post, in every palette they come in."""

from __future__ import annotations
from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """A game without its words."""

    rows: tuple[tuple[int, ...], ...]
    """colours of each row: 0 grey, 1 yellow, 2 green"""
    hard: bool = False
    """was it marked with `*`?"""
    title: str = ""
    """the text before the count: `Wordle 1,234`"""
    cap: int | None = None
    """the 6 of 4/6"""

    @property
    def won(self) -> bool:
        """Is the last row green?"""
        raise NotImplementedError


def parse(text: str, length: int = 5) -> Grid:
    """Read a grid; an InputError says which row is wrong and what would be right."""
    raise NotImplementedError


def format_grid(grid: Grid, palette: str = "dark") -> str:
    """Write a grid in a palette of PALETTES."""
    raise NotImplementedError

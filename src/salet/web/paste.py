"""What people paste: words, a share grid, or both mixed, read into words and a grid."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from salet.coach.grids import Grid, parse
from salet.game.game import Game
from salet.game.lexicon import key
from salet.game.notation import TILES

_UNSEEN = re.compile("[\ufe0e\ufe0f\u200b\u2060\ufeff]")
_HEAD = re.compile(r"\b(?:[1-9]\d?|[xX])/\d{1,2}\*?|^salet \S+ (?:\d+|X)\*?$")
"""`Wordle 1,234 4/6*`, or salet's own first line of a game without a cap"""
_NAME = re.compile(r":[a-z]+(?:[_-][a-z]+)*:")
"""Slack's name of a square"""
_COLOURS = re.compile(r"[byg]+|[012]+")


@dataclass(frozen=True)
class Paste:
    """A game as it was pasted."""

    words: list[str]
    grid: Grid | None


def read_paste(text: str, game: Game) -> Paste:
    """Tell words from colours. A token that is a word of the game is a word, `bybbg` that is none
    are colours; what stands in a headline is neither."""
    words: list[str] = []
    colours: list[str] = []
    for line in _UNSEEN.sub("", text).splitlines():
        if _HEAD.search(line.strip()):
            colours.append(line)
            continue
        squares = ""
        for token in re.split(r"[\s,;>]+", _NAME.sub(r" \g<0> ", line)):
            bare = token.strip(".!?\"'“”()[]")
            if _is_word(bare, game):
                words.append(bare)
            elif _are_colours(token, bare, game):
                squares += bare
        if squares:
            colours.append(squares)
    has_grid = any(not _HEAD.search(line.strip()) for line in colours)
    grid = parse("\n".join(colours), game.length) if has_grid else None
    return Paste(words, grid)


def _is_word(bare: str, game: Game) -> bool:
    if key(bare) in game.lexicon.places:
        return True
    if not any(char.isalpha() for char in bare) and len(bare) != game.length:
        return False  # squares, or the number of a row
    return bare.isalnum() and not _are_letters(bare, game)


def _are_colours(token: str, bare: str, game: Game) -> bool:
    is_drawn = any(unicodedata.category(char) == "So" for char in bare)
    return is_drawn or _NAME.fullmatch(token) is not None or _are_letters(bare, game)


def _are_letters(bare: str, game: Game) -> bool:
    """Is it `bybbg` or 01002?"""
    has_tiles = game.rule.notation is TILES and len(bare) == game.length
    return has_tiles and _COLOURS.fullmatch(bare.lower()) is not None

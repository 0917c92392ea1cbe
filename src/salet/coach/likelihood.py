"""Order words by how likely they are to be the answer, and read lists of past answers."""

from __future__ import annotations

import re

import msgspec
import numpy as np

from salet.array_types import Indices, Ints
from salet.errors import InputError
from salet.game.game import Game
from salet.game.lexicon import graphemes, key

_SEPARATORS = re.compile(r"[\s,;:|()\[\]\"]+")


def likely_first(indices: Indices, weights: Ints) -> list[int]:
    """The indices of words sorted by weight, heaviest first; ties in the game's order."""
    order = np.lexsort((indices, -weights[indices]))
    return [int(index) for index in indices[order]]


class PastAnswers(msgspec.Struct, frozen=True):
    """Answers that were used before."""

    words: list[str]
    unknown: list[str]
    """words of the right length that the game does not have"""


def read_past(text: str, game: Game, source: str = "the list") -> PastAnswers:
    """The past answers in a text: words in any order, with dates and numbers between them."""
    words: dict[str, str] = {}
    unknown: dict[str, None] = {}
    for field in _SEPARATORS.split(text):
        spelled = key(field.strip(".#'"))
        if spelled in game.lexicon.indices:
            words[spelled] = game.guesses[game.lexicon.indices[spelled]]
        elif spelled.isalpha() and len(graphemes(spelled)) == game.length:
            unknown[spelled] = None
    if not words:
        raise InputError(
            f"{source} holds no word of {game.name}; give past answers, as 'crane slate'"
        )
    return PastAnswers(list(words.values()), list(unknown))

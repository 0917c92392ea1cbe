"""How likely words are to be the answer (`salet.game.weights`): their order, and past answers as
people paste them."""

from __future__ import annotations

import re

import msgspec
import numpy as np

from salet.array_types import Indices, Ints
from salet.errors import InputError
from salet.game.game import Game
from salet.game.lexicon import graphemes, key

_SEPARATORS = re.compile(r"[\s,;:|()\[\]\"]+")


def likely_first(places: Indices, weights: Ints) -> list[int]:
    """Words in the order of likelihood; the game's order decides between equals."""
    order = np.lexsort((places, -weights[places]))
    return [int(place) for place in places[order]]


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
        if spelled in game.lexicon.places:
            words[spelled] = game.guesses[game.lexicon.places[spelled]]
        elif spelled.isalpha() and len(graphemes(spelled)) == game.length:
            unknown[spelled] = None
    if not words:
        raise InputError(
            f"{source} holds no word of {game.name}; give past answers, as 'crane slate'"
        )
    return PastAnswers(list(words.values()), list(unknown))

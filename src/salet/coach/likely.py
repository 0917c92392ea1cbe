"""How likely words are to be the answer: by how often they are written, past answers and plurals
less. This orders words; it enters values only where that is asked for.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from salet.array_types import Indices, Ints
from salet.game.game import Game
from salet.game.lexicon import key
from salet.game.packs import store
from salet.game.weights import UNIT

PAST = 0.1
"""a past answer weighs a tenth: answers have been used again, but seldom"""
PLURAL = 0.2
"""a plural in -s weighs a fifth: the lists hold few, and few of them were chosen"""


def likelihood(game: Game, past: Collection[str] = ()) -> Ints:
    """A weight from 1 for every guess of the game; equal ones where no frequencies are known."""
    pack = game.name.partition(":")[0].partition("+")[0]
    counts = store.frequencies(pack) if pack in store.shipped_names() else {}
    keys = [key(word) for word in game.guesses]
    total = sum(counts.get(word, 0) for word in keys[: game.answer_count]) or 1
    used = {key(word) for word in past}
    weights = np.ones(len(keys), np.int64)
    for place, word in enumerate(keys):
        share = counts.get(word, 0) / total if counts else 1 / len(keys)
        if word in used:
            share *= PAST
        if counts and _is_plural(word):
            share *= PLURAL
        weights[place] = max(1, round(UNIT * share))
    return weights


def _is_plural(word: str) -> bool:
    """Looks like an English plural: ends in s, but not as `glass`, `focus`, `basis` and `chaos`."""
    return word.endswith("s") and word[-2:-1] not in ("s", "u", "i", "o")


def likely_first(places: Indices, weights: Ints) -> list[int]:
    """Words in the order of likelihood; the game's order decides between equals."""
    order = np.lexsort((places, -weights[places]))
    return [int(place) for place in places[order]]

"""Words in the order of how likely they are to be the answer (`salet.game.weights`)."""

from __future__ import annotations

import numpy as np

from salet.array_types import Indices, Ints


def likely_first(places: Indices, weights: Ints) -> list[int]:
    """Words in the order of likelihood; the game's order decides between equals."""
    order = np.lexsort((places, -weights[places]))
    return [int(place) for place in places[order]]

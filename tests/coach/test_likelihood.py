"""Words in the order of their likelihood."""

from __future__ import annotations

import numpy as np

from salet import Game
from salet.coach.likelihood import likely_first
from salet.game.weights import prior_weights


def test_equally_likely_words_keep_their_order() -> None:
    game, indices = Game(["apple", "angle", "ankle"]), np.array([0, 1, 2], np.int32)
    assert likely_first(indices, prior_weights(game)) == [0, 1, 2]
    assert likely_first(indices, prior_weights(game, ["apple"])) == [1, 2, 0]

"""Words in the order of their likelihood; past answers as people paste them."""

from __future__ import annotations

import numpy as np
import pytest

from salet import Game
from salet.coach.likelihood import likely_first, read_past
from salet.errors import InputError
from salet.game.weights import prior_weights


def test_equally_likely_words_keep_their_order() -> None:
    game, indices = Game(["apple", "angle", "ankle"]), np.array([0, 1, 2], np.int32)
    assert likely_first(indices, prior_weights(game)) == [0, 1, 2]
    assert likely_first(indices, prior_weights(game, ["apple"])) == [1, 2, 0]


@pytest.mark.parametrize(
    "text",
    ["crane slate", "crane,slate", "CRANE\nSlate\ncrane", "2024-03-05 CRANE #990\n#991: slate.",
     '["crane", "slate"]', "1. crane\n2. slate"],
)  # fmt: skip
def test_past_answers_in_every_shape(text: str) -> None:
    found = read_past(text, Game.named("original"))
    assert (found.words, found.unknown) == (["crane", "slate"], [])


def test_unknown_past_answers_are_reported() -> None:
    found = read_past("crane qqqqq zzzzz six", Game.named("original"))
    assert (found.words, found.unknown) == (["crane"], ["qqqqq", "zzzzz"])
    with pytest.raises(InputError, match=r"'past\.txt' holds no word of original"):
        read_past("1 2 3", Game.named("original"), "'past.txt'")

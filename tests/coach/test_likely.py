"""Likely words first; past answers and plurals later, never gone."""

from __future__ import annotations

import numpy as np

from salet import Game
from salet.coach.likely import PAST, PLURAL, likelihood, likely_first


def test_common_words_weigh_more() -> None:
    game = Game.named("original")
    weights = likelihood(game)
    assert len(weights) == len(game.guesses) and weights.min() >= 1
    assert weights[game.index("there")] > weights[game.index("eerie")]


def test_past_answers_and_plurals_weigh_less() -> None:
    game = Game.named("nyt")
    plain, used = likelihood(game), likelihood(game, ["THERE", "notaword"])
    there = game.index("there")
    assert abs(used[there] - PAST * plain[there]) <= 1
    others = np.arange(len(plain)) != there
    assert (used[others] == plain[others]).all()
    from salet.game.packs import store

    counts = store.frequencies("nyt-2023-07")
    words, focus = game.index("words"), game.index("focus")
    ratio = plain[words] / plain[focus]
    assert abs(ratio - PLURAL * counts["words"] / counts["focus"]) < 0.01 * ratio + 0.01


def test_games_without_counts_keep_their_order() -> None:
    game = Game(["apple", "angle", "ankle"])
    weights = likelihood(game)
    assert len(set(weights.tolist())) == 1
    assert likely_first(np.array([0, 1, 2], np.int32), weights) == [0, 1, 2]
    assert likely_first(np.array([0, 1, 2], np.int32), likelihood(game, ["apple"])) == [1, 2, 0]

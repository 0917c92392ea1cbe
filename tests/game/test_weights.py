"""Weights of answers: by likelihood and from files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from salet import Coach, Game
from salet.errors import InputError
from salet.game.packs import store
from salet.game.weights import PAST, PLURAL, prior_weights, weighted


def test_the_prior_is_the_share_of_all_occurrences_in_millionths() -> None:
    game = Game.named("original")
    weights = prior_weights(game)
    counts = store.frequencies("original")
    total = sum(counts.get(word, 0) for word in game.answers)
    for index in (0, 100, 2314, 5000):
        factor = PLURAL if game.guesses[index].endswith("s") else 1
        share = factor * counts.get(game.guesses[index], 0) / total
        assert weights[index] == max(1, round(10**6 * share))
    assert len(weights) == len(game.guesses)
    assert weights.min() == 1
    assert weights[game.index("there")] > weights[game.index("eerie")]


def test_past_answers_weigh_less() -> None:
    game = Game.named("nyt")
    unused, used = prior_weights(game), prior_weights(game, ["THERE", "notaword"])
    there = game.index("there")
    assert abs(used[there] - PAST * unused[there]) <= 1
    others = np.arange(len(unused)) != there
    assert (used[others] == unused[others]).all()


def test_plurals_weigh_less() -> None:
    game = Game.named("nyt")
    weights, counts = prior_weights(game), store.frequencies("nyt-2023-07")
    ratio = weights[game.index("words")] / weights[game.index("focus")]
    assert abs(ratio - PLURAL * counts["words"] / counts["focus"]) < 0.01 * ratio + 0.01


def test_without_counts_only_past_answers_differ() -> None:
    game = Game(["apple", "angle", "glass"])
    assert len(set(prior_weights(game).tolist())) == 1
    apple, angle, glass = prior_weights(game, ["apple"]).tolist()
    assert angle == glass > apple


def test_solving_and_coaching_mean_the_same_prior() -> None:
    game = Game.named("nyt:first=50")
    assert weighted(game, "prior").weights.tolist() == prior_weights(game)[:50].tolist()
    coach = Coach(game, weights="prior")
    assert coach.game.weights.tolist() == prior_weights(game)[:50].tolist()


def test_the_prior_of_a_part_is_relative_to_that_part() -> None:
    game = weighted(Game.named("original:first=10"), "prior")
    assert abs(int(game.weights.sum()) - 10**6) < 20


def test_a_game_without_counts_is_refused(tiny_game) -> None:
    with pytest.raises(InputError, match="no word frequencies for 'tiny'"):
        weighted(tiny_game(), "prior")


def test_a_file(tiny_game, tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_text("CRANE 5\n\ncatch,7\n")
    game = weighted(tiny_game(), str(path))
    found = dict(zip(game.answers, game.weights.tolist(), strict=True))
    assert (found["crane"], found["catch"], found["error"]) == (5, 7, 1)


WRONG = {
    "crane 0": "from 1",
    "crane -3": "from 1",
    "crane 2.5": "whole number",
    "crane": "whole number",
    "hertz 3": "'hertz' is not one of the answers",
    "zzzzz 3": "'zzzzz' is not one of the answers",
    "crane 1\ncrane 2": "'crane' is already on line 1",
    "\n": "is empty",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_files(tiny_game, tmp_path: Path, text: str) -> None:
    path = tmp_path / "weights"
    path.write_text(text)
    with pytest.raises(InputError, match=WRONG[text]):
        weighted(tiny_game(), str(path))


def test_unreadable_files(tiny_game, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for name in ("missing", "binary", "."):
        with pytest.raises(InputError, match="cannot read weights"):
            weighted(tiny_game(), str(tmp_path / name))

"""Weights of answers: from frequencies and from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from salet import Game
from salet.errors import InputError
from salet.game.packs import store
from salet.game.weights import weighted


def test_prior_is_max_of_one_and_a_millionth() -> None:
    game = weighted(Game.named("original"), "prior")
    counts = store.frequencies("original")
    total = sum(counts.get(word, 0) for word in game.answers)
    for place in (0, 100, 2314):
        share = counts.get(game.answers[place], 0) / total
        assert game.weights[place] == max(1, round(10**6 * share))
    about = dict(zip(game.answers, game.weights, strict=True))["about"]
    assert about == game.weights.max() or about > 1000


def test_prior_of_a_part_is_of_that_part() -> None:
    game = weighted(Game.named("original:first=10"), "prior")
    assert abs(int(game.weights.sum()) - 10**6) < 20


def test_a_game_without_counts_says_so(tiny_game) -> None:
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
    "crane 1\ncrane 2": "stands on line 1 too",
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

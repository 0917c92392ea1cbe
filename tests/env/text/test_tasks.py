"""Task sets: splits by answers that never overlap, across games as well."""

from __future__ import annotations

import re

import pytest

from salet.env.text.tasks import (
    SPLITS,
    TASK_SETS,
    open_game,
    split_answers,
    split_digest,
    split_of,
    task_rows,
)
from salet.errors import InputError


def game_of(name: str):
    chosen = TASK_SETS[name]
    return open_game(chosen.game, chosen.mode, chosen.cap)


@pytest.mark.parametrize("name", TASK_SETS)
def test_splits_cover_the_answers_and_never_overlap(name: str) -> None:
    game = game_of(name)
    parts = [split_answers(game, split) for split in SPLITS]
    everything = list(range(game.answer_count))
    assert sorted(index for part in parts for index in part) == everything
    assert split_answers(game, "all") == everything
    shares = [len(part) / game.answer_count for part in parts]
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.03)


def test_a_word_is_in_the_same_split_of_every_game() -> None:
    splits = {name: {split: set() for split in SPLITS} for name in ("nyt", "original")}
    for name, found in splits.items():
        for split in SPLITS:
            found[split] = {row["answer"] for row in task_rows(name, split)}
    assert not splits["nyt"]["train"] & splits["original"]["test"]
    assert not splits["original"]["train"] & splits["nyt"]["test"]
    assert splits["nyt"]["test"] & splits["original"]["test"]
    assert split_of("ÉCOLE") == split_of("e\u0301cole")


def test_digests_are_those_of_the_docs(top) -> None:
    page = (top / "docs" / "text.md").read_text()
    rows = dict(re.findall(r"^\| `([\w-]+)` \|.*?\| ((?:`[0-9a-f]{12}` ?){3})\|$", page, re.M))
    assert set(rows) == set(TASK_SETS)
    for name, digests in rows.items():
        found = [split_digest(game_of(name), split)[:12] for split in SPLITS]
        assert re.findall("[0-9a-f]{12}", digests) == found, name


def test_rows_are_what_reset_takes() -> None:
    rows = list(task_rows("original-hard", "validation", reward="win"))
    assert rows[0]["reward"] == "win"
    assert {row["tasks"] for row in rows} == {"original-hard"}
    with pytest.raises(InputError, match="unknown split 'dev'"):
        next(task_rows("original", "dev"))
    with pytest.raises(InputError, match="unknown task set 'orignal'"):
        next(task_rows("orignal"))

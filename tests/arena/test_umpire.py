"""What is played, and how guesses are judged."""

from __future__ import annotations

from pathlib import Path

import pytest

import naive
from programs import WORDS
from salet import Game, SaletError
from salet.arena.umpire import Umpire, make_contest

GAME = Game(WORDS[:4], WORDS, name="small", cap=6)


def test_contests(tmp_path: Path) -> None:
    assert make_contest(GAME).words == WORDS[:4]
    path = tmp_path / "secrets.txt"
    path.write_text("panel\nAPPLE\n")
    assert make_contest(GAME, path).words == ["panel", "apple"]


def test_samples_are_reproducible_and_in_order() -> None:
    first, again, other = (make_contest(GAME, sample=3, seed=seed) for seed in (1, 1, 2))
    assert first.secrets == again.secrets
    assert len(other.secrets) == 3
    assert list(first.secrets) == sorted(set(first.secrets))
    for size in (0, 5):
        with pytest.raises(SaletError, match="from 1 to 4"):
            make_contest(GAME, sample=size)


def test_every_guess_can_be_a_secret() -> None:
    umpire = Umpire(GAME)
    for secret, word in enumerate(WORDS):
        patterns = [umpire.format(int(code)) for code in umpire.column(secret)]
        assert patterns == [naive.shown("standard", naive.standard(guess, word)) for guess in WORDS]


def test_words_are_found_in_any_case() -> None:
    umpire = Umpire(GAME)
    assert (umpire.find("PANEL"), umpire.find("zebra")) == (7, None)


def test_objections_follow_the_mode() -> None:
    hard = Umpire(GAME.replace(mode="hard"))
    guess, secret = WORDS.index("label"), WORDS.index("bleak")
    history = [(guess, int(hard.column(secret)[guess]))]
    for _ in range(2):  # the second time from the cache
        assert "hard mode" in (hard.objection(history, WORDS.index("apple")) or "")
    assert hard.objection(history, secret) is None
    assert Umpire(GAME).objection(history, WORDS.index("apple")) is None


def test_games_end_with_a_win_the_cap_or_a_repeated_guess() -> None:
    capped, uncapped = Umpire(GAME.replace(cap=2)), Umpire(GAME.replace(cap=None))
    assert capped.is_over([3], 3)
    assert not capped.is_over([1], 3)
    assert capped.is_over([1, 1], 3)
    assert not uncapped.is_over([1, 2], 3)
    assert uncapped.is_over([1, 2, 1], 3)


def test_only_the_words_of_a_split(tmp_path) -> None:
    game = Game.named("original")
    words = {split: set(make_contest(game, split=split).words) for split in ("train", "test")}
    assert 200 < len(words["test"]) < 260 and not words["train"] & words["test"]
    assert set(make_contest(game, split="test", sample=20).words) <= words["test"]
    path = tmp_path / "words.txt"
    path.write_text("\n".join(game.answers[:50]))
    some = set(make_contest(game, path, split="test").words)
    assert some == set(game.answers[:50]) & words["test"]
    with pytest.raises(SaletError, match="unknown split 'dev'"):
        make_contest(game, split="dev")
    path.write_text(next(iter(words["train"])))
    with pytest.raises(SaletError, match="no word is in the split 'test'"):
        make_contest(game, path, split="test")

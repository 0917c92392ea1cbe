"""Progress of matches, one line for each player."""

from __future__ import annotations

from salet.arena.run import ArenaProgress
from salet.cli.render.arena import arena_progress


def test_a_match_under_way() -> None:
    now = ArenaProgress(0, "./me", 200, games=60, failures=3, total=240, seconds=9.0)
    assert arena_progress(now) == "player 1: mean 4.0000, 3 failed, 7 games/s"
    begun = ArenaProgress(1, "./you", 200)
    assert arena_progress(begun) == "player 2: mean –, 0 failed, 0 games/s"

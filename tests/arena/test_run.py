"""Several players on the same secrets."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from salet import SaletError
from salet.arena.run import ArenaProgress, run_arena

Program = Callable[[str], str]


def test_one_faulty_player_does_not_hurt_the_other(small, program: Program, listed: str) -> None:
    arena = run_arena(small, [program("sys.exit(3)"), listed], jobs=2)
    bad, good = arena.result.players
    assert bad.failures == {"crash": 8}
    assert (good.games, good.failures) == (8, {})


def test_it_runs_in_any_thread(small, listed: str) -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(run_arena(small, [listed])))
    thread.start()
    thread.join()
    assert found[0].result.players[0].games == 8


def test_progress_is_reported_after_every_game(small, listed: str, program: Program) -> None:
    reports: list[ArenaProgress] = []
    players = [listed, program("sys.exit(3)")]
    run_arena(small, players, progress=lambda now: reports.append(replace(now)))
    first, second = ([r for r in reports if r.player == player] for player in (0, 1))
    assert [r.games for r in first] == list(range(1, 9))
    assert (first[-1].total, first[-1].mean) == (35, 35 / 8)
    assert [r.failures for r in second] == list(range(1, 9))
    assert (second[-1].command, second[-1].mean) == (players[1], None)


def test_missing_players_and_jobs_are_refused(small, listed: str) -> None:
    with pytest.raises(SaletError, match="no player"):
        run_arena(small, [])
    with pytest.raises(SaletError, match="0 jobs"):
        run_arena(small, [listed], jobs=0)

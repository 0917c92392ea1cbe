"""Programs are killed when the process that started them is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from salet import Game, SaletError
from salet.arena.connector import connect
from salet.arena.reaper import Reaper
from salet.arena.run import run_arena
from salet.arena.umpire import make_contest
from salet.bench.run import run_bench
from salet.bench.suites import GameSpec


def start_sleeper() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-S", "-c", "import time; time.sleep(3600)"]
    return subprocess.Popen(command, start_new_session=True)


def test_remaining_groups_are_killed_when_the_pipe_closes() -> None:
    watched, forgotten = start_sleeper(), start_sleeper()
    with Reaper() as reaper:
        for process in (watched, forgotten):
            reaper.watch(process.pid)
        reaper.forget(forgotten.pid)
        assert reaper._process is not None and reaper._process.stdin is not None
        reaper._process.stdin.close()  # as the system does when we are killed
        reaper._process.wait()
        assert watched.wait() == -9
        assert forgotten.poll() is None
    forgotten.kill()
    forgotten.wait()


def test_a_reaper_that_is_gone_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    with Reaper() as reaper:
        assert reaper._process is not None
        reaper._process.kill()
        reaper._process.wait()
        reaper.watch(1 << 22)
        reaper.forget(1 << 22)
        assert reaper._process.returncode == -9

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("no process left")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with Reaper() as reaper:
        reaper.watch(1 << 22)
        assert reaper._process is None


def test_systems_without_process_groups_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "killpg")
    contest = make_contest(Game(["apple", "angle"]))
    for start in (
        lambda: run_arena(contest, ["./player"]),
        lambda: connect(["./game"], ["./player"], 2),
        lambda: run_bench(GameSpec()),
    ):
        with pytest.raises(SaletError, match=r"needs process groups.* use Linux, macOS or WSL"):
            start()

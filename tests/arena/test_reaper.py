"""What happens to programs whose starter was killed."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from salet.arena.reaper import Guard


def started() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-S", "-c", "import time; time.sleep(3600)"]
    return subprocess.Popen(command, start_new_session=True)


def test_groups_that_are_left_are_ended() -> None:
    watched, forgotten = started(), started()
    with Guard() as guard:
        for process in (watched, forgotten):
            guard.watch(process.pid)
        guard.forget(forgotten.pid)
        assert guard._process is not None and guard._process.stdin is not None
        guard._process.stdin.close()  # as the system does when we are killed
        guard._process.wait()
        assert watched.wait() == -9
        assert forgotten.poll() is None
    forgotten.kill()
    forgotten.wait()


def test_a_guard_that_is_gone_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    with Guard() as guard:
        assert guard._process is not None
        guard._process.kill()
        guard._process.wait()
        guard.watch(1 << 22)
        guard.forget(1 << 22)

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("no process left")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with Guard() as guard:
        guard.watch(1 << 22)

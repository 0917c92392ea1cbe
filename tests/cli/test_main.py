"""Exit codes: whatever goes wrong is one line on stderr."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


def test_ctrl_c_leaves_one_line_and_no_partial_file(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\ndef slow(state):\n    print('ready', flush=True)\n    time.sleep(600)\n"
    )
    arguments = ("simulate", "--strategy", "slow.py:slow", "--transcripts", "games.txt")
    with subprocess.Popen(
        [sys.executable, "-m", "salet", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == "salet: stopped"
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".txt") == []


def test_an_unwritable_cache_does_no_harm(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    done = subprocess.run(
        [sys.executable, "-m", "salet", "simulate", "--game", "mastermind:2x3", "--json"],
        env={**os.environ, "SALET_CACHE_DIR": f"{blocked}/cache"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["total"] == 21


def test_too_little_memory_is_one_line(salet, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhaust(*_: object, **__: object) -> None:
        raise MemoryError("cannot allocate")

    monkeypatch.setattr("salet.strategies.simulate.simulate", exhaust)
    salet("simulate", "--game", "mastermind:2x3").assert_refused("not enough memory")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_closed_pipe_ends_the_command_silently(options: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "salet", "games", *options]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m salet games --json | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "{", "")

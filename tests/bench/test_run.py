"""A whole benchmark: measured, stored, resumed and compared."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from programs import WORDS, read_pids
from salet import SaletError
from salet.bench.history import BenchHistory
from salet.bench.run import compare_entries


def test_results_are_ranked_compared_and_written(fake_bench) -> None:
    result = fake_bench.run()
    names = [entry.name for entry in result.entries]
    assert names[:3] == ["parts", "entropy", "minimax"]
    assert all(entry.error for entry in result.entries[3:])
    comparisons = {c.second: c.comparison for c in result.comparisons}
    assert set(comparisons) == {"entropy", "minimax"}
    assert comparisons["minimax"].difference == pytest.approx(-0.5)
    stored = json.loads((fake_bench.directory / "bench.json").read_text())
    assert stored == json.loads(json.dumps(result.to_dict()))
    assert "charges" not in stored["entries"][0]
    assert (stored["game"], stored["cap"], stored["answers"]) == ("original:first=12", 6, 12)
    for key in ("version", "commit", "machine", "date", "guesses", "mode"):
        assert key in stored


def test_two_entries_can_be_compared(fake_bench) -> None:
    entries = fake_bench.run().entries
    comparison = compare_entries(entries, [*WORDS, *"abcd"], "parts", "minimax")
    assert comparison is not None and comparison.comparison.answers == 12
    assert compare_entries(entries, [], "parts", "minimax") is None
    with pytest.raises(SaletError, match="did you mean 'parts'"):
        compare_entries(entries, [], "part", "minimax")


def test_an_interrupted_run_is_resumed(fake_bench) -> None:
    fake_bench.interrupt_at = 3
    with pytest.raises(KeyboardInterrupt):
        fake_bench.run()
    fake_bench.interrupt_at = None
    steps: list[str] = []
    result = fake_bench.run(lambda step, done, count: steps.append(f"{step} {done}/{count}"))
    assert len(fake_bench.measured) == len(result.entries)
    assert steps[0] == f"parts 0/{len(result.entries)}"
    fake_bench.measured.clear()
    fake_bench.run()  # the run before is complete: a new one begins
    assert len(fake_bench.measured) == len(result.entries)
    with BenchHistory(fake_bench.directory) as history:
        parts = [point for point in history.points() if point.name == "parts"]
        assert [point.measure.total for point in parts] == [24, 24]


def test_ctrl_c_kills_the_worker_and_its_players(tmp_path: Path) -> None:
    fifo = tmp_path / "ready"
    os.mkfifo(fifo)
    player = tmp_path / "player.py"
    player.write_text(
        "import os, time\n"
        f"with open({str(fifo)!r}, 'w') as ready: print(os.getpid(), file=ready)\n"
        "time.sleep(3600)\n"
    )
    suite = ["--game", "original:first=2", "--player", f"mine={sys.executable} {player}"]
    command = [sys.executable, "-m", "salet", "bench", *suite, "--out", "out", "--jobs", "1"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        (pid,) = read_pids(fifo, 1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert (process.returncode, err.strip()) == (130, "salet: stopped")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    database = sqlite3.connect(tmp_path / "out" / "history.sqlite")
    (count,) = database.execute("SELECT count(*) FROM measures").fetchone()
    database.close()
    assert count > 0

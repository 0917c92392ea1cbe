"""Entries measured in a process of their own."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from salet import Game, simulate
from salet.bench.suites import BenchEntry, GameSpec
from salet.bench.worker import BenchTask, measure_in_worker

SMALL = GameSpec(game="original:first=12")


def test_a_strategy() -> None:
    entry = BenchEntry(name="parts", kind="strategy", spec="parts")
    found = measure_in_worker(BenchTask(entry=entry, game=SMALL, jobs=1), 600)
    expected = simulate(Game.named(SMALL.game), "parts")
    assert found.error is None
    assert (found.total, found.mean, found.histogram) == (
        *(expected.total, expected.mean, expected.histogram),
    )
    assert sum(charge or 0 for charge in found.charges) == expected.total
    assert found.peak_mb and found.seconds is not None and found.prepare_seconds
    assert found.cpu_seconds


@pytest.mark.parametrize("protocol", ["go-stop", "jsonl"])
def test_a_program(protocol: str) -> None:
    command = ["salet", "serve-player", "--game", SMALL.game, "--protocol", protocol]
    entry = BenchEntry(name="served", kind="program", spec=shlex.join(command), protocol=protocol)
    found = measure_in_worker(BenchTask(entry=entry, game=SMALL, jobs=2), 600)
    assert (found.error, found.failures) == (None, {})
    assert found.total == simulate(Game.named(SMALL.game), "entropy").total


def test_a_program_that_fails_every_game() -> None:
    broken = BenchEntry(name="broken", kind="program", spec=f"{sys.executable} -c pass")
    found = measure_in_worker(BenchTask(entry=broken, game=SMALL, jobs=2), 600)
    assert found.failures == {"early close": 12}
    assert found.charges == [None] * 12
    assert found.mean is None


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("no-such-player", "unknown strategy 'no-such-player'"),
        ("{tmp}/wrong.py:crash", "ZeroDivisionError"),
        ("{tmp}/wrong.py:die", "it ended with signal SIGKILL"),
        ("{tmp}/wrong.py:hang", "not done after 3 s"),
        ("{tmp}/wrong.py:Learned", r"the learned player needs the extra 'learn'"),
    ],
)
def test_every_failure_is_the_error_of_the_entry(tmp_path: Path, spec: str, error: str) -> None:
    (tmp_path / "wrong.py").write_text(
        "import os, time\n"
        "def crash(state): return 1 // 0\n"
        "def die(state): os.kill(os.getpid(), 9)\n"
        "def hang(state): time.sleep(3600)\n"
        "from salet.errors import MissingExtraError\n"
        "from salet.strategies.base import Strategy\n"
        "class Learned(Strategy):\n"
        "    def __init__(self): raise MissingExtraError('the learned player', 'learn')\n"
        "    def choose(self, state): return 0\n"
    )
    entry = BenchEntry(name="wrong", kind="strategy", spec=spec.format(tmp=tmp_path))
    timeout = 3 if "hang" in spec else 600
    found = measure_in_worker(BenchTask(entry=entry, game=SMALL, jobs=1), timeout)
    assert found.mean is None
    assert re.search(error, found.error or "")

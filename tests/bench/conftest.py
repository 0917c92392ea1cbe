"""A benchmark without measuring."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from leaks import no_leaks  # noqa: F401
from salet.bench import run
from salet.bench.run import BenchResult, run_bench
from salet.bench.suites import GameSpec
from salet.bench.worker import BenchTask, Measure

SMALL = GameSpec(game="original:first=12")
TOTALS = {"entropy": 25, "parts": 24, "minimax": 30}


def fake_measure(task: BenchTask, timeout: float) -> Measure:
    """Return known figures for a few entries, a failure for the others."""
    entry = task.entry
    if entry.name not in TOTALS:
        return Measure(name=entry.name, kind=entry.kind, spec=entry.spec, error="no | figures")
    total = TOTALS[entry.name]
    charges: list[int | None] = [2 + total - 24, *[2] * 11]
    return Measure(name=entry.name, kind=entry.kind, spec=entry.spec, opener="aback", answers=12,
                   total=total, mean=total / 12, worst=3, losses=0, histogram={2: 12}, seconds=0.5,
                   prepare_seconds=timeout / 100, cpu_seconds=20.0, peak_mb=99,
                   charges=charges)  # fmt: skip


class FakeBench:
    """Runs the benchmark with fake measures."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.measured: list[str] = []
        """Names of the entries that were measured."""
        self.interrupt_at: int | None = None
        """Number of the measure that is interrupted by Ctrl-C."""

    def measure(self, task: BenchTask, timeout: float) -> Measure:
        if self.interrupt_at is not None and len(self.measured) + 1 == self.interrupt_at:
            raise KeyboardInterrupt
        self.measured.append(task.entry.name)
        return fake_measure(task, timeout)

    def run(self, progress: Callable[[str, int, int], None] | None = None) -> BenchResult:
        return run_bench(SMALL, directory=self.directory, progress=progress)


@pytest.fixture
def fake_bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeBench:
    bench = FakeBench(tmp_path / "out")
    monkeypatch.setattr(run, "measure_in_worker", bench.measure)
    return bench

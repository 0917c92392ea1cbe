"""What all benchmarks share: timing, and storing figures as JSON."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from salet.bench.machine import machine

RESULTS = Path(__file__).parent / "results"
SHARED = Path(__file__).resolve().parents[2] / "shared"


def commit() -> str:
    """Return the commit that is measured, with a + if src has uncommitted changes."""
    here = Path(__file__).parent

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=here, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--", "../src")
    return git("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def store(name: str, command: str, figures: dict[str, Any]) -> None:
    """Write benchmarks/results/NAME.json and print it."""
    record = {
        "command": command,
        "commit": commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": machine(),
        "figures": figures,
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    (RESULTS / f"{name}.json").write_text(text)
    print(text)


def best_of(times: int, work: Callable[[], object]) -> float:
    """Return the minimum seconds of several runs: what the work takes undisturbed."""
    return min(_seconds(work) for _ in range(times))


def median_of(times: int, work: Callable[[], object]) -> float:
    """Return the median seconds of several runs: what a user sees."""
    return statistics.median(_seconds(work) for _ in range(times))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run_python(*arguments: str, **environment: str) -> str:
    """Run Python in a fresh process; return what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout

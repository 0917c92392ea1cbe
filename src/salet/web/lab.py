"""Stored results for the page: `lab.json` beside this file, written by `benchmarks/publish.py`."""

from __future__ import annotations

import functools
from pathlib import Path

from pydantic import Field

from salet.web.shapes import Shape

STORED = Path(__file__).parent / "lab.json"


class Machine(Shape):
    """Where a figure was measured."""

    processor: str
    cores: int
    python: str
    system: str


class Entry(Shape):
    """One player of the benchmark."""

    name: str
    opener: str
    mean: float
    total: int
    worst: int
    losses: int
    histogram: dict[int, int]
    seconds: float
    prepare_seconds: float
    peak_mb: float


class Bench(Shape):
    """Every player on one list."""

    stated: str = Field(description="List, mode and cap of all figures.")
    answers: int
    date: str
    commit: str
    machine: Machine
    entries: list[Entry]


class Curve(Shape):
    """How the bounds of one search closed."""

    name: str
    answers: int
    best: str
    total: int
    points: list[tuple[float, int, int, int]] = Field(
        description="Seconds of all threads, lower bound, upper bound, openers decided."
    )


class Curves(Shape):
    """Searches that were watched."""

    command: str
    date: str
    commit: str
    machine: Machine
    curves: list[Curve]


class Lab(Shape):
    """What the Lab shows."""

    bench: Bench
    convergence: Curves


@functools.cache
def lab() -> Lab:
    """The stored results."""
    return Lab.model_validate_json(STORED.read_bytes())

"""Programs to play with, and the processes that they leave behind (none)."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from programs import HELPERS, LISTED, WORDS
from salet import Game
from salet.arena.umpire import Contest, contest_of


@pytest.fixture
def small() -> Contest:
    return contest_of(Game(WORDS, name="small", cap=6))


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Write a Python program (with the helpers above) and return its command."""
    count = 0

    def write(body: str) -> str:
        nonlocal count
        count += 1
        path = tmp_path / f"program{count}.py"
        path.write_text(HELPERS % WORDS + body)
        return shlex.join([sys.executable, "-S", "-E", str(path)])

    return write


@pytest.fixture
def listed(program: Callable[[str], str]) -> str:
    return program(LISTED)


def children() -> set[int]:
    """The processes that we are the parent of, zombies included."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.add(int(path.parent.name))
    return found


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """Every test here ends with the descriptors and processes that it began with."""
    if not Path("/proc/self/fd").exists():
        yield
        return
    descriptors, processes = _descriptors(), children()
    yield
    assert children() <= processes
    assert _descriptors() <= descriptors


def _descriptors() -> set[str]:
    found = set()
    for path in Path("/proc/self/fd").iterdir():
        try:
            kind = str(path.readlink()).partition(":")[0]
        except OSError:
            continue
        if kind in ("pipe", "socket") or "salet-arena-" in kind:
            found.add(f"{path.name} {kind}")
    return found

"""A fixture that checks that a test leaves no process, pipe or temporary directory behind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def no_leaks() -> Iterator[None]:
    """Fail a test that ends with more child processes or descriptors than it began with."""
    if not Path("/proc/self/fd").exists():
        yield
        return
    descriptors, processes = _descriptors(), _children()
    yield
    assert _children() <= processes
    assert _descriptors() <= descriptors


def _children() -> set[int]:
    """Return the child processes of this one, zombies included."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.add(int(path.parent.name))
    return found


def _descriptors() -> set[str]:
    """Return the open pipes, sockets and word lists of the arena."""
    found = set()
    for path in Path("/proc/self/fd").iterdir():
        try:
            kind = str(path.readlink()).partition(":")[0]
        except OSError:
            continue
        if kind in ("pipe", "socket") or "salet-arena-" in kind:
            found.add(f"{path.name} {kind}")
    return found

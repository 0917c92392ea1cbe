"""Memory figures, with and without the modules of POSIX."""

from __future__ import annotations

import mmap
from types import SimpleNamespace

import pytest

from salet import process_memory
from salet.process_memory import peak_memory_mb, resident_memory_mb


def test_memory_that_is_used_shows() -> None:
    before = resident_memory_mb()
    # Straight from the system: the allocator may hand out memory that this process holds already.
    with mmap.mmap(-1, 100 << 20) as block:
        for page in range(0, len(block), mmap.PAGESIZE):
            block[page] = 1
        assert resident_memory_mb() - before > 90
        assert peak_memory_mb() >= 100


def test_children_count_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = {"self": 300 * 1024, "children": 500 * 1024}
    fake = SimpleNamespace(
        RUSAGE_SELF="self",
        RUSAGE_CHILDREN="children",
        getrusage=lambda who: SimpleNamespace(ru_maxrss=peaks[who]),
    )
    monkeypatch.setattr(process_memory, "resource", fake)
    monkeypatch.setattr(process_memory, "_RUSAGE_UNIT", 1024)
    assert (peak_memory_mb(), peak_memory_mb(include_children=True)) == (300, 500)


def test_the_peak_stands_in_for_the_current_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_memory, "_STATM", process_memory._STATM / "missing")
    assert resident_memory_mb() == pytest.approx(peak_memory_mb(), rel=0.01)


def test_systems_that_do_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_memory, "resource", None)
    assert (resident_memory_mb(), peak_memory_mb(), peak_memory_mb(True)) == (0.0, 0.0, 0.0)

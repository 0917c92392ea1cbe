"""Arrays in the cache are read back as they were, and computed again if their file is damaged."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from pathlib import Path

import numpy as np
import pytest

import children
from salet.numeric import array_cache
from salet.numeric.array_cache import cached_arrays

pytestmark = pytest.mark.usefixtures("own_cache")

ARRAYS = {"ids": np.arange(400, dtype=np.uint8).reshape(20, 20), "codes": np.arange(7) * 1000}


def cached(name: str = "file"):
    """The arrays of that name, and whether they had to be computed."""
    computed = []

    def make():
        computed.append(name)
        return dict(ARRAYS)

    return cached_arrays("some", name, make), bool(computed)


def check(arrays) -> None:
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert np.array_equal(arrays[name], array)


@pytest.fixture
def path(own_cache) -> Path:
    """The file of arrays that have been stored."""
    _, computed = cached()
    assert computed
    return own_cache / "some" / "file"


def test_stored_arrays_are_mapped_and_not_computed_again(path):
    arrays, computed = cached()
    assert not computed
    check(arrays)
    assert not arrays["ids"].flags.writeable
    assert type(arrays["ids"]) is np.ndarray


def test_arrays_start_at_pages(path):
    raw = path.read_bytes()
    assert len(raw) == 3 * 4096
    assert raw[4096 : 4096 + 400] == ARRAYS["ids"].tobytes()
    assert raw[8192:].startswith(ARRAYS["codes"].tobytes())


def test_use_keeps_a_file_and_a_month_without_it_does_not(path, monkeypatch):
    old = time.time() - 40 * 86400
    unused = path.with_name("unused")
    unused.write_text("old")
    os.utime(unused, (old, old))
    os.utime(path, (old, old))
    assert not cached()[1]  # marks the file as used
    array_cache._remove_unused_once.cache_clear()
    cached("other")
    assert path.exists()
    assert not unused.exists()


def change_header(**changes):
    def change(raw):
        header = json.loads(raw[:4096]) | changes
        return json.dumps(header).encode().ljust(4095) + b"\n" + raw[4096:]

    return change


DAMAGE = {
    "empty": lambda _: b"",
    "one byte": lambda _: b"{",
    "half": lambda raw: raw[: len(raw) // 2],
    "header only": lambda raw: raw[:4096],
    "half a header": lambda raw: raw[:100],
    "one byte less": lambda raw: raw[:-1],
    "one byte more": lambda raw: raw + b"\0",
    "a bit flipped": lambda raw: raw[:-7] + bytes([raw[-7] ^ 1]) + raw[-6:],
    "zeros": lambda raw: bytes(len(raw)),
    "garbage": lambda raw: bytes((7 * i) % 251 for i in range(len(raw))),
    "text": lambda raw: b"crane\nslate\n" * (len(raw) // 12),
    "json that is not an object": lambda raw: b"[1, 2]".ljust(4096) + raw[4096:],
    "json number": lambda raw: b"7".ljust(4096) + raw[4096:],
    "endless json": lambda raw: b"[" * len(raw),
    "no fields": lambda raw: b"{}".ljust(4096) + raw[4096:],
    "another format": change_header(kind="salet table 0"),
    "another name": change_header(name="other"),
    "another shape": change_header(arrays={"ids": ["|u1", [10, 40]]}),
    "another type": change_header(arrays={"ids": ["|i1", [20, 20]]}),
    "wider type": change_header(arrays={"ids": ["<u2", [20, 20]]}),
    "unknown type": change_header(arrays={"ids": ["no such type", [20, 20]]}),
    "shape null": change_header(arrays={"ids": ["|u1", None]}),
    "negative shape": change_header(arrays={"ids": ["|u1", [-20, 20]]}),
    "no arrays": change_header(arrays={}),
    "arrays as text": change_header(arrays="many"),
    "another checksum": change_header(sha256="0" * 64),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_computed_again(path, damage):
    good = path.read_bytes()
    path.write_bytes(damage(good))
    assert path.read_bytes() != good
    arrays, computed = cached()
    assert computed
    check(arrays)
    assert path.read_bytes() == good
    assert list(path.parent.iterdir()) == [path]  # no temporary file is left


def test_a_file_copied_from_another_name_is_computed_again(path):
    cached("other")
    path.write_bytes(path.with_name("other").read_bytes())
    arrays, computed = cached()
    assert computed
    check(arrays)


def test_a_directory_in_the_way_costs_only_the_cache(path):
    path.unlink()
    (path / "inside").mkdir(parents=True)
    check(cached()[0])
    assert list(path.parent.iterdir()) == [path]


def test_an_unwritable_directory_costs_only_the_cache(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SALET_CACHE_DIR", str(tmp_path / "file" / "below"))
    check(cached()[0])
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk_costs_only_the_cache(monkeypatch):
    def full(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(array_cache, "replacing", full)
    check(cached()[0])


def test_ctrl_c_while_writing_leaves_nothing_behind(own_cache, monkeypatch):
    def interrupted(path, arrays):
        with real(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    real = array_cache.replacing
    monkeypatch.setattr(array_cache, "_write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cached()
    assert not list((own_cache / "some").iterdir())


@pytest.mark.slow
def test_two_processes_write_at_once(own_cache):
    """Both have written their file before either renames it."""
    spawn = multiprocessing.get_context("spawn")
    barrier, results = spawn.Barrier(2), spawn.Queue()
    workers = [
        spawn.Process(target=children.write_arrays, args=(barrier, str(own_cache), results))
        for _ in range(2)
    ]
    for worker in workers:
        worker.start()
    written = [results.get(timeout=180) for _ in workers]
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert written == [np.arange(5000).tobytes()] * 2
    assert [path.name for path in (own_cache / "some").iterdir()] == ["file"]
    stored = cached_arrays("some", "file", lambda: pytest.fail("computed again"))
    assert np.array_equal(stored["ids"], np.arange(5000))

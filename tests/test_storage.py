"""Files are written completely or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from salet import storage
from salet.errors import InputError


def test_roots_follow_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("SALET_CACHE_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("SALET_DATA_DIR", str(tmp_path / "d"))
    assert storage.cache_root() == tmp_path / "c"
    assert storage.data_root() == tmp_path / "d"


@pytest.mark.parametrize("value", ["", None])
def test_roots_of_the_system(monkeypatch, value):
    for name in ("SALET_CACHE_DIR", "SALET_DATA_DIR"):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    for root in (storage.cache_root(), storage.data_root()):
        assert root.is_absolute()
        assert "salet" in root.parts
    assert storage.cache_root() != storage.data_root()


def test_writable(tmp_path):
    assert storage.writable(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []
    (tmp_path / "file").write_text("")
    assert not storage.writable(tmp_path / "file")
    assert not storage.writable(tmp_path / "file" / "below")


def test_replacing_appears_when_complete(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with storage.replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("before", [b"old", None])
def test_replacing_leaves_what_was_there(tmp_path, error, before):
    path = tmp_path / "file"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(error), storage.replacing(path) as file:
        file.write(b"half")
        raise error
    assert [each.read_bytes() for each in tmp_path.iterdir()] == ([before] if before else [])


def test_two_writers_each_write_a_complete_file(tmp_path):
    path = tmp_path / "file"
    with storage.replacing(path) as one, storage.replacing(path) as other:
        one.write(b"one")
        other.write(b"other")
    assert path.read_bytes() in (b"one", b"other")
    assert list(tmp_path.iterdir()) == [path]


def test_replacing_respects_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        with storage.replacing(tmp_path / "file"):
            pass
        assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)


def test_output_writes(tmp_path):
    with storage.output(tmp_path / "file") as file:
        file.write(b"text")
    assert (tmp_path / "file").read_bytes() == b"text"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "is a directory; give a file name"),
        ("no/such/file", "no such file"),
        ("f/below", "not a"),
    ],
)
def test_output_reports_failures_in_one_line(tmp_path: Path, name, says):
    (tmp_path / "f").write_text("")
    path = tmp_path / name if name else tmp_path
    with pytest.raises(InputError) as caught, storage.output(path):
        pass
    assert repr(str(path)) in str(caught.value)
    assert says in str(caught.value)


def test_files_unused_for_a_month_are_deleted(tmp_path):
    for name in ("old", "recent"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code").write_text("")
        (tmp_path / f"{name}.table").write_text("")
    for name in ("old", "old.table"):
        os.utime(tmp_path / name, (0, 0))
    storage.remove_unused(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["recent", "recent.table"]

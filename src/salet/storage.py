"""Where salet stores files, and how it writes them: completely or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import platformdirs

from salet.errors import InputError


def cache_root() -> Path:
    """The directory of cached data; SALET_CACHE_DIR overrides the system's default."""
    chosen = os.environ.get("SALET_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("salet"))


def data_root() -> Path:
    """The directory of the user's own data; SALET_DATA_DIR overrides the system's default."""
    chosen = os.environ.get("SALET_DATA_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("salet"))


def writable(directory: Path) -> bool:
    """Whether files can be written to the directory, which is created if it is missing."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return True
    except OSError:
        return False


def remove_unused(parent: Path, days: int = 30) -> None:
    """Delete what has not been used for some days from a cache directory."""
    oldest = time.time() - days * 86400
    for path in parent.iterdir():
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that replaces `path` only once it is complete.

    Concurrent writers do not disturb each other, and a reader sees one of the complete files. After
    an error or Ctrl-C the old file is still there.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def output(path: Path) -> Iterator[IO[bytes]]:
    """Like `replacing`, for a file that the user asked for: failures are InputErrors."""
    if path.is_dir():
        raise InputError(f"cannot write {str(path)!r}: it is a directory; give a file name")
    try:
        with replacing(path) as file:
            yield file
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot write {str(path)!r}: {reason.lower()}") from error

"""Arrays that are kept on disk: mapped where they are stored, made and stored where not.

A file is a page of header (what it is, and a checksum of what follows) and the arrays. It is
written beside its name and moved there when complete, so two processes can write at once. One
whose header or checksum does not fit is made again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.storage import cache_root, remove_unused, replacing, writable

Arrays = dict[str, NDArray[Any]]

_MAGIC = "salet arrays 2"
_PAGE = 4096
"""of the header, and of where each array starts"""


def cached_arrays(directory: str, name: str, make: Callable[[], Arrays]) -> Arrays:
    """The arrays of that name: from the cache, or made and, if possible, put there."""
    path = cache_root() / directory / name
    stored = _read(path)
    if stored is not None:
        with contextlib.suppress(OSError):
            os.utime(path)  # in use: see remove_unused
        return stored
    arrays = make()
    if writable(path.parent):
        _tidy(path.parent)
        with contextlib.suppress(OSError):  # a full disk costs time, not the result
            _write(path, arrays)
    return arrays


@functools.cache
def _tidy(directory: Path) -> None:
    """Drop what nobody uses any more: once in a process, for it looks at every file."""
    remove_unused(directory)


def _filling(size: int) -> bytes:
    """What stands between the end of an array and the next page."""
    return bytes(-size % _PAGE)


def _write(path: Path, arrays: Arrays) -> None:
    about = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
    digest = hashlib.sha256(json.dumps(about).encode())
    for array in arrays.values():
        digest.update(array.data)
        digest.update(_filling(array.nbytes))
    header = {
        "kind": _MAGIC,
        "name": path.name,
        "arrays": about,
        "sha256": digest.hexdigest(),
    }
    with replacing(path) as file:
        file.write(json.dumps(header).encode().ljust(_PAGE - 1) + b"\n")
        for array in arrays.values():
            file.write(array.data)
            file.write(_filling(array.nbytes))


def _read(path: Path) -> Arrays | None:
    """The stored arrays, or None if they are missing, damaged or others."""
    try:
        raw = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError):  # no such file; an empty one cannot be mapped
        return None
    try:
        header = json.loads(raw[:_PAGE].tobytes())
        if (header["kind"], header["name"]) != (_MAGIC, path.name):
            return None
        digest = hashlib.sha256(json.dumps(header["arrays"]).encode())
        arrays, start = {}, _PAGE
        for name, (type_, shape) in header["arrays"].items():
            kind = np.dtype(type_)
            end = start + int(np.prod(shape, dtype=np.int64)) * kind.itemsize
            # plain arrays: a memmap indexes slowly
            arrays[name] = np.asarray(raw[start:end].view(kind).reshape(shape))
            start = end + len(_filling(end))
        digest.update(raw[_PAGE:].data)
        if start != len(raw) or header["sha256"] != digest.hexdigest():
            return None
        return arrays
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None

"""A cache of arrays on disk. Stored arrays are mapped into memory; others are computed and stored.

A file is one page of header (its name, the arrays and a checksum) followed by the arrays. It is
written under a temporary name and renamed when complete, so several processes can write at once. A
file with a wrong header or checksum is computed again.
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
"""Size of the header, and alignment of the arrays."""


def cached_arrays(directory: str, name: str, make: Callable[[], Arrays]) -> Arrays:
    """The arrays of that name: from the cache, or made by `make` and stored if possible."""
    path = cache_root() / directory / name
    stored = _read(path)
    if stored is not None:
        with contextlib.suppress(OSError):
            os.utime(path)  # marks it as used for `remove_unused`
        return stored
    arrays = make()
    if writable(path.parent):
        _remove_unused_once(path.parent)
        with contextlib.suppress(OSError):  # a full disk costs time, not the result
            _write(path, arrays)
    return arrays


@functools.cache
def _remove_unused_once(directory: Path) -> None:
    """Delete unused files, once per process, since that looks at every file."""
    remove_unused(directory)


def _padding(size: int) -> bytes:
    """The bytes between the end of an array and the next page."""
    return bytes(-size % _PAGE)


def _write(path: Path, arrays: Arrays) -> None:
    layout = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
    digest = hashlib.sha256(json.dumps(layout).encode())
    for array in arrays.values():
        digest.update(array.data)
        digest.update(_padding(array.nbytes))
    header = {
        "kind": _MAGIC,
        "name": path.name,
        "arrays": layout,
        "sha256": digest.hexdigest(),
    }
    with replacing(path) as file:
        file.write(json.dumps(header).encode().ljust(_PAGE - 1) + b"\n")
        for array in arrays.values():
            file.write(array.data)
            file.write(_padding(array.nbytes))


def _read(path: Path) -> Arrays | None:
    """The stored arrays; None if the file is missing, damaged or another."""
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
        for name, (type_name, shape) in header["arrays"].items():
            dtype = np.dtype(type_name)
            end = start + int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
            # plain arrays, since indexing a memmap is slow
            arrays[name] = np.asarray(raw[start:end].view(dtype).reshape(shape))
            start = end + len(_padding(end))
        digest.update(raw[_PAGE:].data)
        if start != len(raw) or header["sha256"] != digest.hexdigest():
            return None
        return arrays
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None

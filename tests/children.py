"""Functions that tests run in other processes (spawned, so they must be importable by name)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any


def write_arrays(barrier: Any, directory: str, results: Any) -> None:
    """Cache an array, and wait for the other process between writing the file and renaming it."""
    import numpy as np

    from salet.numeric import array_cache

    real = array_cache.replacing

    @contextlib.contextmanager
    def together(path: Path) -> Iterator[IO[bytes]]:
        with real(path) as file:
            yield file
            barrier.wait(120)

    array_cache.replacing = together
    os.environ["SALET_CACHE_DIR"] = directory
    arrays = array_cache.cached_arrays("some", "file", lambda: {"ids": np.arange(5000)})
    results.put(arrays["ids"].tobytes())

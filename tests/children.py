"""What tests run in other processes (spawned, so it must be importable by name)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any


def write_table(barrier: Any, directory: str, words: list[str], results: Any) -> None:
    """Make a table, and wait for the other process with the file written but not yet in place."""
    from salet.game import table
    from salet.game.feedback import RULES
    from salet.game.lexicon import encode
    from salet.numeric import array_cache

    real = array_cache.replacing

    @contextlib.contextmanager
    def together(path: Path) -> Iterator[IO[bytes]]:
        with real(path) as file:
            yield file
            barrier.wait(120)

    array_cache.replacing = together
    os.environ["SALET_CACHE_DIR"] = directory  # after the import: kernels stay where they are
    made = table.table_of(encode(words), len(words), RULES["standard"])
    results.put((made.ids.tobytes(), made.patterns))

"""The only importer of numba: the `@kernel` decorator, and where compiled code is kept.

Numba's own cache goes stale when a kernel in another file changes, and it raises at import where
nothing can be written. So compiled code lives in a directory that is named after a digest of all
sources that contain kernels; where no such directory can be made, kernels are compiled anew in
every process.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

from salet.storage import cache_root, remove_unused, writable

F = TypeVar("F", bound=Callable[..., object])

_PACKAGE = Path(__file__).parent


@functools.cache
def code_digest() -> str:
    """A digest of every source of the package that contains kernels."""
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    for path in sorted(_PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if b"@kernel" in source or b"@intrinsic" in source:
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + source)
    return digest.hexdigest()


@functools.cache
def _kernel_directory() -> Path | None:
    directory = cache_root() / "kernels" / code_digest()
    is_new = not directory.is_dir()
    if not writable(directory):
        return None
    if is_new:
        remove_unused(directory.parent)
    else:
        os.utime(directory)
    return directory


def kernel(function: F) -> F:
    """Compile a numeric function: no GIL, no fast-math, cached on disk where that is possible.

    With NUMBA_DISABLE_JIT=1 the function stays plain Python, which is how the tests step
    through it on tiny games.
    """
    directory = _kernel_directory()
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = "" if directory is None else str(directory)
    try:
        compile_: Any = numba.njit(cache=directory is not None, nogil=True, error_model="numpy")
        compiled: F = compile_(function)
    finally:
        settings.CACHE_DIR = before  # other users of numba keep their own place
    return compiled


def plain(function: F) -> F:
    """The uncompiled function behind a kernel: for a single call, not worth compiling."""
    original: F = getattr(function, "py_func", function)
    return original

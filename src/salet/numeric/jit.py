"""The importer of numba: `@kernel` and `@lean_kernel`, and where compiled code is kept.

Numba's own cache goes stale when a kernel in another file changes, and it raises at import where
nothing can be written. So compiled code lives in a directory that is named after a digest of all
sources that contain kernels; where no such directory can be made, kernels are compiled anew in
every process.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

from salet.storage import cache_root, remove_unused, writable

F = TypeVar("F", bound=Callable[..., object])

_PACKAGE = Path(__file__).parents[1]


@functools.cache
def code_digest() -> str:
    """A digest of every source of the package that contains kernels."""
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    for path in sorted(_PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if re.search(rb"@(lean_)?kernel|@intrinsic", source):
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


class _KernelCache:
    """What numba asks for the compiled code of one function: its own cache, in our directory.

    Two things are left out to start sooner. Files are looked for when a kernel is called, for
    most are not; and loading one does not fill numba's registries of typing and lowering first (a
    quarter of a second), for only compiling reads them, and the compiler fills them itself.
    """

    def __init__(self, function: Callable[..., object], directory: Path) -> None:
        self._function, self._directory = function, directory

    @functools.cached_property
    def _files(self) -> Any:
        settings: Any = numba.config
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(self._directory)
        try:
            files: Any = FunctionCache
            return files(self._function)
        finally:
            settings.CACHE_DIR = before  # other users of numba keep their own place

    def load_overload(self, signature: object, target: object) -> object:
        rtsys.initialize(target)  # what compiled code calls itself: memory for arrays
        return self._files._load_overload(signature, target)

    def save_overload(self, signature: object, compiled: object) -> None:
        self._files.save_overload(signature, compiled)


def kernel(function: F) -> F:
    """Compile a numeric function: no GIL, no fast-math, cached on disk where that is possible.

    With NUMBA_DISABLE_JIT=1 the function stays plain Python, which is how the tests step
    through it on tiny games.
    """
    return _compiled(function)


def lean_kernel(function: F) -> F:
    """A kernel that makes no arrays, compiled without counting references to them.

    Every row of an array, and every array out of a named tuple, would otherwise cost two atomic
    operations on a counter that all threads share: half the time of the exact search in hard mode.
    The arguments are alive as long as the call, and so are views of them.
    """
    return _compiled(function, _nrt=False)


def _compiled(function: F, **options: bool) -> F:
    compile_: Any = numba.njit
    compiled: Any = compile_(nogil=True, error_model="numpy", **options)(function)
    directory = _kernel_directory()
    if directory is not None and compiled is not function:
        compiled._cache = _KernelCache(function, directory)
    result: F = compiled
    return result


def plain(function: F) -> F:
    """The uncompiled function behind a kernel: for a single call, not worth compiling."""
    original: F = getattr(function, "py_func", function)
    return original

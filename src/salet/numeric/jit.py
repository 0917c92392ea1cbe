"""The compiler: `@kernel` and `@lean_kernel`, and the cache of compiled code.

Numba's own cache goes stale when a kernel in another file changes, and it raises at import where
nothing can be written. So compiled code is cached in a directory that is named after a digest of
all sources that contain kernels; where no such directory can be written, kernels are compiled anew
in every process.

Private interfaces of Numba make this faster. In versions without them the public ones are used:
kernels compute the same, but load later (`_PrivateCache`) or count references (`lean_kernel`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba

from salet.storage import cache_root, remove_unused, writable

F = TypeVar("F", bound=Callable[..., object])

_PACKAGE = Path(__file__).parents[1]


def _private(module: str, name: str, *attributes: str) -> Any:
    """A private object of Numba; None if this version lacks it or one of its attributes."""
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None
    return found if all(hasattr(found, attribute) for attribute in attributes) else None


_function_cache: Any = _private("numba.core.caching", "FunctionCache", "_load_overload")
_runtime: Any = _private("numba.core.runtime.nrt", "rtsys", "initialize")
_options: Any = _private("numba.core.cpu", "CPUTargetOptions", "_nrt")


@functools.cache
def code_digest() -> str:
    """A digest of Numba's version and of every source of the package that contains kernels."""
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    for path in sorted(_PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if re.search(rb"@(lean_|inlined_)?kernel|@intrinsic", source):
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + source)
    return digest.hexdigest()


@functools.cache
def _kernel_directory() -> Path | None:
    """The directory of compiled code; None if it cannot be written."""
    directory = cache_root() / "kernels" / code_digest()
    is_new = not directory.is_dir()
    if not writable(directory):
        return None
    if is_new:
        remove_unused(directory.parent)
    else:
        os.utime(directory)
    return directory


@contextlib.contextmanager
def _caching_in(directory: Path) -> Iterator[None]:
    """Let Numba cache in this directory; other users of Numba keep their own."""
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


class _PrivateCache:
    """Numba's cache of one function, in our directory, without two things that cost time.

    Files are opened when a kernel is first called, since most never are. And loading does not
    initialise Numba's registries of typing and lowering (a quarter of a second): only compiling
    needs them, and the compiler initialises them itself.
    """

    def __init__(self, function: Callable[..., object], directory: Path) -> None:
        self._function, self._directory = function, directory

    @functools.cached_property
    def _files(self) -> Any:
        with _caching_in(self._directory):
            return _function_cache(self._function)

    def load_overload(self, signature: object, target: object) -> object:
        _runtime.initialize(target)  # compiled code allocates arrays with it
        return self._files._load_overload(signature, target)

    def save_overload(self, signature: object, compiled: object) -> None:
        self._files.save_overload(signature, compiled)

    def flush(self) -> None:
        self._files.flush()

    @property
    def cache_path(self) -> str:
        path: str = self._files.cache_path
        return path


def kernel(function: F) -> F:
    """Compile a numeric function: without the GIL, without fast-math, cached on disk if possible.

    With NUMBA_DISABLE_JIT=1 the function stays plain Python, so that tests can step through it on
    tiny games.
    """
    return _compiled(function)


def lean_kernel(function: F) -> F:
    """Compile a kernel that allocates no arrays, without counting references to them.

    Otherwise every row of an array, and every array out of a named tuple, would cost two atomic
    operations on a counter that all threads share: half the time of the exact search in hard mode.
    The arguments outlive the call, and so do views of them.
    """
    return _compiled(function) if _options is None else _compiled(function, _nrt=False)


def inlined_kernel(function: F) -> F:
    """Compile a lean kernel that is inlined wherever another kernel calls it.

    A call passes every array of a named tuple by itself, some 500 values for the layout and the
    stack of a search: more work than most of these kernels do. The compiler does not see that.
    """
    options = {} if _options is None else {"_nrt": False}
    return _compiled(function, forceinline=True, **options)


_CALLED_BY_KERNELS = ("get_call_template", "get_overload")
"""What Numba's compiler asks a dispatcher when another kernel calls its function."""


def _compiled(function: F, **options: bool) -> F:
    """A kernel in two versions: one that Python can call, and one for calls by other kernels.

    To unpack the arguments of a call from Python takes more code than most kernels have, so leaving
    it out of the second version halves the time to compile the search.
    """
    directory = _kernel_directory()
    outer = _dispatcher(function, directory, no_cfunc_wrapper=True, **options)
    if outer is not function and all(hasattr(outer, name) for name in _CALLED_BY_KERNELS):
        inner = _dispatcher(
            function,
            None if directory is None else directory / "inner",
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
            **options,
        )
        for name in _CALLED_BY_KERNELS:
            setattr(outer, name, getattr(inner, name))
    compiled: F = outer
    return compiled


def _dispatcher(function: F, directory: Path | None, **options: bool) -> Any:
    """Numba's object for a function, with its cache in a directory."""
    njit: Any = functools.partial(numba.njit, nogil=True, error_model="numpy", **options)
    dispatcher: Any = njit(function)
    if directory is not None and dispatcher is not function:
        if _function_cache is not None and _runtime is not None and hasattr(dispatcher, "_cache"):
            dispatcher._cache = _PrivateCache(function, directory)
        else:
            with _caching_in(directory), contextlib.suppress(RuntimeError):  # not in a file
                dispatcher = njit(function, cache=True)
    return dispatcher


def plain(function: F) -> F:
    """The uncompiled function of a kernel, for single calls that are not worth compiling."""
    original: F = getattr(function, "py_func", function)
    return original

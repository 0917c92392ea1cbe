"""Kernels compute the same, compiled or not, with or without Numba's private interfaces."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import pytest

from salet.numeric import jit


def run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def test_only_numeric_imports_numba(top):
    """And the build of the kernels for browsers, which drives the compiler itself."""
    for path in (top / "src/salet").rglob("*.py"):
        if path.parent.name not in ("numeric", "wasm"):
            source = path.read_text("utf-8")
            assert "import numba" not in source, path
            assert "from numba" not in source, path


def test_kernels_compute_the_same_compiled_or_not():
    from salet.game.notation import tile_code
    from salet.search.splits import count_groups

    assert jit.plain(tile_code) is tile_code
    if not os.environ.get("NUMBA_DISABLE_JIT"):
        assert jit.plain(count_groups) is not count_groups
        assert jit.plain(count_groups).__name__ == "count_groups"


def test_the_digest_covers_every_source_with_kernels(top, monkeypatch, tmp_path):
    """Editing any kernel, or an inner one in another file, names another directory."""
    package = tmp_path / "salet"
    (package / "deep").mkdir(parents=True)
    (package / "a.py").write_text("@kernel\ndef f(): return 1\n")
    (package / "deep" / "b.py").write_text("@kernel\ndef g(): return 1\n")
    (package / "c.py").write_text("no kernels here\n")
    monkeypatch.setattr(jit, "_PACKAGE", package)

    def digest():
        jit.code_digest.cache_clear()
        return jit.code_digest()

    try:
        before = digest()
        assert digest() == before
        (package / "c.py").write_text("other words\n")
        assert digest() == before
        (package / "deep" / "b.py").write_text("@kernel\ndef g(): return 2\n")
        after = digest()
        assert after != before
        (package / "deep" / "b.py").rename(package / "b.py")
        assert digest() not in (before, after)
    finally:
        jit.code_digest.cache_clear()


def test_other_users_of_numba_keep_their_cache():
    before = numba.config.CACHE_DIR

    @jit.kernel
    def double(x):
        return x + x

    assert double(4) == 8
    assert before == numba.config.CACHE_DIR


KERNELS = """
import numpy as np
from salet.numeric.jit import kernel, lean_kernel

@lean_kernel
def add_rows(table, out):
    for i in range(table.shape[0]):
        row = table[i]
        for j in range(row.shape[0]):
            out[j] += row[j]

@kernel
def means(table):
    out = np.zeros(table.shape[1])
    add_rows(table, out)
    return out / table.shape[0]
"""

PROGRAM = """
import sys
import numba
from numba.core import caching, cpu
from numba.core.runtime import nrt
owner, name = {owner}, {name!r}
if name:
    taken = getattr(owner, name)
    delattr(owner, name)
from salet.numeric.jit import plain
if name and owner is not cpu._options_mixin:
    setattr(owner, name, taken)  # Numba itself needs it
sys.path.insert(0, {folder!r})
import numpy as np
from kernels_of_a_test import add_rows, means

table = np.arange(12.0).reshape(3, 4)
compiled, expected = np.zeros(4), np.zeros(4)
add_rows(table, compiled)
plain(add_rows)(table, expected)
assert compiled.tolist() == expected.tolist() == [12, 15, 18, 21]
assert means(table).tolist() == plain(means)(table).tolist() == [4, 5, 6, 7]
hits = sum(means.stats.cache_hits.values())
print(type(means._cache).__name__, "_nrt" in add_rows.targetoptions, hits)
"""

TAKEN_AWAY = {
    "nothing": ("None", "", "_PrivateCache True"),
    "_load_overload": ("caching.Cache", "_load_overload", "FunctionCache True"),
    "FunctionCache": ("caching", "FunctionCache", "FunctionCache True"),
    "rtsys": ("nrt", "rtsys", "FunctionCache True"),
    "_nrt": ("cpu._options_mixin", "_nrt", "_PrivateCache False"),
}
"""a private interface of Numba -> its owner, its name, and what is used then"""


@pytest.mark.slow
@pytest.mark.parametrize("interface", TAKEN_AWAY)
def test_without_a_private_interface_of_numba(tmp_path, interface):
    """Kernels compute the same, and a second process still finds them compiled."""
    owner, name, used = TAKEN_AWAY[interface]
    (tmp_path / "kernels_of_a_test.py").write_text(KERNELS)
    program = PROGRAM.format(owner=owner, name=name, folder=str(tmp_path))
    first, second = (run(program, SALET_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2))
    assert (first, second) == (f"{used} 0\n", f"{used} 1\n")


def test_dispatchers_without_a_private_cache_use_the_public_one(monkeypatch, tmp_path):
    """As if Numba had renamed `_cache`: the attribute is missing on what `njit` returns."""
    made = []

    class Dispatcher:
        def __init__(self, function, cache=False):
            self.py_func, self.cached_in = function, numba.config.CACHE_DIR if cache else None
            made.append(self)

        def __call__(self, *args):
            return self.py_func(*args)

    monkeypatch.setattr(
        jit.numba, "njit", lambda function, *, cache=False, **_: Dispatcher(function, cache)
    )
    monkeypatch.setattr(jit, "_kernel_directory", lambda: tmp_path)

    @jit.kernel
    def double(x):
        return x + x

    assert double(4) == 8
    assert double is made[-1]
    assert made[-1].cached_in == str(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("disabled", ["0", "1"])
def test_where_nothing_can_be_written(tmp_path, disabled):
    (tmp_path / "file").write_text("in the way")
    program = (
        "from salet.numeric.jit import kernel, plain\n"
        "from salet.game.table import _transpose\n"
        "import numpy as np\n"
        "out = np.zeros((3, 2), np.uint8)\n"
        "_transpose(np.arange(6, dtype=np.uint8).reshape(2, 3), out)\n"
        "print(out.ravel().tolist(), plain(_transpose) is _transpose)\n"
    )
    printed = run(
        program, SALET_CACHE_DIR=str(tmp_path / "file" / "below"), NUMBA_DISABLE_JIT=disabled
    )
    assert printed == f"[0, 3, 1, 4, 2, 5] {disabled == '1'}\n"

"""The one door to the compiler."""

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
    for path in (top / "src/salet").rglob("*.py"):
        if path.parent.name != "numeric":
            source = path.read_text("utf-8")
            assert "import numba" not in source, path
            assert "from numba" not in source, path


def test_kernels_compute_the_same_compiled_or_not():
    from salet.game.notation import tile_code
    from salet.search.splits import _count

    assert jit.plain(tile_code) is tile_code
    if not os.environ.get("NUMBA_DISABLE_JIT"):
        assert jit.plain(_count) is not _count
        assert jit.plain(_count).__name__ == "_count"


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

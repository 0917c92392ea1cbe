"""Build kernels.wasm and definitions.js from the kernels: `make wasm`.

The module is the same whenever Python, Numba, llvmlite and the linker are; `toolchain.json` beside
it says which ones made it. `--check` builds anew and says whether the files are what the sources
give, without writing anything.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from salet.errors import DataError
from salet.numeric.simd import LANES_VARIABLE
from salet.site.wasm.ir import LANES

ENGINE = Path(__file__).parents[1] / "static" / "engine"


def toolchain() -> dict[str, str]:
    """The versions that decide the bytes of the module."""
    from salet.site.wasm.link import linker_version

    versions = {name: importlib.metadata.version(name) for name in ("numba", "llvmlite")}
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {"python": python, **versions, "linker": linker_version()}


def build() -> dict[str, bytes]:
    """The files by name, made in a process of its own: one that has loaded kernels from the cache
    has no code of theirs."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "SALET_CACHE_DIR": os.devnull,  # no cache can be there
            LANES_VARIABLE: str(LANES),
        }
        environment.pop("NUMBA_DISABLE_JIT", None)
        command = [sys.executable, "-m", "salet.site.wasm.build", "--into", folder]
        done = subprocess.run(
            command, env=environment, stderr=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            raise DataError(f"the kernels cannot be built: {done.stderr.strip()[-2000:]}")
        return {path.name: path.read_bytes() for path in sorted(Path(folder).glob("*.*"))}


def _build_into(folder: Path) -> None:
    from salet.site.wasm.definitions import definitions
    from salet.site.wasm.exports import exports
    from salet.site.wasm.ir import kernel_code
    from salet.site.wasm.link import linked

    listed = list(exports())
    codes = []
    for number, export in enumerate(listed, 1):
        if sys.stdout.isatty():
            print(f"\r{number} of {len(listed)} {export.name:40}", end="", flush=True)  # noqa: T201
        codes.append(kernel_code(export))
    results: dict[str, Any] = {code.name: code.result for code in codes}
    (folder / "kernels.wasm").write_bytes(linked(codes))
    (folder / "definitions.js").write_text(definitions(listed, results), "utf-8")
    text = json.dumps(toolchain(), indent=1) + "\n"
    (folder / "toolchain.json").write_text(text, "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, or check what is built."""
    parser = argparse.ArgumentParser(prog="python -m salet.site.wasm.build", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare; 1 if a file differs")
    parser.add_argument("--into", type=Path, help="write to this folder, in this very process")
    options = parser.parse_args(arguments)
    if options.into is not None:
        _build_into(options.into)
        return 0
    differing = [
        name
        for name, content in build().items()
        if not _is_same(ENGINE / name, content, write=not options.check)
    ]
    verb = "differs from what the sources give" if options.check else "is new"
    for name in differing:
        print(f"{name} {verb}")  # noqa: T201
    return int(options.check and bool(differing))


def _is_same(path: Path, content: bytes, *, write: bool) -> bool:
    same = path.is_file() and path.read_bytes() == content
    if write and not same:
        path.write_bytes(content)
    return same


if __name__ == "__main__":
    sys.exit(main())

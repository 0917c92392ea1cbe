"""Numba's code of a kernel, before it is optimised for the machine that compiles it.

Numba's front end writes LLVM code in which sizes of pointers and structures are still symbolic; its
optimisation for the host would compute them for pointers of eight bytes. So those passes are left
out, and what remains can be compiled for WebAssembly, whose pointers have four.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from numba.core import codegen
from numba.core.compiler_lock import global_compiler_lock

from salet.site.wasm.exports import Export

LANES = 16
"""Guesses per vector of patterns (numeric/simd.py): they fill one register of 128 bits. Wider ones
would not stay in the registers that a browser has."""


@dataclass(frozen=True)
class KernelCode:
    """A kernel as LLVM code, with everything that it calls."""

    name: str
    """as a page calls it"""
    symbol: str
    """of the kernel in `text`"""
    text: str
    result: Any
    """the Numba type of what it returns"""


def kernel_code(export: Export) -> KernelCode:
    """Compile a kernel, which cannot be called afterwards. None of its callees may have been loaded
    from a cache, which has no code to show: `build.py` sees to it that there is none."""
    with _front_end_only():
        export.kernel.compile(export.signature)
        compiled = export.kernel.overloads[export.signature]
        with global_compiler_lock:
            compiled.library._ensure_finalized()  # links what it calls
    return KernelCode(
        export.name,
        compiled.fndesc.mangled_name,
        compiled.library.get_llvm_str(),
        compiled.signature.return_type,
    )


@contextmanager
def _front_end_only() -> Iterator[None]:
    """Let Numba write LLVM code, but neither optimise it nor compile it for this machine."""
    library: Any = codegen.JITCodeLibrary
    nothing: list[tuple[Any, str, Any]] = [
        (library, "_optimize_functions", lambda *_: None),
        (library, "_optimize_final_module", lambda *_: None),
        (library, "_finalize_specific", lambda *_: None),
        (library, "get_pointer_to_function", lambda *_: 0),  # never called
        (codegen.JITCPUCodegen, "set_env", lambda *_: None),
    ]
    before = [getattr(owner, name) for owner, name, _ in nothing]
    for owner, name, method in nothing:
        setattr(owner, name, method)
    try:
        yield
    finally:
        for (owner, name, _), method in zip(nothing, before, strict=True):
            setattr(owner, name, method)


def retargeted(text: str, triple: str, layout: str) -> str:
    """The same code for another machine."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{layout}"', text, flags=re.M)
    text = re.sub(r"^target triple = .*$", f'target triple = "{triple}"', text, flags=re.M)
    text = text.replace("= common ", "= internal ")  # WebAssembly has no common symbols
    return _any_true(text)


_ANY_LANE = re.compile(
    rf"^(\s*)(%\S+) = bitcast <{LANES} x i1> (\S+) to i{LANES}$",
    re.M,
)


def _any_true(text: str) -> str:
    """Ask whether any lane is set with the one instruction that WebAssembly has for it: LLVM would
    gather the lanes bit by bit."""

    def asked(found: re.Match[str]) -> str:
        indent, result, lanes = found.groups()
        name = re.sub(r"\W", "", result)
        lines = [
            f"%any.wide.{name} = sext <{LANES} x i1> {lanes} to <{LANES} x i8>",
            f"%any.set.{name} = call i32 @llvm.wasm.anytrue.v16i8(<16 x i8> %any.wide.{name})",
            f"{result} = trunc i32 %any.set.{name} to i{LANES}",
        ]
        return "\n".join(indent + line for line in lines)

    changed, count = _ANY_LANE.subn(asked, text)
    return changed + "\ndeclare i32 @llvm.wasm.anytrue.v16i8(<16 x i8>)\n" if count else text

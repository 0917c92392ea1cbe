"""One WebAssembly module of many kernels, each with an entry point that takes a block of memory.

A kernel has up to some 400 parameters once its arrays are flattened; an entry point
`i32 name(i32 result, i32 arguments)` reads them from 64-bit slots and writes what the kernel
returns to `result`. The module imports nothing but its memory.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from salet.errors import DataError, MissingExtraError
from salet.site.wasm.ir import KernelCode, retargeted

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
STACK_BYTES = 1 << 16
MAX_BYTES = 1 << 31


def linked(codes: Sequence[KernelCode]) -> bytes:
    """The module of these kernels."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
    )
    whole = _whole_module(codes, str(machine.target_data))
    _optimise(whole, machine)
    undefined = [
        function.name[:80]
        for function in whole.functions
        if function.is_declaration and not function.name.startswith("llvm.")
    ]
    if undefined:
        raise DataError(f"kernels for the browser call what it lacks: {', '.join(undefined[:5])}")
    return _link(machine.emit_object(whole), [code.name for code in codes])


def linker_version() -> str:
    """Name and version of the linker."""
    done = _run_linker(["--version"])
    return done.stdout.decode().strip()


def _whole_module(codes: Sequence[KernelCode], layout: str) -> Any:
    whole: Any = None
    entries: list[str] = []
    for code in codes:
        module = llvm.parse_assembly(retargeted(code.text, TRIPLE, layout))
        kernel = module.get_function(code.symbol)
        entries.append(_entry_point(code, [str(argument.type) for argument in kernel.arguments]))
        for function in module.functions:
            if not function.is_declaration:
                shared = "internal" if function.linkage.name == "internal" else "linkonce_odr"
                function.linkage = "external" if function.name == code.symbol else shared
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    head = f'target datalayout = "{layout}"\ntarget triple = "{TRIPLE}"\n'
    whole.link_in(llvm.parse_assembly(head + "\n".join(entries)))
    names = {code.name for code in codes}
    for function in whole.functions:
        if not function.is_declaration and function.name not in names:
            function.linkage = "internal"
    return whole


def _entry_point(code: KernelCode, types: Sequence[str]) -> str:
    """The code of an entry point; the first two parameters of a kernel are its result and its
    exception, the others come from slots."""
    lines = ["%exception = alloca ptr"]
    passed = ["ptr %result", "ptr %exception"]
    for slot, kind in enumerate(types[2:]):
        lines.append(f"%p{slot} = getelementptr i64, ptr %arguments, i32 {slot}")
        lines.append(f"%v{slot} = load i64, ptr %p{slot}")
        if kind == "ptr":
            lines.append(f"%a{slot} = inttoptr i64 %v{slot} to ptr")
        elif kind == "i64":
            lines.append(f"%a{slot} = add i64 %v{slot}, 0")
        else:
            lines.append(f"%a{slot} = trunc i64 %v{slot} to {kind}")
        passed.append(f"{kind} %a{slot}")
    body = "\n  ".join(lines)
    return (
        f'declare i32 @"{code.symbol}"({", ".join(types)})\n'
        f"define i32 @{code.name}(ptr %result, ptr %arguments) {{\n  {body}\n"
        f'  %status = call i32 @"{code.symbol}"({", ".join(passed)})\n  ret i32 %status\n}}\n'
    )


def _optimise(module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _link(compiled: bytes, names: Sequence[str]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "kernels.o", Path(folder) / "kernels.wasm"
        source.write_bytes(compiled)
        options = [
            *("--no-entry", "--gc-sections", "--strip-all", "-O2", "--import-memory"),
            *("-z", f"stack-size={STACK_BYTES}", "--stack-first", f"--max-memory={MAX_BYTES}"),
            *(f"--export={name}" for name in names),
            "--export=__heap_base",
        ]
        _run_linker([*options, str(source), "-o", str(target)])
        return target.read_bytes()


def _run_linker(options: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    """wasm-ld, as the package ziglang brings it."""
    if importlib.util.find_spec("ziglang") is None:
        raise MissingExtraError("linking WebAssembly", "dev")
    command = [sys.executable, "-m", "ziglang", "wasm-ld", *options]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise DataError(f"wasm-ld fails: {done.stderr.decode(errors='replace').strip()}")
    return done

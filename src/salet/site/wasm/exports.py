"""The kernels that a page needs, each for the array types in which games come.

A table has one byte for each pattern, or two where there are more than 256 of them; letters have
one byte, or two in an alphabet of more than 256. Types are those of a tiny game, so they follow
whatever the definitions of Layout and Stack become.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from salet.game import feedback
from salet.search import splits
from salet.search.exact import engine, layout, transposition_table
from salet.search.exact.solver import Solver

types: Any = numba.types
type_of: Any = numba.typeof

_PATTERNS = {1: 200, 2: 300}
"""Bytes of a pattern -> patterns of the tiny game that has them."""


@dataclass(frozen=True)
class Export:
    """A kernel for some types of arguments."""

    name: str
    kernel: Any
    signature: tuple[Any, ...]
    parameters: tuple[str, ...]
    """names of the arguments"""


def exports() -> Iterator[Export]:
    """Every kernel of the module."""
    for size in (1, 2):
        yield from _search_exports(size)
    yield from _feedback_exports()


def _export(name: str, kernel: Any, *signature: Any) -> Export:
    function: Callable[..., Any] = kernel.py_func
    count = function.__code__.co_argcount
    return Export(name, kernel, signature, function.__code__.co_varnames[:count])


def _search_exports(size: int) -> Iterator[Export]:
    solver = Solver(_tiny_layout(size), max_depth=2, megabytes=0.01)
    integer, key = types.int64, types.uint64
    patterns = types.Array(types.uint8 if size == 1 else types.uint16, 2, "C")
    by_answer = patterns.copy(layout="F")
    table = type_of(solver.table)
    yield _export(
        f"search_{size}",
        engine.search,
        type_of(solver.layout),
        type_of(solver.stack),
        table,
        integer,
        integer,
    )
    if size == 1:
        yield _export("probe", transposition_table.probe, table, key, key)
    indices, ints = types.Array(types.int32, 1, "C"), types.Array(types.int64, 1, "C")
    floats = types.Array(types.float64, 1, "C")
    yield _export(f"count_parts_{size}", layout.count_parts, patterns, indices, indices)
    yield _export(f"transpose_{size}", layout.transpose, patterns, patterns)
    counts = (indices, indices, floats, indices, types.Array(types.int64, 2, "C"), floats)
    yield _export(f"count_groups_{size}", splits.count_groups, patterns, *counts)
    yield _export(f"count_groups_by_answer_{size}", splits.count_groups, by_answer, *counts)
    weights = (indices, ints, indices, ints, ints)
    yield _export(f"sum_max_weights_{size}", splits.sum_max_weights, patterns, *weights)


def _feedback_exports() -> Iterator[Export]:
    def array(dtype: Any) -> Any:
        return types.Array(dtype, 2, "C")

    rules = {
        "standard": (feedback.fill_standard_with, (array(types.uint8),)),
        "present": (feedback.fill_present, ()),
        "pegs": (feedback.fill_pegs_with, (array(types.int16),)),
    }
    for rule, (kernel, scratch) in rules.items():
        for letter in (types.uint8, types.uint16):
            for pattern in (types.uint8, types.uint16, types.uint32):
                name = f"fill_{rule}_{letter.bitwidth // 8}_{pattern.bitwidth // 8}"
                letters = array(letter)
                counts = array(types.uint8)
                arrays = (letters, letters, counts, array(pattern), *scratch)
                yield _export(name, kernel, *arrays)


def _tiny_layout(size: int) -> layout.Layout:
    """A layout of four guesses and three answers in strict mode, whose arrays are all used."""
    patterns = _PATTERNS[size]
    dtype: Any = np.uint8 if size == 1 else np.uint16
    table = np.zeros((4, 3), dtype)
    np.fill_diagonal(table, patterns - 1)
    between = np.zeros((4, 4), dtype)
    return layout.build_layout(
        table, patterns, mode=layout.STRICT, legality=layout.strict_legality(between)
    )

"""The definitions that JavaScript shares with Python, as a module of JavaScript.

Arguments of kernels, fields of records and constants are taken from the Python objects themselves,
so that a change there changes this module, or breaks its use where it is called.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numba
import numpy as np

from salet.coach import (
    adviser,
    analysis,
    appraisal,
    grids,
    hints,
    rating,
    traps,
    valuation,
    verdicts,
)
from salet.game import game, generated, lexicon, notation, weights
from salet.game.feedback import RULES
from salet.game.modes import MODES
from salet.numeric import simd
from salet.search import value
from salet.search.exact import (
    engine,
    layout,
    scan,
    similar_sets,
    solver,
    stack,
    ties,
)
from salet.search.objectives import OBJECTIVES
from salet.site.wasm.exports import Export

types: Any = numba.types

_CONSTANTS: Mapping[str, Any] = {
    # search/exact
    "INF": layout.INF,
    "MODES": {"normal": layout.NORMAL, "hard": layout.HARD, "strict": layout.STRICT},
    "UNKNOWN_GREEN": stack.UNKNOWN,
    "ALL_GUESSES": stack.ALL_GUESSES,
    "ONE_GUESS": stack.ONE_GUESS,
    "EXPAND": engine.EXPAND,
    "NEXT_GUESS": engine.NEXT_GUESS,
    "EXPAND_ONLY": engine.EXPAND_ONLY,
    "MAX_PAIRWISE": scan.MAX_PAIRWISE,
    "MARKED": scan.MARKED,
    "LANES": simd.LANES,
    "LARGE": layout._LARGE,
    "SIMILAR_ORDERS": similar_sets.ORDERS,
    "SIMILAR_BUCKET": similar_sets.BUCKET_SIZE,
    "GAIN_SIZES": stack.SIZES,
    "MAX_CANDIDATES_FIRST": ties.MAX_CANDIDATES_FIRST,
    "SLICE": solver._SLICE,
    "MAX_ALPHABET": layout._MAX_ALPHABET,
    # coach
    "MIN_PAUSE": adviser.MIN_PAUSE,
    "MAX_PROVEN": adviser.MAX_PROVEN,
    "MAX_LISTED": adviser.MAX_LISTED,
    "BEAM_WIDTH": valuation.BEAM_WIDTH,
    "BEAM_WIDTH_RESTRICTED": valuation.BEAM_WIDTH_RESTRICTED,
    "WINDOW_START": value.WINDOW_START,
    "WINDOW_END": value.WINDOW_END,
    "WINDOW_STEPS": value.WINDOW_STEPS,
    "TRAP_UNCAPPED": traps.UNCAPPED,
    "TRAP_SPLITTERS": traps.SPLITTERS,
    "TRAP_SHARE": traps.SHARE,
    "TRAPS_LISTED": traps.LISTED,
    "APPRAISED": appraisal.LISTED,
    "FEW_RANKS": rating.FEW,
    "HINT_LETTERS": hints.LISTED,
    "FINE_PRICE": verdicts.FINE_PRICE,
    "SCORE_UNCAPPED": verdicts.UNCAPPED,
    "BEST_SCORE": analysis.BEST_SCORE,
    "PALETTES": dict(grids.PALETTES),
    "GRID_SQUARES": dict(grids._SQUARES),
    "GRID_LETTERS": dict(grids._LETTERS),
    "GRID_MAX_CHARACTERS": grids.MAX_CHARACTERS,
    "GRID_MAX_ROWS": grids.MAX_ROWS,
    # game
    "RULES": {
        name: {
            "notation": rule.notation.name,
            "counts_letters": rule.counts_letters,
            "summary": rule.summary,
        }
        for name, rule in RULES.items()
    },
    "MODE_SUMMARIES": dict(MODES),
    "OBJECTIVES": dict(OBJECTIVES),
    "TILE_COLOURS": dict(notation._COLOUR_OF),
    "MIN_LENGTH": lexicon.MIN_LENGTH,
    "MAX_LENGTH": lexicon.MAX_LENGTH,
    "MAX_EDITS": lexicon._MAX_EDITS,
    "MAX_WEIGHT": game.MAX_WEIGHT,
    "MIN_BOARDS": game.MIN_BOARDS,
    "MAX_BOARDS": game.MAX_BOARDS,
    "WEIGHT_UNIT": weights.UNIT,
    "PAST_FACTOR": weights.PAST,
    "PLURAL_FACTOR": weights.PLURAL,
    "SYMBOLS": generated._SYMBOLS,
    "MAX_CODES": generated._MAX_CODES,
    "CODE_GAMES": dict(generated.CODE_GAMES),
}

_HEAD = """\
// Made by `make wasm` from the Python definitions; do not edit.
// KERNELS: the arguments of each kernel in order: [dtype, dimensions] of an array, or a type.
// FRAME, COUNTERS: the 64-bit fields of records, in order.
"""


def definitions(exports: Sequence[Export], results: Mapping[str, Any]) -> str:
    """The text of definitions.js; `results` are the types that kernels return."""
    kernels = {
        export.name: {
            "arguments": _arguments(export),
            "result": [_dtype(part) for part in _parts(results[export.name])],
        }
        for export in exports
    }
    lines = [
        _HEAD,
        _constant("KERNELS", kernels),
        _constant("FRAME", _fields(stack.FRAME)),
        _constant("COUNTERS", _fields(stack.COUNTERS)),
        *(_constant(name, value) for name, value in _CONSTANTS.items()),
    ]
    return "\n".join(lines) + "\n"


def _constant(name: str, value: Any) -> str:
    if isinstance(value, int) and abs(value) > 2**53:
        return f"export const {name} = {value}n;"
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"export const {name} = {text};"


def _fields(record: np.dtype[Any]) -> list[str]:
    """The names of a record's fields, each of which must have 64 bits."""
    names = list(record.names or ())
    assert all(record.fields[name][1] == 8 * at for at, name in enumerate(names))  # type: ignore
    return names


def _arguments(export: Export) -> dict[str, Any]:
    """Path of each argument -> its type; fields of named tuples are arguments of their own."""
    found: dict[str, Any] = {}
    for name, kind in zip(export.parameters, export.signature, strict=True):
        found.update(_flattened(name, kind))
    return found


def _flattened(path: str, kind: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(kind, types.BaseNamedTuple):
        for field, part in zip(kind.fields, kind.types, strict=True):
            yield from _flattened(f"{path}.{field}", part)
    elif isinstance(kind, types.Array):
        yield path, [_dtype(kind.dtype), kind.ndim]
    else:
        yield path, _dtype(kind)


def _parts(kind: Any) -> list[Any]:
    if kind == types.none:
        return []
    return list(kind.types) if isinstance(kind, types.BaseTuple) else [kind]


def _dtype(kind: Any) -> str:
    """`u1`, `i8`, `f8`, as NumPy writes types; a record is its 64-bit fields."""
    if isinstance(kind, types.Record):
        return f"record{kind.size}"
    if isinstance(kind, types.Boolean):
        return "bool"
    sign = "f" if isinstance(kind, types.Float) else "i" if kind.signed else "u"
    return f"{sign}{kind.bitwidth // 8}"

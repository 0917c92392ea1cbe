"""Bounds of the parts that guesses make of a state, one guess after the other.

Unit weights, at most 256 patterns, and four guesses left or more (exact/opener_bound.py).
"""

from __future__ import annotations

from typing import NamedTuple

from salet.array_types import Indices
from salet.game.state import State
from salet.search.exact.layout import STRICT, Layout
from salet.search.exact.opener_bound import opener_bound
from salet.search.exact.solver import Solver
from salet.search.roots import root_of


class BoundedParts(NamedTuple):
    """The parts that a guess makes of a state, as totals."""

    total: int
    """a lower bound of the guess"""
    settled: int = 0
    """its cost, with that of the parts whose total is known"""
    open: list[tuple[int, Indices, int]] | None = None
    """(pattern, answers, lower bound) of the others; None if `total` reaches the target"""


class PartBounds:
    """Bounds the parts that guesses make of a state, for one thread."""

    def __init__(self, layout: Layout, megabytes: float) -> None:
        self._layout = layout
        similar_mb = megabytes if layout.mode != STRICT else 0
        self._solver = Solver(layout, max_depth=2, megabytes=megabytes / 8, similar_mb=similar_mb)
        self._entered: State | None = None

    def bound(self, here: State, guess: int, target: int) -> BoundedParts:
        """Bound a guess and its parts, but not beyond the target."""
        layout, solver, stack = self._layout, self._solver, self._solver.stack
        frame = stack.frames[0]
        if self._entered is not here:
            solver.enter(root_of(here))
            frame.max_parts = frame.max_peel = frame.count
            self._entered = here
        index = layout.index_of[guess]
        total = opener_bound(layout, stack, solver.table, 0, index, target)
        if total >= target:
            return BoundedParts(int(total))
        opened = stack.open_parts[0, : frame.open_parts]
        starts, counts, lowers = stack.part_start[0], stack.part_count[0], stack.part_lower[0]
        rows = [
            (
                int(stack.part_pattern[0, j]),
                stack.answers[1, starts[j] : starts[j] + counts[j]].copy(),
                int(lowers[j]),
            )
            for j in opened.tolist()
        ]
        settled = int(frame.weight + lowers[: frame.parts].sum() - lowers[opened].sum())
        return BoundedParts(int(total), settled, rows)

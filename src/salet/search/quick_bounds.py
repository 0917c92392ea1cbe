"""Lower bounds on openers, for one thread that reuses what it learns from one to the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from salet.array_types import Indices
from salet.search.exact.layout import INF, STRICT, Layout
from salet.search.exact.loss_cores import (
    LossCores,
    empty_loss_cores,
    lost_after,
    lost_by_opener,
    remember_core,
)
from salet.search.exact.opener_bound import MIN_DEPTH, opener_bound
from salet.search.exact.solver import Root, Solver
from salet.search.exact.stack import build_stack
from salet.search.value import Evaluator

LOSS_DEPTHS = (3, 4)
"""Numbers of guesses left for which `LossBound` holds."""
_MAX_LEVELS = 4
"""Maximum number of distinct weights that are distinguished."""
_LEVEL_MB = 8.0

SharedCore = tuple[object, Indices, int]
"""(bound that found it, its answers, minimum number of losses) of a core of losses"""


class QuickBound:
    """`opener_bound` for one thread, with its scratch memory."""

    def __init__(self, solver: Solver, root: Root, megabytes: float) -> None:
        """Layout and transposition table are those of the solver."""
        self._layout, self._table = solver.layout, solver.table
        similar_mb = megabytes if self._layout.mode != STRICT else 0
        self._stack = build_stack(self._layout, 2, similar_mb=similar_mb)
        solver.enter(root)
        for name in ("frames", "answers", "legal", "greens", "needs", "legal_keys"):
            getattr(self._stack, name)[0] = getattr(solver.stack, name)[0]
        frame = self._stack.frames[0]
        frame.max_parts = frame.max_peel = frame.count

    def __call__(self, opener: int, target: int) -> int:
        """A lower bound of the opener; at least the target if that can be shown quickly."""
        index = self._layout.index_of[opener]
        return int(opener_bound(self._layout, self._stack, self._table, 0, index, target))


class WeightedBound:
    """`opener_bound` for weighted answers, from states of unit weights [levels].

    A plan for S costs the sum over its answers of weight times guesses. Let v1 > v2 > … be the
    weights that occur and S_i the answers of weight v_i or more: the cost is the sum over i of
    (v_i - v_{i + 1}) times the guesses that the plan makes for S_i, which are at least those of the
    best plan for S_i alone. Smaller weights than the
    true ones give a lower bound, too: so a few levels suffice. (Nothing may be lost.)
    """

    def __init__(self, layout: Layout, root: Root, megabytes: float) -> None:
        unit = layout._replace(weights=np.ones_like(layout.weights), unit=1)
        weights = layout.weights[root.answers]
        values = np.unique(weights)
        if len(values) > _MAX_LEVELS:
            values = values[np.linspace(0, len(values) - 1, _MAX_LEVELS).round().astype(int)]
        self._levels: list[tuple[int, QuickBound]] = []
        below = 0
        for value in values.tolist():
            solver = Solver(unit, max_depth=2, megabytes=_LEVEL_MB, similar_mb=0)
            answers = root.answers[weights >= value]
            level = QuickBound(solver, replace(root, answers=answers), megabytes / len(values))
            self._levels.append((value - below, level))
            below = value

    def __call__(self, opener: int, target: int) -> int:
        """A lower bound of the opener; at least the target if that can be shown quickly."""
        lowers = [level(opener, 0) for _, level in self._levels]
        total = sum(step * low for (step, _), low in zip(self._levels, lowers, strict=True))
        for (step, level), low in zip(self._levels, lowers, strict=True):
            if total >= target:
                break
            total += step * (level(opener, low - (total - target) // step) - low)
        return min(total, INF)


class LossBound:
    """Lower bounds on the losses of openers, for one thread; `shared` are the cores of all
    threads."""

    def __init__(
        self, evaluator: Evaluator, root: Root, loss: int, shared: list[SharedCore]
    ) -> None:
        self._layout, self._loss, self._depth = evaluator.layout, loss, root.depth
        self._answers = np.ascontiguousarray(root.answers, np.int32)
        self._cores = empty_loss_cores(self._layout)
        self._shared, self._taken = shared, 0

    def warm_up(self, opener: int) -> None:
        """Load (or compile) the kernels."""
        few = self._answers[:1]
        lost_by_opener(self._layout, self._cores, few, 1, self._layout.index_of[opener], 1)

    def __call__(self, opener: int, guesses: int, target: int) -> int:
        """A lower bound of an opener that takes at least `guesses` guesses, whatever it loses; INF
        where it loses something and nothing may be lost."""
        enough = 1
        if self._loss < INF:
            if target >= INF:
                return guesses
            enough = -(-(target - guesses) // self._loss)
        index = self._layout.index_of[opener]
        if self._depth == MIN_DEPTH:
            lost = self._lost_by_opener(index, enough)
        else:
            count = len(self._answers)
            lost = lost_after(self._layout, self._cores, self._answers, count, index, enough)
        if self._loss >= INF:
            return INF if lost > 0 else guesses
        return guesses + int(lost) * self._loss

    def _lost_by_opener(self, index: int, enough: int) -> int:
        cores, count = self._cores, len(self._answers)
        # Take the cores that other threads have found, and hand on those found here.
        for owner, members, losses in self._shared[self._taken :]:
            self._taken += 1
            if owner is not self:
                cores.core[: len(members)] = members
                remember_core(cores, len(members), losses)
        before = int(cores.stored[0])
        lost = int(lost_by_opener(self._layout, cores, self._answers, count, index, enough))
        for core in range(before, int(cores.stored[0])):
            members = cores.members[cores.starts[core] : cores.starts[core + 1]].copy()
            self._shared.append((self, members, int(cores.losses[core])))
        return lost


def bound_by_losses(layout: Layout, cores: LossCores, root: Root, guess: int, target: int) -> int:
    """A lower bound of a guess in a state with MIN_DEPTH guesses left, at least `target` if its
    losses alone show that. What is learnt goes into the cores, which serve all states of a game."""
    answers = np.ascontiguousarray(root.answers, np.int32)
    guesses = 2 * len(answers) - 1  # [size bound]
    enough = -(-(target - guesses) // layout.loss)
    index = layout.index_of[guess]
    lost = lost_by_opener(layout, cores, answers, len(answers), index, enough)
    return guesses + int(lost) * layout.loss

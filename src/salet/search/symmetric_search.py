"""Value states of a game with symmetries: one guess of each orbit, one state of each orbit.

A symmetry (game/symmetry.py) that fixes the guesses of a history maps the state after it to itself,
whatever the feedback was; so of guesses that such symmetries map to each other only one is tried. A
symmetry that maps one history to another maps the state after it to the state after the other, and
plans to plans of the same cost; so equivalent states share one entry of a memo, under the canonical
form of their histories. (Guesses left are part of the key, since a cap counts all guesses.)

Both pay where many letters are still unused: after two guesses of bulls-and-cows:4x10 there are 20
to 1045 different guesses instead of 5040. So the first turns are searched here, in Python, where a
game has few states; what follows is the work of the kernels.

The parts of a guess are valued one after the other, small ones first. Where answers are lost, they
are searched in rounds (as in exact/engine.py): each is asked for one loss more at a time, the part
that took least the last time first.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from salet.array_types import Ints
from salet.game.state import State
from salet.search.exact.engine import AGAIN
from salet.search.exact.layout import INF, NORMAL
from salet.search.exact.loss_cores import LossCores, empty_loss_cores
from salet.search.exact.solver import Root, SearchInterruptedError, Solver
from salet.search.quick_bounds import LOSS_DEPTHS, bound_by_losses
from salet.search.roots import root_of

_MIN_SYMMETRIC = 40
"""Smaller states are left to the kernels: to look for symmetries takes longer than a search."""
_MIN_ONE_BY_ONE = 400
"""Size of the smallest state whose guesses are tried one by one here, so that the states after them
are searched with symmetry, too."""
_MAX_TURNS = 2
"""States after more guesses are left to the kernels: they are many, and have few symmetries."""
_MAX_COUNTED = 400
"""Size of the largest state in which losses are counted."""
_FIRST_PRICE = 0.01
"""Of a part of n answers that was not searched yet: `_FIRST_PRICE * n` states an answer."""

Key = tuple[int, ...]
"""Identifies the states equivalent to one, with the guesses left and the price of losses."""


def nobody_listens(key: Key, lower: int, upper: int) -> None:
    """What `Memo.on_improved` is without a checkpoint."""


class Memo:
    """Proven bounds of states. Threads may share it, and so may searches of the same game."""

    def __init__(self) -> None:
        self._bounds: dict[Key, tuple[int, int]] = {}
        self._lock = threading.Lock()
        self.on_improved: Callable[[Key, int, int], None] = nobody_listens
        """called with (key, lower, upper) under a lock when bounds of a state improve"""

    def __len__(self) -> int:
        return len(self._bounds)

    def __getitem__(self, key: Key) -> tuple[int, int]:
        """lower <= total <= upper"""
        return self._bounds.get(key, (0, INF))

    def improve(self, key: Key, lower: int, upper: int = INF) -> None:
        """Join bounds with what is known."""
        with self._lock:
            low, high = self[key]
            found = max(low, lower), min(high, upper)
            if found != (low, high):
                self._bounds[key] = found
                self.on_improved(key, *found)


@dataclass(frozen=True, eq=False)
class SymmetricSearch:
    """Totals of the states of a game with symmetries, for one thread."""

    solver: Solver
    memo: Memo
    start: State
    depth: int | None = None
    """maximum number of guesses from `start`, if below what the cap leaves"""
    stop: Callable[[int], bool] | None = None
    """as of a solver"""
    lossless: SymmetricSearch | None = None
    """for a solver with losses: the search without, which is faster and suffices for most states"""

    def value(self, state: State, beta: int = INF) -> int:
        """The total of a state: exact if below beta, otherwise a lower bound >= beta."""
        root, loss = self._root(state), self.solver.layout.loss
        lower = 0
        if self.lossless is not None and root.depth > 1:
            if beta <= loss:  # a plan that loses an answer costs as much
                return min(self.lossless.value(state, beta), loss)
            if self.lossless.can_find_all(state):
                return self.lossless.value(state)
            lower = loss + state.size_bound
        if not self._is_symmetric(state):
            return lower if lower >= beta else self.solver.value(root, beta=beta, stop=self.stop)
        key = self._key(state, root)
        self.memo.improve(key, lower)
        lower, upper = self.memo[key]
        if lower == upper or lower >= beta:
            return lower
        replies, step = self._replies(state), loss
        while True:
            # Losses are shown one, three, seven … at a time: against a limit they are soon counted.
            target = beta if self.lossless is None else min(beta, lower + step)
            value = self._value(state, root, replies, target)
            self.memo.improve(key, value, value if value < target else INF)
            if value < target or target == beta:
                return value
            lower, step = value, 2 * step

    def _value(self, state: State, root: Root, replies: Ints, beta: int) -> int:
        """`value`, by a search of these guesses."""
        if len(state.candidates) >= _MIN_ONE_BY_ONE or self._counts_losses(state, root):
            found = self._one_by_one(state, root, replies, beta)
            if found is not None:
                return found
        return self.solver.best_of(root, replies, beta, self.stop)

    def can_find_all(self, state: State) -> bool:
        """Whether every answer can be found."""
        root = self._root(state)
        if not self._is_symmetric(state):
            return self.solver.value(root, feasible=True, stop=self.stop) < INF
        key = self._key(state, root)
        lower, upper = self.memo[key]
        if lower < INF and upper == INF:
            replies = self._replies(state)
            if len(state.candidates) >= _MIN_ONE_BY_ONE:
                found = any(self._guess_finds_all(state, guess) for guess in replies.tolist())
            else:
                found = self.solver.best_of(root, replies, INF, self.stop, feasible=True) < INF
            if found:
                self.memo.improve(key, 0, state.weight * root.depth)
            else:
                self.memo.improve(key, INF)
        return self.memo[key][1] < INF

    def _guess_finds_all(self, state: State, guess: int) -> bool:
        """Whether every answer can be found with this guess, if it is not idle."""
        self._pause()
        parts = state.groups(guess)
        parts.pop(state.game.win, None)
        if any(len(part.candidates) == len(state.candidates) for part in parts.values()):
            return False
        ordered = sorted(parts.values(), key=lambda part: -len(part.candidates))
        return all(self.can_find_all(part) for part in ordered)

    def _pause(self) -> None:
        """Stop if that is asked: calls of the solver may be too short to ask."""
        if self.stop is not None and self.stop(1):
            raise SearchInterruptedError

    def _replies(self, state: State) -> Ints:
        """The guesses that suffice in a state."""
        first = state.game.symmetry.first_equivalent(state.guesses)
        replies: Ints = np.unique(first[state.legal])
        return replies

    def value_of_guess(self, state: State, guess: int, beta: int = INF) -> int:
        """The total of a guess in a state: exact if below beta, otherwise a lower bound >= beta."""
        parts = state.groups(guess)
        parts.pop(state.game.win, None)
        total = state.weight
        # 1. What is known of the parts; those that are open wait, with their price and lower bound.
        waiting: list[tuple[float, int, State, int]] = []
        for number, part in parts.items():
            lower, upper = self._known(part)
            total = min(total + lower, INF)
            if lower < upper:
                waiting.append((_FIRST_PRICE * len(part.candidates), number, part, lower))
        heapq.heapify(waiting)
        # 2. Raise the bound of the cheapest, until together they cost enough or all are known.
        while waiting and total < beta:
            self._pause()
            _, number, part, lower = heapq.heappop(waiting)
            count, others = len(part.candidates), total - lower
            wanted = beta - others if beta < INF else INF
            if beta < INF and self.lossless is not None:
                wanted = min(lower + self.solver.layout.loss, wanted)
            nodes = self.solver.nodes
            value = self.value(part, wanted)
            total = min(others + value, INF)
            if value >= wanted:
                price = max(AGAIN * (self.solver.nodes - nodes) / count, _FIRST_PRICE * count)
                heapq.heappush(waiting, (price, number, part, value))
        return total

    def _one_by_one(self, state: State, root: Root, guesses: Ints, beta: int) -> int | None:
        """`value` of a large state: the guesses one by one, the most promising first. None if
        nothing tells which these are."""
        rows = state.game.table[guesses][:, state.candidates]
        guesses = guesses[(rows != rows[:, :1]).any(axis=1)]  # without idle ones
        bounds = self.solver.bounds_of(root, guesses, beta, self.stop)
        if bounds is None:
            return None
        lowest = INF
        for at in np.argsort(bounds, kind="stable"):
            target, value = min(beta, lowest), int(bounds[at])
            if value < target < INF and self._counts_losses(state, root):
                value = max(value, self._bound_by_losses(root, int(guesses[at]), target))
            if value < target:
                value = self.value_of_guess(state, int(guesses[at]), target)
            lowest = min(lowest, value)
        return lowest

    def _counts_losses(self, state: State, root: Root) -> bool:
        """Whether losses of guesses in a state are counted before their parts are searched."""
        layout = self.solver.layout
        is_small = len(state.candidates) <= _MAX_COUNTED
        is_simple = bool(layout.unit) and layout.win < 256 and layout.mode == NORMAL
        return (
            self.lossless is not None and root.depth == LOSS_DEPTHS[-1] and is_small and is_simple
        )

    def _bound_by_losses(self, root: Root, guess: int, target: int) -> int:
        """A lower bound of a guess, at least `target` if its losses alone show that."""
        self._pause()
        return bound_by_losses(self.solver.layout, self._cores, root, guess, target)

    @cached_property
    def _cores(self) -> LossCores:
        return empty_loss_cores(self.solver.layout)

    def _known(self, state: State) -> tuple[int, int]:
        """Bounds of a state, without a search."""
        root = self._root(state)
        lower, upper = self.solver.known(root)
        if self._is_symmetric(state):
            low, high = self.memo[self._key(state, root)]
            lower, upper = max(lower, low), min(upper, high)
        return max(lower, state.size_bound), upper

    def _root(self, state: State) -> Root:
        made = state.turn - self.start.turn
        return root_of(state, None if self.depth is None else self.depth - made)

    def _is_symmetric(self, state: State) -> bool:
        """Whether symmetries are worth the time that it takes to find them."""
        return len(state.candidates) >= _MIN_SYMMETRIC and state.turn <= _MAX_TURNS

    def _key(self, state: State, root: Root) -> Key:
        return self.solver.layout.loss, root.depth, *state.game.symmetry.canonical(state.history)


def symmetric_search(
    memo: Memo,
    start: State,
    depth: int | None,
    stop: Callable[[int], bool] | None,
    solver: Solver,
    lossless: Solver | None = None,
) -> SymmetricSearch:
    """A search on one thread; with losses if a solver without is given besides."""
    search = SymmetricSearch(solver if lossless is None else lossless, memo, start, depth, stop)
    return search if lossless is None else replace(search, solver=solver, lossless=search)

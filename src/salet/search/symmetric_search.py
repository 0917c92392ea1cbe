"""Value states of a game with symmetries: one guess of each orbit, one state of each orbit.

A symmetry (game/symmetry.py) that fixes the guesses of a history maps the state after it to itself,
whatever the feedback was; so of guesses that such symmetries map to each other only one is tried. A
symmetry that maps one history to another maps the state after it to the state after the other, and
plans to plans of the same cost; so equivalent states share one entry of a memo, under the canonical
form of their histories. (Guesses left are part of the key, since a cap counts all guesses.)

Both pay where many letters are still unused: after two guesses of bulls-and-cows:4x10 there are 20
to 1045 different guesses instead of 5040. So the first turns are searched here, in Python, where a
game has few states; what follows is the work of the kernels.

A guess is decided in rounds, as in exact/engine.py: to show that it is no better than beta, its
parts need not be valued, only shown to cost enough together.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from salet.array_types import Ints
from salet.game.state import State
from salet.search.exact.engine import AGAIN, MAX_AT_ONCE, SHARE
from salet.search.exact.layout import INF
from salet.search.exact.solver import Root, SearchInterruptedError, Solver
from salet.search.roots import root_of

_MIN_SYMMETRIC = 40
"""Smaller states are left to the kernels: to look for symmetries takes longer than a search."""
_MIN_ONE_BY_ONE = 200
"""Size of the smallest state whose guesses are tried one by one here, so that the states after them
are searched with symmetry, too."""
_MAX_TURNS = 2
"""States after more guesses are left to the kernels: they are many, and have few symmetries."""
_FIRST_PRICE = 0.01
"""Of a part of n answers that was not searched yet: `_FIRST_PRICE * n` states an answer."""

Memo = dict[tuple[object, ...], tuple[int, int]]
"""(lower, upper) bounds of states, by `SymmetricSearch._key`"""


@dataclass(frozen=True, eq=False)
class SymmetricSearch:
    """Totals of the states of a game with symmetries, for one thread."""

    solver: Solver
    memo: Memo
    """may be shared by threads, and by searches of the same game"""
    start: State
    depth: int | None = None
    """maximum number of guesses from `start`, if below what the cap leaves"""
    stop: Callable[[int], bool] | None = None
    """as of a solver"""

    def value(self, state: State, beta: int = INF) -> int:
        """The total of a state: exact if below beta, otherwise a lower bound >= beta."""
        root = self._root(state)
        if not self._is_symmetric(state):
            return self.solver.value(root, beta=beta, stop=self.stop)
        key = self._key(state, root)
        lower, upper = self.memo.get(key, (0, INF))
        if lower == upper or lower >= beta:
            return lower
        first = state.game.symmetry.first_equivalent(state.guesses)
        replies = np.unique(first[state.legal])
        found = None
        if len(state.candidates) >= _MIN_ONE_BY_ONE:
            found = self._one_by_one(state, root, replies, beta)
        value = self.solver.best_of(root, replies, beta, self.stop) if found is None else found
        lower, upper = self.memo.get(key, (0, INF))
        self.memo[key] = max(lower, value), min(upper, value) if value < beta else upper
        return value

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
            if self.stop is not None and self.stop(1):
                raise SearchInterruptedError
            _, number, part, lower = heapq.heappop(waiting)
            count, others = len(part.candidates), total - lower
            wanted = beta - others if beta < INF else INF
            if beta < INF and count > MAX_AT_ONCE:
                wanted = min(lower + max(1, count // SHARE), wanted)
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
            if value < target:
                value = self.value_of_guess(state, int(guesses[at]), target)
            lowest = min(lowest, value)
        return lowest

    def _known(self, state: State) -> tuple[int, int]:
        """Bounds of a state, without a search."""
        root = self._root(state)
        lower, upper = self.solver.known(root)
        if self._is_symmetric(state):
            low, high = self.memo.get(self._key(state, root), (0, INF))
            lower, upper = max(lower, low), min(upper, high)
        return max(lower, state.size_bound), upper

    def _root(self, state: State) -> Root:
        made = state.turn - self.start.turn
        return root_of(state, None if self.depth is None else self.depth - made)

    def _is_symmetric(self, state: State) -> bool:
        """Whether symmetries are worth the time that it takes to find them."""
        return len(state.candidates) >= _MIN_SYMMETRIC and state.turn <= _MAX_TURNS

    def _key(self, state: State, root: Root) -> tuple[object, ...]:
        return self.solver.layout.loss, root.depth, *state.game.symmetry.canonical(state.history)

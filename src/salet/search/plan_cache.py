"""A cache of plans that took long to find: the first guess of every state of a plan.

A beam of width w tries the w most promising guesses of every state. The wider it is, the better its
plan and the longer it takes. The total that a beam returns depends on the limits under which its
states were searched, so the plan is stored at once, with the total of the plan itself.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from salet.game.state import State
from salet.search.budget import Clock
from salet.search.search_state import SearchState
from salet.search.value import INF, Evaluator, trivial_cost

WIDENING = 4
"""Factor from the width of a beam to that of the next one."""
_ENTRY_BYTES = 500
"""Size of a key, a plan and their entry in the dict."""


class CachedPlan(NamedTuple):
    """The first guess of a plan, and the guesses that the plan takes over all answers."""

    total: int
    guess: int


class PlanCache:
    """The best known plans of states, by key. Threads may share it if they work on different
    states."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known: dict[Hashable, CachedPlan] = {}
        self._widths: dict[Hashable, int] = {}

    def total(self, key: Hashable) -> int:
        """The total of the best known plan of a state; INF if there is none."""
        found = self._known.get(key)
        return INF if found is None else found.total

    def guess(self, key: Hashable) -> int | None:
        """Its first guess; None if no plan is known."""
        found = self._known.get(key)
        return None if found is None else found.guess

    def widen(self, state: State, key: Hashable, clock: Clock | None = None) -> int:
        """Search a state with the next wider beam; returns the total of its best known plan."""
        width = self._widths[key] = WIDENING * self._widths.get(key, 1)
        if self._evaluator.total(state, width=width, clock=clock) < self.total(key):
            self.store(state, width, clock)
        return self.total(key)

    def store(self, state: State, width: int = 0, clock: Clock | None = None) -> int:
        """Store the plan of a beam (`width` 0: of exact search) for a state and all states below.

        Returns the total of the best known plan of the state.
        """
        trivial = trivial_cost(state)
        if trivial is not None:
            return INF if trivial.losses else trivial.guesses
        key = SearchState(state).key
        guess = self._evaluator.best_guess(state, width=width, clock=clock)
        total = state.weight
        for below in state.groups(guess).values():
            if not below.won:
                total = min(total + self.store(below, width, clock), INF)
        if total < self.total(key):
            self._known[key] = CachedPlan(total, guess)
        return self.total(key)

    @property
    def nbytes(self) -> int:
        return (len(self._known) + len(self._widths)) * _ENTRY_BYTES

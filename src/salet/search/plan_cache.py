"""A cache of plans that were expensive to find: the first guess of every state of a plan.

A beam of width w tries the w most promising guesses of every state; a wider beam finds a better
plan and takes longer. The total that a beam search returns depends on the limits under which states
were searched, so a plan is stored as soon as it is found, with the total of the plan itself.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from salet.game.state import State
from salet.search.budget import Clock
from salet.search.search_state import SearchState
from salet.search.value import INF, Evaluator, trivial_cost

WIDENING = 4
"""Factor by which the next beam is wider."""
_ENTRY_BYTES = 500
"""Size of a key, a plan and their dict entry."""


class CachedPlan(NamedTuple):
    """The first guess of a plan, and the plan's total over all answers."""

    total: int
    guess: int


class PlanCache:
    """The best known plan of each state, by key. Threads may share it if their states differ."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known: dict[Hashable, CachedPlan] = {}
        self._widths: dict[Hashable, int] = {}

    def total(self, key: Hashable) -> int:
        """The total of the best known plan of a state; INF if there is none."""
        found = self._known.get(key)
        return INF if found is None else found.total

    def guess(self, key: Hashable) -> int | None:
        """The first guess of that plan; None if there is none."""
        found = self._known.get(key)
        return None if found is None else found.guess

    def widen(self, state: State, key: Hashable, clock: Clock | None = None) -> int:
        """Search a state with the next wider beam; return the total of its best known plan."""
        width = self._widths[key] = WIDENING * self._widths.get(key, 1)
        if self._evaluator.total(state, width=width, clock=clock) < self.total(key):
            self.store(state, width, clock)
        return self.total(key)

    def store(self, state: State, width: int = 0, clock: Clock | None = None) -> int:
        """Store the plan of a beam for a state and all states below it (`width` 0: exact search).

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

"""Plans of states that took long to find: kept guess by guess, so that nothing is searched twice.

A beam of width w tries the w most promising guesses of every state. The wider it is, the better its
plan and the longer it takes; what it returns depends on the limits under which its states were
searched, so a plan is written down at once, and its own total is what counts.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from salet.game.state import State
from salet.search.search_state import SearchState
from salet.search.value import INF, Clock, Evaluator, trivial_cost

WIDENING = 4
"""Factor from the width of a beam to that of the next one."""
_ENTRY_BYTES = 500
"""A key, a plan and their places in the dict."""


class KeptPlan(NamedTuple):
    """The first guess of a plan, and the guesses that the plan takes over all answers."""

    total: int
    guess: int


class KeptPlans:
    """The best plans known of states, by key. Threads may share one as long as they ask about
    different states."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known: dict[Hashable, KeptPlan] = {}
        self._widths: dict[Hashable, int] = {}

    def total(self, key: Hashable) -> int:
        """The total of the best plan known of a state; INF if there is none."""
        found = self._known.get(key)
        return INF if found is None else found.total

    def guess(self, key: Hashable) -> int | None:
        """Its first guess; None if no plan is known."""
        found = self._known.get(key)
        return None if found is None else found.guess

    def widen(self, state: State, key: Hashable, clock: Clock | None = None) -> int:
        """Search a state by the next wider beam. Returns the total of the best plan known."""
        width = self._widths[key] = WIDENING * self._widths.get(key, 1)
        if self._evaluator.total(state, width=width, clock=clock) < self.total(key):
            self.keep(state, width, clock)
        return self.total(key)

    def keep(self, state: State, width: int = 0, clock: Clock | None = None) -> int:
        """Write down the plan of a beam (0: of exact search) below a state. Returns the total of
        the best plan known of it."""
        trivial = trivial_cost(state)
        if trivial is not None:
            return INF if trivial.losses else trivial.guesses
        key = SearchState(state).key
        guess = self._evaluator.best_guess(state, width=width, clock=clock)
        total = state.weight
        for below in state.groups(guess).values():
            if not below.won:
                total = min(total + self.keep(below, width, clock), INF)
        if total < self.total(key):
            self._known[key] = KeptPlan(total, guess)
        return self.total(key)

    @property
    def nbytes(self) -> int:
        return (len(self._known) + len(self._widths)) * _ENTRY_BYTES

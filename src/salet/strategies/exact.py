"""The player that is never wrong: it solves every state it meets."""

from __future__ import annotations

import threading
from typing import Any

from salet.game.game import Game
from salet.game.state import State
from salet.search.exact.model import INF
from salet.search.exact.solver import Solver
from salet.search.shipped import shipped_plan
from salet.search.terms import hints_of, rules_of
from salet.strategies.base import Strategy


class Exact(Strategy):
    """Plays a guess of least expected total; where the cap cannot be kept, of fewest losses.

    It opens with a shipped plan where there is one; otherwise the first guess of a large game takes
    minutes of proof, so give an opener.
    """

    name = "exact"
    ties: Any = "candidate"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._solvers: dict[tuple[Game, bool], Solver] = {}

    def choose(self, state: State) -> int:
        if state.turn == 0 and (plan := shipped_plan(state.game)) is not None:
            return state.game.index(plan.root.guess)
        with self._lock:
            history = hints_of(state)
            solver = self._solver(state, False)
            value = solver.value(history)
            if value >= INF:
                solver = self._solver(state, True)
                value = solver.value(history)
            return solver.equal(history, value, 1)[0]

    def _solver(self, state: State, losses: bool) -> Solver:
        key = (state.game, losses)
        if key not in self._solvers:
            self._solvers[key] = Solver(rules_of(state.game), losses=losses, megabytes=64)
        return self._solvers[key]

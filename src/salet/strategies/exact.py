"""The optimal player: it solves every state exactly."""

from __future__ import annotations

import weakref

from salet.game.game import Game
from salet.game.state import State
from salet.search.shipped import shipped_plan
from salet.search.value import Evaluator
from salet.strategies.base import Strategy


class Exact(Strategy):
    """Plays a guess of minimum expected total; if the cap cannot be guaranteed, of fewest losses.

    It opens with a shipped plan where there is one. Otherwise the first guess of a large game takes
    minutes of proof: give an opener.
    """

    name = "exact"
    ties = "candidate"

    def __init__(self) -> None:
        self._evaluators: weakref.WeakKeyDictionary[Game, Evaluator] = weakref.WeakKeyDictionary()

    def choose(self, state: State) -> int:
        if state.turn == 0 and (plan := shipped_plan(state.game)) is not None:
            return state.game.index(plan.root.guess)
        evaluator = self._evaluators.get(state.game)
        if evaluator is None:
            evaluator = self._evaluators[state.game] = Evaluator(state.game, megabytes=64)
        return evaluator.best_guess(state)

"""The player that searches by MCDP before every move."""

from __future__ import annotations

import threading

from salet.game.game import Game
from salet.game.state import State
from salet.search.anytime import SearchConfig
from salet.search.anytime_run import Recorder
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.game import TABLE_MB, GameSearch, mcdp_config
from salet.search.value import Evaluator
from salet.strategies.base import Strategy


class Mcdp(Strategy):
    """Plays the first guess of the best plan that it finds within some episodes per move.

    States that it can solve within the budget are played perfectly. The result depends only on the
    state and the seed.
    """

    name = "mcdp"

    def __init__(
        self,
        iterations: int = 200,
        dp_threshold: int = McdpConfig.dp_threshold,
        temperature: float = McdpConfig.temperature,
        memory: float = McdpConfig.memory,
        seed: int = 0,
    ) -> None:
        self._budget = SearchConfig(
            method="mcdp",
            iterations=iterations,
            temperature=temperature,
            dp_threshold=dp_threshold,
            memory=memory,
            seed=seed,
            threads=1,
        )
        self._config = mcdp_config(self._budget)
        self._lock = threading.Lock()
        self._evaluators: dict[Game, Evaluator] = {}

    def choose(self, state: State) -> int:
        if len(state.candidates) <= 2:
            return state.heaviest
        with self._lock:
            if state.game not in self._evaluators:
                self._evaluators[state.game] = Evaluator(state.game, megabytes=TABLE_MB)
            evaluator = self._evaluators[state.game]
        search = GameSearch(state, self._config, evaluator)
        search.run(Recorder(state.weight), self._budget.iterations)
        return search.known.choose(state)

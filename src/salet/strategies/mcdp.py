"""The player that searches by MCDP before every move, within a budget."""

from __future__ import annotations

from salet.game.state import State
from salet.search.anytime import Recorder, SearchConfig
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.game import GameSearch, settings_of
from salet.strategies.base import Strategy


class Mcdp(Strategy):
    """Plays the first guess of the best plan that it finds in so many episodes.

    States whose search fits into the budget are played perfectly. The result depends on the state
    and the seed alone.
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
        self._config = settings_of(self._budget)

    def choose(self, state: State) -> int:
        if len(state.candidates) <= 2:  # the likelier one first
            weights, candidates = state.game.weights, state.candidates
            return int(candidates[0 if weights is None else weights[candidates].argmax()])
        search = GameSearch(state, self._config)
        search.run(Recorder(self._budget, 1), self._budget.iterations)
        return search.choose(state)

"""The player that searches by tree search before every move."""

from __future__ import annotations

import math
import threading
from typing import Any

from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.search.anytime import SearchConfig
from salet.search.anytime_run import Recorder
from salet.search.game_process import GameProcess
from salet.search.mcts.game import DP_THRESHOLD, process_of, search_from
from salet.search.mcts.pickers import picker_named
from salet.search.value import trivial_cost
from salet.strategies.base import Strategy


class Mcts(Strategy):
    """Plays the best guess that tree search finds within some iterations, or seconds, per move.

    Small states are solved exactly. With seconds, the result depends on the speed of the machine.
    """

    name = "mcts"
    ties: Any = None

    def __init__(
        self,
        iterations: int = 12,
        seconds: str | None = None,
        picker: str = "thompson",
        seed: int = 0,
    ) -> None:
        picker_named(picker)
        try:
            limit = None if seconds is None else float(seconds)
        except ValueError:
            raise InputError(f"strategy 'mcts': seconds={seconds!r} is not a number") from None
        self.config = SearchConfig(
            picker=picker,
            iterations=None if limit is not None else iterations,
            seconds=limit,
            seed=seed,
            threads=1,
        )
        self.dp_threshold = DP_THRESHOLD
        """largest number of answers of a state that is solved instead of searched"""
        self._lock = threading.Lock()
        self._processes: dict[Game, GameProcess] = {}

    def choose(self, state: State) -> str | int:
        process = self._process(state.game).at(state)
        here = process.start()
        if process.is_small(here, self.dp_threshold):
            if process.refine(here).low > -math.inf:
                return process.evaluator.best_guess(state)
            if trivial_cost(state) is not None:
                return state.heaviest
        recorder = Recorder(
            state.weight, iterations=self.config.iterations, seconds=self.config.seconds
        )
        found = search_from(state, self.config, recorder, process)
        if found.guess is not None:
            return found.guess
        # The cap cannot be guaranteed: split the answers into as many groups as possible.
        if trivial_cost(state) is not None:
            return state.heaviest
        return process.ranked(here, set(), 1, -math.inf).rows[0].action

    def _process(self, game: Game) -> GameProcess:
        with self._lock:
            if game not in self._processes:
                self._processes[game] = process_of(game, self.config)
                self._processes[game].warm_up()
            return self._processes[game]

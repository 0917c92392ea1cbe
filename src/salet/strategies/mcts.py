"""The player that searches a while before every move."""

from __future__ import annotations

import math
import threading
from typing import Any

from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.search.anytime import Recorder, SearchConfig
from salet.search.guessing import GuessProcess
from salet.search.mcts.game import process_from, search_from
from salet.search.mcts.pickers import picker_named
from salet.strategies.base import Strategy


class Mcts(Strategy):
    """Plays the best guess that tree search finds in so many iterations, or seconds, a move.

    Small states are solved exactly. With seconds, what it plays depends on the machine.
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
            raise InputError(f"strategy 'mcts': seconds={seconds!r} is no number") from None
        self.config = SearchConfig(
            picker=picker,
            iterations=None if limit is not None else iterations,
            seconds=limit,
            seed=seed,
            threads=1,
        )
        self._lock = threading.Lock()
        self._processes: dict[Game, GuessProcess] = {}

    def choose(self, state: State) -> str | int:
        process = self._process(state)
        here = process.at(state).start()
        if process.effort(here) == 0 and process.refine(here).low > -math.inf:
            return process.choose(state)
        recorder = Recorder(self.config, process.weight(state))
        found = search_from(state, self.config, recorder, process)
        if found.guess is not None:
            return found.guess
        # The cap cannot be kept: tell apart as many answers as possible while that helps.
        if state.guesses_left == 1 or len(state.candidates) <= 2:
            return process.choose(state)
        return process.ranked(here, set(), 1, -math.inf).rows[0].action

    def _process(self, state: State) -> GuessProcess:
        with self._lock:
            if state.game not in self._processes:
                process = process_from(state.game.start(), self.config)
                process.get_ready()
                self._processes[state.game] = process
            return self._processes[state.game]

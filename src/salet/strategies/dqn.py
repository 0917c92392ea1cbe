"""Players with a Q-network: alone, with an endgame rule, or looking one ply ahead."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from salet.array_types import Bools, Floats, Indices, Patterns
from salet.env.game_arrays import Histories
from salet.errors import InputError, MissingExtraError
from salet.game.game import Game
from salet.game.state import State
from salet.strategies.base import Strategy

if TYPE_CHECKING:
    from salet.learn.dqn.play import GameAdapter
    from salet.learn.dqn.weights import DqnWeights


class Dqn(Strategy):
    """Plays the guess that the network values highest, without any search."""

    name = "dqn"

    def __init__(self, weights: str = "") -> None:
        """`weights` is a file written by `salet train`; the default is the shipped weights."""
        self.file = weights
        self._lock = threading.Lock()
        self._adapters: dict[Game, GameAdapter] = {}

    @cached_property
    def weights(self) -> DqnWeights:
        """The network, loaded on first use."""
        try:
            from salet.learn.common.weights import player_weights_path
            from salet.learn.dqn.weights import DqnWeights
        except ModuleNotFoundError:
            raise MissingExtraError(f"the player {self.name!r}", "learn") from None
        return DqnWeights.load(player_weights_path("dqn", self.file))

    def choose(self, state: State) -> int:
        with self._lock:
            adapter = self._adapter(state.game)
            outputs = adapter.outputs(self.weights.network, self._histories(state, adapter))
            best, _ = adapter.head.best(outputs, _legal(state))
            return int(best[0])

    def _adapter(self, game: Game) -> GameAdapter:
        if game not in self._adapters:
            from salet.learn.common.weights import warn_off_list

            warn_off_list(self.weights.config.game, game)
            self._adapters[game] = self.weights.adapter(game)
        return self._adapters[game]

    def _histories(self, state: State, adapter: GameAdapter) -> Histories:
        """The state's history as arrays: as many of the last turns as the network can see."""
        horizon = adapter.arrays.horizon
        visible = state.history[-(horizon - 1) :] if horizon > 1 else ()
        histories = Histories.empty(1, horizon)
        for turn, (guess, code) in enumerate(visible):
            pattern = state.game.compiled.pattern(code)
            if pattern is None:
                raise InputError(f"no answer of {state.game.name} fits the feedback so far")
            histories.guesses[0, turn], histories.patterns[0, turn] = guess, pattern
        histories.turns[0] = len(visible)
        return histories


class DqnFinish(Dqn):
    """The network alone, except that with at most two answers left it guesses one of them."""

    name = "dqn-finish"

    def choose(self, state: State) -> int:
        if len(state.candidates) <= 2:
            return int(state.candidates[0])
        return super().choose(state)


class DqnPly(Dqn):
    """Tries the network's `best` guesses against the answers still possible, and plays the one
    whose groups the network values highest."""

    name = "dqn-ply"

    def __init__(self, weights: str = "", best: int = 50) -> None:
        if best < 1:
            raise InputError(f"strategy 'dqn-ply': best={best}; give at least 1")
        super().__init__(weights)
        self.best = best

    def choose(self, state: State) -> int:
        if len(state.candidates) == 1:
            return int(state.candidates[0])
        with self._lock:
            adapter = self._adapter(state.game)
            here = self._histories(state, adapter)
            values = adapter.head.all_values(adapter.outputs(self.weights.network, here))[0]
            values = np.where(_legal(state)[0], values, -np.inf)
            count = min(self.best, int(np.isfinite(values).sum()))
            guesses = np.argsort(-values, kind="stable")[:count].astype(np.int32)
            return int(guesses[self._one_ply_values(state, adapter, here, guesses).argmax()])

    def _one_ply_values(
        self, state: State, adapter: GameAdapter, here: Histories, guesses: Indices
    ) -> Floats:
        """The expected reward of each guess plus the network's value of what follows."""
        from salet.env.rewards import guess_reward, reward_named

        game = adapter.arrays
        tried, patterns, sizes = _groups(game.table[guesses][:, state.candidates])
        count, turn = len(tried), int(here.turns[0])
        after = Histories(
            np.repeat(here.guesses, count, axis=0),
            np.repeat(here.patterns, count, axis=0),
            np.full(count, turn + 1, np.int32),
        )
        after.guesses[:, turn] = guesses[tried]
        after.patterns[:, turn] = patterns
        reward = reward_named(self.weights.config.reward)
        values = np.array([guess_reward(game, reward, after, b, turn) for b in range(count)])
        unfinished = np.flatnonzero(patterns != game.win)
        if turn + 1 < game.horizon and len(unfinished):
            later = after.take(unfinished)
            values[unfinished] += adapter.best(self.weights.network, later)[1]
        return np.bincount(tried, values * sizes, len(guesses)) / len(state.candidates)


def _legal(state: State) -> Bools:
    """One row: what the mode allows after all turns, also those that the network does not see."""
    mask = np.zeros((1, len(state.game.lexicon)), bool)
    mask[0, state.legal] = True
    return mask


def _groups(ids: Patterns) -> tuple[Indices, Indices, Indices]:
    """Every group of every row of pattern ids: its row, pattern and size."""
    patterns = int(ids.max()) + 1
    keys = np.arange(len(ids))[:, None] * patterns + ids.astype(np.int64)
    found, sizes = np.unique(keys, return_counts=True)
    rows, pattern = np.divmod(found, patterns)
    return rows.astype(np.int32), pattern.astype(np.int32), sizes.astype(np.int32)

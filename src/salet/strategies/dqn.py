"""Players that a network makes: alone, with a rule for the end, or looking one guess ahead."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from salet.array_types import Bools, Indices, Patterns
from salet.env.rulebook import Histories
from salet.errors import InputError, MissingExtraError
from salet.game.game import Game
from salet.game.state import State
from salet.strategies.base import Strategy

if TYPE_CHECKING:
    from salet.learn.agent import Table
    from salet.learn.files import Weights


class Dqn(Strategy):
    """Plays the guess that the network values most; nothing is tried out."""

    name = "dqn"

    def __init__(self, weights: str = "") -> None:
        """`weights` is a file that `salet train` wrote; without one, the shipped weights play."""
        self.file = weights
        self._lock = threading.Lock()
        self._tables: dict[Game, Table] = {}

    @cached_property
    def weights(self) -> Weights:
        """The network, loaded when it is first asked."""
        try:
            from salet.learn.shipped import player_weights
        except ModuleNotFoundError:
            raise MissingExtraError(f"the player {self.name!r}", "learn") from None
        return player_weights("dqn", self.file)

    def choose(self, state: State) -> int:
        with self._lock:
            table = self._table(state.game)
            outputs = table.outputs(self.weights.network, self._histories(state, table))
            best, _ = table.head.best(outputs, _legal(state))
            return int(best[0])

    def _table(self, game: Game) -> Table:
        if game not in self._tables:
            self._tables[game] = self.weights.table(game)
        return self._tables[game]

    def _histories(self, state: State, table: Table) -> Histories:
        """The state's history as arrays. The network knows only so many turns as its games had:
        of a longer game it sees the last."""
        horizon = table.book.horizon
        known = state.history[-(horizon - 1) :] if horizon > 1 else ()
        histories = Histories.blank(1, horizon)
        for turn, (guess, code) in enumerate(known):
            pattern = state.game.compiled.pattern(code)
            if pattern is None:
                raise InputError(f"no answer of {state.game.name} fits the feedback so far")
            histories.guesses[0, turn], histories.patterns[0, turn] = guess, pattern
        histories.turns[0] = len(known)
        return histories


class DqnFinish(Dqn):
    """The network alone, but where at most two answers remain it guesses one."""

    name = "dqn-finish"

    def choose(self, state: State) -> int:
        if len(state.candidates) <= 2:
            return int(state.candidates[0])
        return super().choose(state)


class DqnPly(Dqn):
    """Tries the network's `best` guesses out against the answers still possible, and takes the one
    whose groups the network values most."""

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
            table = self._table(state.game)
            here = self._histories(state, table)
            values = table.head.all(table.outputs(self.weights.network, here))[0]
            values = np.where(_legal(state)[0], values, -np.inf)
            count = min(self.best, int(np.isfinite(values).sum()))
            guesses = np.argsort(-values, kind="stable")[:count].astype(np.int32)
            return int(guesses[self._ahead(state, table, here, guesses).argmax()])

    def _ahead(
        self, state: State, table: Table, here: Histories, guesses: Indices
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """What each guess earns at once and later, in the mean over the answers still possible."""
        from salet.env.rewards import earned, reward_named

        ids = table.book.table[guesses][:, state.candidates]
        tried, patterns, sizes = _groups(ids)
        count, turn = len(tried), int(here.turns[0])
        after = Histories(
            np.repeat(here.guesses, count, axis=0),
            np.repeat(here.patterns, count, axis=0),
            np.full(count, turn + 1, np.int32),
        )
        after.guesses[:, turn] = guesses[tried]
        after.patterns[:, turn] = patterns
        reward = reward_named(self.weights.config.reward)
        worth = np.array([earned(table.book, reward, after, b, turn) for b in range(count)])
        open_ = np.flatnonzero(patterns != table.book.win)
        if turn + 1 < table.book.horizon and len(open_):
            later = after.rows(open_)
            worth[open_] += table.best(self.weights.network, later)[1]
        return np.bincount(tried, worth * sizes, len(guesses)) / len(state.candidates)


def _legal(state: State) -> Bools:
    """One row: what the mode allows after all turns, also those that the network does not see."""
    mask = np.zeros((1, len(state.game.lexicon)), bool)
    mask[0, state.legal] = True
    return mask


def _groups(ids: Patterns) -> tuple[Indices, Indices, Indices]:
    """Every group of every row: the row, the pattern and the size."""
    patterns = int(ids.max()) + 1
    keys = np.arange(len(ids))[:, None] * patterns + ids.astype(np.int64)
    found, sizes = np.unique(keys, return_counts=True)
    rows, pattern = np.divmod(found, patterns)
    return rows.astype(np.int32), pattern.astype(np.int32), sizes.astype(np.int32)

"""Exact values in the game of a list of answers drawn from the words of a game."""

from __future__ import annotations

import numpy as np

from salet.array_types import Indices
from salet.game.game import Game
from salet.game.state import State
from salet.game.table import Table
from salet.search.value import INF, Evaluator

_MEGABYTES = 64.0


class DrawnList:
    """A game with some words as answers and all words as guesses. Words have the numbering of the
    game they were drawn from."""

    def __init__(self, words: Game, table: Table, answers: Indices, cap: int) -> None:
        """`table` has the feedback of all `words` with all words; `answers` are ascending."""
        count = len(table.ids)
        others = np.setdiff1d(np.arange(count), answers)
        # a game has its answers first: `_order` maps its numbers to words, `_number` back
        self._order = np.concatenate([answers, others]).astype(np.int32)
        self._number = np.empty(count, np.int32)
        self._number[self._order] = np.arange(count)
        spelled = [words.guesses[word] for word in self._order]
        self.game = Game(spelled[: len(answers)], spelled, rule=words.rule.name, cap=cap)
        # a table for one list is not worth caching on disk
        ids = np.ascontiguousarray(table.ids[self._order][:, answers])
        self.game.compiled = Table(ids, table.patterns, table.dense_codes)
        self._evaluator = Evaluator(self.game, megabytes=_MEGABYTES)

    def total(self, words: Indices, turn: int, guess: int | None = None, *, beta: int = INF) -> int:
        """The fewest guesses over all answers of a set after `turn` guesses, or after one guess in
        it: exact if below beta, else at least beta. INF if some answer cannot be found."""
        number = None if guess is None else int(self._number[guess])
        return self._evaluator.total(self._state(words), number, beta=beta, depth=self._left(turn))

    def best_guesses(self, words: Indices, turn: int, limit: int) -> Indices:
        """Up to `limit` guesses of minimum total."""
        best = self._evaluator.ties(self._state(words), depth=self._left(turn), limit=limit)
        return self._order[best]

    def _state(self, words: Indices) -> State:
        return State(self.game, self._number[words])

    def _left(self, turn: int) -> int:
        assert self.game.cap is not None
        return self.game.cap - turn

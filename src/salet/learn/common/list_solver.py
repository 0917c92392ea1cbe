"""Exact values of sets of answers, for a list of answers drawn from the words of a game."""

from __future__ import annotations

import numpy as np

from salet.array_types import Indices, Patterns
from salet.game.table import Table
from salet.search.exact.layout import build_layout
from salet.search.exact.solver import Root, Solver


class ListSolver:
    """Solves the game of a list of answers in which every word may be guessed."""

    def __init__(self, table: Table, answers: Indices, cap: int, megabytes: float = 64) -> None:
        """`table` has the feedback of all words with all words; `answers` are ascending."""
        count = len(table.ids)
        others = np.setdiff1d(np.arange(count), answers)
        # the solver wants answers first: `order` maps its numbers to words, `number` the way back
        self.order = np.concatenate([answers, others]).astype(np.int32)
        self.number = np.empty(count, np.int32)
        self.number[self.order] = np.arange(count)
        self.cap = cap
        rows: Patterns = table.ids[self.order]
        ids = np.ascontiguousarray(rows[:, answers])
        self.solver = Solver(build_layout(ids, table.patterns), max_depth=cap, megabytes=megabytes)

    def root(self, words: Indices, turn: int) -> Root:
        """A set of remaining answers after `turn` guesses, as the solver sees it."""
        return Root(self.number[words], self.cap - turn)

    def value(self, words: Indices, turn: int) -> int:
        """The fewest guesses over all words of a set; INF if some cannot be found."""
        return self.solver.value(self.root(words, turn))

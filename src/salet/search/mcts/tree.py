"""The nodes of a tree search: a state, and the statistics of its actions.

The numbers of a node form one array with a column for each action, in the order in which actions
were added, so that pickers and predictors work on whole rows.
"""

from __future__ import annotations

import math
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats, Ints
from salet.search.mcts.predictors import Changes
from salet.search.process import ActionT, PolicySource, RankedAction, StateT

Q1, Q2, LOW, HIGH, VISITS = range(5)
"""Rows of `TreeNode.numbers`."""


class TreeNode(Generic[StateT, ActionT]):
    """A state, the actions added so far, and their statistics."""

    __slots__ = (
        "actions",
        "best",
        "branches",
        "changes",
        "estimate",
        "high",
        "is_on_path",
        "is_refined",
        "low",
        "numbers",
        "pending",
        "refinements",
        "rest",
        "source",
        "stamp",
        "state",
        "tolerance",
        "visits",
    )

    def __init__(self, state: StateT, is_raw: bool = False) -> None:
        self.state = state
        self.actions: list[ActionT] = []
        self.branches: list[list[tuple[float, float, TreeNode[StateT, ActionT]]] | None] = []
        """[action]: probability, reward and node of every outcome; None before the first visit"""
        self.numbers: NDArray[np.float64] = np.zeros((5, 2))
        self.changes = Changes(is_raw)
        self.visits = 0
        self.low, self.high = -math.inf, math.inf
        self.source = PolicySource.BOUNDS
        """source of the policy behind `low`"""
        self.estimate = 0.0
        """estimated value"""
        self.best = 0
        """the action with the best estimate"""
        self.tolerance = 0.0
        """largest difference of bounds that count as equal"""
        self.pending: list[RankedAction[ActionT]] = []
        """actions to add next, from last to first"""
        self.rest = math.inf
        """upper bound of all actions that are neither added nor pending"""
        self.is_refined = False
        """whether the process has solved it exactly"""
        self.refinements = 0
        """number of attempts to solve it"""
        self.stamp = 0
        """the last iteration that visited it"""
        self.is_on_path = False

    def __len__(self) -> int:
        return len(self.actions)

    def row(self, which: int) -> Floats:
        """One of the rows of `numbers`, for the actions added so far."""
        found: Floats = self.numbers[which, : len(self.actions)]
        return found

    @property
    def action_visits(self) -> Ints:
        return self.row(VISITS).astype(np.int64)

    @property
    def is_solved(self) -> bool:
        return self.high - self.low <= self.tolerance or self.high == -math.inf

    def add(self, row: RankedAction[ActionT], low: float) -> None:
        """Add an action that was never tried."""
        k = len(self.actions)
        if k == self.numbers.shape[1]:
            wider = np.zeros((5, 2 * k))
            wider[:, :k] = self.numbers
            self.numbers = wider
        self.actions.append(row.action)
        self.branches.append(None)
        self.numbers[:, k] = row.prediction, row.prediction, low, row.high, 0
        self.changes.add_action()

    def debiased(self) -> Floats:
        """q3 of every action."""
        return self.row(Q2) + self.changes.bias(self.action_visits)

    def best_by_bound(self) -> int | None:
        """The index of the action with the largest lower bound; None if there are no actions."""
        return int(self.row(LOW).argmax()) if self.actions else None

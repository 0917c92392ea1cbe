"""The tree search as it was published.

- There are no transpositions. A new node has one action, that of the best prediction; whenever its
  newest action is picked, the next one is added (progressive widening).
- One iteration visits all existing nodes below the actions that it picks, each with its own pick.
- The lower bound of an action follows the child's best action by *estimate*, and starts at the
  value of the simplest player. The curve shows the largest bound of an action at the root.

One difference does not change results: the published code makes 1024 draws to estimate the
probability that each action is best, and then draws an action by these probabilities. A single draw
has the same distribution.
"""

from __future__ import annotations

from typing import Generic

import numpy as np

from salet.array_types import Floats
from salet.search.mcts.pickers import Picker, View
from salet.search.mcts.tree import LOW, Q1, Q2, VISITS, TreeNode
from salet.search.process import (
    ActionT,
    DecisionProcess,
    PolicySource,
    StateT,
    bounds_of,
    check_outcomes,
    check_ranking,
)

CHUNK = 16
"""Number of actions ranked at a time."""


class FaithfulSearch(Generic[StateT, ActionT]):
    """The search tree; `iterate` runs one iteration."""

    def __init__(
        self, process: DecisionProcess[StateT, ActionT], picker: Picker, seed: int = 0
    ) -> None:
        self.process, self.picker = process, picker
        self.rng = np.random.default_rng(seed)
        self.states = 0
        self._ends: dict[float, TreeNode[StateT, ActionT]] = {}
        """states of known value: one for each value is enough"""
        self.root = self._create(process.start())

    def iterate(self) -> None:
        """Run one iteration."""
        self._improve(self.root)
        self.root.low = float(self.root.row(LOW).max())  # what the curve shows
        self.root.source = PolicySource.ACTION

    @property
    def iteration(self) -> int:
        return self.root.visits

    def _create(self, state: StateT) -> TreeNode[StateT, ActionT]:
        low, high = bounds_of(self.process, state)
        if low == high and low in self._ends:
            return self._ends[low]
        node: TreeNode[StateT, ActionT] = TreeNode(state, is_raw=True)
        node.low, node.high, node.estimate = low, high, low
        if low == high:
            self._ends[low] = node
            return node
        self.states += 1
        for _ in range(self.picker.first or 1):
            self._add(node)
        self._update_estimate(node)
        return node

    def _add(self, node: TreeNode[StateT, ActionT]) -> None:
        """Add the most promising action that the node lacks, if there is one."""
        if not node.pending and node.rest > -np.inf:
            count = max(CHUNK, len(node))
            ranking = check_ranking(self.process, node.state, set(node.actions), count, -np.inf)
            node.pending, node.rest = ranking.rows[::-1], ranking.rest
        if node.pending:
            node.add(node.pending.pop(), self.process.bounds(node.state).low)

    def _pick(self, node: TreeNode[StateT, ActionT]) -> int:
        value = self._values(node)
        visits = node.action_visits
        variance = node.changes.variance(visits, float(value.max()) ** 2)
        scores = self.picker.score(
            View(value, variance, visits, node.row(Q1), node.visits), self.rng
        )
        picked = int(scores.argmax())
        is_due = picked == len(node) - 1
        if self.picker.add == "least":
            is_due = visits[picked] == visits.min()
        if is_due and self.picker.first is None:
            self._add(node)
        return picked

    def _values(self, node: TreeNode[StateT, ActionT]) -> Floats:
        return node.row(Q2) if self.picker.is_mean else node.debiased()

    def _improve(self, node: TreeNode[StateT, ActionT]) -> None:
        picked = self._pick(node)
        branches = node.branches[picked]
        if branches is None:
            outcomes = check_outcomes(self.process, node.state, node.actions[picked])
            branches = [(o.probability, o.reward, self._create(o.next)) for o in outcomes]
            node.branches[picked] = branches
        else:
            for _, _, child in branches:
                if child.low < child.high:
                    self._improve(child)
        value = sum(p * (reward + child.estimate) for p, reward, child in branches)
        bound = sum(p * (reward + _best_bound(child)) for p, reward, child in branches)
        numbers = node.numbers[:, picked]
        node.visits += 1
        numbers[VISITS] += 1
        if self.picker.is_mean:
            value = numbers[Q2] + (value - numbers[Q2]) / numbers[VISITS]
        node.changes.learn(int(numbers[VISITS]), value - numbers[Q2])
        numbers[Q2] = value
        numbers[LOW] = max(numbers[LOW], bound)
        self._update_estimate(node)

    def _update_estimate(self, node: TreeNode[StateT, ActionT]) -> None:
        values = self._values(node)
        node.best = int(values.argmax())
        node.estimate = float(values[node.best])


def _best_bound(node: TreeNode[StateT, ActionT]) -> float:
    """The lower bound of the action with the best estimate."""
    if not node.actions:
        return node.low
    return float(node.numbers[LOW, node.best])

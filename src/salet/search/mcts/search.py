"""The tree search of `salet search`, which has bounds besides estimates and ends when they meet.

Differences from the published search (faithful.py), and their reasons:

- Transpositions: a state has one node, whichever path leads to it.
- A node whose bounds meet is solved and never visited again; nor is an action that can no longer be
  the best. The published search spends most of its work on these.
- Small states are solved exactly by the process (`DecisionProcess.refine`), larger ones once they
  have had enough visits; a state that takes too long is retried later with more effort. A new node
  gets the bounds of one pass over all actions (`DecisionProcess.look`).
- All actions of the root are bounded, some in each iteration (`action_bounds.py`), so that the
  upper bound of its value falls although most actions are never tried.
- Bounds follow the child's best bound instead of the bound of its best estimate, and there are
  upper bounds besides lower ones.
- The variance is that of debiased changes, and a single Thompson draw picks an action.

An iteration has three steps. *Select*: descend from the root, picking an action in every open node
(the `top_k` best scores at the root), and collect the nodes that are new or due for refinement.
*Evaluate* these on all threads; this takes nearly all of the time, and its results depend on the
state alone. *Back up* in post-order. Selection and backup run on one thread, so the same seed gives
the same policy with any number of threads, unless a state could not be solved at the first attempt.

Bounds are valid at all times: those of an action are the mean over outcomes of reward plus the
child's bounds, and those of a state are the maximum over its actions (for the upper bound,
including those not tried). Proven bounds remain valid, so bounds only become tighter.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic

import numpy as np

from salet.array_types import Bools, Floats, Ints
from salet.errors import InputError
from salet.search.action_bounds import ActionBounds
from salet.search.mcts.pickers import Picker, View
from salet.search.mcts.tree import HIGH, LOW, Q1, Q2, VISITS, TreeNode
from salet.search.process import (
    ActionT,
    DecisionProcess,
    PolicySource,
    RankedAction,
    SampledProcess,
    StateT,
    bounds_of,
    check_outcomes,
    check_ranking,
    is_enumerable,
    tolerance_of,
)
from salet.search.worker_pool import run_here

CHUNK = 16
"""Number of actions in the first ranking; later ones come in larger chunks."""
DRAWS = 1024
"""Number of draws that estimate the probability that an action is best."""

EFFORT = 512
"""Node limit of the first attempt to solve a state exactly."""
EFFORT_GROWTH = 4
"""Factor by which the limit grows with every attempt."""

Run = Callable[[Sequence[Callable[[], None]]], Any]
"""Runs independent tasks, on any threads."""


class TreeSearch(Generic[StateT, ActionT]):
    """A tree search of a decision process; `iterate` runs one iteration."""

    def __init__(
        self,
        process: DecisionProcess[StateT, ActionT],
        picker: Picker,
        *,
        seed: int = 0,
        top_k: int = 1,
        dp_threshold: int = 0,
        growth: int = 1,
        bounds: ActionBounds[StateT] | None = None,
        run: Run = run_here,
    ) -> None:
        """New states up to size `dp_threshold` (see `DecisionProcess.is_small`) are solved exactly;
        with every visit to a state its threshold is multiplied by `growth`. If `bounds` of the
        root's actions are given, each iteration lowers them, for as long as it evaluates states."""
        self.is_exhaustive = is_enumerable(process) and picker.first is None
        """whether upper bounds are proven: false if actions or outcomes are left out"""
        self.process = process if is_enumerable(process) else SampledProcess(process, seed=seed)
        self.picker, self.top_k = picker, top_k
        self.dp_threshold, self.growth = dp_threshold, growth
        self.rng = np.random.default_rng(seed)
        self.iteration = 0
        self.nodes: dict[StateT, TreeNode[StateT, ActionT]] = {}
        self._run = run
        self._bounds = bounds
        self._durations: list[float] = []
        """seconds of each evaluation in the last iteration"""
        self._new: list[TreeNode[StateT, ActionT]] = []
        self._to_refine: list[TreeNode[StateT, ActionT]] = []
        self._steps: list[tuple[TreeNode[StateT, ActionT], int]] = []
        self.root = self._node(process.start())
        self.root.tolerance = tolerance_of(process, self.root.state)
        self.root.low, self.root.high = bounds_of(process, self.root.state)

    @property
    def states(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    # ---- the three steps

    def begin(self) -> None:
        """Evaluate the root."""
        if self.iteration == 0:
            self._evaluate()

    def iterate(self) -> None:
        """Select, evaluate, back up."""
        self.begin()
        self.iteration += 1
        self._select(self.root)
        try:
            self._evaluate()
        finally:  # results from before an interruption count, too
            for node, action in self._steps:
                self._back_up(node, action)
            self._steps.clear()

    def _select(self, node: TreeNode[StateT, ActionT]) -> None:
        node.stamp, node.is_on_path = self.iteration, True
        node.visits += 1
        if self.growth > 1 and self._is_small(node):
            self._to_refine.append(node)
            node.is_on_path = False
            return
        for action in self._pick(node, self.top_k if node is self.root else 1):
            for _, _, child in self._outcome_nodes(node, action):
                if child.is_on_path:
                    raise InputError(
                        f"state {child.state!r} leads back to itself; count the steps in the state"
                    )
                if child.stamp != self.iteration and not child.is_solved:
                    self._select(child)
            self._steps.append((node, action))
        node.is_on_path = False

    def _is_small(self, node: TreeNode[StateT, ActionT]) -> bool:
        """Whether a state is to be solved exactly; never the root, which is to be searched."""
        if node is self.root or node.is_refined or self.dp_threshold == 0:
            return False
        return self.process.is_small(node.state, self.dp_threshold * self.growth**node.visits)

    def _evaluate(self) -> None:
        """Evaluate the nodes that selection has collected."""
        tasks = [partial(self._timed, self._look_at, node) for node in self._new]
        tasks += [partial(self._timed, self._refine, node) for node in self._to_refine]
        if self._bounds is not None and self.iteration > 0:
            sweep = partial(self._bounds.sweep, self.root.low, sum(self._durations))
            tasks.insert(0, sweep)
        self._new, self._to_refine, self._durations = [], [], []
        self._run(tasks)

    def _timed(
        self,
        evaluate: Callable[[TreeNode[StateT, ActionT]], None],
        node: TreeNode[StateT, ActionT],
    ) -> None:
        begin = time.perf_counter()
        evaluate(node)
        self._durations.append(time.perf_counter() - begin)

    def _back_up(self, node: TreeNode[StateT, ActionT], action: int) -> None:
        branches = node.branches[action]
        assert branches is not None  # selected before
        value = low = high = 0.0
        for probability, reward, child in branches:
            value += probability * (reward + child.estimate)
            low += probability * (reward + child.low)
            high += probability * (reward + child.high)
        numbers = node.numbers[:, action]
        numbers[VISITS] += 1
        visit = int(numbers[VISITS])
        if self.picker.is_mean and math.isfinite(value):
            value = numbers[Q2] + (value - numbers[Q2]) / visit
        change = value - numbers[Q2]
        node.changes.learn(visit, change if math.isfinite(change) else 0.0)
        numbers[Q2] = value
        numbers[LOW] = max(numbers[LOW], low)
        numbers[HIGH] = min(numbers[HIGH], high)
        self._update_bounds(node)

    # ---- nodes

    def _node(self, state: StateT) -> TreeNode[StateT, ActionT]:
        node = self.nodes.get(state)
        if node is None:
            node = self.nodes[state] = TreeNode(state)
            node.stamp = self.iteration  # in this iteration it is evaluated, not selected
            self._new.append(node)
        return node

    def _outcome_nodes(
        self, node: TreeNode[StateT, ActionT], action: int
    ) -> Sequence[tuple[float, float, TreeNode[StateT, ActionT]]]:
        branches = node.branches[action]
        if branches is None:
            outcomes = check_outcomes(self.process, node.state, node.actions[action])
            branches = [
                (o.probability, o.reward, self._node(o.next)) for o in outcomes if o.probability
            ]
            node.branches[action] = branches
        return branches

    def _look_at(self, node: TreeNode[StateT, ActionT]) -> None:
        """Evaluate a new node."""
        process, state = self.process, node.state
        node.low, node.high = bounds_of(process, state)
        node.tolerance = tolerance_of(process, state)
        if node.is_solved:
            node.high = node.estimate = node.low
            return
        if self._is_small(node):
            self._refine(node)
        if not node.is_solved:
            low, high = process.look(state)
            node.high = min(node.high, high)
            if low > node.low:
                node.low, node.source = low, PolicySource.LOOK
        if not node.is_solved:
            for _ in range(self.picker.first or 1):
                self._add(node)
            if self.picker.first is not None:  # ignore all other actions
                node.pending, node.rest = [], -math.inf
        self._update_bounds(node)

    def _refine(self, node: TreeNode[StateT, ActionT]) -> None:
        """Let the process solve a state, with more effort at every attempt."""
        effort = EFFORT * EFFORT_GROWTH**node.refinements
        node.refinements += 1
        low, high = self.process.refine(node.state, effort=effort)
        node.high = min(node.high, high)
        if low > node.low:
            node.low, node.source = low, self.process.source_of(node.state, low)
        self._update_bounds(node)
        node.is_refined = node.is_solved

    def _update_bounds(self, node: TreeNode[StateT, ActionT]) -> None:
        """Update the bounds and the estimate of a node from those of its actions.

        The value of actions that are neither added nor pending is at most `rest`, or `low`.
        """
        best = max(node.rest, node.low, *(row.high for row in node.pending))
        if node.actions:
            low = float(node.row(LOW).max())
            if low > node.low:
                node.low, node.source = low, PolicySource.ACTION
            best = max(best, node.low, float(node.row(HIGH).max()))
        if node is self.root and self._bounds is not None:
            best = min(best, max(node.low, self._bounds.high))
        node.high = min(node.high, best)
        if node.is_solved:
            node.high = node.estimate = node.low
        elif node.refinements and node.low > -math.inf:
            node.estimate = (
                node.low
            )  # a plan that the process cannot improve quickly is nearly optimal
        elif node.actions:
            values = clipped_estimates(node, self.picker.is_mean)
            node.best = int(values.argmax())
            node.estimate = min(max(float(values[node.best]), node.low), node.high)

    def _add(self, node: TreeNode[StateT, ActionT]) -> bool:
        """Add the most promising action that can still be best; returns whether there is one."""
        enough = node.low + node.tolerance
        while True:
            if not node.pending:
                if node.rest <= enough:
                    return False
                count = max(CHUNK, self.picker.first or 0, len(node))
                tried = set(node.actions)
                ranking = check_ranking(self.process, node.state, tried, count, enough)
                node.pending, node.rest = ranking.rows[::-1], ranking.rest
                if not node.pending:
                    return False
            row: RankedAction[ActionT] = node.pending.pop()
            if row.high > enough:
                node.add(row, -math.inf)
                return True

    # ---- choice

    def _open(self, node: TreeNode[StateT, ActionT]) -> Bools:
        """[action]: whether its bounds are open and it can still be better than `low`."""
        low, high = node.row(LOW), node.row(HIGH)
        found: Bools = (high > node.low + node.tolerance) & (high > low + node.tolerance)
        return found

    def _pick(self, node: TreeNode[StateT, ActionT], count: int) -> list[int]:
        """Up to `count` open actions, highest score first."""
        is_open = self._open(node)
        while np.count_nonzero(is_open) < count and self._add(node):
            is_open = self._open(node)
        indices = np.flatnonzero(is_open)
        if not len(indices):
            node.high = node.low  # no action can be better
            self._update_bounds(node)
            return []
        visits = node.action_visits[indices]
        view = self._view(node, indices, visits)
        scores = self.picker.score(view, self.rng)
        order = np.argsort(-scores, kind="stable")[:count]
        newest, least = len(node) - 1, visits.min()
        for index in order:
            is_newest, is_least = indices[index] == newest, visits[index] == least
            if is_newest if self.picker.add == "newest" else is_least:
                self._add(node)
        return [int(index) for index in indices[order]]

    def _view(self, node: TreeNode[StateT, ActionT], indices: Ints, visits: Ints) -> View:
        values = clipped_estimates(node, self.picker.is_mean)
        variance = node.changes.variance(visits, _prior_variance(values))
        return View(values[indices], variance, visits, node.row(Q1)[indices], node.visits)


def clipped_estimates(node: TreeNode[StateT, ActionT], is_mean: bool = False) -> Floats:
    """The estimate of each action, clipped to its bounds."""
    values = node.row(Q2) if is_mean else node.debiased()
    return np.clip(values, node.row(LOW), node.row(HIGH))


def best_probabilities(
    node: TreeNode[StateT, ActionT], best: ActionT, seed: int
) -> dict[ActionT, float]:
    """The probability that each action is the best, estimated by many draws.

    `best` is the first action of the policy behind the node's lower bound.
    """
    actions, count = list(node.actions), len(node)
    if best not in actions:
        actions.append(best)
    known = actions.index(best)
    values, low, high = (np.full(len(actions), node.low) for _ in range(3))
    values[:count], low[:count], high[:count] = (
        clipped_estimates(node),
        node.row(LOW),
        node.row(HIGH),
    )
    low[known] = max(low[known], node.low)
    spread = np.zeros(len(actions))
    spread[:count] = np.sqrt(node.changes.variance(node.action_visits, _prior_variance(values)))
    rng = np.random.default_rng([seed, DRAWS])  # the search's own draws stay as they are
    draws = values + spread * rng.standard_normal((DRAWS, len(values)))
    draws = np.clip(draws, low, high)
    winners = draws.argmax(axis=1)
    # A proven optimum wins ties.
    winners[draws[:, known] + node.tolerance >= draws.max(axis=1)] = known
    shares = np.bincount(winners, minlength=len(values)) / DRAWS
    return dict(zip(actions, shares.tolist(), strict=True))


def _prior_variance(values: Floats) -> float:
    """The variance before any visit: the largest squared value."""
    return float(np.square(values[np.isfinite(values)]).max(initial=1e-12))

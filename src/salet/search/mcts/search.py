"""The tree search of `salet search`: it keeps bounds beside estimates, and ends with a proof when
they meet.

How it differs from the published search (faithful.py), and why:

- States are shared (transpositions): what is known of a state is known whatever led to it.
- A state whose bounds meet is solved, and never visited again; nor is an action that can no longer
  be better than the best one. Most of the work of the published search goes there.
- Small states are solved exactly by the process (`DecisionProcess.refine`), larger ones once they
  have been visited often enough; a state that takes too long is tried again later with more effort.
  New ones get what a look at all actions tells.
- All actions of the root are bounded, some in each iteration (`action_bounds.py`): so the upper
  bound of its value falls although most actions are never tried.
- Bounds follow the child's best bound, not the bound of what is believed to be best; upper and
  lower bounds are kept.
- The variance is that of debiased changes, and one Thompson draw picks.

One iteration has three steps. *Walk*: from the root down, pick an action in every state that is
open (the `top_k` best scores at the root), and note which states are new or ready to be refined.
*Evaluate* those, on all threads; this takes nearly all of the time, and depends on the state alone.
*Back up* in the order in which the walk left the states. Walk and backup run on one thread, so the
same seed gives the same policy with any number of threads, unless a state was too hard to be solved
at the first try.

Bounds are sound at every moment: those of an action are the mean over outcomes of reward plus
bounds of what follows, and those of a state the greatest over its actions, tried or not (for the
upper one). A bound once proven stays proven, so they only ever improve.
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
    Action,
    DecisionProcess,
    PolicySource,
    RankedAction,
    SampledProcess,
    State,
    bounds_of,
    check_outcomes,
    check_ranking,
    is_enumerable,
    tolerance_of,
)
from salet.search.worker_pool import run_here

CHUNK = 16
"""Number of actions that are ranked first; later ones come in larger chunks."""
ROUNDS = 1024
"""Number of draws from which the probability that an action is best is estimated."""

EFFORT = 512
"""Number of states that the first try to solve a state exactly may take."""
EFFORT_GROWTH = 4
"""Factor by which that grows with every try."""

Run = Callable[[Sequence[Callable[[], None]]], Any]
"""Runs tasks that do not depend on each other, on any threads."""


class TreeSearch(Generic[State, Action]):
    """A search of a decision process, one iteration after the other."""

    def __init__(
        self,
        process: DecisionProcess[State, Action],
        picker: Picker,
        *,
        seed: int = 0,
        top_k: int = 1,
        dp_threshold: int = 0,
        growth: int = 1,
        bounds: ActionBounds[State] | None = None,
        run: Run = run_here,
    ) -> None:
        """States up to `dp_threshold` (see `DecisionProcess.is_small`) are solved exactly when they
        are met; with every visit to a state the threshold is multiplied by `growth`. If `bounds` of
        the root's actions are given, they are lowered for as long as states are evaluated."""
        self.is_exhaustive = is_enumerable(process) and picker.first is None
        """whether upper bounds are proven: not if actions or outcomes are left out"""
        self.process = process if is_enumerable(process) else SampledProcess(process, seed=seed)
        self.picker, self.top_k = picker, top_k
        self.dp_threshold, self.growth = dp_threshold, growth
        self.rng = np.random.default_rng(seed)
        self.iteration = 0
        self.nodes: dict[State, TreeNode[State, Action]] = {}
        self._run = run
        self._bounds = bounds
        self._durations: list[float] = []
        """seconds that each evaluation of the last iteration took"""
        self._fresh: list[TreeNode[State, Action]] = []
        self._ripe: list[TreeNode[State, Action]] = []
        self._steps: list[tuple[TreeNode[State, Action], int]] = []
        self.root = self._node(process.start())
        self.root.tolerance = tolerance_of(process, self.root.state)
        self.root.low, self.root.high = bounds_of(process, self.root.state)

    @property
    def states(self) -> int:
        """Number of states met."""
        return len(self.nodes)

    # ---- the three steps

    def begin(self) -> None:
        """Evaluate the root."""
        if self.iteration == 0:
            self._evaluate()

    def iterate(self) -> None:
        """Walk, evaluate, back up."""
        self.begin()
        self.iteration += 1
        self._walk(self.root)
        try:
            self._evaluate()
        finally:  # what was found before an interruption counts, too
            for node, action in self._steps:
                self._back_up(node, action)
            self._steps.clear()

    def _walk(self, node: TreeNode[State, Action]) -> None:
        node.stamp, node.is_walking = self.iteration, True
        node.visits += 1
        if self.growth > 1 and self._is_small(node):
            self._ripe.append(node)
            node.is_walking = False
            return
        for action in self._pick(node, self.top_k if node is self.root else 1):
            for _, _, child in self._branches(node, action):
                if child.is_walking:
                    raise InputError(
                        f"state {child.state!r} leads back to itself; count the steps in the state"
                    )
                if child.stamp != self.iteration and not child.is_solved:
                    self._walk(child)
            self._steps.append((node, action))
        node.is_walking = False

    def _is_small(self, node: TreeNode[State, Action]) -> bool:
        """Whether a state is to be solved exactly. The root never is: that would be no search."""
        if node is self.root or node.is_refined or self.dp_threshold == 0:
            return False
        return self.process.is_small(node.state, self.dp_threshold * self.growth**node.visits)

    def _evaluate(self) -> None:
        """Evaluate the states that are new or have become small."""
        tasks = [partial(self._timed, self._look_at, node) for node in self._fresh]
        tasks += [partial(self._timed, self._refine, node) for node in self._ripe]
        if self._bounds is not None and self.iteration > 0:
            sweep = partial(self._bounds.sweep, self.root.low, sum(self._durations))
            tasks.insert(0, sweep)
        self._fresh, self._ripe, self._durations = [], [], []
        self._run(tasks)

    def _timed(
        self,
        evaluate: Callable[[TreeNode[State, Action]], None],
        node: TreeNode[State, Action],
    ) -> None:
        begin = time.perf_counter()
        evaluate(node)
        self._durations.append(time.perf_counter() - begin)

    def _back_up(self, node: TreeNode[State, Action], action: int) -> None:
        branches = node.branches[action]
        assert branches is not None  # walked
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
        self._conclude(node)

    # ---- nodes

    def _node(self, state: State) -> TreeNode[State, Action]:
        node = self.nodes.get(state)
        if node is None:
            node = self.nodes[state] = TreeNode(state)
            node.stamp = self.iteration  # it is looked at in this iteration, not walked
            self._fresh.append(node)
        return node

    def _branches(
        self, node: TreeNode[State, Action], action: int
    ) -> Sequence[tuple[float, float, TreeNode[State, Action]]]:
        branches = node.branches[action]
        if branches is None:
            outcomes = check_outcomes(self.process, node.state, node.actions[action])
            branches = [
                (o.probability, o.reward, self._node(o.next)) for o in outcomes if o.probability
            ]
            node.branches[action] = branches
        return branches

    def _look_at(self, node: TreeNode[State, Action]) -> None:
        """Evaluate a new state."""
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
            if self.picker.first is not None:  # as if there were no other actions
                node.pending, node.rest = [], -math.inf
        self._conclude(node)

    def _refine(self, node: TreeNode[State, Action]) -> None:
        """Let the process solve a state, with more effort every time."""
        effort = EFFORT * EFFORT_GROWTH**node.refinements
        node.refinements += 1
        low, high = self.process.refine(node.state, effort=effort)
        node.high = min(node.high, high)
        if low > node.low:
            node.low, node.source = low, self.process.source_of(node.state, low)
        self._conclude(node)
        node.is_refined = node.is_solved

    def _conclude(self, node: TreeNode[State, Action]) -> None:
        """Derive the bounds and the estimate of a state from those of its actions.

        An action that is neither added nor pending is worth `rest` at most, or no more than `low`.
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
            node.estimate = node.low  # what a process cannot improve at once is nearly the best
        elif node.actions:
            values = believed(node, self.picker.is_mean)
            node.best = int(values.argmax())
            node.estimate = min(max(float(values[node.best]), node.low), node.high)

    def _add(self, node: TreeNode[State, Action]) -> bool:
        """Add the most promising action that could still be best; returns whether there is one."""
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
            row: RankedAction[Action] = node.pending.pop()
            if row.high > enough:
                node.add(row, -math.inf)
                return True

    # ---- choice

    def _open(self, node: TreeNode[State, Action]) -> Bools:
        """[action]: whether it could still turn out to be better than `low`."""
        low, high = node.row(LOW), node.row(HIGH)
        found: Bools = (high > node.low + node.tolerance) & (high > low + node.tolerance)
        return found

    def _pick(self, node: TreeNode[State, Action], count: int) -> list[int]:
        """Up to `count` open actions, by score, greatest first."""
        is_open = self._open(node)
        while np.count_nonzero(is_open) < count and self._add(node):
            is_open = self._open(node)
        indices = np.flatnonzero(is_open)
        if not len(indices):
            node.high = node.low  # no action can be better
            self._conclude(node)
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

    def _view(self, node: TreeNode[State, Action], indices: Ints, visits: Ints) -> View:
        values = believed(node, self.picker.is_mean)
        variance = node.changes.variance(visits, _unknown(values))
        return View(values[indices], variance, visits, node.row(Q1)[indices], node.visits)


def believed(node: TreeNode[State, Action], is_mean: bool = False) -> Floats:
    """The estimate of each action, within its bounds."""
    values = node.row(Q2) if is_mean else node.debiased()
    return np.clip(values, node.row(LOW), node.row(HIGH))


def chances(node: TreeNode[State, Action], best: Action, seed: int) -> dict[Action, float]:
    """The probability that each action is the best, estimated by many draws. `best` begins the
    policy behind the lower bound of the state."""
    actions, count = list(node.actions), len(node)
    if best not in actions:
        actions.append(best)
    known = actions.index(best)
    values, low, high = (np.full(len(actions), node.low) for _ in range(3))
    values[:count], low[:count], high[:count] = believed(node), node.row(LOW), node.row(HIGH)
    low[known] = max(low[known], node.low)
    spread = np.zeros(len(actions))
    spread[:count] = np.sqrt(node.changes.variance(node.action_visits, _unknown(values)))
    rng = np.random.default_rng([seed, ROUNDS])  # the search's own draws stay as they are
    draws = values + spread * rng.standard_normal((ROUNDS, len(values)))
    draws = np.clip(draws, low, high)
    winners = draws.argmax(axis=1)
    # An action that is proven to be as good as any other is best, not just by chance.
    winners[draws[:, known] + node.tolerance >= draws.max(axis=1)] = known
    shares = np.bincount(winners, minlength=len(values)) / ROUNDS
    return dict(zip(actions, shares.tolist(), strict=True))


def _unknown(values: Floats) -> float:
    """The variance where nothing has been tried yet: the size of the values themselves."""
    return float(np.square(values[np.isfinite(values)]).max(initial=1e-12))

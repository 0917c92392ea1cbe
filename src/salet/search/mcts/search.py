"""Our tree search: it keeps bounds beside estimates, and ends with a proof when they meet.

What differs from the published one, and why

- States are shared: whatever leads to a state, what is known of it is known once.
- A state whose bounds meet is solved, and never visited again; nor is an action that can no longer
  be better than the best one. Most of the work of the published search goes there.
- Small states are solved by the process itself (`DecisionProcess.refine`), larger ones once they
  have been visited often enough.
- Bounds follow the child's best bound, not the bound of what is believed to be best; upper and
  lower bounds are kept.
- The variance is that of debiased changes, and one Thompson draw picks.

One iteration has three steps. *Walk*: from the root down, pick an action in every state that is
open (the `top_k` best scores at the root), and note which states are new or ready to be refined.
*Evaluate* those, on all threads; nothing else takes time, and each is a pure function of its state.
*Back up* in the order in which the walk left the states. Walk and backup run on one thread, so the
same seed gives the same result with any number of threads.

Bounds are sound at every moment: those of an action are the mean over outcomes of reward plus
bounds of what follows, and those of a state the greatest over its actions, tried or not (for the
upper one). A bound once proven stays proven, so they only ever improve.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Generic

import numpy as np

from salet.array_types import Bools, Floats, Ints
from salet.errors import InputError
from salet.search.mcts.pickers import Picker, View
from salet.search.mcts.tree import HIGH, LOW, Q1, Q2, VISITS, Node
from salet.search.mdp import (
    Action,
    DecisionProcess,
    Ranked,
    Sampled,
    State,
    check_outcomes,
    check_ranking,
    is_enumerable,
)

CHUNK = 16
"""actions that are ranked at first; more at a time later"""
ROUNDS = 1024
"""draws from which the probability that an action is best is counted"""


class TreeSearch(Generic[State, Action]):
    """The nodes of a process, and one iteration after the other."""

    def __init__(
        self,
        process: DecisionProcess[State, Action],
        picker: Picker,
        *,
        seed: int = 0,
        top_k: int = 1,
        executor: Executor | None = None,
    ) -> None:
        self.is_exhaustive = is_enumerable(process) and picker.first is None
        """are upper bounds facts? not where actions or outcomes are left out"""
        self.process = process if is_enumerable(process) else Sampled(process, seed=seed)
        self.picker, self.top_k = picker, top_k
        self.executor = executor
        self.rng = np.random.default_rng(seed)
        self.iteration = 0
        self.nodes: dict[State, Node[State, Action]] = {}
        self._fresh: list[Node[State, Action]] = []
        self._ripe: list[Node[State, Action]] = []
        self._steps: list[tuple[Node[State, Action], int]] = []
        self.root = self._node(process.start())
        self._evaluate()

    @property
    def states(self) -> int:
        """States that are kept."""
        return len(self.nodes)

    # ---- the three steps

    def iterate(self) -> None:
        """Walk, evaluate, back up."""
        self.iteration += 1
        self._walk(self.root)
        self._evaluate()
        for node, action in self._steps:
            self._back_up(node, action)
        self._steps.clear()

    def _walk(self, node: Node[State, Action]) -> None:
        node.stamp, node.is_walking = self.iteration, True
        node.visits += 1
        if node is not self.root and not node.is_refined:
            effort = self.process.effort(node.state)
            if effort is not None and node.visits >= effort:
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

    def _evaluate(self) -> None:
        """Look at the states that are new or ripe, on all threads."""
        work = [(self._look_at, node) for node in self._fresh]
        work += [(self._refine, node) for node in self._ripe]
        self._fresh, self._ripe = [], []
        if self.executor is None or len(work) == 1:
            for function, node in work:
                function(node)
        else:
            futures = [self.executor.submit(function, node) for function, node in work]
            for future in futures:
                future.result()

    def _back_up(self, node: Node[State, Action], action: int) -> None:
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

    def _node(self, state: State) -> Node[State, Action]:
        node = self.nodes.get(state)
        if node is None:
            node = self.nodes[state] = Node(state)
            node.stamp = self.iteration  # it is looked at in this iteration, not walked
            self._fresh.append(node)
        return node

    def _branches(
        self, node: Node[State, Action], action: int
    ) -> Sequence[tuple[float, float, Node[State, Action]]]:
        branches = node.branches[action]
        if branches is None:
            outcomes = check_outcomes(self.process, node.state, node.actions[action])
            branches = [
                (o.probability, o.reward, self._node(o.next)) for o in outcomes if o.probability
            ]
            node.branches[action] = branches
        return branches

    def _look_at(self, node: Node[State, Action]) -> None:
        """What can be said of a state when it is met."""
        process, state = self.process, node.state
        if process.is_terminal(state):
            node.low = node.high = node.estimate = 0.0
            return
        resolution = process.resolution(state)
        node.tolerance = resolution / 2 if resolution > 0 else 1e-9
        node.low, node.high = process.bounds(state)
        if not node.is_solved and node is not self.root and process.effort(state) == 0:
            self._refine(node)
        if not node.is_solved:
            for _ in range(self.picker.first or 1):
                self._add(node)
            if self.picker.first is not None:  # as if there were no other actions
                node.pending, node.rest = [], -math.inf
        self._conclude(node)

    def _refine(self, node: Node[State, Action]) -> None:
        found = self.process.refine(node.state)
        node.low, node.high = max(node.low, found.low), min(node.high, found.high)
        node.is_refined = True
        self._conclude(node)

    def _conclude(self, node: Node[State, Action]) -> None:
        """What follows for a state from what is known of its actions.

        An action that is neither added nor pending is worth `rest` at most, or no more than what
        is sure already.
        """
        best = max(node.rest, node.low, *(row.high for row in node.pending))
        if node.actions:
            node.low = max(node.low, float(node.row(LOW).max()))
            best = max(best, node.low, float(node.row(HIGH).max()))
        node.high = min(node.high, best)
        if node.is_solved:
            node.high = node.estimate = node.low
        elif node.actions:
            values = believed(node, self.picker.is_mean)
            node.best = int(values.argmax())
            node.estimate = min(max(float(values[node.best]), node.low), node.high)

    def _add(self, node: Node[State, Action]) -> bool:
        """The most promising action that could still be best, if there is one."""
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
            row: Ranked[Action] = node.pending.pop()
            if row.high > enough:
                node.add(row, -math.inf)
                return True

    # ---- choice

    def _open(self, node: Node[State, Action]) -> Bools:
        """Which actions could still turn out to be better than what is sure."""
        low, high = node.row(LOW), node.row(HIGH)
        found: Bools = (high > node.low + node.tolerance) & (high > low + node.tolerance)
        return found

    def _pick(self, node: Node[State, Action], count: int) -> list[int]:
        """The actions of greatest score; it may be fewer than asked for, or none."""
        is_open = self._open(node)
        while np.count_nonzero(is_open) < count and self._add(node):
            is_open = self._open(node)
        places = np.flatnonzero(is_open)
        if not len(places):
            node.high = node.low  # no action can be better than what is sure
            self._conclude(node)
            return []
        visits = node.action_visits[places]
        view = self._view(node, places, visits)
        scores = self.picker.score(view, self.rng)
        order = np.argsort(-scores, kind="stable")[:count]
        newest, least = len(node) - 1, visits.min()
        for place in order:
            is_newest, is_least = places[place] == newest, visits[place] == least
            if is_newest if self.picker.add == "newest" else is_least:
                self._add(node)
        return [int(place) for place in places[order]]

    def _view(self, node: Node[State, Action], places: Ints, visits: Ints) -> View:
        values = believed(node, self.picker.is_mean)
        variance = node.changes.variance(visits, _unknown(values))
        return View(values[places], variance, visits, node.row(Q1)[places], node.visits)


def believed(node: Node[State, Action], is_mean: bool = False) -> Floats:
    """What the actions are believed to be worth, within what is proven."""
    values = node.row(Q2) if is_mean else node.debiased()
    return np.clip(values, node.row(LOW), node.row(HIGH))


def chances(node: Node[State, Action], seed: int) -> Floats:
    """The probability that each action is the best, counted over many draws."""
    values = believed(node)
    spread = np.sqrt(node.changes.variance(node.action_visits, _unknown(values)))
    rng = np.random.default_rng([seed, ROUNDS])  # the search's own draws stay as they are
    draws = values + spread * rng.standard_normal((ROUNDS, len(values)))
    draws = np.clip(draws, node.row(LOW), node.row(HIGH))
    winners = draws.argmax(axis=1)
    # What is proven to be as good as any other is not best by chance.
    sure = int(node.row(LOW).argmax())
    winners[draws[:, sure] + node.tolerance >= draws.max(axis=1)] = sure
    found: Floats = np.bincount(winners, minlength=len(values)) / ROUNDS
    return found


def _unknown(values: Floats) -> float:
    """The variance where nothing has been tried: the size of the values themselves."""
    return float(np.square(values[np.isfinite(values)]).max(initial=1e-12))

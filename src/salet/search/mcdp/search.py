"""Episodes of MCDP: descend from the root to a state to evaluate, evaluate it, propagate its
bounds.

A state is evaluated in steps. If it is small, dynamic programming solves it. Otherwise one pass
over all actions bounds it (`look`); at the next visit it is expanded, and later episodes pass
through it.

The descent carries a *limit*: a state whose value is at most the limit cannot be part of a policy
that beats the best known one. If an action with upper bound h leads with probability p to a state
with upper bound m, the limit of that state is m - (h - limit) / p: once its bound falls to this,
the action's bound falls to the limit. Dynamic programming need not resolve values below it.

Actions are chosen at random in one of two ways. By *estimate*: a softmax over estimated values, in
which predictions of untried actions are corrected by the average error of those tried, and upper
bounds by the average optimism of those of solved states. And by *upper bound*: the action with the
largest one, because it determines the bound of the state and must be shown to be worse. Several
such actions are *swept* at once: each is bounded by a scan, down to a fraction of the gap above the
limit (`action_bounds.py`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats
from salet.errors import InputError
from salet.search.action_bounds import aim_of, top_indices
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.tree import Edge, McdpNode, Tree
from salet.search.process import (
    DecisionProcess,
    PolicySource,
    StateT,
)
from salet.search.worker_pool import run_here

_NEGLIGIBLE = 25.0
"""Actions this many temperatures below the best are left out of the softmax: all of them together
would be drawn once in 10**7 times."""
_MAX_UNITS = 12
"""Maximum temperature, in multiples of the smallest difference between values of the root."""
_BY_BOUND = 0.5
"""Probability that an action is chosen by upper bound."""
_SWEEP = 8
"""Number of actions swept in one evaluation."""
EFFORT = 512
"""Node limit of the first attempt to solve a state by dynamic programming."""
EFFORT_GROWTH = 4
"""Factor by which the limit grows with every attempt."""

ShouldContinue = Callable[[], bool]
"""Called after every batch of episodes; False ends the search."""
Run = Callable[[Sequence[Callable[[], Any]]], list[Any]]
"""Runs tasks, each always on the same thread."""


@dataclass(frozen=True)
class Evaluation(Generic[StateT]):
    """A state to be evaluated."""

    node: McdpNode[StateT]
    state: StateT
    step: str
    """`solve`, `look` or `expand` the state, `follow` an action, or `sweep` several"""
    limit: float
    indices: list[int] = field(default_factory=list)
    """the actions to follow or sweep"""


class McdpSearch(Generic[StateT]):
    """An MCDP search of a decision process."""

    def __init__(
        self,
        process: DecisionProcess[StateT, Any],
        config: McdpConfig,
        run: Run = run_here,
    ) -> None:
        self.process, self.config = process, config
        self.tree: Tree[StateT] = Tree(process)
        self.episodes = 0
        self.visits: Counter[Any] = Counter()
        """visits of each action at the root"""
        self.is_full = False
        """whether the search ran out of memory"""
        self._rng = np.random.default_rng(config.seed)
        self.run_tasks = run
        # The closer together values are, the lower the temperature must be.
        unit = _MAX_UNITS * process.resolution(process.start())
        self._temperature = min(config.temperature, unit) if unit > 0 else config.temperature

    @property
    def root(self) -> McdpNode[StateT]:
        return self.tree.root

    @property
    def is_done(self) -> bool:
        return self.root.is_solved

    def run(
        self, should_continue: ShouldContinue = lambda: True, episodes: int | None = None
    ) -> None:
        """Search for `episodes`, or until the root is solved, memory is full, or `should_continue`
        says no.

        Selection and updates run on this thread alone, in a fixed order.
        """
        end = math.inf if episodes is None else self.episodes + episodes
        batch = 1 if self.config.threads == 1 else self.config.threads * self.config.batch
        while not self.is_done and not self.is_full and self.episodes < end:
            tasks = []
            for _ in range(int(min(batch, end - self.episodes))):
                task = self._select()
                if task is not None:
                    tasks.append(task)
            try:
                results = self.run_tasks([partial(self._evaluate, task) for task in tasks])
            except BaseException:
                for task in tasks:
                    task.node.busy = False
                    task.node.following.difference_update(task.indices)
                raise
            for task, result in zip(tasks, results, strict=True):
                self._apply(task, result)
            self._keep_within_memory()
            if not should_continue():
                return

    def _keep_within_memory(self) -> None:
        limit = int(self.config.memory * 2**30) - self.process.nbytes
        if self.tree.used > limit:
            self.is_full = not self.tree.shrink(limit)

    # ---- an episode

    def _select(self) -> Evaluation[StateT] | None:
        """Descend to a state to evaluate; None if there is none on the path."""
        self.episodes += 1
        node, limit = self.root, self.root.low
        path = set()
        while not node.busy and not node.is_solved:
            path.add(node)
            node.last = self.episodes
            node.visits += 1
            assert node.state is not None  # it is not solved
            step = self._step(node)
            if step is not None:
                node.busy = True
                node.solves += step == "solve"
                return Evaluation(node, node.state, step, limit)
            chosen = self._choose(node, limit)
            if chosen is None:
                return None
            step, indices = chosen
            if node is self.root:
                assert node.actions is not None
                self.visits.update(node.actions.actions[indices].tolist())
            if step != "pass":
                node.following.update(indices)
                aim = aim_of(node.high, limit, node.first_high) if step == "sweep" else limit
                return Evaluation(node, node.state, step, aim, indices)
            edge = node.edges[indices[0]]
            drawn = self._draw(edge)
            if drawn is None or edge.high <= limit:
                return None
            probability, child = drawn
            if child in path:
                raise InputError(
                    f"state {child.state!r} leads back to itself; count the steps in the state"
                )
            window = -math.inf  # infinite bounds imply nothing about the child
            if math.isfinite(edge.high) and math.isfinite(child.high):
                window = child.high - (edge.high - limit) / probability
            limit = max(child.low, window)
            node = child
        return None

    def _step(self, node: McdpNode[StateT]) -> str | None:
        """The next evaluation step of a state; None if episodes pass through it."""
        assert node.state is not None
        size = float(self.config.dp_threshold)
        if node is not self.root:
            size *= math.sqrt(node.visits)
        if (node.solves == 0 or node.is_looked_at) and self.process.is_small(node.state, int(size)):
            return "solve"
        if not node.is_looked_at:
            return "look"
        return "expand" if node.actions is None else None

    def _evaluate(self, task: Evaluation[StateT]) -> Any:
        process, state = self.process, task.state
        if task.step == "solve":
            effort = EFFORT * EFFORT_GROWTH ** (task.node.solves - 1)
            return process.refine(state, task.limit, effort)
        if task.step == "look":
            return process.look(state)
        if task.step == "expand":
            return process.expand(state)
        assert task.node.actions is not None
        actions = task.node.actions.actions
        return [process.bounded_outcomes(state, actions[i], task.limit) for i in task.indices]

    def _apply(self, task: Evaluation[StateT], result: Any) -> None:
        tree, node = self.tree, task.node
        if task.step in ("follow", "sweep"):
            for index, followed in zip(task.indices, result, strict=True):
                if task.step == "follow":
                    tree.add_edge(node, index, followed)
                else:
                    tree.tighten_action(node, index, followed.high, followed.open is not None)
            return
        node.busy = False
        if task.step == "expand":
            tree.expand(node, result)
            return
        node.is_looked_at |= task.step == "look"
        source = PolicySource.LOOK
        if task.step == "solve":
            source = self.process.source_of(task.state, result.low)
        tree.tighten(node, result, source)

    # ---- random choices

    def _choose(self, node: McdpNode[StateT], limit: float) -> tuple[str, list[int]] | None:
        """The next step and its actions: pass through an edge, follow an action, sweep several."""
        is_open = node.highs > max(limit, node.low) + node.tolerance
        if node.following:
            is_open[list(node.following)] = False
        if not is_open.any():
            return None
        if self._rng.random() < _BY_BOUND:
            index = int(np.argmax(np.where(is_open, node.highs, -math.inf)))
            if index not in node.edges and not node.is_scanned[index]:
                is_open &= ~node.is_scanned
                return "sweep", top_indices(node.highs, np.flatnonzero(is_open), _SWEEP).tolist()
        else:
            index = self._by_estimate(node, np.flatnonzero(is_open))
        return ("pass" if index in node.edges else "follow"), [index]

    def _by_estimate(self, node: McdpNode[StateT], indices: NDArray[np.intp]) -> int:
        """Draw one of the actions by a softmax over estimated values."""
        total, count = node.shifts
        estimates = node.estimates[indices]
        estimates[~node.is_learnt[indices]] += total / max(1, count)
        np.minimum(estimates, node.highs[indices], out=estimates)
        best, temperature = float(estimates.max()), self._temperature
        if temperature == 0:
            return int(indices[np.argmax(estimates)])
        near = np.flatnonzero(estimates >= best - _NEGLIGIBLE * temperature)
        shares = np.cumsum(np.exp((estimates[near] - best) / temperature))
        return int(indices[near[self._drawn(shares)]])

    def _draw(self, edge: Edge[StateT]) -> tuple[float, McdpNode[StateT]] | None:
        """Draw a next state in proportion to its gap; None if all are being evaluated."""
        free = [pair for pair in edge.open if not pair[1].busy]
        if not free:
            return None
        return free[
            self._drawn(np.cumsum([probability * child.gap for probability, child in free]))
        ]

    def _drawn(self, shares: Floats) -> int:
        """Draw an index, given cumulative shares."""
        return int(np.searchsorted(shares[:-1], self._rng.random() * shares[-1], side="right"))

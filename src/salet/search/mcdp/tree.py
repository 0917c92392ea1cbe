"""States, their bounds, and the edges between them.

Of every state met the tree knows proven bounds, low <= value <= high. An action that was followed
is an *edge* to the states that come next. A state knows the edges that lead to it: when its bounds
improve all of them are summed up again, and so on upwards, so that all parents of a state that can
be reached in several ways are up to date.

What is kept, and for how long:

- A state that is solved keeps its value and its best action; everything else is freed.
- An action that cannot beat the policy known (its `high` is not above the state's `low`) is closed:
  its edge is freed, its bound stays.
- A state that no edge leads to any more is *spare*: it keeps its bounds while there is room.
- When memory runs short, spare states are forgotten, the oldest first, then what was learnt below
  the states that were not visited for longest. Forgetting costs time, never truth: bounds of states
  that remain do not get worse, and the best policy known is never forgotten.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Any, Generic

import numpy as np

from salet.array_types import Bools, Floats
from salet.search.process import (
    ActionTable,
    BoundedOutcomes,
    DecisionProcess,
    PolicySource,
    State,
    ValueBounds,
    bounds_of,
    tolerance_of,
)

# Measured with tracemalloc on CPython 3.11: what an object, its slots and its entries in dicts,
# sets and lists take.
NODE_BYTES = 800
EDGE_BYTES = 500
CHILD_BYTES = 160


class McdpNode(Generic[State]):
    """A state and what is known of it."""

    __slots__ = (
        "action", "actions", "best", "bounds", "busy", "edges", "estimates", "first_high",
        "following", "high", "highs", "is_learnt", "is_looked_at", "is_scanned", "key", "last",
        "low", "parents", "shifts", "solves", "source", "state", "tolerance", "visits",
    )  # fmt: skip

    def __init__(self, state: State, key: Hashable, bounds: ValueBounds, tolerance: float) -> None:
        self.state: State | None = state
        """None once it is solved"""
        self.key, self.tolerance = key, tolerance
        self.low, self.high = self.bounds = bounds
        self.first_high = bounds.high
        self.source = PolicySource.BOUNDS
        self.is_looked_at = False
        self.actions: ActionTable | None = None
        """once it is expanded"""
        self.highs: Floats = _NOTHING
        """[action]: upper bounds, which only fall"""
        self.estimates: Floats = _NOTHING
        """[action]: predictions, until they are learnt from edges"""
        self.is_learnt: Bools = _NONE
        self.is_scanned: Bools = _NONE
        """[action]: whether only an edge can lower its bound further"""
        self.edges: dict[int, Edge[State]] = {}
        """by index of the action"""
        self.shifts = [0.0, 0]
        """the sum of estimate minus prediction over learnt estimates, and their number"""
        self.best: Edge[State] | None = None
        """the edge behind `low`"""
        self.action: Any = None
        """its action, kept when the edge is not"""
        self.parents: dict[Edge[State], None] = {}
        """the edges that lead here, in the order in which they were met"""
        self.following: set[int] = set()
        """actions that are being evaluated"""
        self.busy = False
        """whether it is being evaluated itself"""
        self.solves = 0
        """how often dynamic programming tried to solve it"""
        self.visits = 0
        self.last = 0
        """the episode that visited it last"""

    @property
    def is_solved(self) -> bool:
        return self.high - self.low <= self.tolerance or self.high == -math.inf

    @property
    def gap(self) -> float:
        """How far the bounds are apart; 1 where one of them is unknown."""
        gap = self.high - self.low
        return gap if math.isfinite(gap) else 1.0


class Edge(Generic[State]):
    """An action that was followed, and the states that come next."""

    __slots__ = ("action", "high", "index", "low", "open", "owner", "settled")

    def __init__(self, owner: McdpNode[State], index: int, action: Any, high: float) -> None:
        self.owner, self.index, self.action = owner, index, action
        self.settled = 0.0
        """expected reward, and what solved states contribute"""
        self.open: list[tuple[float, McdpNode[State]]] = []
        """(probability, state) of the others"""
        self.low, self.high = -math.inf, high


_NOTHING: Floats = np.zeros(0)
_NONE: Bools = np.zeros(0, bool)


class Tree(Generic[State]):
    """All states met. For one thread."""

    def __init__(self, process: DecisionProcess[State, Any]) -> None:
        self.process = process
        self.table: dict[Hashable, McdpNode[State]] = {}
        self.spare: dict[Hashable, None] = {}
        """states that may be forgotten, the oldest first"""
        self.used = self.max_used = 0
        """bytes"""
        self.solved = 0
        self.disappointment = 0.0
        """mean difference between the first upper bound of a state and its value"""
        self._learnt = 0.0
        self.root = self.node(process.start())

    # ---- states

    def node(self, state: State, high: float = math.inf) -> McdpNode[State]:
        """The node of a state, made if it is new."""
        process = self.process
        key = process.key(state)
        found = self.table.get(key)
        if found is None:
            low, known = bounds_of(process, state)
            bounds = ValueBounds(low, max(low, min(high, known)))
            found = McdpNode(state, key, bounds, tolerance_of(process, state))
            self.table[key] = found
            self._count(NODE_BYTES + process.footprint(state))
        elif high < found.high:
            self.improve(found, ValueBounds(-math.inf, high), found.source)
        return found

    def improve(self, node: McdpNode[State], bounds: ValueBounds, source: PolicySource) -> None:
        """Take in better bounds, and pass on what follows from them."""
        if self.table.get(node.key) is not node or node.state is None:
            return  # forgotten or solved meanwhile
        before = node.low, node.high
        if bounds.low > node.low:
            node.source, node.best, node.low = source, None, bounds.low
            if source is PolicySource.LOOK:
                node.bounds = ValueBounds(bounds.low, node.bounds.high)
        node.high = max(node.low, min(node.high, bounds.high))
        if before != (node.low, node.high):
            self._prune(node)
            self._pass_on(node)

    def expand(self, node: McdpNode[State], actions: ActionTable) -> None:
        """Take in the actions of a state."""
        if self.table.get(node.key) is not node or node.state is None or node.key in self.spare:
            return  # forgotten or solved meanwhile
        self._forget_actions(node)
        node.actions = actions
        node.highs, node.estimates = actions.highs.copy(), actions.predictions.copy()
        node.is_scanned, node.is_learnt = np.zeros((2, len(actions.highs)), bool)
        node.shifts = [0.0, 0]
        for edge in node.edges.values():  # what outlived a shortage of memory
            node.highs[edge.index] = min(edge.high, node.highs[edge.index])
            self._estimate(edge)
        self._count(_nbytes(node))
        if self._bound(node):
            self._pass_on(node)

    # ---- edges

    def limit_action(self, node: McdpNode[State], index: int, high: float, is_final: bool) -> None:
        """Take in an upper bound of an action; `is_final`: only an edge can improve on it."""
        node.following.discard(index)
        if node.actions is None:
            return  # solved or forgotten meanwhile
        node.is_scanned[index] |= is_final
        if high < node.highs[index]:
            node.highs[index] = high
            if self._bound(node):
                self._pass_on(node)

    def attach(self, node: McdpNode[State], index: int, followed: BoundedOutcomes[State]) -> None:
        """Take in what follows an action: an edge, unless the action is closed."""
        self.limit_action(node, index, followed.high, is_final=True)
        if followed.open is None:
            return
        children = [(p, self.node(state, high)) for p, state, high in followed.open]
        closed = node.actions is None or node.highs[index] <= node.low + node.tolerance
        if node.actions is None or closed or index in node.edges:
            for _, child in children:
                if child.visits == 0 and not child.parents:
                    self._forget(child)
            return
        edge: Edge[State] = Edge(node, index, node.actions.actions[index], node.highs[index])
        node.edges[index] = edge
        edge.settled, edge.open = followed.settled, children
        for _, child in children:
            if not child.is_solved:
                child.parents[edge] = None
                self.spare.pop(child.key, None)
        self._count(EDGE_BYTES + CHILD_BYTES * len(edge.open))
        if self._sum_up(edge):
            self._pass_on(node)

    def _sum_up(self, edge: Edge[State]) -> bool:
        """Bounds of an edge from those of its states. Returns whether its owner's improved."""
        owner = edge.owner
        low = high = 0.0
        still = []
        for probability, child in edge.open:
            if child.is_solved:
                edge.settled += probability * child.low
            else:
                still.append((probability, child))
                low += probability * child.low
                high += probability * child.high
        self._count(CHILD_BYTES * (len(still) - len(edge.open)))
        edge.open = still
        if edge.settled == -math.inf:
            low = high = 0.0  # it cannot be done, whatever the others say
        edge.low = max(edge.low, edge.settled + low)
        edge.high = max(edge.low, min(edge.high, edge.settled + high))
        if owner.actions is not None:
            owner.highs[edge.index] = min(edge.high, owner.highs[edge.index])
            self._estimate(edge)
        is_better = edge.low > owner.low + owner.tolerance
        if is_better:
            owner.source, owner.best, owner.action = PolicySource.ACTION, edge, edge.action
            owner.low = edge.low
            owner.high = max(owner.low, owner.high)
            self._prune(owner)
        elif edge.high <= owner.low + owner.tolerance and edge is not owner.best:
            self._drop([edge])
        return self._bound(owner) or is_better

    def _estimate(self, edge: Edge[State]) -> None:
        """Estimate an edge: its upper bound, less what states like the open ones lost so far."""
        owner, index = edge.owner, edge.index
        hidden = self.disappointment * sum(probability for probability, _ in edge.open)
        found = max(edge.low, edge.high - hidden)
        if math.isfinite(found):
            owner.shifts[0] += found - owner.estimates[index]
            owner.shifts[1] += not owner.is_learnt[index]
            owner.estimates[index], owner.is_learnt[index] = found, True

    def _bound(self, node: McdpNode[State]) -> bool:
        """The upper bound of a state from those of its actions. Returns whether it improved."""
        if node.actions is None:
            return False
        high = max(node.low, float(node.highs.max(initial=-math.inf)))
        if high < node.high:
            node.high = high
            return True
        return False

    def _pass_on(self, node: McdpNode[State]) -> None:
        """Sum up every edge to a state whose bounds improved, and so on upwards."""
        waiting = [node]
        while waiting:
            node = waiting.pop()
            parents = list(node.parents)
            if node.is_solved and node.state is not None:
                self._settle(node)
            waiting.extend(
                edge.owner
                for edge in parents
                if edge.owner.edges.get(edge.index) is edge and self._sum_up(edge)
            )
            if node.is_solved:
                node.parents.clear()

    # ---- forgetting

    def _settle(self, node: McdpNode[State]) -> None:
        """Free everything of a solved state but its value and its best action."""
        assert node.state is not None
        node.high = node.low
        self._learn(node)
        self._drop(list(node.edges.values()))
        self._forget_actions(node)
        self._count(-self.process.footprint(node.state))
        node.state = node.best = None
        self.solved += 1
        if node is not self.root:
            self.spare[node.key] = None

    def _learn(self, node: McdpNode[State]) -> None:
        """Learn how much less than its first upper bound a state turned out to be worth."""
        difference = node.first_high - node.low
        if math.isfinite(difference):
            weight = 0.5 / node.tolerance
            self._learnt += weight
            self.disappointment += (difference - self.disappointment) * weight / self._learnt

    def _prune(self, node: McdpNode[State]) -> None:
        """Drop the edges that cannot beat the policy known any more."""
        limit = node.low + node.tolerance
        self._drop([e for e in node.edges.values() if e.high <= limit and e is not node.best])

    def _forget_actions(self, node: McdpNode[State]) -> None:
        if node.actions is not None:
            self._count(-_nbytes(node))
            node.actions = None
            node.highs = node.estimates = _NOTHING
            node.is_scanned = node.is_learnt = _NONE

    def _drop(self, edges: list[Edge[State]]) -> None:
        """Free edges, and below them what nothing else leads to."""
        waiting = list(edges)
        while waiting:
            edge = waiting.pop()
            if edge.owner.edges.pop(edge.index, None) is None:
                continue
            self._count(-EDGE_BYTES - CHILD_BYTES * len(edge.open))
            for _, child in edge.open:
                child.parents.pop(edge, None)
                if child.parents or child is self.root or child.is_solved:
                    continue
                if child.visits == 0:
                    self._forget(child)
                    continue
                # The policy behind its lower bound goes; that of the look can be made again.
                waiting.extend(child.edges.values())
                self._forget_actions(child)
                if child.source is PolicySource.ACTION:
                    child.best, child.low = None, child.bounds.low
                    child.source = PolicySource.LOOK if child.is_looked_at else PolicySource.BOUNDS
                self.spare[child.key] = None

    def _forget(self, node: McdpNode[State]) -> None:
        self.spare.pop(node.key, None)
        if self.table.pop(node.key, None) is not None:
            freed = 0 if node.state is None else self.process.footprint(node.state)
            self._count(-NODE_BYTES - freed)
            self._forget_actions(node)

    def _count(self, nbytes: int) -> None:
        self.used += nbytes
        self.max_used = max(self.max_used, self.used)

    def shrink(self, limit: int) -> bool:
        """Forget until a quarter of the memory is free. Returns whether it is within the limit."""
        target = limit * 3 // 4
        for key in list(self.spare):
            if self.used <= target:
                return True
            node = self.table[key]
            if not node.busy:
                self._forget(node)
        for node in sorted(self._forgettable(), key=lambda node: node.last):
            if self.used <= target:
                return True
            self._drop([edge for edge in node.edges.values() if edge is not node.best])
            if node is not self.root:
                self._forget_actions(node)
        # One edge of the root stays: to follow it again and again would be no progress.
        for edge in sorted(self.root.edges.values(), key=lambda edge: edge.high)[:-1]:
            if self.used <= target:
                return True
            if edge is not self.root.best:
                self._drop([edge])
        return self.used <= limit

    def _forgettable(self) -> Iterator[McdpNode[State]]:
        return (
            node
            for node in self.table.values()
            if node.actions is not None and node is not self.root
        )


def _nbytes(node: McdpNode[Any]) -> int:
    """Bytes of what is known of the actions of a state."""
    actions = node.actions
    assert actions is not None
    arrays = (*actions, node.highs, node.estimates, node.is_scanned, node.is_learnt)
    return sum(array.nbytes for array in arrays)

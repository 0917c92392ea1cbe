"""The search graph of MCDP: nodes with proven bounds, and the edges between them.

Every node has bounds low <= value <= high. An action that was followed is an *edge* to its
outcomes. A node knows its parent edges: when its bounds become tighter, these are recomputed, and
so on upwards, so that all parents of a state are up to date, however it was reached.

What is stored, and for how long:

- A solved node keeps its value and its best action; everything else is freed.
- An action that cannot beat the best known policy (its `high` is at most the node's `low`) is
  closed: its edge is freed, its bound remains.
- A node without parent edges is an *orphan*: it keeps its bounds while there is room.
- When memory runs short, orphans are evicted, the oldest first, and then the subtrees of the nodes
  that were visited least recently. Eviction costs time but never validity: the bounds of other
  nodes stay as they are, and the best known policy is never evicted.
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
    StateT,
    ValueBounds,
    bounds_of,
    tolerance_of,
)

# Size of an object, its slots and its entries in dicts, sets and lists, measured with tracemalloc
# on CPython 3.11.
NODE_BYTES = 800
EDGE_BYTES = 500
CHILD_BYTES = 160


class McdpNode(Generic[StateT]):
    """A state, its bounds and its actions."""

    __slots__ = (
        "action", "actions", "best", "bounds", "busy", "edges", "estimates", "first_high",
        "following", "high", "highs", "is_learnt", "is_looked_at", "is_scanned", "key", "last",
        "low", "parents", "shifts", "solves", "source", "state", "tolerance", "visits",
    )  # fmt: skip

    def __init__(self, state: StateT, key: Hashable, bounds: ValueBounds, tolerance: float) -> None:
        self.state: StateT | None = state
        """None once it is solved"""
        self.key, self.tolerance = key, tolerance
        self.low, self.high = self.bounds = bounds
        self.first_high = bounds.high
        self.source = PolicySource.BOUNDS
        self.is_looked_at = False
        self.actions: ActionTable | None = None
        """once it is expanded"""
        self.highs: Floats = _NOTHING
        """[action]: upper bounds, which never increase"""
        self.estimates: Floats = _NOTHING
        """[action]: predictions, replaced by estimates from edges"""
        self.is_learnt: Bools = _NONE
        self.is_scanned: Bools = _NONE
        """[action]: whether only an edge can lower its bound further"""
        self.edges: dict[int, Edge[StateT]] = {}
        """by index of the action"""
        self.shifts = [0.0, 0]
        """sum of estimate minus prediction over actions with an edge, and their number"""
        self.best: Edge[StateT] | None = None
        """the edge behind `low`"""
        self.action: Any = None
        """its action, which remains when the edge is freed"""
        self.parents: dict[Edge[StateT], None] = {}
        """the edges that lead here, oldest first"""
        self.following: set[int] = set()
        """actions that are being evaluated"""
        self.busy = False
        """whether the node itself is being evaluated"""
        self.solves = 0
        """number of attempts to solve it by dynamic programming"""
        self.visits = 0
        self.last = 0
        """the episode that visited it last"""

    @property
    def is_solved(self) -> bool:
        return self.high - self.low <= self.tolerance or self.high == -math.inf

    @property
    def gap(self) -> float:
        """The difference of the bounds; 1 if one of them is infinite."""
        gap = self.high - self.low
        return gap if math.isfinite(gap) else 1.0


class Edge(Generic[StateT]):
    """An action that was followed, and its outcomes."""

    __slots__ = ("action", "high", "index", "low", "open", "owner", "settled")

    def __init__(self, owner: McdpNode[StateT], index: int, action: Any, high: float) -> None:
        self.owner, self.index, self.action = owner, index, action
        self.settled = 0.0
        """expected reward plus the contribution of solved outcomes"""
        self.open: list[tuple[float, McdpNode[StateT]]] = []
        """(probability, node) of the other outcomes"""
        self.low, self.high = -math.inf, high


_NOTHING: Floats = np.zeros(0)
_NONE: Bools = np.zeros(0, bool)


class Tree(Generic[StateT]):
    """All nodes. Not thread-safe."""

    def __init__(self, process: DecisionProcess[StateT, Any]) -> None:
        self.process = process
        self.table: dict[Hashable, McdpNode[StateT]] = {}
        self.orphans: dict[Hashable, None] = {}
        """nodes without parents, oldest first"""
        self.used = self.max_used = 0
        """estimated bytes"""
        self.solved = 0
        self.mean_optimism = 0.0
        """mean difference between the first upper bound of a node and its value"""
        self._learnt = 0.0
        self.root = self.node(process.start())

    # ---- states

    def node(self, state: StateT, high: float = math.inf) -> McdpNode[StateT]:
        """The node of a state, created if it is new."""
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
            self.tighten(found, ValueBounds(-math.inf, high), found.source)
        return found

    def tighten(self, node: McdpNode[StateT], bounds: ValueBounds, source: PolicySource) -> None:
        """Tighten the bounds of a node and propagate the change."""
        if self.table.get(node.key) is not node or node.state is None:
            return  # evicted or solved meanwhile
        before = node.low, node.high
        if bounds.low > node.low:
            node.source, node.best, node.low = source, None, bounds.low
            if source is PolicySource.LOOK:
                node.bounds = ValueBounds(bounds.low, node.bounds.high)
        node.high = max(node.low, min(node.high, bounds.high))
        if before != (node.low, node.high):
            self._prune(node)
            self._propagate(node)

    def expand(self, node: McdpNode[StateT], actions: ActionTable) -> None:
        """Set the actions of a node."""
        if self.table.get(node.key) is not node or node.state is None or node.key in self.orphans:
            return  # evicted or solved meanwhile
        self._free_actions(node)
        node.actions = actions
        node.highs, node.estimates = actions.highs.copy(), actions.predictions.copy()
        node.is_scanned, node.is_learnt = np.zeros((2, len(actions.highs)), bool)
        node.shifts = [0.0, 0]
        for edge in node.edges.values():  # edges that survived an eviction of the actions
            node.highs[edge.index] = min(edge.high, node.highs[edge.index])
            self._estimate(edge)
        self._count(_nbytes(node))
        if self._update_high(node):
            self._propagate(node)

    # ---- edges

    def tighten_action(
        self, node: McdpNode[StateT], index: int, high: float, is_final: bool
    ) -> None:
        """Tighten the upper bound of an action; `is_final`: only an edge can improve on it."""
        node.following.discard(index)
        if node.actions is None:
            return  # solved or evicted meanwhile
        node.is_scanned[index] |= is_final
        if high < node.highs[index]:
            node.highs[index] = high
            if self._update_high(node):
                self._propagate(node)

    def add_edge(
        self, node: McdpNode[StateT], index: int, followed: BoundedOutcomes[StateT]
    ) -> None:
        """Add an edge with the outcomes of an action, unless the action is closed."""
        self.tighten_action(node, index, followed.high, is_final=True)
        if followed.open is None:
            return
        children = [(p, self.node(state, high)) for p, state, high in followed.open]
        closed = node.actions is None or node.highs[index] <= node.low + node.tolerance
        if node.actions is None or closed or index in node.edges:
            for _, child in children:
                if child.visits == 0 and not child.parents:
                    self._evict(child)
            return
        edge: Edge[StateT] = Edge(node, index, node.actions.actions[index], node.highs[index])
        node.edges[index] = edge
        edge.settled, edge.open = followed.settled, children
        for _, child in children:
            if not child.is_solved:
                child.parents[edge] = None
                self.orphans.pop(child.key, None)
        self._count(EDGE_BYTES + CHILD_BYTES * len(edge.open))
        if self._update_edge(edge):
            self._propagate(node)

    def _update_edge(self, edge: Edge[StateT]) -> bool:
        """Recompute the bounds of an edge; returns whether those of its node became tighter."""
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
            low = high = 0.0  # infeasible, whatever the other outcomes
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
        return self._update_high(owner) or is_better

    def _estimate(self, edge: Edge[StateT]) -> None:
        """Estimate the value of an edge: its upper bound minus the mean optimism of open nodes."""
        owner, index = edge.owner, edge.index
        hidden = self.mean_optimism * sum(probability for probability, _ in edge.open)
        found = max(edge.low, edge.high - hidden)
        if math.isfinite(found):
            owner.shifts[0] += found - owner.estimates[index]
            owner.shifts[1] += not owner.is_learnt[index]
            owner.estimates[index], owner.is_learnt[index] = found, True

    def _update_high(self, node: McdpNode[StateT]) -> bool:
        """Recompute the upper bound of a node from its actions; returns whether it fell."""
        if node.actions is None:
            return False
        high = max(node.low, float(node.highs.max(initial=-math.inf)))
        if high < node.high:
            node.high = high
            return True
        return False

    def _propagate(self, node: McdpNode[StateT]) -> None:
        """Recompute the parent edges of a node whose bounds became tighter, and so on upwards."""
        waiting = [node]
        while waiting:
            node = waiting.pop()
            parents = list(node.parents)
            if node.is_solved and node.state is not None:
                self._free_solved(node)
            waiting.extend(
                edge.owner
                for edge in parents
                if edge.owner.edges.get(edge.index) is edge and self._update_edge(edge)
            )
            if node.is_solved:
                node.parents.clear()

    # ---- freeing memory

    def _free_solved(self, node: McdpNode[StateT]) -> None:
        """Free everything of a solved node except its value and its best action."""
        assert node.state is not None
        node.high = node.low
        self._learn_optimism(node)
        self._drop(list(node.edges.values()))
        self._free_actions(node)
        self._count(-self.process.footprint(node.state))
        node.state = node.best = None
        self.solved += 1
        if node is not self.root:
            self.orphans[node.key] = None

    def _learn_optimism(self, node: McdpNode[StateT]) -> None:
        """Update the mean difference between first upper bounds and values."""
        difference = node.first_high - node.low
        if math.isfinite(difference):
            weight = 0.5 / node.tolerance
            self._learnt += weight
            self.mean_optimism += (difference - self.mean_optimism) * weight / self._learnt

    def _prune(self, node: McdpNode[StateT]) -> None:
        """Drop the edges that can no longer beat the best known policy."""
        limit = node.low + node.tolerance
        self._drop([e for e in node.edges.values() if e.high <= limit and e is not node.best])

    def _free_actions(self, node: McdpNode[StateT]) -> None:
        if node.actions is not None:
            self._count(-_nbytes(node))
            node.actions = None
            node.highs = node.estimates = _NOTHING
            node.is_scanned = node.is_learnt = _NONE

    def _drop(self, edges: list[Edge[StateT]]) -> None:
        """Free edges, and the nodes below them that have no other parent."""
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
                    self._evict(child)
                    continue
                # The policy behind its lower bound is freed; that of `look` can be recomputed.
                waiting.extend(child.edges.values())
                self._free_actions(child)
                if child.source is PolicySource.ACTION:
                    child.best, child.low = None, child.bounds.low
                    child.source = PolicySource.LOOK if child.is_looked_at else PolicySource.BOUNDS
                self.orphans[child.key] = None

    def _evict(self, node: McdpNode[StateT]) -> None:
        self.orphans.pop(node.key, None)
        if self.table.pop(node.key, None) is not None:
            freed = 0 if node.state is None else self.process.footprint(node.state)
            self._count(-NODE_BYTES - freed)
            self._free_actions(node)

    def _count(self, nbytes: int) -> None:
        self.used += nbytes
        self.max_used = max(self.max_used, self.used)

    def shrink(self, limit: int) -> bool:
        """Evict until a quarter of the memory is free; returns whether usage is below the limit."""
        target = limit * 3 // 4
        for key in list(self.orphans):
            if self.used <= target:
                return True
            node = self.table[key]
            if not node.busy:
                self._evict(node)
        for node in sorted(self._evictable(), key=lambda node: node.last):
            if self.used <= target:
                return True
            self._drop([edge for edge in node.edges.values() if edge is not node.best])
            if node is not self.root:
                self._free_actions(node)
        # One edge of the root stays: otherwise the search might follow it again and again.
        for edge in sorted(self.root.edges.values(), key=lambda edge: edge.high)[:-1]:
            if self.used <= target:
                return True
            if edge is not self.root.best:
                self._drop([edge])
        return self.used <= limit

    def _evictable(self) -> Iterator[McdpNode[StateT]]:
        return (
            node
            for node in self.table.values()
            if node.actions is not None and node is not self.root
        )


def _nbytes(node: McdpNode[Any]) -> int:
    """Bytes of the action arrays of a node."""
    actions = node.actions
    assert actions is not None
    arrays = (*actions, node.highs, node.estimates, node.is_scanned, node.is_learnt)
    return sum(array.nbytes for array in arrays)

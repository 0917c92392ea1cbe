"""States, their bounds, and the tables that all threads share.

Of every state met the tree knows proven bounds, lower <= value <= upper. An action that has been
tried is an *edge*: what it costs and which states follow. A state knows the edges that lead to it,
so when its bounds improve all of them are summed up anew, and so on upwards: every parent of a
state that can be reached in several ways is up to date.

What is kept, and for how long
- a state that is solved keeps its value and its best action; everything else of it is freed;
- an action that cannot be better than the plan known (its lower bound reaches the state's upper) is
  closed: its edge is freed, its bound stays;
- a state that no edge leads to any more keeps its bounds as long as there is room;
- when memory runs short, first such spare states are forgotten, the oldest first, then what was
  learnt below the states that were not visited for longest. Forgetting costs time, never truth:
  bounds of states that remain never get worse, and the best plan known is never forgotten.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import Enum
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.problem import Actions, Number, Problem, Span, State, Steps

# Measured with tracemalloc on CPython 3.11: what an object, its slots and its places in dicts,
# sets and lists take.
NODE_BYTES = 800
EDGE_BYTES = 500
CHILD_BYTES = 160


class Source(Enum):
    """Where the plan behind an upper bound is."""

    BOUNDS = "what the problem knows at once"
    LOOK = "a look at all actions"
    DP = "dynamic programming"
    EDGE = "the best edge"


class Node(Generic[State]):
    """A state and what is known of it."""

    __slots__ = (
        "action", "actions", "best", "busy", "edges", "following", "key", "last", "looked", "lower",
        "parents", "reach", "size", "source", "state", "upper",
    )  # fmt: skip

    def __init__(self, state: State, key: Hashable, bounds: Span, reach: Number, size: int) -> None:
        self.state: State | None = state
        """None once it is solved"""
        self.key, self.reach, self.size = key, reach, size
        self.lower, self.upper = bounds
        self.source = Source.BOUNDS
        self.looked: Span | None = None
        """what a look at all actions told"""
        self.actions: Actions | None = None
        """once it is expanded"""
        self.edges: dict[Any, Edge[State]] = {}
        self.best: Edge[State] | None = None
        """the edge behind the upper bound"""
        self.action: Any = None
        """the action of the best edge, kept when the edge is not"""
        self.parents: dict[Edge[State], None] = {}
        """the edges that lead here, in the order in which they were met"""
        self.following: set[Any] = set()
        """actions that threads are following"""
        self.busy = False
        """a thread is evaluating it"""
        self.last = 0
        """the episode that visited it last"""


class Edge(Generic[State]):
    """An action that has been tried, and the states that follow."""

    __slots__ = ("action", "fixed", "lower", "open", "owner", "place", "settled", "upper")

    def __init__(self, owner: Node[State], action: Any, place: int, lower: Number) -> None:
        self.owner, self.action, self.place = owner, action, place
        self.fixed: Number = 0
        """its cost and the values of all states that are solved"""
        self.settled = owner.size
        """answers that lead to solved states"""
        self.open: list[tuple[Number, Node[State]]] | None = None
        """(weight, state) of the others; None where transitions are not remembered"""
        self.lower = lower
        self.upper: Number = 0
        """once it is summed up"""


class Tree(Generic[State]):
    """All states met. For one thread at a time: callers hold the lock."""

    def __init__(self, problem: Problem[State], config: McdpConfig) -> None:
        self.problem, self.config = problem, config
        self.table: dict[Hashable, Node[State]] = {}
        self.spare: dict[Hashable, None] = {}
        """states that could be forgotten, the oldest first"""
        self.used = 0
        """bytes"""
        self.most_used = 0
        self.solved = 0
        self.root = self.node(problem.start())

    # ---- states

    def node(self, state: State) -> Node[State]:
        """The node of a state, made if it is new."""
        problem = self.problem
        key = problem.key(state)
        found = self.table.get(key)
        if found is None:
            found = Node(
                state, key, problem.bounds(state), problem.reach(state), problem.size(state)
            )
            self.table[key] = found
            self._count(NODE_BYTES + problem.footprint(state))
        return found

    def is_solved(self, node: Node[State]) -> bool:
        return bool(node.lower + self.problem.tolerance >= node.upper)

    def gap(self, node: Node[State]) -> Number:
        """How much is open; a finite guess where no plan is known yet."""
        gap = node.upper - node.lower
        return gap if 2 * gap < self.problem.infinite else node.reach

    def improve(self, node: Node[State], bounds: Span, source: Source) -> None:
        """Take in better bounds, and pass on what follows from them."""
        if self.table.get(node.key) is not node:
            return  # forgotten meanwhile
        if source is Source.LOOK:
            node.looked = bounds
        before = node.lower, node.upper
        node.lower = max(node.lower, bounds.lower)
        if bounds.upper < node.upper:
            node.source, node.best, node.upper = source, None, bounds.upper
            self._prune(node)
        elif source is Source.DP and self.is_solved(node):
            node.source, node.best = source, None
        if before != (node.lower, node.upper):
            self._pass_on(node)

    def expand(self, node: Node[State], actions: Actions) -> None:
        """Take in the actions of a state."""
        if self.table.get(node.key) is not node or node.key in self.spare:
            return  # forgotten or solved meanwhile
        self._forget_actions(node)
        if not self.config.keep_scores:
            actions.scores = None
        node.actions = actions
        for edge in node.edges.values():  # what outlived a shortage of memory
            edge.place = actions.find(edge.action, edge.lower)
            actions.lowers[edge.place] = max(edge.lower, actions.lowers[edge.place])
        self._count(actions.nbytes)
        self._prune(node)
        if self._bound(node):
            self._pass_on(node)

    # ---- edges

    def attach(self, node: Node[State], action: Any, steps: Steps, limit: Number) -> None:
        """Take in what follows an action: an edge, if the action is within the limit."""
        node.following.discard(action)
        if node.actions is None or action in node.edges:
            return  # solved or forgotten meanwhile
        places = np.flatnonzero(node.actions.ids == action)
        if not len(places):
            return  # closed meanwhile
        place = int(places[0])
        lower = steps.cost
        if lower < self.problem.infinite:
            lower += sum(weight * least for weight, _, least in steps.children)
        lowers = node.actions.lowers
        lowers[place] = max(lowers[place], min(lower, self.problem.infinite))
        improved = False
        if lower < min(limit, node.upper) - self.problem.tolerance:
            edge = Edge(node, action, place, lower)
            node.edges[action] = edge
            children = self._linked(edge, steps)
            self._count(EDGE_BYTES)
            if self.config.keep_transitions:
                edge.open = children
                self._count(CHILD_BYTES * len(children))
            improved = self._sum_up(edge)
        if self._bound(node) or improved:
            self._pass_on(node)

    def _followed(self, edge: Edge[State]) -> list[tuple[Number, Node[State]]]:
        if edge.owner.state is None:
            return []
        return self._linked(edge, self.problem.follow(edge.owner.state, edge.action, 0))

    def _linked(self, edge: Edge[State], steps: Steps) -> list[tuple[Number, Node[State]]]:
        """The states that follow and are not solved, made to know that the edge leads to them."""
        edge.fixed, edge.settled = steps.cost, edge.owner.size
        open_ = []
        for weight, state, lower in steps.children:
            child = self.node(state)
            if lower > child.lower:
                self.improve(child, Span(lower, self.problem.infinite), Source.BOUNDS)
            if self.is_solved(child):
                edge.fixed += weight * child.upper
            else:
                edge.settled -= child.size
                open_.append((weight, child))
                child.parents[edge] = None
                self.spare.pop(child.key, None)
        return open_

    def children(self, edge: Edge[State]) -> list[tuple[Number, Node[State]]]:
        """The states that follow and are not solved, with their weights."""
        return self._followed(edge) if edge.open is None else edge.open

    def _sum_up(self, edge: Edge[State]) -> bool:
        """Bounds of an edge from those of its states. Did the bounds of its owner improve?"""
        owner, infinite = edge.owner, self.problem.infinite
        still: list[tuple[Number, Node[State]]] = []
        lower = upper = 0
        can_be_done = True
        for weight, child in self.children(edge):
            if self.is_solved(child):
                edge.fixed += weight * child.upper
                edge.settled += child.size
            else:
                still.append((weight, child))
                lower += weight * child.lower
                upper += weight * child.upper
                can_be_done &= child.lower < infinite
        if edge.open is not None:
            self._count(CHILD_BYTES * (len(still) - len(edge.open)))
            edge.open = still
        can_be_done &= edge.fixed < infinite
        edge.lower = max(edge.lower, edge.fixed + lower) if can_be_done else infinite
        edge.upper = min(edge.fixed + upper, infinite)
        if owner.actions is not None:
            lowers = owner.actions.lowers
            lowers[edge.place] = max(edge.lower, lowers[edge.place])
        better = edge.upper < owner.upper - self.problem.tolerance
        if better:
            owner.source, owner.best, owner.action = Source.EDGE, edge, edge.action
            owner.upper = edge.upper
            self._prune(owner)
        elif edge.lower >= owner.upper - self.problem.tolerance and edge is not owner.best:
            self._drop([edge])
        return self._bound(owner) or better

    def _bound(self, node: Node[State]) -> bool:
        """The lower bound of a state from those of its actions. Closed ones do not count: they cost
        at least what the upper bound was, and that only falls."""
        if node.actions is None:
            return False
        lower = min(node.upper, _least(node.actions.lowers, node.upper))
        if lower > node.lower:
            node.lower = lower
            return True
        return False

    def _pass_on(self, node: Node[State]) -> None:
        """Sum up every edge to a state whose bounds improved, and so on upwards."""
        waiting = [node]
        while waiting:
            node = waiting.pop()
            parents = list(node.parents)
            solved = self.is_solved(node)
            if solved and node.state is not None:
                self._settle(node)
            waiting.extend(
                edge.owner
                for edge in parents
                if edge.owner.edges.get(edge.action) is edge and self._sum_up(edge)
            )
            if solved:
                node.parents.clear()

    # ---- forgetting

    def _settle(self, node: Node[State]) -> None:
        """Free everything of a solved state but its value and its best action."""
        assert node.state is not None
        self._drop(list(node.edges.values()))
        self._forget_actions(node)
        self._count(-self.problem.footprint(node.state))
        node.state = node.best = None
        self.solved += 1
        if node is self.root:
            return
        if self.config.keep_values:
            self.spare[node.key] = None
        else:
            del self.table[node.key]
            self._count(-NODE_BYTES)

    def _prune(self, node: Node[State]) -> None:
        """Close the actions that cannot beat the upper bound any more."""
        if node.actions is None:
            return
        actions, limit = node.actions, node.upper - self.problem.tolerance
        best = node.best
        self._drop([e for e in node.edges.values() if e.lower >= limit and e is not best])
        is_open = actions.lowers < limit
        if self.config.memoise and 2 * np.count_nonzero(is_open) < len(is_open):
            if best is not None:
                is_open[best.place] = True
            place = np.cumsum(is_open) - 1
            before = actions.nbytes
            actions.keep(is_open)
            self._count(actions.nbytes - before)
            for edge in node.edges.values():
                edge.place = int(place[edge.place])

    def _forget_actions(self, node: Node[State]) -> None:
        if node.actions is not None:
            self._count(-node.actions.nbytes)
            node.actions = None

    def _drop(self, edges: list[Edge[State]]) -> None:
        """Free edges, and below them what nothing else leads to."""
        waiting = list(edges)
        while waiting:
            edge = waiting.pop()
            if edge.owner.edges.pop(edge.action, None) is None:
                continue
            children = self.children(edge)
            self._count(-EDGE_BYTES - CHILD_BYTES * len(edge.open or ()))
            for _, child in children:
                child.parents.pop(edge, None)
                if child.parents or child is self.root or self.is_solved(child):
                    continue
                if child.looked is None or child.state is None:
                    self._forget(child)
                    continue
                # The plan behind its upper bound goes; that of the look can be made again.
                waiting.extend(child.edges.values())
                self._forget_actions(child)
                child.best, child.upper = None, child.looked.upper
                at_once = self.problem.bounds(child.state).upper
                child.source = Source.LOOK if child.upper < at_once else Source.BOUNDS
                self.spare[child.key] = None

    def _forget(self, node: Node[State]) -> None:
        self.spare.pop(node.key, None)
        if self.table.pop(node.key, None) is not None:
            freed = 0 if node.state is None else self.problem.footprint(node.state)
            self._count(-NODE_BYTES - freed)
            self._forget_actions(node)

    def _count(self, nbytes: int) -> None:
        self.used += nbytes
        self.most_used = max(self.most_used, self.used)

    def shrink(self, most: int) -> bool:
        """Forget until a quarter of the memory is free. False: even so there is too little."""
        target = most * 3 // 4
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
        for edge in sorted(self.root.edges.values(), key=lambda edge: -edge.lower):
            if self.used <= target:
                return True
            if edge is not self.root.best:
                self._drop([edge])
        return self.used <= most

    def _forgettable(self) -> Iterator[Node[State]]:
        return (
            node
            for node in self.table.values()
            if node.actions is not None and node is not self.root
        )


def _least(lowers: NDArray[Any], default: Number) -> Number:
    return lowers.min().item() if len(lowers) else default

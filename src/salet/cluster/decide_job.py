"""Decide the openers of a search on workers: the tree of states, their guesses, and their parts.

A state hands out its guesses in batches. A guess that takes long is split into its parts, a part
into its guesses, and so on. Bounds flow back up the tree, and lower targets down.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from salet.cluster import worker
from salet.cluster.jobs import ClusterTask
from salet.cluster.worker import StateSpec, Target, TaskResult
from salet.game.state import State
from salet.search.exact.engine import AGAIN, MAX_AT_ONCE, SHARE
from salet.search.opener_search import OnDecided, OpenerSearch, group_by_symmetry
from salet.search.value import INF, trivial_cost

BATCH_SECONDS = 3.0
"""Intended duration of a batch: what a killed worker costs, and how old a target may be."""
_MIN_SPLIT = 20
"""Size of the smallest state that is split into its guesses."""


@dataclass(eq=False, kw_only=True)
class _Batch(ClusterTask):
    """A task that decides some guesses of a state."""

    node: Node
    guesses: Sequence[int]
    target: int

    @property
    def is_wanted(self) -> bool:
        return self.node.is_wanted

    @property
    def is_stale(self) -> bool:
        return self.target >= INF and self.node.target() < INF

    @property
    def can_split(self) -> bool:
        return True


@dataclass(eq=False, kw_only=True)
class _Values(ClusterTask):
    """A task that values some small parts of a guess, or one large part."""

    guess: _SplitGuess
    parts: Sequence[_Part]
    limits: Sequence[int]

    @property
    def is_wanted(self) -> bool:
        return self.guess.is_wanted

    @property
    def is_stale(self) -> bool:
        return self.limits[0] >= INF and self.guess.enough(self.parts[0]) < INF

    @property
    def can_split(self) -> bool:
        return max(part.size for part in self.parts) >= _MIN_SPLIT


class _Part:
    """A part of a guess: the state after it, and bounds on its value."""

    def __init__(self, state: State, search: OpenerSearch, depth: int | None) -> None:
        self.state, self.size = state, len(state.candidates)
        trivial = trivial_cost(state, depth)
        self.exact = trivial is not None
        self.lower = state.size_bound
        if trivial is not None and not search.losses:
            self.lower = INF if trivial.losses else trivial.guesses
        elif trivial is not None:
            self.lower = trivial.losses * search.evaluator.loss + trivial.guesses
        self.is_running = False
        self.seconds = 0.0
        """duration of the last task"""
        self.home = ""
        """worker whose transposition table knows most of it"""
        self.node: Node | None = None
        """its guesses, if it was split"""

    @property
    def price(self) -> float:
        """Expected cost per answer of the next task, as in `choose_part` (exact/engine)."""
        return max(AGAIN * self.seconds, 1e-6 * self.size**2) / self.size

    def learn(self, value: int, limit: int) -> None:
        self.lower = max(self.lower, value)
        self.exact = value < limit


class _SplitGuess:
    """A guess that was split into its parts."""

    def __init__(self, index: int, node: Node) -> None:
        self.index, self.node = index, node
        search = node.search
        self.depth = None if search.depth is None else search.depth - 1
        parts = search.state.groups(index)
        parts.pop(search.state.game.win, None)
        self.parts = [_Part(part, search, self.depth) for part in parts.values()]
        # A round raises a bound by a share of the number of answers, which is next to nothing with
        # weights and losses.
        self.in_rounds = search.state.game.weights is None and not search.losses

    @property
    def total(self) -> int:
        """A lower bound on the guess."""
        return min(self.node.search.state.weight + sum(part.lower for part in self.parts), INF)

    @property
    def is_exact(self) -> bool:
        return all(part.exact for part in self.parts)

    @property
    def is_wanted(self) -> bool:
        return self.index in self.node.split and self.node.is_wanted

    def enough(self, part: _Part) -> int:
        """The smallest value of a part with which the guess reaches the target."""
        target = self.node.target()
        return INF if target >= INF else target - (self.total - part.lower)

    def take(self, address: str) -> ClusterTask | None:
        """The next task: all small parts together, then the cheapest one, preferably one that this
        worker has searched before."""
        waiting = [p for p in self.parts if not (p.exact or p.is_running or p.node)]
        small = [part for part in waiting if part.size <= MAX_AT_ONCE]
        if small:
            return self._values(small, [self.enough(part) for part in small])
        if waiting:
            part = min(waiting, key=lambda p: (p.home not in ("", address), p.price))
            limit = self.enough(part)
            if self.in_rounds:
                limit = min(limit, part.lower + part.size // SHARE) if limit < INF else INF
            return self._values([part], [limit])
        for part in self.parts:
            task = None if part.node is None else part.node.take(address)
            if task is not None:
                return task
        return None

    def _values(self, parts: Sequence[_Part], limits: Sequence[int]) -> ClusterTask:
        losses = self.node.search.losses
        for part in parts:
            part.is_running = True
        return _Values(
            function=worker.value,
            arguments=(
                [StateSpec(p.state.history, self.depth, losses) for p in parts],
                list(limits),
            ),
            what=f"{len(parts)} parts of opener number {self.index}",
            guess=self,
            parts=parts,
            limits=limits,
        )


class Node:
    """A state whose guesses are to be decided."""

    def __init__(
        self, search: OpenerSearch, on_decided: OnDecided, above: tuple[_SplitGuess, _Part] | None
    ) -> None:
        self.search = search
        self.above = above
        """the guess and the part that lead here; None at the root"""
        self.waiting = deque(g for g in search.queue if g not in search.decided)
        self.split: dict[int, _SplitGuess] = {}
        self._on_decided = on_decided
        self._batch_size = 1
        self._swept = INF

    @property
    def is_wanted(self) -> bool:
        return not self.search.done and (self.above is None or self.above[0].is_wanted)

    def target(self) -> int:
        """The total that guesses have to beat; it never rises."""
        if self.above is not None:
            guess, part = self.above
            self.search.limit = min(self.search.limit, guess.enough(part))
        return self.search.target()

    def take(self, address: str, ahead: bool = False) -> ClusterTask | None:
        """The next task: parts of split guesses come first."""
        for guess in () if ahead else self.split.values():
            task = guess.take(address)
            if task is not None:
                return task
        count = min(self._batch_size, len(self.waiting))
        if not count:
            return None
        guesses = [self.waiting.popleft() for _ in range(count)]
        search = self.search
        target = self.target()
        return _Batch(
            function=worker.decide,
            arguments=(
                StateSpec(search.state.history, search.depth, search.losses),
                guesses,
                Target(
                    tuple(search.found[: search.ranking]), search.ranking, search.ties, search.limit
                ),
            ),
            what=f"{count} openers from number {guesses[0]}",
            node=self,
            guesses=guesses,
            target=target,
        )

    def collect(self, task: _Batch, outcome: TaskResult) -> None:
        """Record what a batch decided, and put back or split the rest."""
        for guess, how, total in outcome.results:
            self._decide(guess, how, total)
        rest = list(task.guesses[len(outcome.results) :])
        if rest and task.stopping == "split":
            self.split[rest[0]] = _SplitGuess(rest[0], self)
            del rest[0]
        self.waiting.extendleft(reversed(rest))
        if len(outcome.results) == len(task.guesses):
            ideal = len(task.guesses) * BATCH_SECONDS / max(outcome.seconds, 1e-3)
            self._batch_size = max(1, min(round(ideal), 2 * len(task.guesses)))
        else:
            self._batch_size = 1

    def settle(self) -> None:
        """Decide every guess whose bounds suffice by now, here and below."""
        before = -1
        while before != len(self.search.decided):
            before = len(self.search.decided)
            for guess in list(self.split.values()):
                for part in guess.parts:
                    _settle_part(part)
                total = guess.total
                if total >= self.target():
                    self._decide(guess.index, "deep", total)
                elif guess.is_exact:
                    self._decide(guess.index, "exact", total)
        target = self.target()
        if target < self._swept:
            self._swept = target
            lower = self.search.lower
            hopeless = [guess for guess in self.waiting if lower[guess] >= target]
            self.waiting = deque(guess for guess in self.waiting if lower[guess] < target)
            for index in hopeless:
                self._decide(index, "bound", lower[index])

    def _decide(self, guess: int, how: str, total: int) -> None:
        self.split.pop(guess, None)
        with self.search.lock:
            self.search.decide(guess, how, total)
            self._on_decided(guess, how, total)


def _settle_part(part: _Part) -> None:
    """Update the bounds of a part that was split."""
    if part.node is None:
        return
    part.node.settle()
    search = part.node.search
    if search.done:
        part.lower = max(part.lower, search.lower_bound)
        part.exact = search.upper_bound == search.lower_bound
        part.node = None


class DecideJob:
    """A job that decides the openers of a search."""

    def __init__(self, search: OpenerSearch, on_decided: OnDecided) -> None:
        self.root = Node(search, on_decided, None)
        self.homes: dict[Any, str] = {}
        """workers that have searched parts before, by history"""
        self.root.settle()

    @property
    def done(self) -> bool:
        return self.root.search.done

    def take(self, address: str, ahead: bool) -> ClusterTask | None:
        return self.root.take(address, ahead)

    def collect(self, task: ClusterTask, outcome: TaskResult) -> None:
        if not task.is_wanted:
            return
        if isinstance(task, _Batch):
            task.node.collect(task, outcome)
        elif isinstance(task, _Values):
            self._collect_values(task, outcome)
        self.root.settle()

    def _collect_values(self, task: _Values, outcome: TaskResult) -> None:
        for part, limit, (value, seconds) in zip(
            task.parts, task.limits, outcome.results, strict=False
        ):
            part.learn(value, limit)
            part.seconds, part.home = seconds, task.address
            self.homes[part.state.history] = task.address
        for part in task.parts:
            part.is_running = False
        rest = task.parts[len(outcome.results) :]
        if rest and task.stopping == "split" and rest[0].size >= _MIN_SPLIT:
            rest[0].node = _node_of(task.guess, rest[0])


def _node_of(guess: _SplitGuess, part: _Part) -> Node:
    """The node of a part that is split into its guesses."""
    search = guess.node.search
    below = OpenerSearch(
        search.evaluator,
        part.state,
        group_by_symmetry(part.state, part.state.legal.tolist()),
        depth=guess.depth,
        losses=search.losses,
        ties=False,
        limit=guess.enough(part),
    )
    return Node(below, lambda *_: None, (guess, part))

"""What is to be done, as a tree on the client: states, their guesses, and the parts of guesses.

Nothing here knows of processes: `take` hands out a task, `collect` is told what came of it.
"""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from salet.cluster import worker
from salet.cluster.worker import Target, TaskResult, Where
from salet.game.state import State
from salet.search.exact.engine import AGAIN, MAX_AT_ONCE, SHARE
from salet.search.opener_search import OnDecided, OpenerSearch, group_by_symmetry
from salet.search.value import INF, trivial_cost

BATCH_SECONDS = 3.0
"""Seconds that a batch should take: what a killed worker costs, and how old a target may be."""
_MIN_BROKEN = 20
"""Smaller states are never broken up."""


@dataclass(eq=False, kw_only=True)
class ClusterTask:
    """Something for one thread of a worker."""

    function: Callable[..., TaskResult]
    arguments: tuple[Any, ...]
    what: str
    """in words, for errors"""
    number: str = field(default_factory=lambda: uuid.uuid4().hex)
    address: str = ""
    """of the worker that has it"""
    started: float = 0.0
    attempts: int = 0
    """workers that were lost with it"""
    stopping: str = ""
    """why it was told to stop"""

    @property
    def is_wanted(self) -> bool:
        """Does its result still matter?"""
        return True

    @property
    def is_stale(self) -> bool:
        """Would it now be asked for much less?"""
        return False

    @property
    def can_break(self) -> bool:
        """Can what is left of it be shared by several workers?"""
        return False


class Job(Protocol):
    """Tasks that a dispatcher hands out until all is done."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""

    def take(self, address: str, ahead: bool) -> ClusterTask | None:
        """The next task for a worker, if there is one; `ahead` of time, if it has others."""

    def collect(self, task: ClusterTask, outcome: TaskResult) -> None:
        """Learn what came of a task."""


# ---- values of guesses and states


@dataclass(eq=False, kw_only=True)
class _Batch(ClusterTask):
    """Some guesses of a state."""

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
    def can_break(self) -> bool:
        return True


@dataclass(eq=False, kw_only=True)
class _Values(ClusterTask):
    """Some parts of a guess, or a large one alone."""

    opened: _Opened
    parts: Sequence[_Part]
    limits: Sequence[int]

    @property
    def is_wanted(self) -> bool:
        return self.opened.is_wanted

    @property
    def is_stale(self) -> bool:
        return self.limits[0] >= INF and self.opened.enough(self.parts[0]) < INF

    @property
    def can_break(self) -> bool:
        return max(part.size for part in self.parts) >= _MIN_BROKEN


class _Part:
    """A part that a guess makes: the state, and what is known of its value."""

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
        """that the last question took"""
        self.home = ""
        """worker that knows most of it"""
        self.node: Node | None = None
        """its guesses, if it was broken up"""

    @property
    def price(self) -> float:
        """Expected cost of the next question for each answer, as `choose_part` in exact/engine."""
        return max(AGAIN * self.seconds, 1e-6 * self.size**2) / self.size

    def learn(self, value: int, limit: int) -> None:
        self.lower = max(self.lower, value)
        self.exact = value < limit


class _Opened:
    """A guess that was broken up into its parts."""

    def __init__(self, guess: int, node: Node) -> None:
        self.guess, self.node = guess, node
        search = node.search
        self.depth = None if search.depth is None else search.depth - 1
        parts = search.state.groups(guess)
        parts.pop(search.state.game.win, None)
        self.parts = [_Part(part, search, self.depth) for part in parts.values()]
        # Rounds ask for a share of the number of answers, which is next to nothing of weights and
        # losses.
        self.in_rounds = search.state.game.weights is None and not search.losses

    @property
    def total(self) -> int:
        """A lower bound of the guess."""
        return min(self.node.search.state.weight + sum(part.lower for part in self.parts), INF)

    @property
    def is_exact(self) -> bool:
        return all(part.exact for part in self.parts)

    @property
    def is_wanted(self) -> bool:
        return self.guess in self.node.opened and self.node.is_wanted

    def enough(self, part: _Part) -> int:
        """If a part has this value or more, the guess is no better than the target."""
        target = self.node.target()
        return INF if target >= INF else target - (self.total - part.lower)

    def take(self, address: str) -> ClusterTask | None:
        """Parts to be valued next: the small ones together, then the cheapest one, if possible one
        that this worker knows."""
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
            arguments=([Where(p.state.history, self.depth, losses) for p in parts], list(limits)),
            what=f"{len(parts)} parts of opener number {self.guess}",
            opened=self,
            parts=parts,
            limits=limits,
        )


class Node:
    """The guesses of a state, to be decided."""

    def __init__(
        self, search: OpenerSearch, on_decided: OnDecided, above: tuple[_Opened, _Part] | None
    ) -> None:
        self.search = search
        self.above = above
        """the guess and its part that this is, below the first state"""
        self.waiting = deque(g for g in search.queue if g not in search.decided)
        self.opened: dict[int, _Opened] = {}
        self._on_decided = on_decided
        self._batch_size = 1
        self._swept = INF

    @property
    def is_wanted(self) -> bool:
        return not self.search.done and (self.above is None or self.above[0].is_wanted)

    def target(self) -> int:
        """What guesses have to beat; it only falls."""
        if self.above is not None:
            opened, part = self.above
            self.search.limit = min(self.search.limit, opened.enough(part))
        return self.search.target()

    def take(self, address: str, ahead: bool = False) -> ClusterTask | None:
        """The next task: parts of guesses that were broken up come first."""
        for opened in () if ahead else self.opened.values():
            task = opened.take(address)
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
                Where(search.state.history, search.depth, search.losses),
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
        """Record what a batch decided, and put back or break up the rest."""
        for guess, how, total in outcome.results:
            self._decide(guess, how, total)
        rest = list(task.guesses[len(outcome.results) :])
        if rest and task.stopping == "break":
            self.opened[rest[0]] = _Opened(rest[0], self)
            del rest[0]
        self.waiting.extendleft(reversed(rest))
        if len(outcome.results) == len(task.guesses):
            ideal = len(task.guesses) * BATCH_SECONDS / max(outcome.seconds, 1e-3)
            self._batch_size = max(1, min(round(ideal), 2 * len(task.guesses)))
        else:
            self._batch_size = 1

    def settle(self) -> None:
        """Decide every guess for which enough is known by now, here and below."""
        before = -1
        while before != len(self.search.decided):
            before = len(self.search.decided)
            for opened in list(self.opened.values()):
                for part in opened.parts:
                    _settle_part(part)
                total = opened.total
                if total >= self.target():
                    self._decide(opened.guess, "deep", total)
                elif opened.is_exact:
                    self._decide(opened.guess, "exact", total)
        target = self.target()
        if target < self._swept:
            self._swept = target
            lower = self.search.lower
            hopeless = [guess for guess in self.waiting if lower[guess] >= target]
            self.waiting = deque(guess for guess in self.waiting if lower[guess] < target)
            for guess in hopeless:
                self._decide(guess, "bound", lower[guess])

    def _decide(self, guess: int, how: str, total: int) -> None:
        self.opened.pop(guess, None)
        with self.search.lock:
            self.search.decide(guess, how, total)
            self._on_decided(guess, how, total)


def _settle_part(part: _Part) -> None:
    """Take over what is known of a part that was broken up."""
    if part.node is None:
        return
    part.node.settle()
    search = part.node.search
    if search.done:
        part.lower = max(part.lower, search.lower_bound)
        part.exact = search.upper_bound == search.lower_bound
        part.node = None


class DecideJob:
    """Decide the openers of a search."""

    def __init__(self, search: OpenerSearch, on_decided: OnDecided) -> None:
        self.root = Node(search, on_decided, None)
        self.homes: dict[Any, str] = {}
        """workers that know most of guesses and parts, by history"""
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
        if rest and task.stopping == "break" and rest[0].size >= _MIN_BROKEN:
            rest[0].node = _node_of(task.opened, rest[0])


def _node_of(opened: _Opened, part: _Part) -> Node:
    """A part that is broken up into its guesses."""
    search = opened.node.search
    below = OpenerSearch(
        search.evaluator,
        part.state,
        group_by_symmetry(part.state, part.state.legal.tolist()),
        depth=opened.depth,
        losses=search.losses,
        ties=False,
        limit=opened.enough(part),
    )
    return Node(below, lambda *_: None, (opened, part))


# ---- independent items


class ListJob:
    """Do a list of things, each on its own; results in the order of the list."""

    def __init__(
        self,
        count: int,
        task: Callable[[int, int], ClusterTask],
        homes: Sequence[str] = (),
        seconds: float = 0.0,
    ) -> None:
        """`task(start, end)` does some of the things. They are handed out one by one, or so many at
        a time that they take some `seconds`; `homes` are the workers that know most of each."""
        self._task, self._seconds = task, seconds
        self._homes = homes
        self._waiting = deque(range(count))
        self._left = count
        self._size = 1
        self._spans: dict[ClusterTask, tuple[int, int]] = {}
        self.results: list[tuple[int, list[Any]]] = []
        """(start, results) of every task"""

    @property
    def done(self) -> bool:
        return self._left == 0

    @property
    def left(self) -> int:
        """Things that are not done yet."""
        return self._left

    def take(self, address: str, ahead: bool) -> ClusterTask | None:
        if ahead or not self._waiting:
            return None
        start, size = self._waiting[0], self._size
        if self._homes:
            size = 1
            start = next((i for i in self._waiting if self._homes[i] in ("", address)), start)
            self._waiting.remove(start)
        else:
            size = min(size, len(self._waiting))
            for _ in range(size):
                self._waiting.popleft()
        task = self._task(start, start + size)
        self._spans[task] = (start, start + size)
        return task

    def collect(self, task: ClusterTask, outcome: TaskResult) -> None:
        start, end = self._spans.pop(task)
        self.results.append((start, outcome.results))
        self._left -= end - start
        ideal = (end - start) * self._seconds / max(outcome.seconds, 1e-3)
        self._size = max(1, min(round(ideal), 2 * (end - start)))

    def in_order(self) -> list[list[Any]]:
        """The results of the tasks in the order of the list."""
        return [results for _, results in sorted(self.results, key=lambda row: row[0])]

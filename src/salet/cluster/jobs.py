"""Tasks for the threads of workers, and jobs that hand them out.

Nothing here knows of processes: `take` hands out a task, `collect` receives its result.
"""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from salet.cluster.worker import TaskResult


@dataclass(eq=False, kw_only=True)
class ClusterTask:
    """A function call for one thread of a worker."""

    function: Callable[..., TaskResult]
    arguments: tuple[Any, ...]
    what: str
    """description for error messages"""
    number: str = field(default_factory=lambda: uuid.uuid4().hex)
    address: str = ""
    """address of the worker that runs it"""
    started: float = 0.0
    attempts: int = 0
    """number of workers that died with it"""
    stopping: str = ""
    """why it was told to stop: `stale` or `split`; empty if it was not"""

    @property
    def is_wanted(self) -> bool:
        """Whether its result is still needed."""
        return True

    @property
    def is_stale(self) -> bool:
        """Whether it would now be given a much lower limit."""
        return False

    @property
    def can_split(self) -> bool:
        """Whether the rest of it can be split among several workers."""
        return False


class Job(Protocol):
    """Work that a dispatcher hands out in tasks."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""

    def take(self, address: str, ahead: bool) -> ClusterTask | None:
        """The next task for a worker; None if there is none. `ahead`: it still has others."""

    def collect(self, task: ClusterTask, outcome: TaskResult) -> None:
        """Take the result of a task."""


class ListJob:
    """A job of independent items; results are in their order."""

    def __init__(
        self,
        count: int,
        task: Callable[[int, int], ClusterTask],
        homes: Sequence[str] = (),
        seconds: float = 0.0,
    ) -> None:
        """`task(start, end)` processes a range of items: one at a time, or as many as take about
        `seconds`. `homes` are the workers that should preferably process each item."""
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
        """Number of items that are not done yet."""
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
        """The results of the tasks in the order of the items."""
        return [results for _, results in sorted(self.results, key=lambda row: row[0])]

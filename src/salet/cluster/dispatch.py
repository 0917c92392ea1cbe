"""Hand the tasks of a job to the connected workers, and again if a worker is lost."""

from __future__ import annotations

import contextlib
import queue
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from salet.cluster.jobs import ClusterTask, Job
from salet.errors import InputError

if TYPE_CHECKING:
    from salet.cluster.connection import Cluster

SPLIT_SECONDS = 1.0
"""Seconds after which a task may be split for idle workers."""
_MAX_ATTEMPTS = 4
"""Number of workers that may die with the same task."""
_POLL_SECONDS = 0.2
_GATHER_SECONDS = 2.0
"""Seconds after which it is asked whether the worker that has a result is still there."""


class Dispatcher:
    """Keeps all threads of all workers busy with a job until it is done."""

    def __init__(self, cluster: Cluster, game: Any, job: Job, nodes: dict[str, int]) -> None:
        """`game` is the first argument of every task; `nodes` counts the states that each worker
        has expanded."""
        self._cluster, self._game, self._job, self._nodes = cluster, game, job, nodes
        self._running: dict[Any, ClusterTask] = {}
        self._lost: deque[ClusterTask] = deque()
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._workers: dict[str, int] = {}
        self._looked = 0.0

    def run(self, progress: Callable[[], None]) -> None:
        """Do the job; `progress` is called periodically."""
        try:
            while not self._job.done:
                self._look_for_workers()
                idle = self._hand_out()
                self._stop_tasks(idle)
                with contextlib.suppress(queue.Empty):
                    self._collect(self._done.get(timeout=_POLL_SECONDS))
                    while True:
                        self._collect(self._done.get_nowait())
                if self._cluster.is_lost():
                    raise self._cluster.lost()
                progress()
        finally:
            self._tell_to_stop(self._running.values())
            for future in self._running:
                with contextlib.suppress(Exception):
                    future.cancel()

    def _look_for_workers(self) -> None:
        """Update the list of workers, and take back the tasks of lost ones."""
        now = time.monotonic()
        if now - self._looked < _POLL_SECONDS and self._workers:
            return
        self._looked = now
        self._workers = self._cluster.workers()
        for future, task in list(self._running.items()):
            if task.address in self._workers or future.done():
                continue
            del self._running[future]
            with contextlib.suppress(Exception):
                future.cancel()
            task.attempts += 1
            if task.attempts >= _MAX_ATTEMPTS:
                raise InputError(
                    f"workers die on {task.what}; do they have less memory than --memory?"
                )
            self._lost.append(task)

    def _hand_out(self) -> int:
        """Give every thread a task, and every worker one in reserve; returns the number of threads
        left without one."""
        load = Counter(task.address for task in self._running.values())
        idle = 0
        for ahead in (False, True):
            slots = max(self._workers.values(), default=0) + ahead
            for slot in range(slots):
                for address, threads in self._workers.items():
                    if not load[address] <= slot < threads + ahead:
                        continue
                    task = self._next(address, ahead)
                    if task is None:
                        idle += not ahead
                        continue
                    load[address] += 1
                    self._submit(task, address)
        return idle

    def _next(self, address: str, ahead: bool) -> ClusterTask | None:
        while self._lost:
            task = self._lost.popleft()
            if task.is_wanted:
                return task
        return self._job.take(address, ahead)

    def _submit(self, task: ClusterTask, address: str) -> None:
        task.address, task.started, task.stopping = address, time.monotonic(), ""
        arguments = (self._game, task.number, *task.arguments)
        future = self._cluster.submit(task.function, arguments, address)
        self._running[future] = task
        future.add_done_callback(self._done.put)

    def _stop_tasks(self, idle: int) -> None:
        """Stop tasks that are no longer needed, and split the oldest ones for idle workers."""
        stopped: list[ClusterTask] = []
        splitting = sum(task.stopping == "split" for task in self._running.values())
        oldest_first = sorted(self._running.values(), key=lambda task: task.started)
        for task in oldest_first:
            if task.stopping:
                continue
            if not task.is_wanted or task.is_stale:
                task.stopping = "stale"
            elif (
                splitting < idle
                and task.can_split
                and time.monotonic() - task.started >= SPLIT_SECONDS
            ):
                task.stopping = "split"
                splitting += 1
            else:
                continue
            stopped.append(task)
        self._tell_to_stop(stopped)

    def _tell_to_stop(self, tasks: Iterable[ClusterTask]) -> None:
        numbers: dict[str, list[str]] = {}
        for task in tasks:
            numbers.setdefault(task.address, []).append(task.number)
        self._cluster.stop(numbers)

    def _collect(self, future: Any) -> None:
        import distributed

        task = self._running.pop(future, None)
        if task is None:  # it was given to another worker
            return
        if future.cancelled():  # lost with the scheduler, or with its worker
            self._lost.append(task)
            return
        try:
            while True:
                try:
                    outcome = future.result(timeout=_GATHER_SECONDS)
                    break
                except TimeoutError:
                    if task.address not in self._cluster.workers():  # died with what it had found
                        future.cancel()
                        self._lost.append(task)
                        return
        except distributed.KilledWorker:
            raise InputError(
                f"workers die on {task.what}; do they have less memory than --memory?"
            ) from None
        except ImportError as error:
            raise InputError(f"a worker cannot start: {error}; install salet there") from None
        self._nodes[task.address] = max(outcome.nodes, self._nodes.get(task.address, 0))
        self._job.collect(task, outcome)

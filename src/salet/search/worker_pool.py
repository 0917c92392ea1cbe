"""Worker threads of a search, and the loop in which the calling thread waits for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

Result = TypeVar("Result")

_TICK_SECONDS = 0.1


def run_here(tasks: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run tasks one after the other, on the caller's thread."""
    return [task() for task in tasks]


class WorkerPool:
    """Runs lists of tasks on some threads (1: on the calling thread).

    Use it as a context manager. On exit, also after an exception or Ctrl-C, `cancel` is called
    before the threads are joined, so that running tasks can end early.
    """

    def __init__(
        self,
        threads: int,
        *,
        tick: Callable[[], None] = lambda: None,
        cancel: Callable[[], None] = lambda: None,
    ) -> None:
        """`tick` is called periodically on the calling thread while tasks run."""
        self.threads = threads
        self._tick, self._cancel = tick, cancel
        # One executor for each thread, so that `run_in_turn` knows which thread runs what.
        self._executors = [ThreadPoolExecutor(1) for _ in range(threads if threads > 1 else 0)]

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._cancel()
        for executor in self._executors:
            executor.shutdown(cancel_futures=True)

    def run(self, tasks: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run tasks on any threads; return their results in order."""
        if not self._executors or len(tasks) < 2:
            return run_here(tasks)
        results: list[Any] = [None] * len(tasks)
        waiting = iter(range(len(tasks)))

        def work() -> None:
            for index in waiting:
                results[index] = tasks[index]()

        self._wait([executor.submit(work) for executor in self._executors])
        return results

    def run_in_turn(self, tasks: Sequence[Callable[[], Result]]) -> list[Result]:
        """Run task i on thread i modulo the number of threads; return the results in order.

        So what a thread has cached does not depend on timing.
        """
        if not self._executors:
            return run_here(tasks)
        results: list[Any] = [None] * len(tasks)

        def work(first: int) -> None:
            for index in range(first, len(tasks), self.threads):
                results[index] = tasks[index]()

        self._wait(
            [
                executor.submit(work, first)
                for first, executor in enumerate(self._executors)
                if first < len(tasks)
            ]
        )
        return results

    def _wait(self, futures: list[Future[None]]) -> None:
        while True:
            _, unfinished = wait(futures, timeout=_TICK_SECONDS)
            if not unfinished:
                break
            self._tick()
        for future in futures:
            future.result()

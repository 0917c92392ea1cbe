"""Searches in a bounded pool: so many at once, so many waiting, and none for a client that left.

A search gives results while it goes on, and works from one to the next without a break. Between two
of them it goes to the end of the queue, and a search that has given nothing yet stands before all
that only get better: so many clients at once each have their first answer soon.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import threading
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

from salet.web.settings import Settings

T = TypeVar("T")
Work = Callable[[Callable[[], bool]], Iterator[T]]
"""is given a function that says whether to stop; yields results, ever better"""


class BusyError(Exception):
    """Too much is asked for: by everybody (503) or by one client (429)."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


@dataclass
class _Job:
    results: Iterator[Any]
    tell: Callable[[Any], None]
    """hands a result, an error or the end (None) to the event loop"""
    gone: threading.Event = field(default_factory=threading.Event)

    def close(self) -> None:
        """End the search where it stands."""
        if isinstance(self.results, Generator):
            self.results.close()


class Pool:
    """Worker threads (kernels need no lock of the interpreter) behind a queue of known length."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.threads = ThreadPoolExecutor(settings.workers, "search")
        self.seats: Counter[str] = Counter()
        """searches that run or wait, by the address that asked; only the event loop changes it"""
        self._queue: list[tuple[bool, int, _Job]] = []
        self._lock = threading.Lock()
        self._numbers = itertools.count()

    @contextlib.contextmanager
    def seat(self, client: str) -> Iterator[None]:
        """A place among the searches that run or wait; refused where there is none."""
        settings = self.settings
        if self.seats.total() >= settings.workers + settings.waiting:
            raise BusyError(503, "all workers are busy and the queue is full; try again soon")
        if self.seats[client] >= settings.per_client:
            raise BusyError(
                429, f"you have {settings.per_client} searches under way; let some of them end"
            )
        self.seats[client] += 1
        try:
            yield
        finally:
            self.seats[client] -= 1
            self.seats += Counter()  # forgets addresses that have none

    async def stream(self, work: Work[T]) -> AsyncGenerator[T]:
        """The results of the work, as they come. Leaving the loop early stops it."""
        loop = asyncio.get_running_loop()
        results: asyncio.Queue[T | BaseException | None] = asyncio.Queue()

        def tell(result: T | BaseException | None) -> None:
            with contextlib.suppress(RuntimeError):  # the server has stopped: nobody listens
                loop.call_soon_threadsafe(results.put_nowait, result)

        gone = threading.Event()
        job = _Job(work(gone.is_set), tell, gone)
        self._push(job, begun=False)
        try:
            while (result := await results.get()) is not None:
                if isinstance(result, BaseException):
                    raise result
                yield result
        finally:
            self._withdraw(job)

    def _push(self, job: _Job, begun: bool) -> None:
        with self._lock:
            heapq.heappush(self._queue, (begun, next(self._numbers), job))
        try:
            self.threads.submit(self._step)  # one step for each entry of the queue
        except RuntimeError:
            job.tell(BusyError(503, "the server is being stopped"))

    def _withdraw(self, job: _Job) -> None:
        """Forget a search at once, with all its memory; one that runs just now ends by itself."""
        job.gone.set()
        with self._lock:
            waiting = [entry for entry in self._queue if entry[2] is job]
            for entry in waiting:
                self._queue.remove(entry)
                heapq.heapify(self._queue)
        if waiting:
            job.close()

    def _step(self) -> None:
        """Bring the most urgent search to its next result."""
        with self._lock:
            if not self._queue:
                return  # whoever it was for has left
            _, _, job = heapq.heappop(self._queue)
        try:
            result = next(job.results)
        except StopIteration:
            job.tell(None)
        except BaseException as error:
            job.tell(error)
        else:
            job.tell(result)
            if job.gone.is_set():
                job.close()
            else:
                self._push(job, begun=True)

    def close(self) -> None:
        """Forget what waits; what runs is told to stop."""
        with self._lock:
            for _, _, job in self._queue:
                job.tell(BusyError(503, "the server is being stopped"))
            self._queue.clear()
        self.threads.shutdown(wait=False, cancel_futures=True)


async def last(results: AsyncIterator[T], request: Request) -> T:
    """The last of the results; the work is stopped when the client goes away."""
    found = asyncio.create_task(_collect(results))
    gone = asyncio.create_task(_left(request))
    try:
        await asyncio.wait({found, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not found.done():
            raise ClientDisconnect
        return found.result()
    finally:
        for task in (found, gone):
            task.cancel()


async def _collect(results: AsyncIterator[T]) -> T:
    kept = [result async for result in results]
    return kept[-1]


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass

"""Searches in a bounded pool: so many at once, so many waiting, and none for a client that left."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from salet.web.settings import Settings

T = TypeVar("T")
Work = Callable[[threading.Event], Iterator[T]]
"""yields results while it works, and ends soon after the event is set"""


class BusyError(Exception):
    """Too much is asked for: by everybody (503) or by one client (429)."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class Pool:
    """Worker threads (kernels run without the interpreter's lock) behind a queue of known length.

    Used from one event loop; only `_run` works in other threads.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.threads = ThreadPoolExecutor(settings.workers, "search")
        self.clients: Counter[str] = Counter()
        """searches that run or wait, by the address that asked"""

    async def stream(self, client: str, work: Work[T]) -> AsyncIterator[T]:
        """The results of the work, as they come. Leaving the loop early cancels it."""
        self.admit(client)
        loop = asyncio.get_running_loop()
        results: asyncio.Queue[T | BaseException | None] = asyncio.Queue()
        gone = threading.Event()

        def put(result: T | BaseException | None) -> None:
            _tell(loop, lambda: results.put_nowait(result))

        self.clients[client] += 1
        job = self.threads.submit(_run, work, gone, put)
        job.add_done_callback(lambda _: _tell(loop, lambda: self._leave(client)))
        try:
            while (result := await results.get()) is not None:
                if isinstance(result, BaseException):
                    raise result
                yield result
        finally:
            gone.set()
            job.cancel()  # where it has not begun

    def admit(self, client: str) -> None:
        """Refuse one more search where the limits are reached."""
        settings = self.settings
        if self.clients.total() >= settings.workers + settings.waiting:
            raise BusyError(503, "all workers are busy and the queue is full; try again soon")
        if self.clients[client] >= settings.per_client:
            raise BusyError(
                429, f"you have {settings.per_client} searches under way; let some of them end"
            )

    def _leave(self, client: str) -> None:
        self.clients[client] -= 1
        if not self.clients[client]:
            del self.clients[client]

    def close(self) -> None:
        """Forget what waits; what runs ends by itself."""
        self.threads.shutdown(wait=False, cancel_futures=True)


def _tell(loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # the server has stopped: nobody listens
        loop.call_soon_threadsafe(what)


def _run(
    work: Work[T], gone: threading.Event, put: Callable[[T | BaseException | None], None]
) -> None:
    try:
        for result in work(gone):
            if gone.is_set():
                break
            put(result)
    except BaseException as error:
        put(error)
    else:
        put(None)

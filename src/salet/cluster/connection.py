"""The connection to a scheduler, and the executor that searches on its workers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from salet.array_types import Ints
from salet.cluster import worker
from salet.cluster.decide_job import DecideJob
from salet.cluster.dispatch import Dispatcher
from salet.cluster.jobs import ClusterTask, Job, ListJob
from salet.cluster.worker import SharedGame, TaskResult
from salet.errors import InputError, MissingExtraError, SaletError
from salet.game.game import Game
from salet.game.state import State
from salet.search.executor import BoundTask, History
from salet.search.opener_search import OnDecided, OpenerSearch

CONNECT_TIMEOUT = 5.0
"""Seconds for a scheduler to answer; its workers may take four times as long to connect."""
_CERTIFICATE_SECONDS = 10.0
"""Seconds that a task should take which logs facts: each begins with an empty table."""
_FREE_SECONDS = 2.0
"""Seconds that workers have to confirm that they forget the game."""


class Cluster:
    """A connection to a scheduler."""

    def __init__(self, address: str, client: Any) -> None:
        self.address = address
        self._client = client

    def executor(self, game: Game, memory: float) -> ClusterExecutor:
        """An executor that searches a game on the workers; `memory`: gigabytes for each worker."""
        return ClusterExecutor(self, game, memory)

    def share(self, value: Any) -> Any:
        """A future of a value, which workers fetch once."""
        return self._client.submit(_same, value, pure=False)

    def submit(self, function: Callable[..., TaskResult], arguments: Sequence[Any], to: str) -> Any:
        """Call a function on a worker; return the future."""
        return self._client.submit(function, *arguments, pure=False, workers=[to])

    def stop(self, numbers: Mapping[str, Sequence[str]]) -> None:
        """Tell workers, by address, to end tasks."""
        for address, ending in numbers.items():
            self._tell([address], worker.stop, list(ending))

    def free_memory(self) -> None:
        """Tell all workers to forget the game."""
        self._tell(None, worker.free_memory).join(_FREE_SECONDS)

    def _tell(
        self, addresses: list[str] | None, function: Callable[..., None], *arguments: Any
    ) -> threading.Thread:
        """Call a function on workers. Nobody waits for it: a worker that has just died would keep
        us for half a minute."""

        def call() -> None:
            with contextlib.suppress(Exception):
                self._client.run(function, *arguments, workers=addresses, on_error="ignore")

        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        return thread

    def workers(self) -> dict[str, int]:
        """The threads of every worker that is connected now, by its address."""
        try:
            return dict(self._client.nthreads())
        except OSError:
            raise self.lost() from None

    def cpu_seconds(self) -> dict[str, float]:
        """CPU seconds that every worker has used so far, by its address."""
        return dict(self._client.run(worker.cpu_seconds))

    def is_lost(self) -> bool:
        """Whether the connection to the scheduler is lost."""
        return bool(self._client.status != "running")

    def lost(self) -> SaletError:
        """The error for a scheduler that does not answer any more."""
        return InputError(
            f"the scheduler at {self.address} is gone; restart it and run the same command "
            "(what was decided is in the --checkpoint, if one was given)"
        )


def _same(value: Any) -> Any:
    return value


class ClusterExecutor:
    """Searches one game on the workers of a cluster (`search/executor.py`)."""

    def __init__(self, cluster: Cluster, game: Game, memory: float) -> None:
        self._cluster = cluster
        self._task = SharedGame.of(game, memory)
        self._nodes: dict[str, int] = {}
        self._homes: dict[Any, str] = {}

    @property
    def nodes(self) -> int:
        """States that all workers have expanded so far."""
        return sum(self._nodes.values())

    def decide(
        self,
        search: OpenerSearch,
        on_decided: OnDecided = lambda *_: None,
        progress: Callable[[], None] = lambda: None,
    ) -> None:
        """Decide the openers that are not decided yet."""

        def report() -> None:
            search.nodes_elsewhere = self.nodes
            progress()

        job = DecideJob(search, on_decided)
        self._run(job, report)
        self._homes |= job.homes

    def choices(self, states: Sequence[State], depth: int | None) -> dict[History, int]:
        """The best guess of each of these states and of all that follow them in a plan."""
        states = sorted(states, key=lambda state: -len(state.candidates))

        def task(start: int, end: int) -> ClusterTask:
            histories = [state.history for state in states[start:end]]
            arguments = (histories, [depth] * len(histories))
            return ClusterTask(
                function=worker.choices, arguments=arguments, what="the plan of a part"
            )

        homes = [self._homes.get(state.history, "") for state in states]
        job = ListJob(len(states), task, homes)
        self._run(job)
        chosen: dict[History, int] = {}
        for results in job.in_order():
            for found in results:
                chosen |= found
        return chosen

    def prove_bounds(
        self,
        state: State,
        losses: bool,
        tasks: Sequence[BoundTask],
        progress: Callable[[int, int], None],
    ) -> list[list[Ints]]:
        """The logs of a certificate in which these lower bounds are proven."""

        def task(start: int, end: int) -> ClusterTask:
            return ClusterTask(
                function=worker.prove_bounds,
                arguments=(state.history, losses, list(tasks[start:end])),
                what=f"the certificate of {end - start} openers",
            )

        job = ListJob(len(tasks), task, seconds=_CERTIFICATE_SECONDS)
        self._run(job, lambda: progress(len(tasks) - job.left, len(tasks)))
        return job.in_order()

    def _run(self, job: Job, progress: Callable[[], None] = lambda: None) -> None:
        if not job.done:
            game = self._cluster.share(self._task)
            Dispatcher(self._cluster, game, job, self._nodes).run(progress)
            progress()


@contextlib.contextmanager
def connected(address: str, timeout: float = CONNECT_TIMEOUT) -> Iterator[Cluster]:
    """Connect to a scheduler that has at least one worker, or raise within seconds."""
    if not re.fullmatch(r"(tcp|tls)://[^\s/]+:\d{1,5}", address):
        raise InputError(f"scheduler {address!r}: give its address as tcp://HOST:PORT")
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("a proof on several machines", "cluster") from None
    with _quiet(), contextlib.ExitStack() as stack:
        try:
            asyncio.run(asyncio.wait_for(_identity(address), timeout))
            client = distributed.Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError, TimeoutError):
            raise InputError(
                f"no scheduler answers at {address} (waited {timeout:g} s); "
                "docs/cluster.md shows how to start one"
            ) from None
        stack.callback(client.close, timeout=5)
        try:
            client.wait_for_workers(1, timeout=4 * timeout)
        except (OSError, TimeoutError, distributed.TimeoutError):
            raise InputError(
                f"the scheduler at {address} has no workers (waited {4 * timeout:g} s); "
                f"start some: dask worker {address}"
            ) from None
        cluster = Cluster(address, client)
        stack.callback(cluster.free_memory)
        yield cluster


async def _identity(address: str) -> None:
    """Ask the scheduler for its identity. (A client would wait for ever for a silent server.)"""
    from distributed.core import rpc

    async with rpc(address) as scheduler:
        await scheduler.identity()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence dask's own log: errors are reported in one line."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)

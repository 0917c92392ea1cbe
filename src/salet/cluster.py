"""A proof on several machines: a dask cluster decides the openers (extra `cluster`).

The client records which openers are decided and which are best so far. It submits small batches of
openers together with the best ones, so that every worker has the newest target to beat, and sizes
the batches to take a few seconds each. If a worker dies, only its batch is lost: the scheduler
gives it to another. Workers keep their transposition table from batch to batch.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from salet.errors import InputError, MissingExtraError, SaletError
from salet.game.game import Game
from salet.search.exact.prover import Found, Note, Prover
from salet.search.openers import prover_of
from salet.search.prove import Executor
from salet.version import version

PATIENCE = 5.0
"""Seconds for a scheduler to answer; its workers may take four times as long to connect."""
_BATCH_SECONDS = 3.0
"""Seconds that a batch should take: what a killed worker costs, and how old a target may be."""
_BATCHES_PER_WORKER = 2
"""One that runs and one that waits."""
_POLL_SECONDS = 0.5


@dataclass(frozen=True)
class _ProofTask:
    """What is to be proved: everything that a worker needs to start."""

    version: str
    name: str
    answers: tuple[str, ...]
    guesses: tuple[str, ...]
    rule: str
    mode: str
    cap: int | None
    weights: tuple[int, ...] | None
    ranking: int
    memory: float

    def prover(self, threads: int) -> Prover:
        """Return a prover for the task."""
        if self.version != version():
            raise InputError(
                f"a worker has salet {version()} and this is salet {self.version}; "
                "install the same version on all machines"
            )
        game = Game(
            self.answers,
            self.guesses,
            rule=self.rule,
            mode=self.mode,
            cap=self.cap,
            weights=self.weights,
            name=self.name,
        )
        return prover_of(
            game.start(), (), ranking=self.ranking, memory=self.memory, threads=threads
        )


def _proof_task(game: Game, ranking: int, memory: float) -> _ProofTask:
    weights = None if game.weights is None else tuple(game.weights.tolist())
    return _ProofTask(
        version=version(),
        name=game.name,
        answers=game.answers,
        guesses=game.guesses,
        rule=game.rule.name,
        mode=game.mode,
        cap=game.cap,
        weights=weights,
        ranking=ranking,
        memory=memory,
    )


@dataclass(frozen=True)
class _BatchResult:
    """What a worker decided."""

    decided: list[tuple[int, str, int]]
    """(opener, how, value)"""
    nodes: int
    seconds: float


# ---- on the workers

_provers: dict[_ProofTask, Prover] = {}
"""At most one: that of the current proof."""
_batch_lock = threading.Lock()


def _decide(task: _ProofTask, openers: list[int], found: list[Found]) -> _BatchResult:
    """Decide a batch with all threads of this worker, one batch at a time."""
    from distributed import get_worker

    with _batch_lock:
        if task not in _provers:
            _provers.clear()
            _provers[task] = task.prover(threads=get_worker().state.nthreads)
        prover = _provers[task]
        decided: list[tuple[int, str, int]] = []
        nodes_before, start = prover.nodes, time.perf_counter()
        prover.take(openers, found)
        prover.run(lambda *one: decided.append(one), lambda: None)
        return _BatchResult(decided, prover.nodes - nodes_before, time.perf_counter() - start)


def _free_memory() -> None:
    """Drop the prover when the proof is over."""
    _provers.clear()


# ---- on the client


class Cluster:
    """A connection to a scheduler."""

    def __init__(self, address: str, client: Any) -> None:
        self.address = address
        self._client = client

    def executor(self, game: Game, memory: float) -> Executor:
        """Return an executor that decides a game's openers on the workers.

        `memory`: gigabytes for each worker.
        """

        def run(prover: Prover, note: Note, pulse: Callable[[], None]) -> None:
            task = _proof_task(game, prover.want, memory)
            try:
                _Dispatcher(self, task, prover, note).run(pulse)
            finally:
                with contextlib.suppress(Exception):
                    self._client.run(_free_memory, wait=False)

        return run

    def submit(self, *arguments: Any) -> Any:
        """Call `_decide` on a worker; return the future."""
        return self._client.submit(_decide, *arguments, pure=False)

    def worker_count(self) -> int:
        """Return the number of workers that are connected now."""
        try:
            return len(self._client.nthreads())
        except OSError:
            raise self.lost() from None

    def is_lost(self) -> bool:
        """Return whether the connection to the scheduler is lost."""
        return bool(self._client.status != "running")

    def lost(self) -> SaletError:
        """Return the error for a scheduler that does not answer any more."""
        return InputError(
            f"the scheduler at {self.address} is gone; restart it and run the same command "
            "(what was decided is in the --checkpoint, if one was given)"
        )


class _Dispatcher:
    """Submits batches until every opener is decided."""

    def __init__(self, cluster: Cluster, task: _ProofTask, prover: Prover, note: Note) -> None:
        self._cluster = cluster
        self._task = task
        self._prover = prover
        self._note = note
        self._queue = deque(g for g in prover.queue if g not in prover.decided)
        self._running: dict[Any, list[int]] = {}
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._batch_size = 1

    def run(self, pulse: Callable[[], None]) -> None:
        """Decide everything; `pulse` is called every now and then."""
        try:
            while self._queue or self._running:
                self._submit_batches()
                with contextlib.suppress(queue.Empty):
                    self._collect(self._done.get(timeout=_POLL_SECONDS))
                if self._cluster.is_lost():
                    raise self._cluster.lost()
                pulse()
        finally:
            for future in self._running:
                with contextlib.suppress(Exception):
                    future.cancel()

    def _submit_batches(self) -> None:
        free = _BATCHES_PER_WORKER * max(1, self._cluster.worker_count()) - len(self._running)
        for _ in range(free):
            if not self._queue:
                return
            count = min(self._batch_size, len(self._queue))
            openers = [self._queue.popleft() for _ in range(count)]
            best = self._prover.found[: self._prover.want]
            future = self._cluster.submit(self._task, openers, best)
            self._running[future] = openers
            future.add_done_callback(self._done.put)

    def _collect(self, future: Any) -> None:
        import distributed

        openers = self._running.pop(future)
        if future.cancelled():  # lost with the scheduler, or with its worker
            self._queue.extendleft(reversed(openers))
            return
        try:
            batch: _BatchResult = future.result()
        except distributed.KilledWorker:
            raise InputError(
                f"workers die on {len(openers)} openers from number {openers[0]}; "
                "do they have less memory than --memory?"
            ) from None
        except ImportError as error:
            raise InputError(f"a worker cannot start: {error}; install salet there") from None
        with self._prover.lock:
            self._prover.elsewhere += batch.nodes
            for opener, how, value in batch.decided:
                self._prover.decide(opener, how, value)
                self._note(opener, how, value)
        ideal_size = len(openers) * _BATCH_SECONDS / max(batch.seconds, 1e-3)
        self._batch_size = max(1, min(round(ideal_size), 2 * len(openers)))


@contextlib.contextmanager
def connected(address: str, patience: float = PATIENCE) -> Iterator[Cluster]:
    """Connect to a scheduler that has at least one worker, or raise within seconds."""
    if not re.fullmatch(r"(tcp|tls)://[^\s/]+:\d{1,5}", address):
        raise InputError(f"scheduler {address!r}: give its address as tcp://HOST:PORT")
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("a proof on several machines", "cluster") from None
    with _quiet(), contextlib.ExitStack() as stack:
        try:
            asyncio.run(asyncio.wait_for(_identity(address), patience))
            client = distributed.Client(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError, TimeoutError):
            raise InputError(
                f"no scheduler answers at {address} (waited {patience:g} s); "
                "docs/cluster.md shows how to start one"
            ) from None
        stack.callback(client.close, timeout=5)
        try:
            client.wait_for_workers(1, timeout=4 * patience)
        except (OSError, TimeoutError, distributed.TimeoutError):
            raise InputError(
                f"the scheduler at {address} has no workers (waited {4 * patience:g} s); "
                f"start some: dask worker {address}"
            ) from None
        yield Cluster(address, client)


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

"""A proof on several machines: a dask cluster decides the openers (extra `cluster`).

The client keeps the books: who is decided, and the best openers so far. It hands out small batches
of openers together with those best ones, so that every worker has the newest target to beat, and
sizes the batches to take a few seconds each. A worker that dies in the middle costs its batch: the
scheduler gives it to another. Workers keep their table of bounds from batch to batch.
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
"""seconds for a scheduler to answer; its workers may take four times as long to come"""
_BATCH = 3.0
"""seconds that a batch should take: what a killed worker costs, and how old a target may be"""
_AHEAD = 2
"""batches handed out for each worker: one in work, one waiting"""
_BEAT = 0.5


@dataclass(frozen=True)
class _Question:
    """What is to be proved: all that a worker needs to begin."""

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
        """Ready to be given openers."""
        if self.version != version():
            raise InputError(
                f"a worker has salet {version()} and this is salet {self.version}; "
                "install the same on all machines"
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


def _question(game: Game, ranking: int, memory: float) -> _Question:
    weights = None if game.weights is None else tuple(game.weights.tolist())
    return _Question(
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
class _Batch:
    """What a worker found out."""

    decided: list[tuple[int, str, int]]
    """(opener, how, value)"""
    nodes: int
    seconds: float


# ---- a worker's side

_held: dict[_Question, Prover] = {}
_turn = threading.Lock()


def _decide(question: _Question, openers: list[int], found: list[Found]) -> _Batch:
    """Decide a batch with all threads of this worker; one batch at a time."""
    from distributed import get_worker

    with _turn:
        if question not in _held:
            _held.clear()
            _held[question] = question.prover(threads=get_worker().state.nthreads)
        prover = _held[question]
        decided: list[tuple[int, str, int]] = []
        before, began = prover.nodes, time.perf_counter()
        prover.take(openers, found)
        prover.run(lambda *one: decided.append(one), lambda: None)
        return _Batch(decided, prover.nodes - before, time.perf_counter() - began)


def _forget() -> None:
    """The proof is over: give the memory back."""
    _held.clear()


# ---- the client's side


class Cluster:
    """A connection to a scheduler."""

    def __init__(self, address: str, client: Any) -> None:
        self.address = address
        self._client = client

    def executor(self, game: Game, memory: float) -> Executor:
        """Decides a game's openers on the workers, each with so many gigabytes."""

        def run(prover: Prover, note: Note, pulse: Callable[[], None]) -> None:
            question = _question(game, prover.want, memory)
            try:
                _Hand(self, question, prover, note).play(pulse)
            finally:
                with contextlib.suppress(Exception):
                    self._client.run(_forget, wait=False)

        return run

    def submit(self, *task: Any) -> Any:
        """A future of `_decide`."""
        return self._client.submit(_decide, *task, pure=False)

    def workers(self) -> int:
        """How many there are now."""
        try:
            return len(self._client.nthreads())
        except OSError:
            raise self.gone() from None

    def is_lost(self) -> bool:
        return bool(self._client.status != "running")

    def gone(self) -> SaletError:
        """The scheduler does not answer any more."""
        return InputError(
            f"the scheduler at {self.address} has gone; start it again and run the same command "
            "(what was decided is in the --checkpoint, if one was given)"
        )


class _Hand:
    """Hands out batches until every opener is decided."""

    def __init__(self, cluster: Cluster, question: _Question, prover: Prover, note: Note) -> None:
        self._cluster = cluster
        self._question = question
        self._prover = prover
        self._note = note
        self._waiting = deque(g for g in prover.queue if g not in prover.decided)
        self._out: dict[Any, list[int]] = {}
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._size = 1

    def play(self, pulse: Callable[[], None]) -> None:
        try:
            while self._waiting or self._out:
                self._hand_out()
                with contextlib.suppress(queue.Empty):
                    self._take_in(self._done.get(timeout=_BEAT))
                if self._cluster.is_lost():
                    raise self._cluster.gone()
                pulse()
        finally:
            for future in self._out:
                with contextlib.suppress(Exception):
                    future.cancel()

    def _hand_out(self) -> None:
        room = _AHEAD * max(1, self._cluster.workers()) - len(self._out)
        for _ in range(room):
            if not self._waiting:
                return
            count = min(self._size, len(self._waiting))
            openers = [self._waiting.popleft() for _ in range(count)]
            best = self._prover.found[: self._prover.want]
            future = self._cluster.submit(self._question, openers, best)
            self._out[future] = openers
            future.add_done_callback(self._done.put)

    def _take_in(self, future: Any) -> None:
        import distributed

        openers = self._out.pop(future)
        if future.cancelled():  # lost, with the scheduler or with the worker that had it
            self._waiting.extendleft(reversed(openers))
            return
        try:
            batch: _Batch = future.result()
        except distributed.KilledWorker:
            raise InputError(
                f"workers die on {len(openers)} openers from number {openers[0]}; "
                "have they less memory than --memory?"
            ) from None
        except ImportError as error:
            raise InputError(f"a worker cannot work: {error}; install salet there") from None
        with self._prover.lock:
            self._prover.elsewhere += batch.nodes
            for opener, how, value in batch.decided:
                self._prover.decide(opener, how, value)
                self._note(opener, how, value)
        ideal = len(openers) * _BATCH / max(batch.seconds, 1e-3)
        self._size = max(1, min(round(ideal), 2 * len(openers)))


@contextlib.contextmanager
def connected(address: str, patience: float = PATIENCE) -> Iterator[Cluster]:
    """A cluster that is there and has a worker; a clear line within seconds if not."""
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
                f"the scheduler at {address} has no worker (waited {4 * patience:g} s); "
                f"start some: dask worker {address}"
            ) from None
        yield Cluster(address, client)


async def _identity(address: str) -> None:
    """Ask the scheduler who it is. (A client would wait for ever for somebody who is silent.)"""
    from distributed.core import rpc

    async with rpc(address) as scheduler:
        await scheduler.identity()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What goes wrong is said by us, in one line."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)

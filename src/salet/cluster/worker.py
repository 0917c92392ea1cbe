"""What runs on the workers: functions for one thread each, which share tables."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from salet.array_types import Ints
from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.search.budget import Budget, Clock
from salet.search.certify import Certifier
from salet.search.executor import BoundTask, History
from salet.search.objective_search import plan_choices
from salet.search.opener_search import Found, OpenerSearch, state_value
from salet.search.prove import proof_evaluator
from salet.search.value import SearchInterruptedError
from salet.version import version

_MAX_SEARCHES = 8
"""States whose guesses are decided at a time; each has memory of its own."""


@dataclass(frozen=True)
class SharedGame:
    """A game, and everything else that a worker needs to start."""

    version: str
    name: str
    answers: tuple[str, ...]
    guesses: tuple[str, ...]
    rule: str
    mode: str
    cap: int | None
    weights: tuple[int, ...] | None
    memory: float

    @staticmethod
    def of(game: Game, memory: float) -> SharedGame:
        return SharedGame(
            version=version(),
            name=game.name,
            answers=game.answers,
            guesses=game.guesses,
            rule=game.rule.name,
            mode=game.mode,
            cap=game.cap,
            weights=None if game.weights is None else tuple(game.weights.tolist()),
            memory=memory,
        )

    def open(self) -> Game:
        """The game, on a worker."""
        if self.version != version():
            raise InputError(
                f"a worker has salet {version()} and this is salet {self.version}; "
                "install the same version on all machines"
            )
        return Game(
            self.answers,
            self.guesses,
            rule=self.rule,
            mode=self.mode,
            cap=self.cap,
            weights=self.weights,
            name=self.name,
        )


@dataclass(frozen=True)
class StateSpec:
    """A state and the plans that are allowed from there."""

    history: History
    depth: int | None
    """maximum number of guesses, if below what the cap leaves"""
    losses: bool
    """whether answers may be lost"""


@dataclass(frozen=True)
class Target:
    """What guesses of a state have to beat: fields of `OpenerSearch`."""

    found: tuple[Found, ...]
    ranking: int
    ties: bool
    limit: int


@dataclass(frozen=True)
class TaskResult:
    """The result of a task."""

    results: list[Any]
    """results of the items done before the task ended or was stopped, in order"""
    nodes: int
    """states that this worker has expanded so far"""
    seconds: float


class _Session:
    """The game that a worker searches, with its tables."""

    def __init__(self, shared: SharedGame, threads: int) -> None:
        self.game = shared.open()
        self.evaluator = proof_evaluator(self.game, shared.memory)
        self._threads = threads
        self._searches: OrderedDict[StateSpec, OpenerSearch] = OrderedDict()
        self._lock = threading.Lock()

    def state(self, history: History) -> State:
        state = self.game.start()
        for guess, code in history:
            pattern = self.game.compiled.pattern(code)
            assert pattern is not None  # answers remain
            state = state.after(guess, pattern)
        return state

    def search(self, spec: StateSpec) -> OpenerSearch:
        """The search that decides guesses of a state."""
        with self._lock:
            search = self._searches.get(spec)
            if search is None:
                search = self._searches[spec] = OpenerSearch(
                    self.evaluator,
                    self.state(spec.history),
                    (),
                    threads=self._threads,
                    depth=spec.depth,
                    losses=spec.losses,
                )
            self._searches.move_to_end(spec)
            if len(self._searches) > _MAX_SEARCHES:
                self._searches.popitem(last=False)
            return search


_sessions: dict[SharedGame, _Session] = {}
"""At most one session, that of the current game."""
_session_lock = threading.Lock()
_stopped: set[str] = set()
"""Numbers of tasks that were told to stop."""


def _threads() -> int:
    """The threads of this worker."""
    from distributed import get_worker

    return int(get_worker().state.nthreads)


def _session(shared: SharedGame) -> _Session:
    with _session_lock:
        if shared not in _sessions:
            _sessions.clear()
            _sessions[shared] = _Session(shared, _threads())
        return _sessions[shared]


def _clock(number: str) -> Clock:
    """A clock that expires when the task is stopped."""
    return Budget(cancel=lambda: number in _stopped).start()


def decide(
    shared: SharedGame, number: str, spec: StateSpec, guesses: Sequence[int], target: Target
) -> TaskResult:
    """Decide guesses of a state: (guess, how, total or lower bound) of each."""
    session, clock = _session(shared), _clock(number)
    results = session.search(spec).decide_batch(
        guesses,
        target.found,
        ranking=target.ranking,
        ties=target.ties,
        limit=target.limit,
        clock=clock,
    )
    return TaskResult(results, session.evaluator.nodes, clock.seconds)


def value(
    shared: SharedGame, number: str, specs: Sequence[StateSpec], limits: Sequence[int]
) -> TaskResult:
    """Value states, each with its limit: (exact value below it or lower bound, seconds) of each."""
    session, clock = _session(shared), _clock(number)
    results: list[tuple[int, float]] = []
    try:
        for spec, limit in zip(specs, limits, strict=True):
            begin = time.perf_counter()
            found = state_value(
                session.evaluator,
                session.state(spec.history),
                depth=spec.depth,
                beta=limit,
                losses=spec.losses,
                clock=clock,
            )
            results.append((found, time.perf_counter() - begin))
    except SearchInterruptedError:
        pass
    return TaskResult(results, session.evaluator.nodes, clock.seconds)


def choices(
    shared: SharedGame, number: str, histories: Sequence[History], depths: Any
) -> TaskResult:
    """The guesses of the best plan below each of these states."""
    session, clock = _session(shared), _clock(number)
    results = [
        plan_choices(session.evaluator, session.state(history), depth)
        for history, depth in zip(histories, depths, strict=True)
    ]
    return TaskResult(results, session.evaluator.nodes, clock.seconds)


def prove_bounds(
    shared: SharedGame, number: str, history: History, losses: bool, tasks: Sequence[BoundTask]
) -> TaskResult:
    """The log that proves some lower bounds, on its own."""
    session, clock = _session(shared), _clock(number)
    rows: list[Ints] = []
    prove = Certifier(session.state(history), losses, session.evaluator).prover(rows.append)
    for guess, bound in tasks:
        prove(guess, bound)
    return TaskResult(rows, session.evaluator.nodes, clock.seconds)


def stop(numbers: Sequence[str]) -> None:
    """Tell tasks to stop; they return what they have found so far."""
    _stopped.update(numbers)


def free_memory() -> None:
    """Forget the game."""
    with _session_lock:
        _sessions.clear()
        _stopped.clear()


def cpu_seconds() -> float:
    """CPU seconds that this worker has used so far."""
    return time.process_time()

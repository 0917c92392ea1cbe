"""What all methods of anytime search share: budget, curve, memory limit, plans from bounds."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.process_memory import peak_memory_mb, resident_memory_mb
from salet.search.budget import Budget, Clock
from salet.search.game_process import GameProcess
from salet.search.plan import Plan
from salet.search.process import PolicySource, ValueBounds
from salet.search.search_state import SearchState

_REPORT_SECONDS = 0.25
"""Time between two progress reports."""
_ROOT_BYTES = 256
"""Memory per guess at the root: its prediction, its bounds and scratch for sorting."""


class CurvePoint(msgspec.Struct, frozen=True):
    """The bounds on the mean at one point of the run."""

    iteration: int
    seconds: float
    lower: float
    upper: float | None
    """None until a plan within the cap is known"""


class PolicyRow(msgspec.Struct, frozen=True):
    """A guess that the search considered at the root."""

    guess: str
    optimal: float
    """estimated probability that it is the best guess"""
    visits: int
    share: float
    """its share of the visits; for mcts of N^(1/T)"""


@dataclass(frozen=True)
class SearchProgress:
    """The state of a running search. Bounds are totals over all answers, valid at all times."""

    iteration: int
    seconds: float
    guess: str | None
    lower: int
    upper: int | None
    megabytes: float


@dataclass(frozen=True)
class Findings:
    """The result of a search method. Bounds are totals over all answers."""

    guess: str | None
    """first guess of the best known plan; None if no plan within the cap exists"""
    lower: int
    upper: int | None
    """total of the plan; None if no plan within the cap is known"""
    policy: list[PolicyRow]
    plan: Plan | None
    cap: int | None
    """the cap of the game that was searched (none with `faithful`)"""
    facts: dict[str, Any] = field(default_factory=dict)
    """figures of this method, such as the number of states"""


class Recorder:
    """Budget, curve and progress reports of one search."""

    def __init__(
        self,
        weight: int,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: Callable[[SearchProgress], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> None:
        """`weight` is the total weight of the answers: totals divided by it are means."""
        self.weight = weight
        self.max_iterations, self.max_seconds = iterations, seconds
        self.iterations = 0
        self.curve: list[CurvePoint] = []
        self.stopped = "exhausted"
        """why the search ended"""
        self.clock = Clock()
        self._progress, self._cancel = progress, cancel
        self._known: tuple[str | None, int, int | None] | None = None
        self._reported = 0.0
        self._is_interrupted = False
        self._deadline = math.inf
        self._thread = threading.get_ident()

    def start_clock(self) -> None:
        """Start the clock; call it once table and kernels are ready."""
        self._deadline = math.inf if self.max_seconds is None else self.max_seconds
        self.clock = Budget(cancel=self._is_over).start()

    def reserve(self, seconds: float) -> None:
        """Reserve time for building the plan; the search still gets half of the budget."""
        if self.max_seconds is not None:
            self._deadline = max(self.max_seconds - seconds, self.max_seconds / 2)

    def record(self, iterations: int, guess: str | None, lower: int, upper: int | None) -> bool:
        """Record the bounds after some iterations; returns whether to continue.

        If not, `stopped` says why.
        """
        self.iterations = iterations
        self._known = guess, lower, upper
        means = (lower / self.weight, None if upper is None else upper / self.weight)
        if not self.curve or (self.curve[-1].lower, self.curve[-1].upper) != means:
            self.curve.append(CurvePoint(iterations, round(self.clock.seconds, 4), *means))
        self.report()
        if upper is not None and lower >= upper:
            return self.stop("proven")
        if self.max_iterations is not None and iterations >= self.max_iterations:
            return self.stop("iterations")
        if self.clock.expired():
            return self.stop("interrupted" if self._is_interrupted else "seconds")
        return True

    def report(self) -> None:
        """Report progress, at most every `_REPORT_SECONDS`."""
        now = self.clock.seconds
        if self._progress is None or self._known is None or now - self._reported < _REPORT_SECONDS:
            return
        self._reported = now
        guess, lower, upper = self._known
        self._progress(SearchProgress(self.iterations, now, guess, lower, upper, peak_memory_mb()))

    def close(self, guess: str | None, lower: int, upper: int | None) -> None:
        """Record the final bounds, those of the plan itself."""
        stopped = self.stopped
        self.record(self.iterations, guess, lower, upper)
        self.stopped = "proven" if upper is not None and lower >= upper else stopped

    def stop(self, why: str) -> bool:
        """End the search; returns False, as `record` does."""
        self.stopped = why
        return False

    def interrupt(self) -> None:
        """Make the clock expire, so that running evaluations end."""
        self._is_interrupted = True

    def _is_over(self) -> bool:
        """The clock's `cancel` callback, polled every few milliseconds from any thread."""
        if threading.get_ident() == self._thread:
            self.report()
        if not self._is_interrupted and self._cancel is not None and self._cancel():
            self._is_interrupted = True
        return self._is_interrupted or self.clock.seconds >= self._deadline


class MemoryLimit:
    """A limit on the tables of a game plus the memory that a search allocates."""

    def __init__(self, gigabytes: float, game: Game) -> None:
        self.max_mb = gigabytes * 1024 - _table_bytes(game) / 2**20
        self._before = resident_memory_mb()

    def is_exceeded(self) -> bool:
        return resident_memory_mb() - self._before > self.max_mb


def check_memory(gigabytes: float, game: Game, nbytes: float | None = None) -> None:
    """Raise an error if the limit is too small for the tables and the root.

    They take `nbytes`; without it, they are estimated before the tables are built.
    """
    if nbytes is None:
        nbytes = _table_bytes(game) + (16 << 20) + len(game.guesses) * _ROOT_BYTES
    if gigabytes * 2**30 < nbytes:
        wanted = math.ceil(nbytes / 2**30 * 1000) / 1000
        raise memory_error(gigabytes, game, f"at least {wanted:g}")


def _table_bytes(game: Game) -> int:
    """Bytes of the pattern tables: two memory orders, for the game and for exact search."""
    width = 1 if game.rule.notation.patterns(game.length) <= 256 else 2
    return 4 * width * len(game.guesses) * game.answer_count


def memory_error(gigabytes: float, game: Game, wanted: str = "more") -> InputError:
    """The error for a limit that is too small for tables and root."""
    return InputError(
        f"memory {gigabytes:g} GB is too small for the tables of {game.name} "
        f"({game.answer_count:,} answers, {len(game.guesses):,} guesses); give {wanted}"
    )


# ---- totals and plans

Find = Callable[[SearchState], tuple[PolicySource, int | None] | None]
"""Returns the source of the plan behind a state's lower bound, and the plan's guess if the search
has tried it; None for a state that the search has not met."""


def totals(process: GameProcess, bounds: ValueBounds) -> tuple[int, int | None]:
    """Bounds on the total over all answers, from bounds on the value of the start.

    If no plan keeps within the cap, the lower bound is that of plans without a cap.
    """
    start = process.start().state
    low, high = bounds
    upper = None if low == -math.inf else round(-low * start.weight)
    if not math.isfinite(high):
        return start.size_bound, upper
    lower = math.ceil(-high * start.weight - 0.5)
    return (lower if upper is None else min(lower, upper)), upper


class KnownPlan:
    """The best plan that a search has found."""

    def __init__(self, process: GameProcess, find: Find) -> None:
        self._process, self._find = process, find
        self._first: tuple[PolicySource, int] | None = None

    @property
    def first_guess(self) -> str:
        """The guess at the root."""
        start = self._process.start()
        source, guess = self._find(start) or (PolicySource.EXACT, None)
        if guess is None:
            if self._first is None or self._first[0] is not source:
                self._first = (source, self._process.planned_guess(start.state, source))
            guess = self._first[1]
        return self._process.game.guesses[guess]

    def grow(self) -> Plan:
        """The plan as a tree."""
        inherited: dict[int, tuple[State, PolicySource]] = {}  # by identity of the state

        def choose(at: State) -> int:
            source: PolicySource | None = None
            if id(at.previous) in inherited:
                source = inherited[id(at.previous)][1]
            else:
                source, guess = self._find(SearchState(at)) or (PolicySource.EXACT, None)
                if guess is not None:
                    return guess
            # Where the plan does not begin with an action of the tree, states below it have the
            # same source.
            inherited[id(at)] = (at, source)
            return self._process.planned_guess(at, source)

        return Plan.grow(self._process.game, choose, self._process.start().state)

    def choose(self, at: State) -> int:
        """The plan's guess in a state that the search has met."""
        source, guess = self._find(SearchState(at)) or (PolicySource.EXACT, None)
        return self._process.planned_guess(at, source) if guess is None else guess


def plan_total(plan: Plan, start: State) -> int:
    """The weighted number of guesses of a plan over all answers of a state."""
    weights = start.game.weights
    if weights is None:
        return sum(guesses * count for guesses, count in plan.histogram.items())
    lengths = [len(line) for line in plan.games()]
    return int(sum(int(weights[answer]) * lengths[answer] for answer in start.candidates))

"""What the methods of anytime search share: the clock, the curve, limits, and plans from bounds."""

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
"""Time between two reports of progress."""
_ROOT_BYTES = 256
"""A guess, its prediction and its bounds at the root, and what sorting them takes."""


class CurvePoint(msgspec.Struct, frozen=True):
    """What was known at a moment, as means over the answers."""

    iteration: int
    seconds: float
    lower: float
    upper: float | None
    """None until a plan that keeps the cap is known"""


class PolicyRow(msgspec.Struct, frozen=True):
    """A guess that the search considered at the root."""

    guess: str
    optimal: float
    """the probability that it is the best, as far as the search knows"""
    visits: int
    share: float
    """of the visits; with tree search N^(1/T), normalised"""


@dataclass(frozen=True)
class SearchProgress:
    """A search under way. Bounds are totals over all answers, and hold at every moment."""

    iteration: int
    seconds: float
    guess: str | None
    lower: int
    upper: int | None
    megabytes: float


@dataclass(frozen=True)
class Findings:
    """What a method returns. Bounds are totals over all answers."""

    guess: str | None
    """the first guess of the best plan known; None where it is proven that none keeps the cap"""
    lower: int
    upper: int | None
    """the total of the plan; None where no plan that keeps the cap is known"""
    policy: list[PolicyRow]
    plan: Plan | None
    cap: int | None
    """the cap that was searched under"""
    facts: dict[str, Any] = field(default_factory=dict)
    """what only this method can tell, such as the number of states"""


class Recorder:
    """The clock, the curve and the reports of one search."""

    def __init__(
        self,
        weight: int,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        progress: Callable[[SearchProgress], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> None:
        """`weight` is that of all answers: totals divided by it are means."""
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
        """Start to count seconds: table and kernels are ready."""
        self._deadline = math.inf if self.max_seconds is None else self.max_seconds
        self.clock = Budget(cancel=self._is_over).start()

    def keep_back(self, seconds: float) -> None:
        """End the search earlier by the time that its plan will take to grow, but not before half
        of the budget is used."""
        if self.max_seconds is not None:
            self._deadline = max(self.max_seconds - seconds, self.max_seconds / 2)

    def note(self, iterations: int, guess: str | None, lower: int, upper: int | None) -> bool:
        """Record what is known after a number of iterations. Returns whether to go on; if not,
        `stopped` says why."""
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
        """Report progress, if the last report is long enough ago."""
        now = self.clock.seconds
        if self._progress is None or self._known is None or now - self._reported < _REPORT_SECONDS:
            return
        self._reported = now
        guess, lower, upper = self._known
        self._progress(SearchProgress(self.iterations, now, guess, lower, upper, peak_memory_mb()))

    def close(self, guess: str | None, lower: int, upper: int | None) -> None:
        """Record what is known at the very end, from the plan itself."""
        stopped = self.stopped
        self.note(self.iterations, guess, lower, upper)
        self.stopped = "proven" if upper is not None and lower >= upper else stopped

    def stop(self, why: str) -> bool:
        """End the search; returns False, as `note` does."""
        self.stopped = why
        return False

    def interrupt(self) -> None:
        """Let the clock expire, so that whatever is being evaluated ends."""
        self._is_interrupted = True

    def _is_over(self) -> bool:
        """Asked by the clock every few milliseconds, from any thread."""
        if threading.get_ident() == self._thread:
            self.report()
        if not self._is_interrupted and self._cancel is not None and self._cancel():
            self._is_interrupted = True
        return self._is_interrupted or self.clock.seconds >= self._deadline


class MemoryLimit:
    """The memory for the tables of a game and for what a search adds to what the process holds."""

    def __init__(self, gigabytes: float, game: Game) -> None:
        self.max_mb = gigabytes * 1024 - _table_bytes(game) / 2**20
        self._before = resident_memory_mb()

    def is_exceeded(self) -> bool:
        return resident_memory_mb() - self._before > self.max_mb


def check_memory(gigabytes: float, game: Game, nbytes: float | None = None) -> None:
    """Refuse a limit that leaves no room for the tables and the root, which take `nbytes`. Asked
    without that, before the tables are made."""
    if nbytes is None:
        nbytes = _table_bytes(game) + (16 << 20) + len(game.guesses) * _ROOT_BYTES
    if gigabytes * 2**30 < nbytes:
        wanted = math.ceil(nbytes / 2**30 * 1000) / 1000
        raise memory_error(gigabytes, game, f"at least {wanted:g}")


def _table_bytes(game: Game) -> int:
    """Bytes of the table of patterns: by guess and by answer, each for the game and for exact
    search."""
    width = 1 if game.rule.notation.patterns(game.length) <= 256 else 2
    return 4 * width * len(game.guesses) * game.answer_count


def memory_error(gigabytes: float, game: Game, wanted: str = "more") -> InputError:
    """The error for a limit that leaves no room for tables and root."""
    return InputError(
        f"memory {gigabytes:g} GB is too small for the tables of {game.name} "
        f"({game.answer_count:,} answers, {len(game.guesses):,} guesses); give {wanted}"
    )


# ---- totals and plans

Find = Callable[[SearchState], tuple[PolicySource, int | None] | None]
"""Says where the plan behind the lower bound of a state is, and its guess if a search tried it;
None for a state that the search does not know."""


def totals(process: GameProcess, bounds: ValueBounds) -> tuple[int, int | None]:
    """(lower, upper) over all answers, from bounds of the mean. Where no plan keeps the cap, lower
    is what none would beat without it."""
    start = process.start().state
    low, high = bounds
    upper = None if low == -math.inf else round(-low * start.weight)
    if not math.isfinite(high):
        return start.size_bound, upper
    lower = math.ceil(-high * start.weight - 0.5)
    return (lower if upper is None else min(lower, upper)), upper


class KnownPlan:
    """The best plan that a search knows."""

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
                self._first = (source, self._guess(start.state, source))
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
            # Below a state whose plan no action of the tree begins, the same source goes on.
            inherited[id(at)] = (at, source)
            return self._guess(at, source)

        return Plan.grow(self._process.game, choose, self._process.start().state)

    def choose(self, at: State) -> int:
        """The guess of the plan in a state that the search knows."""
        source, guess = self._find(SearchState(at)) or (PolicySource.EXACT, None)
        return self._guess(at, source) if guess is None else guess

    def _guess(self, at: State, source: PolicySource) -> int:
        process = self._process
        if len(at.candidates) <= 2 or at.guesses_left == 1 or source is PolicySource.BOUNDS:
            return process.next_candidate(at)
        if source is PolicySource.CACHED:
            return process.kept_guess(at)
        return process.rollout_guess(at) if source is PolicySource.LOOK else process.exact_guess(at)


def plan_total(plan: Plan, start: State) -> int:
    """The number of guesses that a plan takes over all answers of a state, by weight."""
    weights = start.game.weights
    if weights is None:
        return sum(guesses * count for guesses, count in plan.histogram.items())
    lengths = [len(line) for line in plan.games()]
    return int(sum(int(weights[answer]) * lengths[answer] for answer in start.candidates))

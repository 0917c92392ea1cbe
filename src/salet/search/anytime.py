"""Anytime search of a game: what every method is asked and answers, and the methods by name.

A method is a function of game, config and recorder that returns a `Found`. It tells the recorder
its best guess and bounds after every iteration; the recorder keeps the curve, reports to whoever
watches, and says when the budget is used up. Ctrl-C ends a search like a budget does: what has
been found so far is the result.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any

import msgspec

from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.process_memory import peak_memory_mb, resident_memory_mb
from salet.search.plan import Plan
from salet.version import commit, version


@dataclass(frozen=True)
class SearchConfig:
    """How to search. The fields are the options of `salet search`."""

    method: str = "mcts"
    """a name in METHODS"""
    picker: str = "thompson"
    """what a tree search tries next, with parameters: `laplace:delta=0.1`"""
    predictor: str = "entropic"
    """what an untried guess looks worth: entropic or statistical"""
    iterations: int | None = None
    """most iterations; None: no limit"""
    seconds: float | None = None
    """most seconds, counted once table and kernels are ready; None: no limit"""
    seed: int = 0
    """the same seed gives the same result, unless seconds end it"""
    faithful: bool = False
    """mcts: the published algorithm as it was, without a cap and without a proof"""
    top_k: int | None = None
    """mcts: actions at the root explored in one iteration; None: 2, or 1 if faithful"""
    threads: int | None = None
    """threads that explore; None: one for each core"""
    temperature: float | None = None
    """mcts: of the visit share N^(1/T), 1 unless given; mcdp: of the softmax over guesses"""
    dp_threshold: int | None = None
    """states of at most so many answers are solved exactly; None: the method's own choice"""
    memory: float = 2.0
    """most gigabytes for what the search remembers"""

    def __post_init__(self) -> None:
        if self.iterations is not None and self.iterations < 1:
            raise InputError(f"a budget of {self.iterations} iterations: give at least 1")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise InputError(f"a budget of {self.seconds:g} seconds: give more than 0")
        if self.top_k is not None and self.top_k < 1:
            raise InputError(f"top-k {self.top_k}: explore at least 1 action at a time")
        if self.threads is not None and self.threads < 1:
            raise InputError(f"{self.threads} threads: give at least 1")
        least = 0 if self.method == "mcdp" else math.ulp(0)
        if self.temperature is not None and not least <= self.temperature < math.inf:
            wanted = "0 or a number above" if least == 0 else "a number above 0"
            raise InputError(f"temperature {self.temperature:g}: give {wanted}")
        if self.dp_threshold is not None and self.dp_threshold < 0:
            raise InputError(f"dp-threshold {self.dp_threshold}: give 0 or more answers")
        if not 0 < self.memory < math.inf:
            raise InputError(f"memory {self.memory:g}: give some gigabytes, as 2")
        self._check_method()

    def _check_method(self) -> None:
        """Options of tree search are refused by the other method, not passed over."""
        if self.method != "mcdp":
            return
        default = {field.name: field.default for field in dataclasses.fields(SearchConfig)}
        for name in ("picker", "predictor", "faithful", "top_k"):
            if getattr(self, name) != default[name]:
                option = f"--{name.replace('_', '-')}"
                raise InputError(f"{option} goes with --method mcts, not with mcdp")


class Point(msgspec.Struct, frozen=True):
    """What was known at a moment, as means over the answers."""

    iteration: int
    seconds: float
    lower: float
    upper: float | None
    """None until a plan that keeps the cap is known"""


class Choice(msgspec.Struct, frozen=True):
    """A guess that the search kept at the root."""

    guess: str
    optimal: float
    """the probability that it is the best, as far as the search knows"""
    visits: int
    share: float
    """of the visits, N^(1/T) normalised"""


@dataclass(frozen=True)
class Found:
    """What a method returns. Bounds are totals over all answers."""

    guess: str | None
    """the first guess of the best plan known; None where it is proven that none keeps the cap"""
    lower: int
    upper: int | None
    """the total of the plan; None where no plan that keeps the cap is known"""
    policy: list[Choice]
    plan: Plan | None
    cap: int | None
    """the cap that was searched under"""
    facts: dict[str, Any] = field(default_factory=dict)
    """what only this method can tell: states kept, nodes opened …"""


class SearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """What an anytime search knows. The fields are those of `salet search --json`."""

    game: str
    mode: str
    cap: int | None
    method: str
    picker: str | None
    seed: int
    iterations: int
    guess: str | None
    lower: int
    upper: int | None
    total: int | None
    """the same as upper: what the plan takes"""
    proven: bool
    """lower and upper meet: no plan is better"""
    stopped: str
    """why it ended: proven, iterations, seconds, memory, interrupted or exhausted"""
    policy: list[Choice]
    seconds: float
    peak_mb: float
    curve: list[Point]
    facts: dict[str, Any]
    version: str
    commit: str | None
    plan: Plan | None = None

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        names = [name for name in self.__struct_fields__ if name != "plan"]
        fields: dict[str, Any] = msgspec.to_builtins({name: getattr(self, name) for name in names})
        return fields


@dataclass(frozen=True)
class Progress:
    """A search under way: facts at every moment, bounds as totals over all answers."""

    iteration: int
    seconds: float
    guess: str | None
    lower: int
    upper: int | None
    megabytes: float


Report = Callable[[Progress], None]


class Recorder:
    """Keeps the curve, the clock and the budget of one search."""

    def __init__(self, config: SearchConfig, weight: int, report: Report | None = None) -> None:
        """`weight` is that of all answers: totals divided by it are means."""
        self.config, self.weight, self.report = config, weight, report
        self.begin = time.perf_counter()
        self.iterations = 0
        self.curve: list[Point] = []
        self.stopped = "exhausted"
        self._last_report = 0.0

    def start_clock(self) -> None:
        """Table and kernels are ready: seconds count from now."""
        self.begin = time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begin

    def note(self, iterations: int, guess: str | None, lower: int, upper: int | None) -> bool:
        """Tell what is known after so many iterations. True: go on; False: proven, or the budget
        is used up (`stopped` says which)."""
        self.iterations = iterations
        now = self.seconds
        means = (lower / self.weight, None if upper is None else upper / self.weight)
        if not self.curve or (self.curve[-1].lower, self.curve[-1].upper) != means:
            self.curve.append(Point(iterations, round(now, 4), *means))
        if self.report is not None and now - self._last_report > 0.25:
            self._last_report = now
            self.report(Progress(iterations, now, guess, lower, upper, peak_memory_mb()))
        if upper is not None and lower >= upper:
            return self.stop("proven")
        if self.config.iterations is not None and iterations >= self.config.iterations:
            return self.stop("iterations")
        if self.is_late:
            return self.stop("seconds")
        return True

    @property
    def is_late(self) -> bool:
        """Are the seconds used up?"""
        return self.config.seconds is not None and self.seconds >= self.config.seconds

    def close(self, guess: str | None, lower: int, upper: int | None) -> None:
        """What is known at the very end, from the plan itself."""
        stopped = self.stopped
        self.note(self.iterations, guess, lower, upper)
        self.stopped = "proven" if upper is not None and lower >= upper else stopped

    def stop(self, why: str) -> bool:
        """End the search for another reason."""
        self.stopped = why
        return False


class Memory:
    """The memory that a search may add to what the process has now."""

    def __init__(self, gigabytes: float) -> None:
        self.most = gigabytes * 1024
        self.before = resident_memory_mb()

    def is_used_up(self) -> bool:
        return resident_memory_mb() - self.before > self.most


_ROOT_BYTES = 256
"""a guess, its prediction and its bounds at the root, and what sorting them takes"""


def check_memory(gigabytes: float, game: Game) -> None:
    """Refuse a limit that leaves no room for the root."""
    least = (16 + len(game.guesses) * _ROOT_BYTES / 2**20) / 1024
    if gigabytes < least:
        raise too_small(gigabytes, game, f"at least {math.ceil(least * 1000) / 1000:g}")


def too_small(gigabytes: float, game: Game, wanted: str = "more") -> InputError:
    """The error for a limit that leaves no room for the root."""
    return InputError(
        f"memory {gigabytes:g} GB is too small for the root of {game.name}; give {wanted}"
    )


Method = Callable[[Game, SearchConfig, Recorder], Found]

METHODS: Mapping[str, str] = MappingProxyType(
    {
        "mcts": "salet.search.mcts.game:mcts",
        "mcdp": "salet.search.mcdp.game:mcdp",
    }
)
"""name -> where its function is; loaded when it is asked for"""


def method_named(name: str) -> Method:
    """The method of that name, or an error that suggests one."""
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    module, _, function = METHODS[name].partition(":")
    found: Method = getattr(import_module(module), function)
    return found


def search(
    game: Game, config: SearchConfig | None = None, report: Report | None = None
) -> SearchResult:
    """Search a game for as long as the budget allows, or until the result is proven.

    >>> found = search(Game.named("mastermind:2x3"), SearchConfig(iterations=100))
    >>> found.total, found.proven
    (21, True)
    """
    config = config or SearchConfig()
    method = method_named(config.method)
    weight = game.answer_count if game.weights is None else int(game.weights.sum())
    recorder = Recorder(config, weight, report)
    found = method(game, config, recorder)
    return SearchResult(
        game=game.name,
        mode=game.mode,
        cap=found.cap,
        method=config.method,
        picker=config.picker if config.method == "mcts" else None,
        seed=config.seed,
        iterations=recorder.iterations,
        guess=found.guess,
        lower=found.lower,
        upper=found.upper,
        total=found.upper,
        proven=found.upper is not None and found.lower >= found.upper,
        stopped=recorder.stopped,
        policy=found.policy,
        seconds=round(recorder.seconds, 3),
        peak_mb=round(peak_memory_mb(), 1),
        curve=recorder.curve,
        facts=found.facts,
        version=version(),
        commit=commit(),
        plan=found.plan,
    )

"""Anytime search of a game: a plan after a moment, a better one the longer it runs.

A method is a function of game, config and recorder. After every iteration it tells the recorder its
best guess and bounds; the recorder keeps the curve, reports progress and says when the budget is
used up. Ctrl-C ends a search like a budget does: what has been found so far is the result.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

import msgspec

from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.process_memory import peak_memory_mb
from salet.search.anytime_run import CurvePoint, Findings, PolicyRow, Recorder, SearchProgress
from salet.search.plan import Plan
from salet.version import commit, version


@dataclass(frozen=True)
class SearchConfig:
    """How to search. The fields are the options of `salet search`."""

    method: str = "mcts"
    """a name in METHODS"""
    picker: str = "thompson"
    """how a tree search chooses the next guess to try, with parameters: `laplace:delta=0.1`"""
    predictor: str = "entropic"
    """how the value of an untried guess is predicted: entropic or statistical"""
    iterations: int | None = None
    """limit of iterations; None: no limit"""
    seconds: float | None = None
    """limit of seconds, counted once table and kernels are ready; None: no limit"""
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
    """largest number of answers of a state that is solved exactly when it is met; None: the
    method's own choice"""
    memory: float = 2.0
    """limit of gigabytes for what the search remembers"""

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
            raise InputError(
                f"memory {self.memory:g}: give a number of gigabytes above 0, such as 2"
            )
        self._check_method()

    def _check_method(self) -> None:
        """Refuse options of tree search that MCDP would ignore."""
        if self.method != "mcdp":
            return
        default = {field.name: field.default for field in dataclasses.fields(SearchConfig)}
        for name in ("picker", "predictor", "faithful", "top_k"):
            if getattr(self, name) != default[name]:
                option = f"--{name.replace('_', '-')}"
                raise InputError(f"{option} goes with --method mcts, not with mcdp")


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
    policy: list[PolicyRow]
    seconds: float
    peak_mb: float
    curve: list[CurvePoint]
    facts: dict[str, Any]
    version: str
    commit: str | None
    plan: Plan | None = None

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        names = [name for name in self.__struct_fields__ if name != "plan"]
        fields: dict[str, Any] = msgspec.to_builtins({name: getattr(self, name) for name in names})
        return fields


Method = Callable[[Game, SearchConfig, Recorder], Findings]

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


def anytime_search(
    game: Game,
    config: SearchConfig | None = None,
    *,
    progress: Callable[[SearchProgress], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> SearchResult:
    """Search a game for as long as the budget allows, or until the result is proven.

    `progress` is called a few times a second; `cancel` is asked every few milliseconds, and True
    ends the search. What has been found by then is the result.

    >>> found = anytime_search(Game.named("mastermind:2x3"), SearchConfig(iterations=100))
    >>> found.total, found.proven
    (21, True)
    """
    config = config or SearchConfig()
    method = method_named(config.method)
    recorder = Recorder(
        game.start().weight,
        iterations=config.iterations,
        seconds=config.seconds,
        progress=progress,
        cancel=cancel,
    )
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
        seconds=round(recorder.clock.seconds, 3),
        peak_mb=round(peak_memory_mb(), 1),
        curve=recorder.curve,
        facts=found.facts,
        version=version(),
        commit=commit(),
        plan=found.plan,
    )

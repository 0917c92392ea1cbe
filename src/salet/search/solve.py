"""The best guess of a state, with proof: the call behind `salet solve`."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.process_memory import peak_memory_mb
from salet.search.budget import Budget
from salet.search.certify import Certificate
from salet.search.executor import Executor
from salet.search.objective_search import (
    OPENER_BY_OPENER,
    ObjectiveResult,
    ObjectiveSearch,
    plan_of,
)
from salet.search.objectives import check_objective
from salet.search.opener_search import OpenerSearch
from salet.search.plan import Plan
from salet.search.splits import splits
from salet.search.value import INF, Cost, Evaluator, SearchInterruptedError, check_table_memory
from salet.version import commit, version

_CERTIFIED = ("mean", "win-then-mean")
"""Objectives whose lower bounds can be certified."""
_NOT_IN_JSON = ("plan", "top", "certificate")


class RankedGuess(msgspec.Struct, frozen=True):
    """A guess and its exact total."""

    guess: str
    total: int
    losses: int = 0


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """The solution of a state. The fields are those of `salet solve --json`."""

    game: str
    mode: str
    cap: int | None
    objective: str
    guess: str | None
    """best known guess; None if no plan keeps within the cap"""
    ties: list[str]
    """every equally good guess, the chosen one first; only that one unless proven"""
    answers: int
    total: int | None
    """guesses over all remaining answers (weighted, if answers have weights), counted from here"""
    mean: float | None
    worst: int | None
    """maximum number of guesses for an answer that this plan finds"""
    losses: int
    """number of answers that this plan does not find within the cap"""
    histogram: dict[int, int]
    """answers by the guesses they take from here"""
    lower: int
    upper: int | None
    proven: bool
    nodes: int
    seconds: float
    cpu_seconds: float
    """processor time of this process, over all threads"""
    peak_mb: float
    version: str
    commit: str | None
    top: list[RankedGuess] | None = None
    plan: Plan | None = None
    certificate: Certificate | None = None
    """certificate of the lower bound, if requested"""

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it (`top` only if requested)."""
        names = [name for name in self.__struct_fields__ if name not in _NOT_IN_JSON]
        fields = {name: getattr(self, name) for name in names}
        fields["histogram"] = {str(size): count for size, count in self.histogram.items()}
        if self.top is not None:
            fields["top"] = [msgspec.to_builtins(row) for row in self.top]
        return fields

    def _repr_html_(self) -> str:
        if self.guess is None or self.mean is None:
            return f"<p>No plan solves all {self.answers} answers within the cap.</p>"
        fact = "proven" if self.proven else "at most"
        return (
            f"<p><b>{escape(self.guess)}</b>: {self.mean:.4f} guesses ({fact}), "
            f"worst {self.worst}, {self.answers} answers</p>"
        )


def solve(
    start: Game | State,
    *,
    opener: str | int | None = None,
    top: int = 1,
    objective: str = "mean",
    width: int | None = None,
    threads: int | None = None,
    memory: float = 1.0,
    seconds: float | None = None,
    certificate: bool = False,
    checkpoint: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    executor: Executor | None = None,
) -> Solution:
    """The best guess of a state (or of a game's first one), proven.

    `opener` fixes the next guess; `width` narrows the search to that many guesses a state (an upper
    bound, never proven); `memory` limits the transposition tables, in GB. When `seconds` are over,
    or `cancel()` says so, the result has the bounds known by then. The guesses of a large state are
    decided one by one: `progress` is called with (guesses decided, number of guesses), and with a
    `checkpoint`, a directory, the same call continues where another was stopped. With `certificate`
    the result has a proof of its lower bound that others can check. The work is done by threads of
    this process unless an `executor` brings others, which have no limits of time or width.

    >>> solve(Game.named("mastermind:2x3")).total
    21
    """
    state = start.start() if isinstance(start, Game) else start
    _check_options(objective, width, seconds, cancel, certificate, executor)
    check_table_memory(memory)
    if not len(state.candidates):
        raise InputError("no answer is left; check the feedback")
    if state.guesses_left == 0:
        raise InputError(f"the cap of {state.game.cap} guesses is used up")
    guess = None if opener is None else state.check(opener)
    megabytes = min(memory * 1024, 16.0 if len(state.candidates) < 2500 else 64.0)
    evaluator = Evaluator(state.game, megabytes=megabytes)
    _warm_up(evaluator, state, guess, objective)
    clock = Budget(math.inf if seconds is None else seconds, cancel=cancel).start()
    search = ObjectiveSearch(
        state,
        guess,
        evaluator,
        clock,
        threads or os.cpu_count() or 1,
        width or 0,
        executor,
        None if checkpoint is None else Path(checkpoint),
        progress or (lambda *_: None),
    )
    found = search.solve(objective)
    ranking = None
    if top > 1 and found.proven:
        with contextlib.suppress(SearchInterruptedError):  # then there is no ranking
            ranking = search.ranking(top, found)
    solution = _solution(search, objective, found, ranking)
    if certificate:
        solution = msgspec.structs.replace(solution, certificate=search.certificate(found))
    return solution


def _check_options(
    objective: str,
    width: int | None,
    seconds: float | None,
    cancel: Callable[[], bool] | None,
    certificate: bool,
    executor: Executor | None,
) -> None:
    """Refuse options of `solve` that are wrong or do not go together."""
    check_objective(objective)
    if width is not None and objective != "mean":
        raise InputError(f"--width goes with objective 'mean', not {objective!r}")
    if certificate and (width is not None or objective not in _CERTIFIED):
        raise InputError(
            f"a certificate goes with objective {' or '.join(_CERTIFIED)}, and without width"
        )
    if executor is not None and (width, seconds, cancel) != (None, None, None):
        raise InputError("a width and a time limit are for a search on this machine")
    if seconds is not None and not 0 < seconds < math.inf:
        raise InputError(f"a budget of {seconds:g} seconds: give more than 0")


def _warm_up(evaluator: Evaluator, state: State, guess: int | None, objective: str) -> None:
    """Load (or compile) the kernels that a search needs, before its clock starts."""
    evaluator.warm_up()
    splits(state, state.legal[:1])
    if len(state.candidates) >= OPENER_BY_OPENER and guess is None:
        for depth in (None, 4) if objective == "worst" else (None,):
            OpenerSearch(evaluator, state, [int(state.legal[0])], depth=depth).warm_up()


def _solution(
    search: ObjectiveSearch,
    objective: str,
    found: ObjectiveResult,
    ranking: list[tuple[int, int]] | None,
) -> Solution:
    state, game, evaluator = search.state, search.state.game, search.evaluator
    seconds, cpu_seconds = search.clock.seconds, search.clock.cpu_seconds
    plan = plan_of(search, found)
    counts = {} if plan is None else plan.histogram
    total = None if plan is None or found.upper is None else _total(found.upper)
    is_beam = bool(search.width)
    losses = bool(found.upper and found.upper.losses)
    top = None
    if ranking is not None:
        costs = [
            (guess, evaluator.cost_of(value) if losses else Cost(0, value))
            for guess, value in ranking
            if value < INF
        ]
        top = [RankedGuess(game.guesses[g], _total(cost), cost.losses) for g, cost in costs]
    proven = found.proven and not is_beam
    lower = max(found.lower.guesses, state.size_bound) if total is None or not proven else total
    return Solution(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        objective=objective,
        guess=game.guesses[found.guesses[0]] if found.guesses else None,
        ties=[game.guesses[guess] for guess in found.guesses],
        answers=len(state.candidates),
        total=total,
        mean=None if total is None else total / state.weight,
        worst=max(counts, default=0) if plan is not None else None,
        losses=len(state.candidates) - sum(counts.values()) if plan is not None else 0,
        histogram=counts,
        lower=lower,
        upper=total,
        proven=proven,
        nodes=evaluator.nodes + (search.executor.nodes if search.executor else 0),
        seconds=round(seconds, 3),
        cpu_seconds=round(cpu_seconds, 3),
        peak_mb=round(peak_memory_mb(), 1),
        version=version(),
        commit=commit(),
        top=top,
        plan=plan,
    )


def _total(cost: Cost) -> int:
    """The total of a cost: a lost answer counts all guesses of the cap and one more."""
    return cost.guesses + cost.losses

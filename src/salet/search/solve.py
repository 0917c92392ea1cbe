"""The best guess of a state, with proof: what `salet solve` calls.

Data flows from a State (the house) to Rules and a history of hints (what the engine sees), and
back from totals to a Solution and its Plan. The engine never meets a word; this module never
looks at a bound.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np

from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.state import State
from salet.process_memory import peak_memory_mb
from salet.search.exact.model import INF
from salet.search.exact.solver import Hint, Rules, Solver, least_cap
from salet.search.openers import alike, first_bounds, prover_of, warm_up_prover
from salet.search.plan import Plan
from salet.search.terms import hints_of, rules_of, warm_up
from salet.version import commit, version

OBJECTIVES: Mapping[str, str] = MappingProxyType(
    {
        "mean": "fewest guesses in all; every answer within the cap",
        "worst": "fewest guesses in the worst case",
        "mean-then-worst": "fewest guesses in all, then the least worst case",
        "win-then-mean": "fewest answers lost, then fewest guesses",
    }
)


class Ranked(msgspec.Struct, frozen=True):
    """A guess and its exact total."""

    guess: str
    total: int
    losses: int = 0


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a state. The fields are those of `salet solve --json`."""

    game: str
    mode: str
    cap: int | None
    objective: str
    guess: str | None
    """the best guess; None where no plan keeps the cap"""
    ties: list[str]
    """every equally good guess, the chosen one first"""
    answers: int
    total: int | None
    """guesses over all remaining answers (weighted, if answers have weights), counted from here"""
    mean: float | None
    worst: int | None
    """most guesses from here to a found answer, in this plan"""
    losses: int
    """answers that this plan does not find within the cap"""
    histogram: dict[int, int]
    """answers by the guesses they take from here"""
    lower: int
    upper: int | None
    proven: bool
    nodes: int
    seconds: float
    peak_mb: float
    version: str
    commit: str | None
    top: list[Ranked] | None = None
    plan: Plan | None = None

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it (`top` only if it was asked for)."""
        names = [name for name in self.__struct_fields__ if name not in ("plan", "top")]
        fields = {name: getattr(self, name) for name in names}
        fields["histogram"] = {str(size): count for size, count in self.histogram.items()}
        if self.top is not None:
            fields["top"] = [msgspec.to_builtins(row) for row in self.top]
        return fields

    def _repr_html_(self) -> str:
        from html import escape

        if self.guess is None or self.mean is None:
            return f"<p>No plan solves all {self.answers} answers within the cap.</p>"
        fact = "proven" if self.proven else "at most"
        return (
            f"<p><b>{escape(self.guess)}</b>: {self.mean:.4f} guesses ({fact}), "
            f"worst {self.worst}, {self.answers} answers</p>"
        )


_MANY = 500
"""From so many answers on, guesses are decided one by one as in a proof, by all threads."""


@dataclass(frozen=True)
class _Question:
    """One call of `solve`, in the engine's terms."""

    state: State
    rules: Rules
    history: tuple[Hint, ...]
    opener: int | None
    memory: float
    threads: int


def solve(
    start: Game | State,
    *,
    opener: str | int | None = None,
    top: int = 1,
    objective: str = "mean",
    width: int | None = None,
    threads: int | None = None,
    memory: float = 1.0,
) -> Solution:
    """The best guess of a state (or of a game's first one), proved.

    `opener` fixes the next guess, `width` narrows the search to that many guesses a state (an
    upper bound, never proven), `memory` is the most for remembered bounds in GB.

    >>> solve(Game.named("mastermind:2x3")).total
    21
    """
    state = start.start() if isinstance(start, Game) else start
    if objective not in OBJECTIVES:
        raise UnknownNameError("objective", objective, OBJECTIVES)
    if width is not None and objective != "mean":
        raise InputError(f"--width goes with objective 'mean', not {objective!r}")
    if not memory > 0:
        raise InputError(f"memory {memory}: give some gigabytes, as 0.5")
    if not len(state.candidates):
        raise InputError("no answer is left; check the feedback")
    if state.guesses_left == 0:
        raise InputError(f"the cap of {state.game.cap} guesses is used up")
    question = _Question(
        state,
        rules_of(state.game),
        hints_of(state),
        None if opener is None else state.check(opener),
        memory,
        threads or os.cpu_count() or 1,
    )
    warm_up(question.rules)
    if len(state.candidates) >= _MANY and question.opener is None:
        warm_up_prover(question.rules)
    begin = time.perf_counter()
    found = _OBJECTIVES[objective](question, width)
    ranking = None if top == 1 else _ranking(question, found.solver, top)
    seconds = time.perf_counter() - begin
    plan = _plan(found.solver, state, found.guesses[0]) if found.guesses else None
    return _solution(question, objective, found, ranking, plan, width, seconds)


# ---- objectives


@dataclass(frozen=True)
class _Found:
    solver: Solver
    """whose best guesses are those of the objective"""
    value: int
    guesses: list[int]
    """equally good ones, the chosen first; none if no plan keeps the cap"""


def _decide(question: _Question, solver: Solver) -> _Found:
    """Value and ties of the state under a solver's rules."""
    history, opener = question.history, question.opener
    if opener is not None:
        _share_parts(question, solver, opener)
        value = solver.value(history, opener)
        return _Found(solver, value, [opener] if value < INF else [])
    if solver.game.width:
        value = solver.value(history)
        return _Found(solver, value, solver.equal(history, value, 1))
    if len(question.state.candidates) >= _MANY and solver.loss >= INF:
        ranked = _prove(question, solver, 1)
        value = ranked[0][1] if ranked else INF
        return _Found(solver, value, [guess for guess, total in ranked if total == value])
    value = solver.value(history)
    return _Found(solver, value, solver.equal(history, value))


def _prove(question: _Question, solver: Solver, most: int) -> list[tuple[int, int]]:
    """The best guesses of a large state and their totals, in the order of ties: at least `most`
    where so many keep the cap, and all that equal the last."""
    state = question.state
    groups = alike(state, state.legal.tolist())
    prover = prover_of(
        state,
        groups,
        ranking=min(most, len(groups)),
        memory=question.memory,
        threads=question.threads,
        solver=solver,
    )
    prover.run(lambda *_: None, lambda: None)
    last = prover.target() - 1
    candidates = prover.candidates
    found = sorted(
        (value, guess not in candidates, guess)
        for value, _, first in prover.found
        if value <= last and value < INF
        for guess in groups[first]
    )
    return [(guess, value) for value, _, guess in found]


def _mean(question: _Question, width: int | None) -> _Found:
    solver = Solver(question.rules, megabytes=_megabytes(question), width=width or 0)
    return _decide(question, solver)


def _win_then_mean(question: _Question, _width: int | None) -> _Found:
    """Where the cap can be kept nothing is lost, and the mean decides."""
    rules = question.rules
    weight = int(rules.table.shape[1] if rules.weights is None else rules.weights.sum())
    if rules.cap is not None and (rules.cap + 2) * weight**2 >= INF:
        raise InputError("these weights are too great for 'win-then-mean'; divide them by 1000")
    best = _mean(question, None)
    if best.value < INF:
        return best
    return _decide(question, Solver(rules, losses=True, megabytes=_megabytes(question)))


def _worst(question: _Question, _width: int | None) -> _Found:
    """The least cap that can be kept; of the guesses that keep it, the first; of its plans, the
    one with the least total."""
    cap = question.rules.cap
    least, feasible = least_cap(question.rules, question.history, question.opener)
    if cap is not None and least > cap:
        return _Found(feasible, INF, [])
    guesses = _that_keep(question, feasible) if question.opener is None else [question.opener]
    solver = Solver(question.rules, megabytes=_megabytes(question), cap=least)
    return _Found(solver, solver.value(question.history, guesses[0]), guesses)


def _that_keep(question: _Question, feasible: Solver) -> list[int]:
    """The guesses with which the cap can be kept, in the order of ties, asked one by one."""
    groups = alike(question.state, question.state.legal.tolist())
    free = [feasible.twin() for _ in range(question.threads)]

    def keeps(guess: int) -> bool:
        mine = free.pop()
        value = mine.value(question.history, guess)
        free.append(mine)
        return value < INF

    with ThreadPoolExecutor(question.threads) as pool:
        kept = {
            guess
            for group, is_kept in zip(groups.values(), pool.map(keeps, groups), strict=True)
            if is_kept
            for guess in group
        }
    candidates = set(question.state.candidates.tolist())
    return sorted(kept, key=lambda guess: (guess not in candidates, guess))


def _mean_then_worst(question: _Question, _width: int | None) -> _Found:
    """The least cap with which the least total can still be had, by one of its guesses."""
    best = _mean(question, None)
    if best.value >= INF:
        return best
    worst = max(_plan(best.solver, question.state, best.guesses[0]).histogram)
    for less in range(worst, 0, -1):
        cap = len(question.history) + less
        solver = Solver(question.rules, megabytes=_megabytes(question), cap=cap)
        guesses = [
            guess
            for guess in best.guesses
            if solver.value(question.history, guess, best.value + 1) <= best.value
        ]
        if not guesses:
            break
        best = _Found(solver, best.value, guesses)
    return best


_OBJECTIVES = {
    "mean": _mean,
    "worst": _worst,
    "mean-then-worst": _mean_then_worst,
    "win-then-mean": _win_then_mean,
}


def _ranking(question: _Question, solver: Solver, top: int) -> list[tuple[int, int]]:
    """The best guesses, the promising ones tried first."""
    if len(question.state.candidates) >= _MANY and solver.loss >= INF:
        return _prove(question, solver, top)[:top]
    bounds = first_bounds(question.state)
    return solver.top(top, question.history, sorted(bounds, key=lambda guess: bounds[guess]))


def _share_parts(question: _Question, solver: Solver, opener: int) -> None:
    """Solve the parts of a fixed guess on all threads; the table of bounds remembers them."""
    if question.threads == 1 or len(question.state.candidates) < 1000 or solver.game.width:
        return
    groups = question.state.groups(opener)
    groups.pop(question.state.game.win, None)
    parts = sorted(groups, key=lambda pattern: -len(groups[pattern].candidates))
    free = [solver.twin() for _ in range(question.threads)]

    def work(pattern: int) -> None:
        mine = free.pop()
        mine.value((*question.history, (opener, pattern)))
        free.append(mine)

    with ThreadPoolExecutor(question.threads) as pool:
        list(pool.map(work, parts))


# ---- from the engine back to the house


def _megabytes(question: _Question) -> float:
    """Memory for bounds: little, so that it stays in the caches and costs few page faults; twice
    as much changes nothing for one opener."""
    return min(question.memory * 1024, 16.0 if len(question.state.candidates) < 2500 else 64.0)


def _plan(solver: Solver, state: State, guess: int | None = None) -> Plan:
    """The plan that follows the first of equally good guesses everywhere."""

    def choose(at: State) -> int:
        if guess is not None and at is state:
            return guess
        candidates = at.candidates
        if len(candidates) <= 2 or (solver.cap is not None and solver.cap - at.turn == 1):
            weights = at.game.weights
            if weights is None:
                return int(candidates[0])
            return int(candidates[np.argmax(weights[candidates])])
        return solver.first(hints_of(at))

    return Plan.grow(state.game, choose, state, sure=True)


def _solution(
    question: _Question,
    objective: str,
    found: _Found,
    ranking: list[tuple[int, int]] | None,
    plan: Plan | None,
    width: int | None,
    seconds: float,
) -> Solution:
    state, game = question.state, question.state.game
    weights = game.weights
    weight = len(state.candidates) if weights is None else int(weights[state.candidates].sum())
    heaviest = 1 if weights is None else int(weights[state.candidates].max())
    loss, cap = found.solver.loss, game.cap

    def total_of(value: int) -> int:
        """A lost answer has taken every guess there is and counts one more."""
        return value if loss >= INF else value % loss + value // loss

    total = total_of(found.value) if plan is not None else None
    counts = {} if plan is None else plan.histogram
    return Solution(
        game=game.name,
        mode=game.mode,
        cap=cap,
        objective=objective,
        guess=game.guesses[found.guesses[0]] if found.guesses else None,
        ties=[game.guesses[guess] for guess in found.guesses],
        answers=len(state.candidates),
        total=total,
        mean=None if total is None else total / weight,
        worst=max(counts, default=0) if plan is not None else None,
        losses=len(state.candidates) - sum(counts.values()) if plan is not None else 0,
        histogram=counts,
        lower=2 * weight - heaviest if total is None or width else total,
        upper=total,
        proven=width is None,
        nodes=found.solver.nodes,
        seconds=round(seconds, 3),
        peak_mb=round(peak_memory_mb(), 1),
        version=version(),
        commit=commit(),
        top=None
        if ranking is None
        else [
            Ranked(game.guesses[guess], total_of(value), 0 if loss >= INF else value // loss)
            for guess, value in ranking
            if value < INF
        ],
        plan=plan,
    )

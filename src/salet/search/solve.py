"""The best guess of a state, with proof: what `salet solve` calls.

Data flows from a State (the house) to Rules and a history of hints (what the engine sees), and
back from totals to a Solution and its Plan. The engine never meets a word; this module never
looks at a bound.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np

from salet.about import commit, version
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.notation import tiles
from salet.game.state import State
from salet.search.exact.model import INF
from salet.search.exact.solver import Hint, Mode, Rules, Solver, least_cap
from salet.search.partition import splits
from salet.search.plan import Plan

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
    begin = time.perf_counter()
    found = _OBJECTIVES[objective](question, width)
    ranking = None if top == 1 else _ranking(question, found.solver, top)
    plan = _plan(found.solver, state, found.guesses[0]) if found.guesses else None
    return _solution(question, objective, found, ranking, plan, width, begin)


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
    value = solver.value(history)
    if solver.game.width:
        return _Found(solver, value, solver.equal(history, value, 1))
    return _Found(solver, value, solver.equal(history, value))


def _mean(question: _Question, width: int | None) -> _Found:
    solver = Solver(question.rules, megabytes=_megabytes(question), width=width or 0)
    return _decide(question, solver)


def _win_then_mean(question: _Question, _width: int | None) -> _Found:
    rules = question.rules
    weight = int(rules.table.shape[1] if rules.weights is None else rules.weights.sum())
    if rules.cap is not None and (rules.cap + 2) * weight**2 >= INF:
        raise InputError("these weights are too great for 'win-then-mean'; divide them by 1000")
    can_lose = rules.cap is not None
    return _decide(question, Solver(rules, losses=can_lose, megabytes=_megabytes(question)))


def _worst(question: _Question, _width: int | None) -> _Found:
    """The least cap that can be kept; of the guesses that keep it, the first; of its plans, the
    one with the least total."""
    history, cap = question.history, question.rules.cap
    least, feasible = least_cap(question.rules, history, question.opener)
    if cap is not None and least > cap:
        return _Found(feasible, INF, [])
    guesses = [question.opener]
    if question.opener is None:
        guesses = [
            guess
            for guess in _tie_order(question.state)
            if feasible.value(history, guess) < INF
        ]  # fmt: skip
    chosen = guesses[0]
    solver = Solver(question.rules, megabytes=_megabytes(question), cap=least)
    return _Found(solver, solver.value(history, chosen), [g for g in guesses if g is not None])


def _mean_then_worst(question: _Question, _width: int | None) -> _Found:
    """The least cap with which the least total can still be had."""
    best = _mean(question, None)
    if best.value >= INF:
        return best
    least, _ = least_cap(question.rules, question.history, question.opener)
    most = question.rules.cap or len(question.history) + len(question.state.candidates)
    for cap in range(least, most):
        solver = Solver(question.rules, megabytes=_megabytes(question), cap=cap)
        if solver.value(question.history, question.opener, best.value + 1) <= best.value:
            return _decide(question, solver)
    return best


_OBJECTIVES = {
    "mean": _mean,
    "worst": _worst,
    "mean-then-worst": _mean_then_worst,
    "win-then-mean": _win_then_mean,
}


def _ranking(question: _Question, solver: Solver, top: int) -> list[tuple[int, int]]:
    """The best guesses, the promising ones tried first."""
    state = question.state
    found = splits(state)
    bound = 3 * found.answers - found.parts - found.is_candidate
    order = found.guesses[np.argsort(bound, kind="stable")]
    return solver.top(top, question.history, [int(guess) for guess in order])


def _tie_order(state: State) -> list[int]:
    candidates = set(state.candidates.tolist())
    return sorted(state.legal.tolist(), key=lambda guess: (guess not in candidates, guess))


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


# ---- from the house to the engine and back


def rules_of(game: Game) -> Rules:
    """A game in the engine's terms."""
    table = game.compiled
    mode = Mode[game.mode.upper()]
    codes = digits = full = None
    if mode is Mode.HARD:
        if len(game.lexicon.alphabet) > 250:
            raise InputError("exact search in hard mode: the most letters of an alphabet are 250")
        codes = game.lexicon.codes
        digits = np.array(
            [tiles(table.code(pattern), game.length) for pattern in range(table.patterns)], np.uint8
        )
    elif mode is Mode.STRICT:
        full = _between_guesses(game)
    return Rules(
        np.ascontiguousarray(table.ids),
        table.patterns,
        mode,
        codes,
        digits,
        not game.rule.counts_letters,
        full,
        game.weights,
        game.cap,
    )


def _between_guesses(game: Game) -> Any:
    """[guess, guess] -> pattern id as if the second were the answer; no id where none exists."""
    lexicon, table = game.lexicon, game.compiled
    codes = np.zeros((len(lexicon), len(lexicon)), np.uint32)
    game.rule.fill(lexicon.codes, lexicon.by_position, lexicon.counts, codes)
    if table.dense_codes is None:
        return codes.astype(table.ids.dtype)
    place = np.minimum(np.searchsorted(table.dense_codes, codes), table.patterns - 1)
    return np.where(table.dense_codes[place] == codes, place, table.patterns).astype(np.uint32)


def hints_of(state: State) -> tuple[Hint, ...]:
    """A history in the engine's terms."""
    hints = []
    for guess, code in state.history:
        pattern = state.game.compiled.pattern(code)
        if pattern is None:
            raise InputError("no answer gives this feedback")
        hints.append((guess, pattern))
    return tuple(hints)


def _megabytes(question: _Question) -> float:
    """Memory for bounds: little, so that it stays in the caches and costs few page faults; twice
    as much changes nothing for one opener."""
    return min(question.memory * 1024, 16.0 if len(question.state.candidates) < 2500 else 64.0)


def warm_up(rules: Rules) -> None:
    """Load (or compile) the kernels on a tiny game of the same kind, before the clock starts."""
    n = min(4, rules.table.shape[1])
    tiny = Rules(
        np.ascontiguousarray(rules.table[:n, :n]),
        rules.patterns,
        rules.mode,
        None if rules.codes is None else rules.codes[:n],
        rules.digits,
        rules.presence_only,
        None if rules.full is None else np.ascontiguousarray(rules.full[:n, :n]),
        None if rules.weights is None else rules.weights[:n],
        rules.cap,
    )
    solver = Solver(tiny, megabytes=0.01)
    value = solver.value()
    if value < INF:
        solver.equal((), value)


def _plan(solver: Solver, state: State, guess: int | None = None) -> Plan:
    """The plan that follows the first of equally good guesses everywhere."""

    def choose(at: State) -> int:
        if guess is not None and at is state:
            return guess
        candidates = at.candidates
        if len(candidates) <= 2 or solver.cap - at.turn == 1:
            weights = at.game.weights
            if weights is None:
                return int(candidates[0])
            return int(candidates[np.argmax(weights[candidates])])
        history = hints_of(at)
        return solver.equal(history, solver.value(history), 1)[0]

    return Plan.grow(state.game, choose, state)


def _solution(
    question: _Question,
    objective: str,
    found: _Found,
    ranking: list[tuple[int, int]] | None,
    plan: Plan | None,
    width: int | None,
    begin: float,
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
        seconds=round(time.perf_counter() - begin, 3),
        peak_mb=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
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

"""The best guess of a state, with proof: what `salet solve` calls."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import msgspec

from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.process_memory import peak_memory_mb
from salet.search.certify import Certificate, certify
from salet.search.objectives import check_objective
from salet.search.opener_search import OpenerSearch, group_by_symmetry, guess_bounds
from salet.search.plan import Plan
from salet.search.splits import splits
from salet.search.value import INF, Budget, Clock, Cost, Evaluator, SearchInterruptedError, root_of
from salet.version import commit, version

_OPENER_BY_OPENER = 500
"""Size of a state from which its guesses are decided one by one, on all threads."""
_SHARED_PARTS = 1000
"""Size of a state from which the parts of a fixed guess are shared among threads."""
_BEAM_WIDTH = 1
"""Guesses tried in each state for an upper bound when time is limited."""


_CERTIFIED = ("mean", "win-then-mean")
"""Objectives whose lower bounds can be certified."""
_NOT_IN_JSON = ("plan", "top", "certificate")


class RankedGuess(msgspec.Struct, frozen=True):
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
    """the best guess known; None where no plan keeps the cap"""
    ties: list[str]
    """every equally good guess, the chosen one first; that one alone where it is not proven"""
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
    top: list[RankedGuess] | None = None
    plan: Plan | None = None
    certificate: Certificate | None = None
    """of the lower bound, if it was asked for"""

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it (`top` only if it was asked for)."""
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
    cancel: Callable[[], bool] | None = None,
) -> Solution:
    """The best guess of a state (or of a game's first one), proven.

    `opener` fixes the next guess; `width` narrows the search to that many guesses a state (an upper
    bound, never proven); `memory` limits the transposition tables, in GB. When `seconds` are over,
    or `cancel()` says so, the result has the bounds known by then. With `certificate` the result
    has a proof of its lower bound that others can check.

    >>> solve(Game.named("mastermind:2x3")).total
    21
    """
    state = start.start() if isinstance(start, Game) else start
    check_objective(objective)
    if width is not None and objective != "mean":
        raise InputError(f"--width goes with objective 'mean', not {objective!r}")
    if certificate and (width is not None or objective not in _CERTIFIED):
        raise InputError(
            f"a certificate goes with objective {' or '.join(_CERTIFIED)}, and without width"
        )
    if not memory > 0:
        raise InputError(f"memory {memory}: give some gigabytes, as 0.5")
    if seconds is not None and not 0 < seconds < math.inf:
        raise InputError(f"a budget of {seconds:g} seconds: give more than 0")
    if not len(state.candidates):
        raise InputError("no answer is left; check the feedback")
    if state.guesses_left == 0:
        raise InputError(f"the cap of {state.game.cap} guesses is used up")
    guess = None if opener is None else state.check(opener)
    megabytes = min(memory * 1024, 16.0 if len(state.candidates) < 2500 else 64.0)
    evaluator = Evaluator(state.game, megabytes=megabytes)
    evaluator.warm_up()
    splits(state, state.legal[:1])
    if len(state.candidates) >= _OPENER_BY_OPENER and guess is None:
        OpenerSearch(evaluator, state, [int(state.legal[0])]).warm_up()
    clock = Budget(math.inf if seconds is None else seconds, cancel=cancel).start()
    question = _Question(state, guess, evaluator, clock, threads or os.cpu_count() or 1, width or 0)
    answer = question.answer(objective)
    ranking = None
    if top > 1 and answer.proven:
        with contextlib.suppress(SearchInterruptedError):  # then there is no ranking
            ranking = question.ranking(top, answer)
    solution = _solution(question, objective, answer, ranking)
    if certificate:
        solution = msgspec.structs.replace(solution, certificate=question.certificate(answer))
    return solution


@dataclass(frozen=True)
class _Answer:
    """What is known of a question."""

    lower: Cost
    upper: Cost | None
    """None where no plan that the objective allows is known"""
    guesses: list[int]
    """equally good ones, the chosen first; where it is not proven, the chosen one alone"""
    depth: int | None = None
    """the guesses left that the objective allows, where they are fewer than the cap leaves"""
    width: int = 0
    """of the beam that the plan comes from; 0: exact search"""
    complete: bool = True
    """False: time ran out before the objective was decided"""

    @property
    def proven(self) -> bool:
        """Is the upper bound optimal, or is it certain that no plan exists?"""
        impossible = self.upper is None and self.lower.losses > 0
        return self.complete and (self.lower == self.upper or impossible)


_IMPOSSIBLE = Cost(1, 0)
"""A lower bound of every plan where none finds all answers."""


@dataclass(frozen=True)
class _Question:
    """One call of `solve`."""

    state: State
    opener: int | None
    evaluator: Evaluator
    clock: Clock
    threads: int
    width: int

    @property
    def _limit(self) -> Clock | None:
        return self.clock if self.clock.limited else None

    # ---- objectives

    def answer(self, objective: str) -> _Answer:
        return {
            "mean": self._mean,
            "worst": self._worst,
            "mean-then-worst": self._mean_then_worst,
            "win-then-mean": self._win_then_mean,
        }[objective]()

    def _mean(self, depth: int | None = None) -> _Answer:
        """The least total of the plans that find every answer within `depth` guesses."""
        try:
            if self.width:
                return self._beam(self.width, depth)
            if self.opener is not None:
                return self._mean_of_opener(self.opener, depth)
            if len(self.state.candidates) >= _OPENER_BY_OPENER:
                return self._mean_by_openers(depth)
            return self._mean_of_state(depth)
        except SearchInterruptedError:
            return self._beam(_BEAM_WIDTH, depth)

    def _mean_of_opener(self, opener: int, depth: int | None) -> _Answer:
        self._share_parts(opener, depth)
        total = self.evaluator.total(self.state, opener, depth=depth, clock=self._limit)
        if total >= INF:
            return _Answer(_IMPOSSIBLE, None, [], depth)
        return _Answer(Cost(0, total), Cost(0, total), [opener], depth)

    def _mean_of_state(self, depth: int | None) -> _Answer:
        evaluator, state = self.evaluator, self.state
        lower, upper = state.size_bound, INF
        try:
            if not self.clock.limited:
                lower = upper = evaluator.total(state, depth=depth)
            else:
                upper = evaluator.total(state, depth=depth, width=_BEAM_WIDTH)
                for bounds in evaluator.closing_totals(
                    state, lower, upper, depth=depth, clock=self.clock
                ):
                    lower, upper = bounds
            if upper >= INF:
                return _Answer(_IMPOSSIBLE, None, [], depth)
            guesses = evaluator.ties(state, depth=depth, clock=self._limit)
            return _Answer(Cost(0, upper), Cost(0, upper), guesses, depth)
        except SearchInterruptedError:
            return self._beam(_BEAM_WIDTH, depth, lower)

    def _mean_by_openers(self, depth: int | None) -> _Answer:
        beam = self._beam(_BEAM_WIDTH, depth) if self.clock.limited else None
        search = self._search_openers(1, depth)
        if not search.done:
            assert beam is not None  # only a clock ends it early
            lower = Cost(0, search.lower_bound)
            best = search.found[0] if search.found else None
            if best and (beam.upper is None or best[0] < beam.upper.guesses):
                return _Answer(lower, Cost(0, best[0]), [best[2]], depth)
            return replace(beam, lower=lower)
        ranked = self._ranked(search)
        if not ranked:
            return _Answer(_IMPOSSIBLE, None, [], depth)
        total = ranked[0][1]
        guesses = [guess for guess, value in ranked if value == total]
        return _Answer(Cost(0, total), Cost(0, total), guesses, depth)

    def _beam(self, width: int, depth: int | None, lower: int | None = None) -> _Answer:
        """A plan that a beam search finds, and what is known as a lower bound."""
        state = self.state
        if lower is None and self.opener is not None:
            (lower,) = splits(state, state.legal[state.legal == self.opener]).guess_bounds
        bound = Cost(0, int(state.size_bound if lower is None else lower))
        total = self.evaluator.total(state, self.opener, depth=depth, width=width)
        if total >= INF:
            return _Answer(bound, None, [], depth)
        if self.opener is None:
            guesses = self.evaluator.ties(state, depth=depth, width=width, limit=1)
        else:
            guesses = [self.opener]
        return _Answer(bound, Cost(0, total), guesses, depth, width)

    def _win_then_mean(self) -> _Answer:
        """Where every answer can be found the mean decides; otherwise losses have a price."""
        answer = self._mean()
        if answer.upper is not None:
            return answer
        evaluator, state, opener = self.evaluator, self.state, self.opener
        width = 0
        try:
            if not answer.proven:
                raise SearchInterruptedError
            cost = evaluator.cost(state, opener, clock=self._limit)
            guesses = [opener] if opener is not None else evaluator.ties(state, clock=self._limit)
        except SearchInterruptedError:
            width = _BEAM_WIDTH
            cost = evaluator.cost(state, opener, width=width)
            guesses = [evaluator.best_guess(state, width=width) if opener is None else opener]
        # What is known of plans that find every answer is no bound of those that lose some.
        lower = Cost(0, state.size_bound) if width else cost
        return _Answer(lower, cost, guesses, width=width)

    def _worst(self) -> _Answer:
        """The least depth at which every answer can be found; of those plans, the least total."""
        try:
            depth = self.evaluator.max_guesses(self.state, self.opener, clock=self._limit)
        except SearchInterruptedError:
            return replace(self._beam(_BEAM_WIDTH, None), complete=False)
        return _Answer(_IMPOSSIBLE, None, []) if depth is None else self._mean(depth)

    def _mean_then_worst(self) -> _Answer:
        """The least depth at which the least total can still be had."""
        answer = self._mean()
        if not answer.proven or answer.upper is None:
            return answer
        try:
            for depth in range(_worst_of(self, answer), 0, -1):
                guesses = [guess for guess in answer.guesses if self._reaches(guess, answer, depth)]
                if not guesses:
                    break
                answer = replace(answer, guesses=guesses, depth=depth)
        except SearchInterruptedError:
            return replace(answer, guesses=answer.guesses[:1], complete=False)
        return answer

    def _reaches(self, guess: int, answer: _Answer, depth: int) -> bool:
        """Does a guess reach the least total within `depth` guesses?"""
        assert answer.upper is not None
        beta = answer.upper.guesses + 1
        found = self.evaluator.total(self.state, guess, beta=beta, depth=depth, clock=self._limit)
        return found < beta

    def certificate(self, answer: _Answer) -> Certificate:
        """The proof of an answer's lower bound, for others to check."""
        if not answer.proven:
            raise InputError("nothing is proven yet that could be certified; give more seconds")
        losses = answer.upper is not None and answer.upper.losses > 0
        if answer.upper is None:
            lower = INF
        else:
            lower = answer.upper.guesses + answer.upper.losses * self.evaluator.loss
        return certify(self.state, {self.opener: lower}, losses=losses, threads=self.threads)

    # ---- rankings and threads

    def ranking(self, count: int, answer: _Answer) -> list[tuple[int, int]]:
        """The best guesses and their totals (prices of losses included), in the order of ties."""
        state = self.state
        losses = answer.upper is not None and answer.upper.losses > 0
        if len(state.candidates) >= _OPENER_BY_OPENER and not losses:
            search = self._search_openers(count, answer.depth)
            if not search.done:
                raise SearchInterruptedError
            return self._ranked(search)[:count]
        bounds = guess_bounds(state)
        order = sorted(bounds, key=lambda guess: bounds[guess])
        with self.evaluator.solver(losses=losses) as solver:
            stop = self._limit.spend if self._limit else None
            return solver.ranking(root_of(state, answer.depth), order, count, stop)

    def _search_openers(self, count: int, depth: int | None) -> OpenerSearch:
        groups = group_by_symmetry(self.state, self.state.legal.tolist())
        search = OpenerSearch(
            self.evaluator,
            self.state,
            groups,
            ranking=min(count, len(groups)),
            threads=self.threads,
            depth=depth,
        )
        search.run(clock=self._limit)
        return search

    def _ranked(self, search: OpenerSearch) -> list[tuple[int, int]]:
        """The best guesses and their totals, in the order of ties: at least as many as were asked
        for, where so many keep the cap, and all that equal the last."""
        groups = group_by_symmetry(self.state, self.state.legal.tolist())
        found = sorted(
            (total, guess not in search.candidates, guess)
            for total, _, first in search.found
            if total < min(search.target(), INF)
            for guess in groups[first]
        )
        return [(guess, total) for total, _, guess in found]

    def _share_parts(self, opener: int, depth: int | None) -> None:
        """Solve the parts of a fixed guess on all threads; the transposition table keeps them."""
        if self.threads == 1 or len(self.state.candidates) < _SHARED_PARTS:
            return
        parts = self.state.groups(opener)
        parts.pop(self.state.game.win, None)
        below = None if depth is None else depth - 1

        def work(part: State) -> None:
            self.evaluator.total(part, depth=below, clock=self._limit)

        largest_first = sorted(parts.values(), key=lambda part: -len(part.candidates))
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, largest_first))


def _plan(question: _Question, answer: _Answer) -> Plan | None:
    """The plan that follows the first of equally good guesses everywhere."""
    if not answer.guesses:
        return None
    state, evaluator = question.state, question.evaluator

    def choose(at: State) -> int:
        if at is state:
            return answer.guesses[0]
        depth = None if answer.depth is None else answer.depth - (at.turn - state.turn)
        return evaluator.best_guess(at, depth=depth, width=answer.width)

    return Plan.grow(state.game, choose, state, sure=True)


def _worst_of(question: _Question, answer: _Answer) -> int:
    """The most guesses that the plan behind an answer takes."""
    plan = _plan(question, answer)
    assert plan is not None
    return max(plan.histogram)


def _solution(
    question: _Question,
    objective: str,
    answer: _Answer,
    ranking: list[tuple[int, int]] | None,
) -> Solution:
    state, game, evaluator = question.state, question.state.game, question.evaluator
    seconds = question.clock.seconds
    plan = _plan(question, answer)
    counts = {} if plan is None else plan.histogram
    total = None if plan is None or answer.upper is None else _total(answer.upper)
    is_beam = bool(question.width)
    losses = bool(answer.upper and answer.upper.losses)
    top = None
    if ranking is not None:
        costs = [
            (guess, evaluator.cost_of(value) if losses else Cost(0, value))
            for guess, value in ranking
            if value < INF
        ]
        top = [RankedGuess(game.guesses[g], _total(cost), cost.losses) for g, cost in costs]
    proven = answer.proven and not is_beam
    lower = max(answer.lower.guesses, state.size_bound) if total is None or not proven else total
    return Solution(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        objective=objective,
        guess=game.guesses[answer.guesses[0]] if answer.guesses else None,
        ties=[game.guesses[guess] for guess in answer.guesses],
        answers=len(state.candidates),
        total=total,
        mean=None if total is None else total / state.weight,
        worst=max(counts, default=0) if plan is not None else None,
        losses=len(state.candidates) - sum(counts.values()) if plan is not None else 0,
        histogram=counts,
        lower=lower,
        upper=total,
        proven=proven,
        nodes=evaluator.nodes,
        seconds=round(seconds, 3),
        peak_mb=round(peak_memory_mb(), 1),
        version=version(),
        commit=commit(),
        top=top,
        plan=plan,
    )


def _total(cost: Cost) -> int:
    """Guesses in all: a lost answer has taken every guess there is and counts one more."""
    return cost.guesses + cost.losses

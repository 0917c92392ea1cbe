"""Solve a state under each objective: the search behind `solve`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from salet.errors import InputError
from salet.game.state import State
from salet.search.budget import Clock
from salet.search.certify import Certificate, certify
from salet.search.checkpoint import Checkpoint
from salet.search.executor import Executor, History
from salet.search.opener_search import OpenerSearch, group_by_symmetry, guess_bounds
from salet.search.plan import Plan
from salet.search.roots import root_of, useful_depth
from salet.search.splits import splits
from salet.search.value import INF, Cost, Evaluator, SearchInterruptedError

T = TypeVar("T")

OPENER_BY_OPENER = 500
"""Size of the smallest state whose guesses are decided one by one, on all threads."""
_SHARED_PARTS = 1000
"""Size of the smallest state in which threads share the parts of a given guess."""
_GROWN_HERE = 40
"""Size of the largest part whose plan this process finds even if an executor searched it."""
_BEAM_WIDTH = 1
"""Width of the beam search for an upper bound when time is limited."""


@dataclass(frozen=True)
class ObjectiveResult:
    """Bounds on the optimum under an objective, and the best guesses."""

    lower: Cost
    upper: Cost | None
    """None if no plan that the objective allows is known"""
    guesses: list[int]
    """the best guesses, the chosen one first; only that one unless proven"""
    depth: int | None = None
    """maximum number of guesses that the objective allows, if below what the cap leaves"""
    width: int = 0
    """width of the beam search that found the plan; 0: exact search"""
    complete: bool = True
    """whether the objective was decided before time ran out"""

    @property
    def proven(self) -> bool:
        """Whether the upper bound is optimal, or it is certain that no plan exists."""
        impossible = self.upper is None and self.lower.losses > 0
        return self.complete and (self.lower == self.upper or impossible)


_IMPOSSIBLE = Cost(1, 0)
"""The lower bound if no plan finds every answer."""


@dataclass(frozen=True)
class ObjectiveSearch:
    """One call of `solve`: a state, the next guess if it is given, and the resources to use."""

    state: State
    opener: int | None
    evaluator: Evaluator
    clock: Clock
    threads: int
    width: int
    executor: Executor | None = None
    """searches in place of this process, if given"""
    checkpoint: Path | None = None
    """directory in which every decided guess of a large state is stored"""
    progress: Callable[[int, int], None] = lambda *_: None
    """called with (guesses decided, number of guesses) in a large state"""

    @property
    def _limit(self) -> Clock | None:
        return self.clock if self.clock.limited else None

    @property
    def _is_large(self) -> bool:
        """Whether guesses are decided one by one."""
        is_large = self.executor is not None or len(self.state.candidates) >= OPENER_BY_OPENER
        return self.opener is None and is_large

    # ---- objectives

    def solve(self, objective: str) -> ObjectiveResult:
        """The optimum under one of OBJECTIVES, or bounds if time runs out."""
        return {
            "mean": self._mean,
            "worst": self._worst,
            "mean-then-worst": self._mean_then_worst,
            "win-then-mean": self._win_then_mean,
        }[objective]()

    def _mean(self, depth: int | None = None) -> ObjectiveResult:
        """The minimum total of plans that find every answer within `depth` guesses."""
        try:
            if self.width:
                return self._beam(self.width, depth)
            if self.opener is not None:
                return self._mean_of_opener(self.opener, depth)
            if self._is_large:
                return self._mean_by_openers(depth)
            return self._mean_of_state(depth)
        except SearchInterruptedError:
            return self._beam(_BEAM_WIDTH, depth)

    def _mean_of_opener(self, opener: int, depth: int | None) -> ObjectiveResult:
        if self.executor is None:
            self._share_parts(opener, depth)
            total = self.evaluator.total(self.state, opener, depth=depth, clock=self._limit)
        else:
            total = self._value_elsewhere(opener, depth)
        if total >= INF:
            return ObjectiveResult(_IMPOSSIBLE, None, [], depth)
        return ObjectiveResult(Cost(0, total), Cost(0, total), [opener], depth)

    def _mean_of_state(self, depth: int | None) -> ObjectiveResult:
        evaluator, state = self.evaluator, self.state
        lower, upper = state.size_bound, INF
        try:
            if not self.clock.limited:
                lower = upper = evaluator.total(state, depth=depth)
            else:
                upper = evaluator.total(state, depth=depth, width=_BEAM_WIDTH)
                for bounds in evaluator.bisect_total(
                    state, lower, upper, depth=depth, clock=self.clock
                ):
                    lower, upper = bounds
            if upper >= INF:
                return ObjectiveResult(_IMPOSSIBLE, None, [], depth)
            guesses = evaluator.ties(state, depth=depth, clock=self._limit)
            return ObjectiveResult(Cost(0, upper), Cost(0, upper), guesses, depth)
        except SearchInterruptedError:
            return self._beam(_BEAM_WIDTH, depth, lower)

    def _mean_by_openers(self, depth: int | None) -> ObjectiveResult:
        beam = self._beam(_BEAM_WIDTH, depth) if self.clock.limited else None
        search = self._search_openers(1, depth)
        if not search.done:
            assert beam is not None  # only a clock ends it early
            lower = Cost(0, search.lower_bound)
            best = search.found[0] if search.found else None
            if best and (beam.upper is None or best[0] < beam.upper.guesses):
                return ObjectiveResult(lower, Cost(0, best[0]), [best[2]], depth)
            return replace(beam, lower=lower)
        ranked = self._ranked(search)
        if not ranked:
            return ObjectiveResult(_IMPOSSIBLE, None, [], depth)
        total = ranked[0][1]
        guesses = [guess for guess, value in ranked if value == total]
        return ObjectiveResult(Cost(0, total), Cost(0, total), guesses, depth)

    def _beam(self, width: int, depth: int | None, lower: int | None = None) -> ObjectiveResult:
        """The plan of a beam search, and the best known lower bound."""
        state = self.state
        if lower is None and self.opener is not None:
            (lower,) = splits(state, state.legal[state.legal == self.opener]).guess_bounds
        bound = Cost(0, int(state.size_bound if lower is None else lower))
        if width == 1 and self.opener is None:
            self._share_parts(self.evaluator.best_guess(state, depth=depth, width=1), depth, 1)
        total = self.evaluator.total(state, self.opener, depth=depth, width=width)
        if total >= INF:
            return ObjectiveResult(bound, None, [], depth)
        if self.opener is None:
            guesses = self.evaluator.ties(state, depth=depth, width=width, limit=1)
        else:
            guesses = [self.opener]
        return ObjectiveResult(bound, Cost(0, total), guesses, depth, width)

    def _win_then_mean(self) -> ObjectiveResult:
        """The minimum total if every answer can be found; otherwise the minimum cost."""
        if self._is_large:
            return self._win_then_mean_by_openers()
        found = self._mean()
        if found.upper is not None:
            return found
        evaluator, state, opener = self.evaluator, self.state, self.opener
        width = 0
        try:
            if not found.proven:
                raise SearchInterruptedError
            if self.executor is not None and opener is not None:
                cost = evaluator.cost_of(self._value_elsewhere(opener, None, losses=True))
            else:
                cost = evaluator.cost(state, opener, clock=self._limit)
            guesses = [opener] if opener is not None else evaluator.ties(state, clock=self._limit)
        except SearchInterruptedError:
            width = _BEAM_WIDTH
            cost = evaluator.cost(state, opener, width=width)
            guesses = [evaluator.best_guess(state, width=width) if opener is None else opener]
        # A bound on plans that find every answer does not hold for plans that lose some.
        lower = Cost(0, state.size_bound) if width else cost
        return ObjectiveResult(lower, cost, guesses, width=width)

    def _win_then_mean_by_openers(self) -> ObjectiveResult:
        evaluator, state = self.evaluator, self.state
        search = self._search_openers(1, None, losses=True)
        best = search.found[0] if search.found else None
        if search.done:
            assert best is not None  # with losses allowed every opener has a value
            cost = evaluator.cost_of(best[0])
            guesses = [guess for guess, value in self._ranked(search) if value == best[0]]
            return ObjectiveResult(cost, cost, guesses)
        lower = max(evaluator.cost_of(search.lower_bound), Cost(0, state.size_bound))
        cost = evaluator.cost(state, width=_BEAM_WIDTH)
        if best is not None and evaluator.cost_of(best[0]) < cost:
            return ObjectiveResult(lower, evaluator.cost_of(best[0]), [best[2]])
        guess = evaluator.best_guess(state, width=_BEAM_WIDTH)
        return ObjectiveResult(lower, cost, [guess], width=_BEAM_WIDTH)

    def _worst(self) -> ObjectiveResult:
        """The minimum total of the plans with the smallest worst case."""
        if self._is_large or self.executor is not None:
            return self._worst_by_openers()
        try:
            depth = self.evaluator.worst_case(self.state, self.opener, clock=self._limit)
        except SearchInterruptedError:
            return replace(self._beam(_BEAM_WIDTH, None), complete=False)
        return ObjectiveResult(_IMPOSSIBLE, None, []) if depth is None else self._mean(depth)

    def _worst_by_openers(self) -> ObjectiveResult:
        for depth in range(1, useful_depth(self.state) + 1):
            found = self._mean(depth)
            if found.upper is not None:
                return found
            if not found.proven:
                return replace(self._beam(_BEAM_WIDTH, None), complete=False)
        return ObjectiveResult(_IMPOSSIBLE, None, [])

    def _mean_then_worst(self) -> ObjectiveResult:
        """The minimum total, with the smallest worst case that allows it."""
        found = self._mean()
        if not found.proven or found.upper is None:
            return found
        try:
            for depth in range(_worst_of(self, found), 0, -1):
                guesses = [guess for guess in found.guesses if self._reaches(guess, found, depth)]
                if not guesses:
                    break
                found = replace(found, guesses=guesses, depth=depth)
        except SearchInterruptedError:
            return replace(found, guesses=found.guesses[:1], complete=False)
        return found

    def _reaches(self, guess: int, found: ObjectiveResult, depth: int) -> bool:
        """Whether a guess reaches the minimum total within `depth` guesses."""
        assert found.upper is not None
        beta = found.upper.guesses + 1
        if self.executor is not None:
            return self._value_elsewhere(guess, depth, limit=beta) < beta
        total = self.evaluator.total(self.state, guess, beta=beta, depth=depth, clock=self._limit)
        return total < beta

    def certificate(self, found: ObjectiveResult) -> Certificate:
        """The certificate of a result's lower bound."""
        if not found.proven:
            raise InputError("nothing is proven yet that could be certified; give more seconds")
        losses = found.upper is not None and found.upper.losses > 0
        if found.upper is None:
            lower = INF
        else:
            lower = found.upper.guesses + found.upper.losses * self.evaluator.loss
        return certify(
            self.state,
            {self.opener: lower},
            losses=losses,
            threads=self.threads,
            executor=self.executor,
        )

    # ---- rankings and threads

    def ranking(self, count: int, found: ObjectiveResult) -> list[tuple[int, int]]:
        """The best guesses with their totals (or values, if answers are lost), best first."""
        state = self.state
        losses = found.upper is not None and found.upper.losses > 0
        if self.executor is not None or len(state.candidates) >= OPENER_BY_OPENER:
            search = self._search_openers(count, found.depth, losses=losses)
            if not search.done:
                raise SearchInterruptedError
            return self._ranked(search)[:count]
        bounds = guess_bounds(state)
        order = sorted(bounds, key=lambda guess: bounds[guess])
        with self.evaluator.solver(losses=losses) as solver:
            stop = self._limit.spend if self._limit else None
            return solver.ranking(root_of(state, found.depth), order, count, stop)

    def _search_openers(
        self, count: int, depth: int | None, *, losses: bool = False
    ) -> OpenerSearch:
        groups = group_by_symmetry(self.state, self.state.legal.tolist())
        search = OpenerSearch(
            self.evaluator,
            self.state,
            groups,
            ranking=min(count, len(groups)),
            threads=self.threads,
            depth=depth,
            losses=losses,
        )
        store = None
        if self.checkpoint is not None:
            # An objective may take several searches, each with a file of its own.
            stage = [f"best-{count}", f"depth-{depth}" * (depth is not None), "losses" * losses]
            name = "-".join(filter(None, stage)) + ".jsonl"
            store = Checkpoint(self.checkpoint, search, name)
        on_decided = _ignore if store is None else store.append

        def report() -> None:
            self.progress(len(search.decided), len(search.queue))

        try:
            if self.executor is None:
                search.run(on_decided, report, self._limit)
            else:
                self.executor.decide(search, on_decided, report)
        finally:
            if store is not None:
                store.close()
        return search

    def _value_elsewhere(
        self, opener: int, depth: int | None, *, losses: bool = False, limit: int = INF
    ) -> int:
        """The value of a guess, computed by the executor: exact if below the limit, otherwise a
        lower bound >= the limit."""
        assert self.executor is not None
        search = OpenerSearch(
            self.evaluator, self.state, [opener], depth=depth, losses=losses, limit=limit
        )
        self.executor.decide(search)
        return search.lower[opener]

    def _ranked(self, search: OpenerSearch) -> list[tuple[int, int]]:
        """The best guesses with their totals, best first: as many as requested (if so many keep
        within the cap), and all that equal the last of them."""
        groups = group_by_symmetry(self.state, self.state.legal.tolist())
        found = sorted(
            (total, guess not in search.candidates, guess)
            for total, _, first in search.found
            if total < min(search.target(), INF)
            for guess in groups[first]
        )
        return [(guess, total) for total, _, guess in found]

    def _share_parts(self, opener: int, depth: int | None, width: int = 0) -> None:
        """Solve the parts of a guess on all threads, into the shared transposition table."""
        limit = None if width else self._limit

        def work(part: State, below: int | None) -> None:
            self.evaluator.total(part, depth=below, width=width, clock=limit)

        self.each_part(opener, depth, work)

    def each_part(
        self, guess: int, depth: int | None, work: Callable[[State, int | None], T]
    ) -> list[T]:
        """The results of work(part, guesses left) for the parts of a guess, on all threads. Where
        one thread does as well (for few answers), nothing is done, and there are none."""
        if self.threads == 1 or len(self.state.candidates) < _SHARED_PARTS:
            return []
        parts = self.state.groups(guess)
        parts.pop(self.state.game.win, None)
        below = None if depth is None else depth - 1
        largest_first = sorted(parts.values(), key=lambda part: -len(part.candidates))
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(lambda part: work(part, below), largest_first))


def _ignore(opener: int, how: str, total: int) -> None:
    """Store nothing."""


def plan_of(search: ObjectiveSearch, found: ObjectiveResult) -> Plan | None:
    """The plan that follows the first of equally good guesses everywhere."""
    if not found.guesses:
        return None
    state, evaluator = search.state, search.evaluator
    known = {state.history: found.guesses[0]}
    if search.executor is not None and not found.width:
        parts = state.groups(found.guesses[0])
        parts.pop(state.game.win, None)
        large = [part for part in parts.values() if len(part.candidates) > _GROWN_HERE]
        below = None if found.depth is None else found.depth - 1
        known |= search.executor.choices(large, below)
    else:

        def work(part: State, below: int | None) -> dict[History, int]:
            return plan_choices(evaluator, part, below, found.width)

        for choices in search.each_part(found.guesses[0], found.depth, work):
            known |= choices

    def choose(at: State) -> int:
        if at.history in known:
            return known[at.history]
        depth = None if found.depth is None else found.depth - (at.turn - state.turn)
        return evaluator.best_guess(at, depth=depth, width=found.width)

    return Plan.grow(state.game, choose, state, sure=True)


def plan_choices(
    evaluator: Evaluator, state: State, depth: int | None, width: int = 0
) -> dict[History, int]:
    """The guesses of an optimal plan of at most `depth` guesses (of a beam search, with a width),
    for a state and all that follow."""
    chosen: dict[History, int] = {}

    def choose(at: State) -> int:
        left = None if depth is None else depth - (at.turn - state.turn)
        guess = chosen[at.history] = evaluator.best_guess(at, depth=left, width=width)
        return guess

    Plan.grow(state.game, choose, state, sure=True)
    return chosen


def _worst_of(search: ObjectiveSearch, found: ObjectiveResult) -> int:
    """The worst case of the plan behind a result."""
    plan = plan_of(search, found)
    assert plan is not None
    return max(plan.histogram)

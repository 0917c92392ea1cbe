"""What each objective asks of a state, and how it is found: the search behind `solve`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from salet.errors import InputError
from salet.game.state import State
from salet.search.budget import Clock
from salet.search.certify import Certificate, certify
from salet.search.checkpoint import Checkpoint
from salet.search.executor import Executor, History
from salet.search.opener_search import OpenerSearch, group_by_symmetry, guess_bounds
from salet.search.plan import Plan
from salet.search.splits import splits
from salet.search.value import INF, Cost, Evaluator, SearchInterruptedError, root_of, useful_depth

OPENER_BY_OPENER = 500
"""Size of a state from which its guesses are decided one by one, on all threads."""
_SHARED_PARTS = 1000
"""Size of a state from which the parts of a fixed guess are shared among threads."""
_GROWN_HERE = 40
"""Answers up to which this process finds the plan of a part, whoever searched it."""
_BEAM_WIDTH = 1
"""Guesses tried in each state for an upper bound when time is limited."""


@dataclass(frozen=True)
class Answer:
    """The optimum under an objective, as far as it is known."""

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
class ObjectiveSearch:
    """What one call of `solve` asks for: a state, perhaps a fixed opener, and the means."""

    state: State
    opener: int | None
    evaluator: Evaluator
    clock: Clock
    threads: int
    width: int
    executor: Executor | None = None
    """who searches, if not this process"""
    checkpoint: Path | None = None
    """directory in which every decided guess of a large state is stored"""
    progress: Callable[[int, int], None] = lambda *_: None
    """told how many guesses of a large state are decided, of how many"""

    @property
    def _limit(self) -> Clock | None:
        return self.clock if self.clock.limited else None

    @property
    def _is_large(self) -> bool:
        """Are guesses decided one by one?"""
        is_large = self.executor is not None or len(self.state.candidates) >= OPENER_BY_OPENER
        return self.opener is None and is_large

    # ---- objectives

    def answer(self, objective: str) -> Answer:
        return {
            "mean": self._mean,
            "worst": self._worst,
            "mean-then-worst": self._mean_then_worst,
            "win-then-mean": self._win_then_mean,
        }[objective]()

    def _mean(self, depth: int | None = None) -> Answer:
        """The least total of the plans that find every answer within `depth` guesses."""
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

    def _mean_of_opener(self, opener: int, depth: int | None) -> Answer:
        if self.executor is None:
            self._share_parts(opener, depth)
            total = self.evaluator.total(self.state, opener, depth=depth, clock=self._limit)
        else:
            total = self._value_elsewhere(opener, depth)
        if total >= INF:
            return Answer(_IMPOSSIBLE, None, [], depth)
        return Answer(Cost(0, total), Cost(0, total), [opener], depth)

    def _mean_of_state(self, depth: int | None) -> Answer:
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
                return Answer(_IMPOSSIBLE, None, [], depth)
            guesses = evaluator.ties(state, depth=depth, clock=self._limit)
            return Answer(Cost(0, upper), Cost(0, upper), guesses, depth)
        except SearchInterruptedError:
            return self._beam(_BEAM_WIDTH, depth, lower)

    def _mean_by_openers(self, depth: int | None) -> Answer:
        beam = self._beam(_BEAM_WIDTH, depth) if self.clock.limited else None
        search = self._search_openers(1, depth)
        if not search.done:
            assert beam is not None  # only a clock ends it early
            lower = Cost(0, search.lower_bound)
            best = search.found[0] if search.found else None
            if best and (beam.upper is None or best[0] < beam.upper.guesses):
                return Answer(lower, Cost(0, best[0]), [best[2]], depth)
            return replace(beam, lower=lower)
        ranked = self._ranked(search)
        if not ranked:
            return Answer(_IMPOSSIBLE, None, [], depth)
        total = ranked[0][1]
        guesses = [guess for guess, value in ranked if value == total]
        return Answer(Cost(0, total), Cost(0, total), guesses, depth)

    def _beam(self, width: int, depth: int | None, lower: int | None = None) -> Answer:
        """A plan that a beam search finds, and what is known as a lower bound."""
        state = self.state
        if lower is None and self.opener is not None:
            (lower,) = splits(state, state.legal[state.legal == self.opener]).guess_bounds
        bound = Cost(0, int(state.size_bound if lower is None else lower))
        total = self.evaluator.total(state, self.opener, depth=depth, width=width)
        if total >= INF:
            return Answer(bound, None, [], depth)
        if self.opener is None:
            guesses = self.evaluator.ties(state, depth=depth, width=width, limit=1)
        else:
            guesses = [self.opener]
        return Answer(bound, Cost(0, total), guesses, depth, width)

    def _win_then_mean(self) -> Answer:
        """Where every answer can be found the mean decides; otherwise losses have a price."""
        if self._is_large:
            return self._win_then_mean_by_openers()
        answer = self._mean()
        if answer.upper is not None:
            return answer
        evaluator, state, opener = self.evaluator, self.state, self.opener
        width = 0
        try:
            if not answer.proven:
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
        # What is known of plans that find every answer is no bound of those that lose some.
        lower = Cost(0, state.size_bound) if width else cost
        return Answer(lower, cost, guesses, width=width)

    def _win_then_mean_by_openers(self) -> Answer:
        evaluator, state = self.evaluator, self.state
        search = self._search_openers(1, None, losses=True)
        best = search.found[0] if search.found else None
        if search.done:
            assert best is not None  # with losses allowed every opener has a value
            cost = evaluator.cost_of(best[0])
            guesses = [guess for guess, value in self._ranked(search) if value == best[0]]
            return Answer(cost, cost, guesses)
        lower = max(evaluator.cost_of(search.lower_bound), Cost(0, state.size_bound))
        cost = evaluator.cost(state, width=_BEAM_WIDTH)
        if best is not None and evaluator.cost_of(best[0]) < cost:
            return Answer(lower, evaluator.cost_of(best[0]), [best[2]])
        guess = evaluator.best_guess(state, width=_BEAM_WIDTH)
        return Answer(lower, cost, [guess], width=_BEAM_WIDTH)

    def _worst(self) -> Answer:
        """The least depth at which every answer can be found; of those plans, the least total."""
        if self._is_large or self.executor is not None:
            return self._worst_by_openers()
        try:
            depth = self.evaluator.worst_case(self.state, self.opener, clock=self._limit)
        except SearchInterruptedError:
            return replace(self._beam(_BEAM_WIDTH, None), complete=False)
        return Answer(_IMPOSSIBLE, None, []) if depth is None else self._mean(depth)

    def _worst_by_openers(self) -> Answer:
        for depth in range(1, useful_depth(self.state) + 1):
            answer = self._mean(depth)
            if answer.upper is not None:
                return answer
            if not answer.proven:
                return replace(self._beam(_BEAM_WIDTH, None), complete=False)
        return Answer(_IMPOSSIBLE, None, [])

    def _mean_then_worst(self) -> Answer:
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

    def _reaches(self, guess: int, answer: Answer, depth: int) -> bool:
        """Does a guess reach the least total within `depth` guesses?"""
        assert answer.upper is not None
        beta = answer.upper.guesses + 1
        if self.executor is not None:
            return self._value_elsewhere(guess, depth, limit=beta) < beta
        found = self.evaluator.total(self.state, guess, beta=beta, depth=depth, clock=self._limit)
        return found < beta

    def certificate(self, answer: Answer) -> Certificate:
        """The proof of an answer's lower bound, for others to check."""
        if not answer.proven:
            raise InputError("nothing is proven yet that could be certified; give more seconds")
        losses = answer.upper is not None and answer.upper.losses > 0
        if answer.upper is None:
            lower = INF
        else:
            lower = answer.upper.guesses + answer.upper.losses * self.evaluator.loss
        return certify(
            self.state,
            {self.opener: lower},
            losses=losses,
            threads=self.threads,
            executor=self.executor,
        )

    # ---- rankings and threads

    def ranking(self, count: int, answer: Answer) -> list[tuple[int, int]]:
        """The best guesses and their totals (prices of losses included), in the order of ties."""
        state = self.state
        losses = answer.upper is not None and answer.upper.losses > 0
        if self.executor is not None or len(state.candidates) >= OPENER_BY_OPENER:
            search = self._search_openers(count, answer.depth, losses=losses)
            if not search.done:
                raise SearchInterruptedError
            return self._ranked(search)[:count]
        bounds = guess_bounds(state)
        order = sorted(bounds, key=lambda guess: bounds[guess])
        with self.evaluator.solver(losses=losses) as solver:
            stop = self._limit.spend if self._limit else None
            return solver.ranking(root_of(state, answer.depth), order, count, stop)

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
        """The value of a guess, found by the executor: exact if below the limit, else at least
        that."""
        assert self.executor is not None
        search = OpenerSearch(
            self.evaluator, self.state, [opener], depth=depth, losses=losses, limit=limit
        )
        self.executor.decide(search)
        return search.lower[opener]

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


def _ignore(opener: int, how: str, total: int) -> None:
    """Store nothing."""


def plan_of(search: ObjectiveSearch, answer: Answer) -> Plan | None:
    """The plan that follows the first of equally good guesses everywhere."""
    if not answer.guesses:
        return None
    state, evaluator = search.state, search.evaluator
    known = {state.history: answer.guesses[0]}
    if search.executor is not None and not answer.width:
        parts = state.groups(answer.guesses[0])
        parts.pop(state.game.win, None)
        large = [part for part in parts.values() if len(part.candidates) > _GROWN_HERE]
        below = None if answer.depth is None else answer.depth - 1
        known |= search.executor.choices(large, below)

    def choose(at: State) -> int:
        if at.history in known:
            return known[at.history]
        depth = None if answer.depth is None else answer.depth - (at.turn - state.turn)
        return evaluator.best_guess(at, depth=depth, width=answer.width)

    return Plan.grow(state.game, choose, state, sure=True)


def plan_choices(evaluator: Evaluator, state: State, depth: int | None) -> dict[History, int]:
    """The best guess of a state with at most `depth` guesses left, and of every state that follows
    in a plan."""
    chosen: dict[History, int] = {}

    def choose(at: State) -> int:
        left = None if depth is None else depth - (at.turn - state.turn)
        guess = chosen[at.history] = evaluator.best_guess(at, depth=left)
        return guess

    Plan.grow(state.game, choose, state, sure=True)
    return chosen


def _worst_of(search: ObjectiveSearch, answer: Answer) -> int:
    """The most guesses that the plan behind an answer takes."""
    plan = plan_of(search, answer)
    assert plan is not None
    return max(plan.histogram)

"""Decide every opener of a state: find the best, with valid bounds at all times.

Each opener is decided in one of three ways: its total is found (`exact`); a bound from the sizes of
its parts and one scan of the guesses after it reaches the target (`bound`); or a deep search shows
that it is worse than the target (`deep`). The target is the total of the K-th best opener so far (K
= 1 for the optimum alone). It never rises, so a decided opener stays decided. Openers that equal
the target are always valued exactly, so that ties do not depend on the order in which they are
tried.
"""

from __future__ import annotations

import contextlib
import copy
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from salet.game.state import State
from salet.search.budget import Clock
from salet.search.exact.opener_bound import MIN_DEPTH
from salet.search.exact.solver import SearchInterruptedError, Solver
from salet.search.quick_bounds import (
    LOSS_DEPTHS,
    LossBound,
    QuickBound,
    SharedCore,
    WeightedBound,
)
from salet.search.roots import root_of
from salet.search.splits import splits
from salet.search.symmetric_search import Memo, symmetric_search
from salet.search.value import INF, Evaluator

WAYS = ("exact", "bound", "deep")
"""How an opener is decided."""
_SIMILAR_MB = 100.0
_MAX_LOSS_ANSWERS = 5000
"""Maximum number of answers for which losses are counted, since a count cannot be interrupted."""

Found = tuple[int, bool, int]
"""(total, is not a candidate, opener) of an opener that was valued exactly; best ones sort first"""
OnDecided = Callable[[int, str, int], None]
"""called with (opener, how it was decided, total or lower bound)"""


class OpenerSearch:
    """Finds the K best openers of a state, on several threads that share tables and target."""

    def __init__(
        self,
        evaluator: Evaluator,
        state: State,
        openers: Iterable[int],
        *,
        ranking: int = 1,
        threads: int = 1,
        depth: int | None = None,
        losses: bool = False,
        ties: bool = True,
        limit: int = INF,
    ) -> None:
        """`depth` is the maximum number of guesses, if below what the cap leaves. With `losses`,
        answers may be lost, and totals are values of a solver with losses (`Evaluator.cost_of`).
        Without `ties`, openers that equal the last of the K best need not be valued. Totals of
        `limit` or more need not be distinguished."""
        self.evaluator, self.state, self.depth = evaluator, state, depth
        self.losses = losses
        self.ranking, self.ties, self.limit = ranking, ties, limit
        self.threads = threads
        self.lock = threading.Lock()
        self.candidates = frozenset(state.candidates.tolist())
        self.bounds = guess_bounds(state)
        """a lower bound of every legal opener, known beforehand"""
        self.nodes_elsewhere = 0
        """states expanded by other processes that decide openers for this one"""
        # The similar sets of all threads count towards the memory limit.
        self._similar_mb = min(_SIMILAR_MB, evaluator.megabytes / threads)
        self._quick_bounds: list[QuickBound | WeightedBound] = []
        self._loss_bounds: list[LossBound] = []
        self._cores: list[SharedCore] = []
        self.memo = Memo()
        """bounds of states, in a game with symmetries"""
        self.restart(openers)

    def restart(self, openers: Iterable[int], found: Iterable[Found] = ()) -> None:
        """Start again with these openers and the same transposition table.

        `found` are openers that were valued elsewhere: they set the target.
        """
        # Openers with the most parts come first, which lowers the target early.
        wanted = set(openers)
        self.queue = [int(g) for g in self.evaluator.layout.original if int(g) in wanted]
        if not self.ties:
            self.queue.sort(key=lambda opener: self.bounds[opener])
        self.lower = {opener: self.bounds[opener] for opener in self.queue}
        self.found = sorted(found)
        self.decided: dict[int, str] = {}

    # ---- bounds

    def target(self) -> int:
        """The smallest total with which an opener is worse than the K best."""
        if len(self.found) < self.ranking:
            return self.limit
        return min(self.limit, self.found[self.ranking - 1][0] + self.ties)

    def decide(self, opener: int, how: str, total: int) -> None:
        """Record how an opener was decided, with its total or lower bound."""
        self.lower[opener] = max(self.lower[opener], total)
        self.decided[opener] = how
        if how == "exact":
            self.found.append((total, opener not in self.candidates, opener))
            self.found.sort()

    @property
    def upper_bound(self) -> int | None:
        """The minimum total so far; None before the first."""
        return self.found[0][0] if self.found else None

    @property
    def lower_bound(self) -> int:
        """A lower bound on the totals of all openers."""
        return min(self.lower.values())

    @property
    def done(self) -> bool:
        return len(self.decided) == len(self.queue)

    @property
    def nodes(self) -> int:
        """States expanded so far."""
        return self.nodes_elsewhere + self.evaluator.nodes

    def count_decided(self) -> dict[str, int]:
        """Openers by how they were decided."""
        counts = Counter(self.decided.values())
        return {way: counts[way] for way in WAYS}

    # ---- the work

    def run(
        self,
        on_decided: OnDecided = lambda *_: None,
        progress: Callable[[], None] = lambda: None,
        clock: Clock | None = None,
    ) -> None:
        """Decide every opener that is not decided yet, unless the clock expires.

        `on_decided` is called under a lock; `progress` is called periodically from this thread.
        """
        waiting = iter([opener for opener in self.queue if opener not in self.decided])
        failures: list[BaseException] = []
        stopping = threading.Event()

        def work() -> None:
            try:
                self._work(waiting, on_decided, clock, stopping)
            except SearchInterruptedError:
                stopping.set()
            except BaseException as error:
                failures.append(error)
                stopping.set()

        workers = [threading.Thread(target=work) for _ in range(self.threads)]
        for worker in workers:
            worker.start()
        try:
            while any(worker.is_alive() for worker in workers):
                for worker in workers:
                    worker.join(0.1)
                progress()
        finally:
            stopping.set()  # Ctrl-C: each thread ends with the opener it is at
            for worker in workers:
                worker.join()
        if failures:
            raise failures[0]

    def decide_batch(
        self,
        openers: Sequence[int],
        found: Iterable[Found],
        *,
        ranking: int,
        ties: bool,
        limit: int,
        clock: Clock,
    ) -> list[tuple[int, str, int]]:
        """Decide openers for another process, in the order given, until the clock expires.

        Several threads may call this at a time. What they decide is returned, not recorded here.
        """
        batch = copy.copy(self)
        batch.ranking, batch.ties, batch.limit = ranking, ties, limit
        batch.restart(openers, found)
        decided: list[tuple[int, str, int]] = []
        with contextlib.suppress(SearchInterruptedError):
            batch._work(iter(openers), lambda *one: decided.append(one), clock, threading.Event())
        return decided

    def _work(
        self,
        waiting: Iterator[int],
        on_decided: OnDecided,
        clock: Clock | None,
        stopping: threading.Event,
    ) -> None:
        with (
            self._quick_bound() as quick_bound,
            self._loss_bound() as loss_bound,
            self.evaluator.solver() as solver,
        ):
            while not stopping.is_set() and not (clock and clock.expired()):
                with self.lock:
                    opener = next(waiting, None)
                    target = self.target()
                if opener is None:
                    return
                how, total = "bound", self.lower[opener]
                if total < target < INF and quick_bound is not None:
                    total = max(total, quick_bound(opener, target))
                if total < target and loss_bound is not None:
                    total = max(total, loss_bound(opener, self.bounds[opener], target))
                if total < target:
                    total = self._cost(solver, opener, total, target, clock)
                    how = "exact" if total < target else "deep"
                with self.lock:
                    self.decide(opener, how, total)
                    on_decided(opener, how, total)

    def warm_up(self) -> None:
        """Load (or compile) the kernels of the quick bound."""
        with self._quick_bound() as quick_bound:
            if quick_bound is not None and self.queue:
                quick_bound(self.queue[0], INF)
        with self._loss_bound() as loss_bound:
            if loss_bound is not None and self.queue:
                loss_bound.warm_up(self.queue[0])

    @contextlib.contextmanager
    def _quick_bound(self) -> Iterator[QuickBound | WeightedBound | None]:
        """The quick bound for one thread, which learns from one opener to the next."""
        layout, root = self.evaluator.layout, root_of(self.state, self.depth)
        if layout.win > 255 or root.depth < MIN_DEPTH or (self.losses and not layout.unit):
            yield None
            return
        with self.lock:
            quick = self._quick_bounds.pop() if self._quick_bounds else None
        if quick is None and layout.unit:
            with self.evaluator.solver(losses=self.losses) as solver:
                quick = QuickBound(solver, root, self._similar_mb)
        elif quick is None:
            quick = WeightedBound(layout, root, self._similar_mb)
        try:
            yield quick
        finally:
            self._quick_bounds.append(quick)

    @contextlib.contextmanager
    def _loss_bound(self) -> Iterator[LossBound | None]:
        """The bound by losses for one thread, if few enough guesses are left."""
        layout, root = self.evaluator.layout, root_of(self.state, self.depth)
        is_large = len(root.answers) > _MAX_LOSS_ANSWERS
        if not layout.unit or layout.win > 255 or root.depth not in LOSS_DEPTHS or is_large:
            yield None
            return
        with self.lock:
            bound = self._loss_bounds.pop() if self._loss_bounds else None
        if bound is None:
            loss = self.evaluator.loss if self.losses else INF
            bound = LossBound(self.evaluator, root, loss, self._cores)
        try:
            yield bound
        finally:
            self._loss_bounds.append(bound)

    def _cost(
        self, solver: Solver, opener: int, known: int, target: int, clock: Clock | None
    ) -> int:
        """The total of an opener (with losses, its value): exact if below the target, otherwise a
        lower bound >= the target. `known` is a lower bound."""
        loss = self.evaluator.loss
        if not self.losses:
            return self._total(solver, opener, target, clock)
        if target <= loss:  # a plan that loses an answer costs as much, which is enough
            return min(self._total(solver, opener, target, clock), loss)
        if known < loss:
            # Most states need no losses, and the search without losses is faster.
            total = self._total(solver, opener, INF, clock)
            if total < INF:
                return total
        with self.evaluator.solver(losses=True) as lossy:
            return self._total(lossy, opener, target, clock, solver)

    def _total(
        self,
        solver: Solver,
        opener: int,
        target: int,
        clock: Clock | None,
        lossless: Solver | None = None,
    ) -> int:
        """The total of an opener: exact if below the target, otherwise a lower bound >= it."""
        stop = None if clock is None else clock.spend
        if self.state.game.symmetry.is_trivial:
            # A round raises a bound by a share of the number of answers, which is next to nothing
            # with weights and losses.
            in_rounds = target < INF and bool(solver.layout.unit) and solver.layout.loss >= INF
            root = root_of(self.state, self.depth)
            return solver.value(root, opener, target, in_rounds=in_rounds, stop=stop)
        memo, state, depth = self.memo, self.state, self.depth
        search = symmetric_search(memo, state, depth, stop, solver, lossless)
        return search.value_of_guess(state, opener, target)


def state_value(
    evaluator: Evaluator, state: State, *, depth: int | None, beta: int, losses: bool, clock: Clock
) -> int:
    """The value of a state: exact if below `beta`, otherwise a lower bound >= `beta`.

    `depth` and `losses` as in OpenerSearch.
    """
    root = root_of(state, depth)
    memo = Memo()

    def value(solver: Solver, beta: int, lossless: Solver | None = None) -> int:
        if not state.game.symmetry.is_trivial:
            search = symmetric_search(memo, state, depth, clock.spend, solver, lossless)
            return search.value(state, beta)
        return solver.value(root, beta=beta, stop=clock.spend)

    with evaluator.solver() as solver:
        if not losses:
            return value(solver, beta)
        # Most states need no losses, and the search without losses is faster.
        total = value(solver, INF if beta > evaluator.loss else beta)
        if beta <= evaluator.loss:
            return min(total, evaluator.loss)  # a plan that loses an answer costs as much
        if total < INF:
            return total
        with evaluator.solver(losses=True) as lossy:
            return value(lossy, beta, solver)


def guess_bounds(state: State) -> dict[int, int]:
    """Lower bounds on all legal guesses, from the number of their parts [guess bound]; with
    weights, the size bound of the state."""
    if state.game.weights is not None:
        return dict.fromkeys(state.legal.tolist(), state.size_bound)
    found = splits(state)
    return dict(zip(found.guesses.tolist(), found.guess_bounds.tolist(), strict=True))


def group_by_symmetry(state: State, guesses: Iterable[int]) -> dict[int, list[int]]:
    """The orbits of guesses under the symmetries of a state, by the first guess of each."""
    first = state.game.symmetry.first_equivalent([guess for guess, _ in state.history])
    groups: dict[int, list[int]] = {}
    for guess in sorted(set(guesses)):
        groups.setdefault(int(first[guess]), []).append(guess)
    return {group[0]: group for group in groups.values()}

"""Decide every opener of a state: which are best, and what is known at every moment.

Each opener is decided in one of three ways: its total is found exactly (`exact`); a bound from its
parts' sizes and one look at every guess after it reaches the target (`bound`); or a deep search
shows that it is worse than the target (`deep`). The target is the total of the K-th best opener so
far (K = 1 for the optimum alone), so it only falls, and an opener once decided stays decided.
Openers that equal the target are always valued exactly: who wins a tie must not depend on who was
tried first.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from salet.array_types import Ints
from salet.game.state import State
from salet.search.exact.layout import NORMAL
from salet.search.exact.opener_bound import MIN_DEPTH, opener_bound
from salet.search.exact.solver import Root, SearchInterruptedError, Solver
from salet.search.exact.stack import build_stack
from salet.search.splits import splits
from salet.search.value import INF, Clock, Evaluator, root_of

WAYS = ("exact", "bound", "deep")
"""How an opener is decided."""
_SIMILAR_MB = 100.0

Found = tuple[int, bool, int]
"""(total, is no candidate, opener) of an opener that was valued exactly: the best are the least"""
OnDecided = Callable[[int, str, int], None]
"""told (opener, how it was decided, total or lower bound)"""


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
    ) -> None:
        """`depth` limits the guesses left, if fewer than the cap leaves."""
        self.evaluator, self.state, self.depth = evaluator, state, depth
        self.ranking = ranking
        self.threads = threads
        self.lock = threading.Lock()
        self.candidates = frozenset(state.candidates.tolist())
        self.bounds = guess_bounds(state)
        """a lower bound of every legal opener, known beforehand"""
        self.nodes_elsewhere = 0
        """states expanded by other processes that decide openers for this one"""
        # What the similar sets of all threads take counts towards the memory allowed.
        self._similar_mb = min(_SIMILAR_MB, evaluator.megabytes / threads)
        self._quick_bounds: list[_QuickBound] = []
        self.restart(openers)

    def restart(self, openers: Iterable[int], found: Iterable[Found] = ()) -> None:
        """Begin again with these openers; what is known of states stays.

        `found` are openers that were valued elsewhere: they set the target.
        """
        # Openers that make most parts first: the target is then low early.
        wanted = set(openers)
        self.queue = [int(g) for g in self.evaluator.layout.original if int(g) in wanted]
        self.lower = {opener: self.bounds[opener] for opener in self.queue}
        self.found = sorted(found)
        self.decided: dict[int, str] = {}

    # ---- what is known

    def target(self) -> int:
        """An opener of this total or more is not among the K best, nor equal to the last."""
        return self.found[self.ranking - 1][0] + 1 if len(self.found) >= self.ranking else INF

    def decide(self, opener: int, how: str, total: int) -> None:
        """Record what is now known of an opener."""
        self.lower[opener] = max(self.lower[opener], total)
        self.decided[opener] = how
        if how == "exact":
            self.found.append((total, opener not in self.candidates, opener))
            self.found.sort()

    @property
    def upper_bound(self) -> int | None:
        """The least total found so far; None before the first."""
        return self.found[0][0] if self.found else None

    @property
    def lower_bound(self) -> int:
        """No opener has a lower total."""
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

        `on_decided` is called under a lock; `progress` now and then, from this thread.
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

    def _work(
        self,
        waiting: Iterator[int],
        on_decided: OnDecided,
        clock: Clock | None,
        stopping: threading.Event,
    ) -> None:
        with self._quick_bound() as quick_bound, self.evaluator.solver() as solver:
            while not stopping.is_set() and not (clock and clock.expired()):
                with self.lock:
                    opener = next(waiting, None)
                    target = self.target()
                if opener is None:
                    return
                how, total = "bound", self.lower[opener]
                if total < target < INF and quick_bound is not None:
                    total = max(total, quick_bound(opener, target))
                if total < target:
                    total = self._total(solver, opener, target, clock)
                    how = "exact" if total < target else "deep"
                with self.lock:
                    self.decide(opener, how, total)
                    on_decided(opener, how, total)

    def warm_up(self) -> None:
        """Load (or compile) the kernels of the quick bound."""
        with self._quick_bound() as quick_bound:
            if quick_bound is not None and self.queue:
                quick_bound(self.queue[0], INF)

    @contextlib.contextmanager
    def _quick_bound(self) -> Iterator[_QuickBound | None]:
        """The quick bound for one thread, which learns from one opener to the next."""
        layout, root = self.evaluator.layout, root_of(self.state, self.depth)
        if not layout.unit or layout.win > 255 or root.depth < MIN_DEPTH:
            yield None
            return
        with self.lock:
            quick = self._quick_bounds.pop() if self._quick_bounds else None
        if quick is None:
            quick = _QuickBound(self.evaluator, root, self._similar_mb)
        try:
            yield quick
        finally:
            self._quick_bounds.append(quick)

    def _total(self, solver: Solver, opener: int, target: int, clock: Clock | None) -> int:
        """The total of an opener: exact if below the target, else at least that."""
        stop = None if clock is None else clock.spend
        if self.state.game.symmetry.is_none:
            # Rounds ask for a share of the number of answers, which is next to nothing of weights.
            in_rounds = target < INF and bool(solver.layout.unit)
            root = root_of(self.state, self.depth)
            return solver.value(root, opener, target, in_rounds=in_rounds, stop=stop)
        # Where guesses can be exchanged for each other, one of each kind suffices as a reply.
        replies = self._replies(opener)
        depth = None if self.depth is None else self.depth - 1
        parts = self.state.groups(opener)
        parts.pop(self.state.game.win, None)
        total = self.state.weight + sum(part.size_bound for part in parts.values())
        for part in sorted(parts.values(), key=lambda part: len(part.candidates)):
            if total >= target:
                break
            others = total - part.size_bound
            value = solver.best_of(root_of(part, depth), replies, target - others, stop)
            total = min(others + value, INF)
        return total

    def _replies(self, opener: int) -> Ints:
        """The second guesses that suffice after an opener."""
        made = [guess for guess, _ in self.state.history]
        replies: Ints = np.unique(self.state.game.symmetry.first_equivalent([*made, opener]))
        return replies


class _QuickBound:
    """`opener_bound` for one thread, and the memory it needs."""

    def __init__(self, evaluator: Evaluator, root: Root, megabytes: float) -> None:
        self._layout = evaluator.layout
        is_normal = self._layout.mode == NORMAL
        self._stack = build_stack(self._layout, 2, similar_mb=megabytes if is_normal else 0)
        with evaluator.solver() as solver:
            self._table = solver.table
            solver.enter(root)
            for name in ("frames", "answers", "legal", "greens", "needs", "legal_keys"):
                getattr(self._stack, name)[0] = getattr(solver.stack, name)[0]
        frame = self._stack.frames[0]
        frame.max_parts = frame.max_peel = frame.count

    def __call__(self, opener: int, target: int) -> int:
        """A lower bound of the opener; at least the target if that can be shown quickly."""
        index = self._layout.index_of[opener]
        return int(opener_bound(self._layout, self._stack, self._table, 0, index, target))


def guess_bounds(state: State) -> dict[int, int]:
    """A lower bound of every legal guess from the number of its parts [guess bound]; with weights
    the size bound, which holds for all."""
    if state.game.weights is not None:
        return dict.fromkeys(state.legal.tolist(), state.size_bound)
    found = splits(state)
    return dict(zip(found.guesses.tolist(), found.guess_bounds.tolist(), strict=True))


def group_by_symmetry(state: State, guesses: Iterable[int]) -> dict[int, list[int]]:
    """Guesses that can be exchanged for each other, by the first of them."""
    first = state.game.symmetry.first_equivalent([guess for guess, _ in state.history])
    groups: dict[int, list[int]] = {}
    for guess in sorted(set(guesses)):
        groups.setdefault(int(first[guess]), []).append(guess)
    return {group[0]: group for group in groups.values()}

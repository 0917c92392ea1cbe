"""The best opener over all guesses, proved: who is tried when, and what is known at every moment.

Every opener is decided in one of three ways: its value is found exactly (`exact`); a bound from its
parts' sizes and one look at every guess after it passes the target (`bound`); or a deep search
shows that it is worse than the target (`deep`). The target is the value of the K-th best opener so
far (K = 1 for the optimum alone), so it only falls, and an opener once decided stays decided.
Openers that equal the target are always valued exactly: who wins a tie must not depend on who was
tried first.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from salet.array_types import Ints
from salet.search.exact.build import build_stack
from salet.search.exact.level_two import second_level
from salet.search.exact.model import DEPTH, INF
from salet.search.exact.neighbours import empty_library
from salet.search.exact.solver import Hint, Rules, Solver
from salet.search.exact.transpositions import empty_bounds

WAYS = ("exact", "bound", "deep")
_NEIGHBOURS_MB = 100
_TABLE_MB = 256
"""More is never filled by a proof that ends within minutes, and costs page faults."""
_SIZES = 400
"""Larger parts gain alike."""

Found = tuple[int, bool, int]
"""(value, is no answer, opener): an opener that was valued exactly; the best are the least"""
Note = Callable[[int, str, int], None]
"""told (opener, how it was decided, value)"""


class Prover:
    """Proves the K best openers of a game. Threads share the table of bounds and the target."""

    def __init__(
        self,
        rules: Rules,
        *,
        history: Sequence[Hint] = (),
        ranking: int,
        openers: Iterable[int],
        lowers: dict[int, int],
        megabytes: float,
        threads: int,
        solver: Solver | None = None,
        replies: Callable[[int], Ints] | None = None,
    ) -> None:
        """`lowers` are bounds that are known beforehand, one for each opener. `solver` lends its
        table of bounds, if given. `replies` says which guesses suffice after an opener, where not
        all are needed."""
        self.replies = replies
        self.rules, self.history, self.want = rules, history, ranking
        # the neighbours of every thread count towards the memory that is allowed
        self.neighbours_mb = min(_NEIGHBOURS_MB, megabytes / (3 * threads))
        if solver is None:
            solver = Solver(rules, bounds=empty_bounds(min(megabytes / 3, _TABLE_MB)))
        self.solvers = [solver, *(solver.twin() for _ in range(threads - 1))]
        self.candidates = frozenset(solver.answers(history))
        self.has_level_two = bool(solver.game.unit) and solver.game.win < 256
        self.lowers = lowers
        self.elsewhere = 0
        """nodes of those who decide openers for us in other processes"""
        self.lock = threading.Lock()
        self.quick: dict[int, _LevelTwo] = {}
        self.take(openers)

    def take(self, openers: Iterable[int], found: Iterable[Found] = ()) -> None:
        """Begin anew with these openers; what is remembered of states stays.

        `found` are openers that somebody else has valued: they set the target.
        """
        # Best looking first (the kernels' own order, by number of parts): the target is low early.
        asked = set(openers)
        self.queue = [int(g) for g in self.solvers[0].game.names if int(g) in asked]
        self.lower = {g: self.lowers[g] for g in self.queue}
        self.found = sorted(found)
        self.decided: dict[int, str] = {}
        self.stopping = False

    # ---- what is known

    def target(self) -> int:
        """An opener of this value or more is not among the K best, nor equal to the last."""
        return self.found[self.want - 1][0] + 1 if len(self.found) >= self.want else INF

    def decide(self, opener: int, how: str, value: int) -> None:
        """Note what is now known of an opener."""
        self.lower[opener] = max(self.lower[opener], value)
        self.decided[opener] = how
        if how == "exact":
            self.found.append((value, opener not in self.candidates, opener))
            self.found.sort()

    @property
    def upper(self) -> int | None:
        return self.found[0][0] if self.found else None

    @property
    def least(self) -> int:
        """A lower bound of the optimum: lower <= optimum <= upper at every moment."""
        return min(self.lower.values())

    @property
    def done(self) -> bool:
        return len(self.decided) == len(self.queue)

    @property
    def nodes(self) -> int:
        return self.elsewhere + sum(solver.nodes for solver in self.solvers)

    def counts(self) -> dict[str, int]:
        """Openers by how they were decided."""
        counted = Counter(self.decided.values())
        return {way: counted[way] for way in WAYS}

    # ---- the work

    def run(self, note: Note, pulse: Callable[[], None]) -> None:
        """Decide every opener that is not decided yet.

        `note` is told of each (under a lock); `pulse` is called now and then from this thread.
        """
        waiting = iter([g for g in self.queue if g not in self.decided])
        failures: list[BaseException] = []

        def work(solver: Solver) -> None:
            try:
                self._work(solver, waiting, note)
            except BaseException as error:
                failures.append(error)
                self.stopping = True

        workers = [threading.Thread(target=work, args=(solver,)) for solver in self.solvers]
        for worker in workers:
            worker.start()
        try:
            while any(worker.is_alive() for worker in workers):
                for worker in workers:
                    worker.join(0.1)
                pulse()
        finally:
            self.stopping = True  # Ctrl-C: each thread ends with the opener it is at
            for worker in workers:
                worker.join()
        if failures:
            raise failures[0]

    def _work(self, solver: Solver, waiting: Iterator[int], note: Note) -> None:
        quick = self._level_two(solver)
        while not self.stopping:
            with self.lock:
                opener = next(waiting, None)
                target = self.target()
            if opener is None:
                return
            how, value = "bound", self.lower[opener]
            if value < target < INF and quick is not None:
                value = max(value, quick.bound(opener, target))
            if value < target:
                value = self._value(solver, opener, target)
                how = "exact" if value < target else "deep"
            with self.lock:
                self.decide(opener, how, value)
                note(opener, how, value)

    def warm_up(self) -> None:
        """Load (or compile) the kernels of the quick bound."""
        quick = self._level_two(self.solvers[0])
        if quick is not None:
            quick.bound(self.queue[0], INF)

    def _level_two(self, solver: Solver) -> _LevelTwo | None:
        """The quick bound of a thread, which learns from one opener to the next."""
        if not self.has_level_two:
            return None
        if id(solver) not in self.quick:
            self.quick[id(solver)] = _LevelTwo(self, solver)
        return self.quick[id(solver)]

    def _value(self, solver: Solver, opener: int, target: int) -> int:
        """The total of an opener: exact if below the target, else at least that."""
        if self.replies is None:
            # Rounds ask for a share of the number of answers, which is next to nothing of weights.
            in_rounds = target < INF and bool(solver.game.unit)
            return solver.value(self.history, opener, target, in_rounds=in_rounds)
        row = self.rules.table[opener]
        sizes = np.bincount(row[sorted(self.candidates)], minlength=self.rules.patterns)
        sizes[-1] = 0  # won
        replies = self.replies(opener)
        parts = sorted(np.flatnonzero(sizes).tolist(), key=lambda pattern: int(sizes[pattern]))
        lower = {pattern: self._least(row, pattern) for pattern in parts}
        total = self._weight() + sum(lower.values())
        for pattern in parts:
            if total >= target:
                break
            here = (*self.history, (opener, pattern))
            rest = total - lower[pattern]
            value = solver.least_of(here, replies, target - rest)
            total = min(rest + value, INF)
        return total

    def _weight(self) -> int:
        weights = self.rules.weights
        members = sorted(self.candidates)
        return len(members) if weights is None else int(weights[members].sum())

    def _least(self, row: Any, pattern: int) -> int:
        """The size bound of a part [bounds.py]."""
        weights = self.rules.weights
        members = [a for a in self.candidates if row[a] == pattern]
        own = np.ones(len(members), np.int64) if weights is None else weights[members]
        return 2 * int(own.sum()) - int(own.max())


class _LevelTwo:
    """The quick bound of one thread, and the memory it needs."""

    def __init__(self, prover: Prover, solver: Solver) -> None:
        self.solver, self.bounds = solver, prover.solvers[0].bounds
        is_normal = solver.game.mode == 0
        answers = prover.rules.table.shape[1]
        self.library = empty_library(answers, prover.neighbours_mb if is_normal else 1)
        self.hopes = np.full(_SIZES, 0.5)
        self.scratch = build_stack(solver.game, 2)
        solver.enter(prover.history)
        for name in ("frame", "answers", "legal", "green", "need", "legal_key"):
            getattr(self.scratch, name)[0] = getattr(solver.stack, name)[0]

    def bound(self, opener: int, target: int) -> int:
        """A lower bound of the opener, at least the target if that can be had quickly."""
        solver, scratch = self.solver, self.scratch
        if scratch.frame[0, DEPTH] < 4:
            return 0
        place = solver.place[opener]
        found = second_level(
            solver.game, scratch, self.bounds, self.library, self.hopes, place, target
        )
        return int(found)

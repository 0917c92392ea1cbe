"""Value states: costs, or bounds on them, within a budget.

Everything that values states uses an `Evaluator`: solving, the coach, the exact player, regret, the
teachers of networks and both anytime searches. It owns the game's layout, the transposition tables
and the solvers. Solvers are built elsewhere only for other purposes than valuing a state: to log a
certificate (certify.py) and to bound guesses by scans of their parts (quick_bounds.py,
part_bounds.py).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from salet.array_types import Indices
from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.search.budget import Clock
from salet.search.exact.layout import INF, NORMAL, Layout, build_layout, layout_of
from salet.search.exact.solver import Root, SearchInterruptedError, Solver
from salet.search.roots import root_of, useful_depth

__all__ = [
    "INF",
    "Bounds",
    "Cost",
    "Evaluator",
    "SearchInterruptedError",
]

_MEGABYTES = 32.0
_BEAM_MEGABYTES = 4.0
_MIN_GIGABYTES = 256 * 32 / 2**30
"""The smallest transposition table."""
WINDOW_START, WINDOW_END, WINDOW_STEPS = 2.875, 3.375, 8
"""First and last mean that `Evaluator.cost_within` tries, and steps per guess."""
_TINY = 4
"""Number of words of the game that loads the kernels."""


@dataclass(frozen=True, order=True)
class Cost:
    """Weighted numbers of lost answers and of guesses, summed over answers.

    Costs are compared by losses first. The guesses made for a lost answer count, too.
    """

    losses: int
    guesses: int

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.losses + other.losses, self.guesses + other.guesses)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.losses - other.losses, self.guesses - other.guesses)


@dataclass(frozen=True)
class Bounds:
    """Bounds on an optimal cost: lower <= optimum <= upper."""

    lower: Cost
    upper: Cost

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


class Evaluator:
    """Values the states of one game. Thread-safe.

    Methods that search take a `depth` (maximum number of guesses, if below what the cap leaves), a
    `width` (of a beam search, which tries that many guesses in each state and finds an upper bound)
    and a running `clock`; they raise SearchInterruptedError when it expires.
    """

    def __init__(self, game: Game, *, megabytes: float = _MEGABYTES) -> None:
        self.game = game
        self.layout = layout_of(game)
        self.megabytes = megabytes
        self._pools: dict[tuple[bool, int], _Pool] = {}
        self._lock = threading.Lock()
        answers = game.answer_count
        max_guesses = answers + 1 if game.cap is None else min(game.cap, answers + 1)
        # A lost answer must outweigh any number of guesses.
        self.loss = (max_guesses + 1) * game.start().weight + 1

    def warm_up(self) -> None:
        """Load (or compile) the kernels on a tiny game of the same kind, before a clock starts."""
        solver = Solver(_tiny(self.layout), megabytes=0.01)
        answers = np.arange(solver.layout.table.shape[1], dtype=np.int32)
        legal = None if self.layout.mode == NORMAL else solver.layout.original
        root = Root(answers, len(answers) + 1, legal)
        solver.ties(root, solver.value(root))

    @property
    def nodes(self) -> int:
        """States expanded so far."""
        return sum(pool.nodes for pool in self._pools.values())

    @contextmanager
    def solver(self, *, losses: bool = False, width: int = 0) -> Iterator[Solver]:
        """A solver for the calling thread; solvers of the same kind share a transposition table."""
        with self._lock:
            pool = self._pools.get((losses, width))
            if pool is None:
                pool = self._pools[losses, width] = self._pool(losses, width)
            solver = pool.free.pop() if pool.free else pool.another()
        try:
            yield solver
        finally:
            pool.free.append(solver)

    def _pool(self, losses: bool, width: int) -> _Pool:
        if losses and self.loss * self.game.start().weight >= INF:
            raise InputError(
                f"the weights of {self.game.name} are too great to price lost answers; "
                "divide them by 1000"
            )
        return _Pool(
            Solver(
                self.layout,
                loss=self.loss if losses else INF,
                width=width,
                max_depth=self.game.cap,
                megabytes=min(self.megabytes, _BEAM_MEGABYTES) if width else self.megabytes,
            )
        )

    # ---- totals: every answer is found

    def total(
        self,
        state: State,
        guess: int | None = None,
        *,
        beta: int = INF,
        depth: int | None = None,
        width: int = 0,
        in_rounds: bool = False,
        clock: Clock | None = None,
    ) -> int:
        """The minimum total of a state, or of one guess in it: exact if below `beta`, otherwise a
        lower bound >= `beta`. INF if no plan finds every answer."""
        trivial = None if guess is not None else trivial_cost(state, depth)
        if trivial is not None:
            return INF if trivial.losses else trivial.guesses
        with self.solver(width=width) as solver:
            stop = None if clock is None else clock.spend
            root = root_of(state, depth)
            return solver.value(root, guess, beta, in_rounds=in_rounds, stop=stop)

    def bisect_total(
        self,
        state: State,
        lower: int,
        upper: int,
        *,
        depth: int | None = None,
        clock: Clock | None = None,
    ) -> Iterator[tuple[int, int]]:
        """Yield ever tighter bounds on the total of a state, by bisection, until they meet.

        `upper` is the total of a known plan, or INF. Both end as INF if no plan finds every answer.
        """
        longest = state.weight * root_of(state, depth).depth  # of a plan that finds every answer
        if lower > longest:
            yield INF, INF
            return
        is_known = upper < INF
        upper = min(upper, longest + 1)
        while lower < upper:
            middle = lower + (upper - lower + 1) // 2
            value = self.total(state, beta=middle, depth=depth, clock=clock)
            lower, upper = (value, value) if value < middle else (min(value, upper), upper)
            is_known |= value < middle
            if lower > longest:
                lower = upper = INF
            yield lower, upper if is_known else INF

    def can_find_all(
        self,
        state: State,
        guess: int | None = None,
        *,
        depth: int | None = None,
        clock: Clock | None = None,
    ) -> bool:
        """Whether every answer can be found within `depth` guesses."""
        root = root_of(state, depth)
        if guess is None and root.depth >= len(root.answers):
            return True  # guess one answer after another
        with self.solver() as solver:
            stop = None if clock is None else clock.spend
            return solver.value(root, guess, feasible=True, stop=stop) < INF

    def worst_case(
        self, state: State, guess: int | None = None, *, clock: Clock | None = None
    ) -> int | None:
        """The minimum worst case: the smallest number of guesses that suffices for every answer.

        None if the cap leaves fewer.
        """
        for depth in range(1, root_of(state).depth + 1):
            if self.can_find_all(state, guess, depth=depth, clock=clock):
                return depth
        return None

    # ---- costs: answers may be lost, but as few as possible

    def cost(
        self,
        state: State,
        guess: int | None = None,
        *,
        depth: int | None = None,
        width: int = 0,
        clock: Clock | None = None,
    ) -> Cost:
        """The minimum cost of a state, or of one guess in it."""
        trivial = None if guess is not None else trivial_cost(state, depth)
        if trivial is not None:
            return trivial
        if not width:  # most states need no losses, and the search without losses is faster
            total = self.total(state, guess, depth=depth, clock=clock)
            if total < INF:
                return Cost(0, total)
        with self.solver(losses=True, width=width) as solver:
            stop = None if clock is None else clock.spend
            return self.cost_of(solver.value(root_of(state, depth), guess, stop=stop))

    def cost_within(self, state: State, upper: Cost, *, clock: Clock | None = None) -> Cost:
        """The minimum cost of a state with a known plan of cost `upper`, which loses answers.

        First, plans without losses are searched with a slowly rising limit on the mean, which is
        quick if a good one exists. To prove that there is none takes long, so after that the search
        that allows losses decides.
        """
        trivial = trivial_cost(state)
        if trivial is not None:
            return trivial
        weight = state.weight
        beta = int(WINDOW_START * weight)
        while beta <= int(WINDOW_END * weight):
            total = self.total(state, beta=beta, clock=clock)
            if total < beta:
                return Cost(0, total)
            beta = max(beta + max(1, weight // WINDOW_STEPS), min(total, INF - 1) + 1)
        with self.solver(losses=True) as solver:
            stop = None if clock is None else clock.spend
            beta = self.loss * upper.losses + upper.guesses + 1
            return self.cost_of(solver.value(root_of(state), beta=beta, stop=stop))

    def bounds(
        self, state: State, *, depth: int | None = None, width: int = 1, clock: Clock
    ) -> Bounds:
        """Bounds on the cost of a state: exact unless the clock expires.

        Then the upper bound is the cost of a plan found by a beam search of this width.
        """
        try:
            exact = self.cost(state, depth=depth, clock=clock)
            return Bounds(exact, exact)
        except SearchInterruptedError:
            upper = self.cost(state, depth=depth, width=width)
            return Bounds(min(Cost(0, state.size_bound), upper), upper)

    def cost_of(self, value: int) -> Cost:
        """The cost that a value of a solver with losses encodes."""
        return Cost(*divmod(value, self.loss))

    # ---- guesses

    def ties(
        self,
        state: State,
        *,
        depth: int | None = None,
        width: int = 0,
        limit: int | None = None,
        clock: Clock | None = None,
    ) -> list[int]:
        """The guesses of minimum cost: candidates first, then in the game's order."""
        root = root_of(state, depth)
        if limit == 1 and (len(root.answers) <= 2 or root.depth == 1):
            return [state.heaviest]
        stop = None if clock is None else clock.spend
        for losses in (False, True):
            with self.solver(losses=losses, width=width) as solver:
                if width:
                    guess = solver.beam_guess(root, stop)
                    if guess is not None:
                        return [guess]
                    continue
                value = solver.value(root, stop=stop)
                if value < INF:
                    return solver.ties(root, value, limit, stop)
        raise AssertionError("with losses allowed every state has a value")

    def best_guess(
        self,
        state: State,
        *,
        depth: int | None = None,
        width: int = 0,
        clock: Clock | None = None,
    ) -> int:
        """The first of the guesses of minimum cost."""
        return self.ties(state, depth=depth, width=width, limit=1, clock=clock)[0]

    def any_best_guess(self, state: State, cost: Cost, *, clock: Clock | None = None) -> int:
        """Any guess that reaches the minimum cost of a state, which is given.

        This is faster than `best_guess`, which must rule out all guesses before the one it returns.
        """
        if trivial_cost(state) is not None:
            return state.heaviest
        with self.solver(losses=cost.losses > 0) as solver:
            stop = None if clock is None else clock.spend
            value = self.loss * cost.losses + cost.guesses
            return solver.any_best(root_of(state), value, stop)


def check_table_memory(gigabytes: float) -> None:
    """Raise an error if the limit is too small for any transposition table."""
    if not gigabytes >= _MIN_GIGABYTES:
        raise InputError(f"memory {gigabytes}: give some gigabytes, as 0.5")


class _Pool:
    """Solvers of one kind; `free` are those not in use."""

    def __init__(self, first: Solver) -> None:
        self._all = [first]
        self.free = [first]

    def another(self) -> Solver:
        self._all.append(self._all[0].twin())
        return self._all[-1]

    @property
    def nodes(self) -> int:
        return sum(solver.nodes for solver in self._all)


def trivial_cost(state: State, depth: int | None = None) -> Cost | None:
    """The cost of a state that needs no search; None if it needs one."""
    count, left = len(state.candidates), useful_depth(state, depth)
    if left <= 0:
        return Cost(state.weight, 0)
    if left == 1:
        return Cost(state.weight - state.max_weight, state.weight)
    if count <= 2:
        return Cost(0, 2 * state.weight - state.max_weight)
    return None


def _tiny(layout: Layout) -> Layout:
    """The layout of the first few words, which needs the same kernels."""
    count = min(_TINY, layout.table.shape[1])
    first: Indices = layout.index_of[:count]
    rule = layout.legality
    if rule.letters.shape[0] > 1:
        rule = rule._replace(letters=rule.letters[first])
    if rule.between.shape[0] > 1:
        rule = rule._replace(between=np.ascontiguousarray(rule.between[first][:, first]))
    return build_layout(
        np.ascontiguousarray(layout.table[first][:, :count]),
        layout.win + 1,
        weights=layout.weights[:count],
        mode=layout.mode,
        legality=None if layout.mode == NORMAL else rule,
    )

"""One way to value a state: its cost, or bounds on it, within a budget.

Everything that needs to know what a state or a guess is worth asks an `Evaluator`: solving, the
coach, the exact player, regret, and both anytime searches. It owns the layout of the game, the
transposition tables and the searching threads.
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
from salet.game.modes import demands
from salet.game.state import State
from salet.search.budget import UNLIMITED, Budget, Clock
from salet.search.exact.layout import INF, NORMAL, Layout, build_layout, layout_of
from salet.search.exact.solver import Root, SearchInterruptedError, Solver

__all__ = [
    "INF",
    "Bounds",
    "Cost",
    "Evaluator",
    "SearchInterruptedError",
    "value",
]

_MEGABYTES = 32.0
_BEAM_MEGABYTES = 4.0
_MIN_GIGABYTES = 256 * 32 / 2**30
"""The smallest transposition table."""
WINDOW_START, WINDOW_END, WINDOW_STEPS = 2.875, 3.375, 8
"""Mean guesses that `Evaluator.cost_within` asks for first and last, and steps of each guess."""
_TINY = 4
"""Words of the game on which kernels are loaded."""


@dataclass(frozen=True, order=True)
class Cost:
    """Answers lost and guesses made, summed over answers, each counted with its weight. Costs are
    compared by losses first. A lost answer counts the guesses made for it."""

    losses: int
    guesses: int

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.losses + other.losses, self.guesses + other.guesses)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.losses - other.losses, self.guesses - other.guesses)


@dataclass(frozen=True)
class Bounds:
    """What is known of a cost: lower <= optimum <= upper."""

    lower: Cost
    upper: Cost

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


class Evaluator:
    """Values the states of one game. Threads may share one.

    Methods that search take a `depth` (guesses left, if fewer than the cap leaves), a `width` (a
    beam: that many guesses are tried in each state, so what is found is an upper bound) and a
    running `clock`; they raise SearchInterruptedError when it expires.
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
        """Lend a solver to one thread. Solvers of a kind share a transposition table."""
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
        """The fewest guesses over all answers of a state, or after one guess in it: exact if below
        beta, else at least beta. INF if no plan finds every answer."""
        trivial = None if guess is not None else trivial_cost(state, depth)
        if trivial is not None:
            return INF if trivial.losses else trivial.guesses
        with self.solver(width=width) as solver:
            stop = None if clock is None else clock.spend
            root = root_of(state, depth)
            return solver.value(root, guess, beta, in_rounds=in_rounds, stop=stop)

    def closing_totals(
        self,
        state: State,
        lower: int,
        upper: int,
        *,
        depth: int | None = None,
        clock: Clock | None = None,
    ) -> Iterator[tuple[int, int]]:
        """Yield ever tighter bounds on the total of a state, by halving the gap, until they meet.

        `upper` is the total of a known plan, or INF. Both end as INF if no plan finds every answer.
        """
        longest = state.weight * root_of(state, depth).depth  # no plan that finds all takes more
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
            return True  # one answer after the other
        with self.solver() as solver:
            stop = None if clock is None else clock.spend
            return solver.value(root, guess, feasible=True, stop=stop) < INF

    def max_guesses(
        self, state: State, guess: int | None = None, *, clock: Clock | None = None
    ) -> int | None:
        """The fewest guesses that suffice for every answer; None if the cap leaves fewer."""
        for depth in range(1, root_of(state).depth + 1):
            if self.can_find_all(state, guess, depth=depth, clock=clock):
                return depth
        return None

    # ---- costs: answers may be lost, the fewest first

    def cost(
        self,
        state: State,
        guess: int | None = None,
        *,
        depth: int | None = None,
        width: int = 0,
        clock: Clock | None = None,
    ) -> Cost:
        """The least cost of a state, or of one guess in it."""
        trivial = None if guess is not None else trivial_cost(state, depth)
        if trivial is not None:
            return trivial
        if not width:  # most states lose nothing, and searching them is faster where nothing may be
            total = self.total(state, guess, depth=depth, clock=clock)
            if total < INF:
                return Cost(0, total)
        with self.solver(losses=True, width=width) as solver:
            stop = None if clock is None else clock.spend
            return self.cost_of(solver.value(root_of(state, depth), guess, stop=stop))

    def cost_within(self, state: State, upper: Cost, *, clock: Clock | None = None) -> Cost:
        """The least cost of a state, of which a plan that loses answers costs `upper`.

        Whether none need be lost is asked with a limit on the mean that rises little by little,
        which is quick where a good plan exists. To show that every plan loses some takes long, and
        is left to the search that prices losses.
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

    def cost_of(self, value: int) -> Cost:
        """The cost that a value of a solver with losses stands for."""
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
        """The guesses of least cost: candidates first, then in the game's order."""
        root = root_of(state, depth)
        if limit == 1 and (len(root.answers) <= 2 or root.depth == 1):
            return [heaviest_candidate(state)]
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
        """The first of the guesses of least cost."""
        return self.ties(state, depth=depth, width=width, limit=1, clock=clock)[0]

    def any_best_guess(self, state: State, cost: Cost, *, clock: Clock | None = None) -> int:
        """A guess that reaches the least cost of a state, whichever is found first: sooner than
        `best_guess`, which has to rule out all that come before its result in the order of ties."""
        if trivial_cost(state) is not None:
            return heaviest_candidate(state)
        with self.solver(losses=cost.losses > 0) as solver:
            stop = None if clock is None else clock.spend
            value = self.loss * cost.losses + cost.guesses
            return solver.any_best(root_of(state), value, stop)


def check_table_memory(gigabytes: float) -> None:
    """Refuse a limit that holds no transposition table."""
    if not gigabytes >= _MIN_GIGABYTES:
        raise InputError(f"memory {gigabytes}: give some gigabytes, as 0.5")


class _Pool:
    """Solvers of one kind: those that nobody uses at the moment."""

    def __init__(self, first: Solver) -> None:
        self._all = [first]
        self.free = [first]

    def another(self) -> Solver:
        self._all.append(self._all[0].twin())
        return self._all[-1]

    @property
    def nodes(self) -> int:
        return sum(solver.nodes for solver in self._all)


def root_of(state: State, depth: int | None = None) -> Root:
    """A state as the search sees it, with at most `depth` guesses left."""
    game, depth = state.game, useful_depth(state, depth)
    if game.mode == "normal":
        return Root(state.candidates, depth)
    if game.mode == "strict":
        return Root(state.candidates, depth, state.legal)
    greens: dict[int, int] = {}
    needs: dict[int, int] = {}
    for guess, code in state.history:
        letters = [int(letter) for letter in game.lexicon.codes[guess]]
        fixed, counts = demands(letters, code, game.rule.counts_letters)
        greens |= fixed
        for letter, count in counts.items():
            needs[letter] = max(count, needs.get(letter, 0))
    return Root(state.candidates, depth, state.legal, greens, needs)


def useful_depth(state: State, depth: int | None = None) -> int:
    """The guesses left in a state, at most `depth`, as far as they can be of use.

    Without a cap they count from here: no plan needs more guesses than there are answers, and one
    may be forced.
    """
    limits = (len(state.candidates) + 1, state.guesses_left, depth)
    return min(limit for limit in limits if limit is not None)


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


def heaviest_candidate(state: State) -> int:
    """The heaviest remaining answer, the first of equals."""
    weights, candidates = state.game.weights, state.candidates
    return int(candidates[0 if weights is None else np.argmax(weights[candidates])])


def _tiny(layout: Layout) -> Layout:
    """A layout of the same kind with the first few words: it needs the same kernels."""
    count = min(_TINY, layout.table.shape[1])
    kept: Indices = layout.index_of[:count]
    rule = layout.legality
    if rule.letters.shape[0] > 1:
        rule = rule._replace(letters=rule.letters[kept])
    if rule.between.shape[0] > 1:
        rule = rule._replace(between=np.ascontiguousarray(rule.between[kept][:, kept]))
    return build_layout(
        np.ascontiguousarray(layout.table[kept][:, :count]),
        layout.win + 1,
        weights=layout.weights[:count],
        mode=layout.mode,
        legality=None if layout.mode == NORMAL else rule,
    )


def value(
    state: State, budget: Budget = UNLIMITED, *, evaluator: Evaluator | None = None
) -> Bounds:
    """Bounds on the cost of a state; exact unless the budget runs out.

    `lower <= optimum <= upper` holds whenever this returns.

    >>> value(Game.named("mastermind:2x3").start()).upper
    Cost(losses=0, guesses=21)
    """
    evaluator = Evaluator(state.game) if evaluator is None else evaluator
    clock = budget.start()
    lower = Cost(0, state.size_bound)
    if not len(state.candidates):
        return Bounds(lower, lower)
    if not clock.limited:
        exact = evaluator.cost(state)
        return Bounds(exact, exact)
    upper = evaluator.cost(state, width=1)
    try:
        known = upper.guesses if upper.losses == 0 else INF
        for low, high in evaluator.closing_totals(state, lower.guesses, known, clock=clock):
            if low >= INF:
                exact = evaluator.cost(state, clock=clock)
                return Bounds(exact, exact)
            lower = Cost(0, low)
            if low == high:
                upper = lower
    except SearchInterruptedError:
        pass
    return Bounds(lower, upper)

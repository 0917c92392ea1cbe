"""What a state is worth: the pair (answers lost, guesses), fewest lost first.

Where every answer can be found within the cap no answer is lost, and the worth is the least number
of guesses over all answers. Where that cannot be done, plans that lose least are compared by the
guesses they make; a lost answer counts the guesses made for it.

The value of a guess is the sum over its groups, so a guess is known as soon as its groups are:
exactly where search gets there in time, otherwise between two bounds. The lower one is the size
bound of `salet.search.exact.bounds`, the upper one a plan that a narrow search has found.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.search.exact.model import INF
from salet.search.exact.solver import Hint, Solver
from salet.search.terms import hints_of, rules_of

WIDTH, WIDTH_HARD = 2, 12
"""guesses that the narrow search tries in each state; few keep the cap where few are legal"""
MEGABYTES = 32
SMALL_MEGABYTES = 4


@dataclass(frozen=True, order=True)
class Worth:
    """Sums over answers, each counted with its weight (1 unless the game has weights)."""

    losses: int
    guesses: int

    def __add__(self, other: Worth) -> Worth:
        return Worth(self.losses + other.losses, self.guesses + other.guesses)


@dataclass(frozen=True)
class Between:
    """What is known of a worth."""

    lower: Worth
    upper: Worth

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


def never() -> bool:
    """Nobody stops it."""
    return False


class Clock:
    """When to stop: out of time, or told to."""

    def __init__(self, seconds: float, stop: Callable[[], bool] = never) -> None:
        self.begin = time.perf_counter()
        self._deadline = self.begin + seconds
        self._stop = stop

    @property
    def seconds(self) -> float:
        """Time since it was asked."""
        return time.perf_counter() - self.begin

    def over(self) -> bool:
        return time.perf_counter() >= self._deadline or self._stop()


class Engines:
    """The solvers of a game, made once; each question searches with twins of them, which share the
    tables of bounds."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lock = threading.Lock()
        self._made: tuple[Solver, Solver, Solver] | None = None

    def twins(self) -> tuple[Solver, Solver, Solver]:
        """(plain, lossy, narrow): the cap is kept; it may be broken at a price; a few guesses of
        each state are tried, so that what is found is an upper bound of the price."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            plain, lossy, narrow = (solver.twin() for solver in self._made)
        return plain, lossy, narrow

    def _make(self) -> tuple[Solver, Solver, Solver]:
        rules = rules_of(self._game)
        answers = rules.table.shape[1]
        weight = answers if rules.weights is None else int(rules.weights.sum())
        if (min(rules.cap or answers, answers) + 3) * weight**2 >= INF:
            raise InputError("these weights are too great to price lost answers; divide them")
        width = WIDTH if self._game.mode == "normal" else WIDTH_HARD
        return (
            Solver(rules, megabytes=MEGABYTES),
            Solver(rules, losses=True, megabytes=MEGABYTES),
            Solver(rules, losses=True, width=width, megabytes=SMALL_MEGABYTES),
        )


class Worths:
    """The worth of one game's states, as far as the clock allows. Not for two threads at once."""

    def __init__(self, engines: Engines, clock: Clock) -> None:
        self.clock = clock
        self._plain, self._lossy, self._narrow = engines.twins()
        self._cap = self._plain.cap
        self._known: dict[Any, Worth] = {}
        self._quick: dict[Any, Worth] = {}
        self._worst: dict[Any, int] = {}

    # ---- states

    def exact(self, state: State, cap: int | None = None) -> Worth | None:
        """The worth of a state with answers; None if time runs out. `cap` replaces the game's."""
        cap = self._cap_in(state, cap)
        simple = self._simple(state, cap)
        if simple is not None:
            return simple
        key = (cap, *_key(state))
        if key not in self._known:
            history = hints_of(state)
            value = self._run(self._plain, history, INF, cap)
            if value is not None and value >= INF:
                value = self._run(self._lossy, history, INF, cap)
            if value is None:
                return None
            self._known[key] = self._read(value)
        return self._known[key]

    def at_most(self, state: State, cap: int | None = None) -> Worth:
        """The worth of some plan for the state, quickly."""
        cap = self._cap_in(state, cap)
        simple = self._simple(state, cap)
        if simple is not None:
            return simple
        key = (cap, *_key(state))
        if key in self._known:
            return self._known[key]
        if key not in self._quick:
            self._narrow.cap = cap
            self._quick[key] = self._read(self._narrow.value(hints_of(state)))
        return self._quick[key]

    def closes(
        self, state: State, lower: int, upper: int, cap: int | None = None
    ) -> tuple[int, int] | None:
        """Halve the gap between two bounds of the guesses of a state that need lose nothing: is
        there a plan below the middle? None if time runs out."""
        middle = lower + (upper - lower + 1) // 2
        value = self._run(self._plain, hints_of(state), middle, self._cap_in(state, cap))
        if value is None:
            return None
        return (value, value) if value < middle else (min(value, upper), upper)

    def keeps(self, state: State, cap: int) -> bool | None:
        """Can every answer be found within this cap? None if time runs out."""
        worth = self._simple(state, cap)
        if worth is not None:
            return worth.losses == 0
        value = self._run(self._plain, hints_of(state), INF, cap)
        return None if value is None else value < INF

    def worst(self, state: State, worth: Worth) -> int | None:
        """The fewest guesses that suffice for every answer at no more than this worth; None where
        one is lost, or if time runs out."""
        n = len(state.candidates)
        if worth.losses:
            return None
        if n <= 2:
            return n
        key = _key(state)
        if key not in self._worst:
            history = hints_of(state)
            for more in range(2, min(n, self._cap_in(state) - state.turn) + 1):
                value = self._run(self._plain, history, worth.guesses + 1, state.turn + more)
                if value is None:
                    return None
                if value <= worth.guesses:
                    self._worst[key] = more
                    break
        return self._worst.get(key)

    # ---- guesses

    def of_guess(
        self,
        state: State,
        guess: int,
        *,
        quick: bool = False,
        cap: int | None = None,
        most: Worth | None = None,
    ) -> Between:
        """What is known of a guess: exact if time allows (and `quick` was not asked for). The
        search ends early where the guess turns out to be worse than `most`."""
        parts = state.groups(guess)
        parts.pop(state.game.win, None)
        lower = upper = Worth(0, weight_of(state))
        for part in parts.values():
            lower += size_bound(part)
        for part in sorted(parts.values(), key=lambda part: len(part.candidates)):
            found = None
            if not quick and (most is None or lower <= most):
                found = self.exact(part, cap)
            if found is None:
                upper += self.at_most(part, cap)
            else:
                upper += found
                bound = size_bound(part)
                lower += Worth(found.losses, found.guesses - bound.guesses)
        return Between(lower, upper)

    def worst_of_guess(self, state: State, guess: int, cap: int | None = None) -> int | None:
        """The most guesses of any answer after this guess, played as its exact worth says."""
        most = 1
        for pattern, part in state.groups(guess).items():
            if pattern == state.game.win:
                continue
            worth = self.exact(part, cap)
            more = None if worth is None else self.worst(part, worth)
            if more is None:
                return None
            most = max(most, 1 + more)
        return most

    # ---- inside

    def _cap_in(self, state: State, cap: int | None = None) -> int:
        """The cap to search under. Without one it is counted from the state: no plan needs more
        useful guesses than there are answers, and one may be forced."""
        return cap or self._cap or state.turn + len(state.candidates) + 1

    def _simple(self, state: State, cap: int) -> Worth | None:
        """States that need no search."""
        n, left = len(state.candidates), cap - state.turn
        if n > 2 and left > 1:
            return None
        weights = state.game.weights
        own = weight_of(state)
        heaviest = 1 if weights is None else int(weights[state.candidates].max())
        if left <= 0:
            return Worth(own, 0)
        if left == 1:
            return Worth(own - heaviest, own)
        return Worth(0, 2 * own - heaviest)

    def _run(self, solver: Solver, history: tuple[Hint, ...], beta: int, cap: int) -> int | None:
        """`Solver.value` in slices; None if the clock stops it."""
        solver.cap = cap
        return solver.value_until(history, self.clock.over, beta)

    def _read(self, value: int) -> Worth:
        return Worth(*divmod(value, self._lossy.loss))


def _key(state: State) -> tuple[Any, ...]:
    """What the worth of a state depends on."""
    if state.game.mode == "normal":
        return state.turn, state.candidates.tobytes()
    return state.history


def weight_of(state: State) -> int:
    """The weight of the answers that remain; their number where the game has no weights."""
    weights = state.game.weights
    return len(state.candidates) if weights is None else int(weights[state.candidates].sum())


def size_bound(state: State) -> Worth:
    """No plan is better than this: one answer is found at once, all others take two guesses or
    more (none, where no guess is left)."""
    weights = state.game.weights
    own = weight_of(state)
    heaviest = 1 if weights is None else int(weights[state.candidates].max())
    return Worth(0, 2 * own - heaviest if state.guesses_left != 0 else 0)

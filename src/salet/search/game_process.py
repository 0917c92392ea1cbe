"""Every game of guess and feedback as a decision process.

A state is a set of remaining answers with the guesses that are legal and left; an action is a
guess; an outcome is a group of answers that give the same feedback. The reward is -1 for each
guess, so the value of a state is minus the mean number of guesses it takes, and -inf where the cap
cannot be kept.

What a game knows beyond its rules: guesses ranked by a heuristic, in one scan; bounds, named here
as in `exact/bounds.py`, where their proofs are; rollouts by a beam of width 1; and exact values.
"""

from __future__ import annotations

import copy
import math
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from salet.array_types import Bools, Floats, Indices
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.state import State
from salet.search.budget import Budget, Clock
from salet.search.distinct_splits import distinct_splits, split_keys
from salet.search.exact.bounds import capacity_bound
from salet.search.heuristics import Costs, entropic, statistical
from salet.search.part_bounds import PartBounds
from salet.search.plan_cache import PlanCache
from salet.search.process import (
    ActionTable,
    BoundedOutcomes,
    DecisionProcess,
    Outcome,
    PolicySource,
    RankedAction,
    Ranking,
    ValueBounds,
)
from salet.search.search_state import SearchState
from salet.search.splits import Splits, splits
from salet.search.value import INF, Evaluator, SearchInterruptedError, heaviest_candidate, root_of

PREDICTORS: Mapping[str, Callable[[Splits], Costs]] = MappingProxyType(
    {"entropic": entropic, "statistical": statistical}
)
"""name -> expected number of guesses if a guess is made, from the groups it makes"""

MAX_WEIGHT = 1 << 40
"""Means of totals beyond this cannot be told apart in floating point."""
_SYMMETRIC = 4
"""Symmetries of a state from which exact search, which knows of none below the first guess, is
worth its time only for smaller states."""
_KEPT_NODES = 1024
"""A plan that took more states to find is kept."""
_MIN_DEPTH = 4
"""Guesses left from which parts can be bounded by a scan of all guesses."""
_PART_MEGABYTES = 256.0
"""Memory for what one thread remembers of the parts it has scanned."""


def predictor_named(name: str) -> Callable[[Splits], Costs]:
    """The predictor of that name; suggests one if there is none."""
    if name not in PREDICTORS:
        raise UnknownNameError("predictor", name, PREDICTORS)
    return PREDICTORS[name]


class GameProcess(DecisionProcess[SearchState, int]):
    """A game as a decision process. Guesses are indices in the game's order."""

    leaves_out = True
    """whether guesses that are as good as another one, however the game goes on, are left out"""

    def __init__(
        self,
        game: Game,
        *,
        start: State | None = None,
        predictor: str = "entropic",
        evaluator: Evaluator | None = None,
        clock: Clock | None = None,
        megabytes: float = 64,
        threads: int = 1,
    ) -> None:
        """`megabytes` is for the transposition table of a new evaluator. Once `clock` has expired,
        searches raise SearchInterruptedError. `threads` only counts towards `nbytes`."""
        self.game = game
        self.predictor = predictor_named(predictor)
        self.evaluator = Evaluator(game, megabytes=megabytes) if evaluator is None else evaluator
        self.clock = clock
        self.plans = PlanCache(self.evaluator)
        self._start = SearchState(game.start() if start is None else start)
        self._threads = threads
        self._local: Any = threading.local()
        weight = game.start().weight
        if weight > MAX_WEIGHT:
            raise InputError(
                f"the weights of {game.name} sum to {weight}; anytime search can tell totals "
                f"apart up to a sum of {MAX_WEIGHT}"
            )

    def at(
        self, start: State, clock: Clock | None = None, *, is_shared: bool = True
    ) -> GameProcess:
        """The same game from another state, under another clock; the evaluator is shared.

        Unless it `is_shared`, one thread at a time may use it: what it remembers then does not
        depend on which."""
        other = copy.copy(self)
        other._start, other.clock = SearchState(start), clock
        other._local = threading.local() if is_shared else SimpleNamespace()
        return other

    def warm_up(self) -> None:
        """Make the table, find the symmetries and load all kernels, before a clock starts."""
        self.game.symmetry  # noqa: B018
        self.evaluator.warm_up()
        start = self._start.state
        few = State(self.game, start.candidates[:3], start.history, start.previous)
        nothing: Indices = np.zeros(0, np.int32)
        for state in (start, few):  # the two memory orders of the table
            splits(state, nothing)
            split_keys(state, nothing)
        self.evaluator.total(few, width=1)
        self.look(SearchState(few))
        if self.can_bound_parts(start):
            self._part_bounds().bound(few, int(few.candidates[0]), INF)

    # ---- the rules

    def start(self) -> SearchState:
        return self._start

    def is_terminal(self, state: SearchState) -> bool:
        return state.state.won

    def actions(self, state: SearchState) -> Sequence[int]:
        found: list[int] = state.state.legal.tolist()
        return found

    def outcomes(self, state: SearchState, action: int) -> list[Outcome[SearchState]]:
        here = state.state
        return [
            Outcome(below.weight / here.weight, -1.0, SearchState(below))
            for below in here.groups(action).values()
        ]

    def predict(self, state: SearchState, action: int) -> float:
        found = splits(state.state, np.array([action], np.int32))
        return -float(self.predictor(found)[0]) if found.answers > 1 else -1.0

    # ---- actions

    def ranked(self, state: SearchState, tried: Set[int], count: int, above: float) -> Ranking[int]:
        here = state.state
        found, predictions, highs = self._scan(here)
        fresh = np.isfinite(predictions) & (highs > above) & self._representatives(here, found)
        made = np.fromiter(tried, np.int32, len(tried))
        fresh &= ~np.isin(found.guesses, made)
        seen = _SeenSplits(here, made) if self._merges_equal_splits else None
        rows: list[RankedAction[int]] = []
        while not rows and fresh.any():  # all of them may split as others did
            order = _largest(predictions, np.flatnonzero(fresh), count)
            fresh[order] = False
            if seen is not None:
                order = order[seen.is_new(found.guesses[order], found.is_candidate[order])]
            rows = [
                RankedAction(int(found.guesses[i]), float(predictions[i]), float(highs[i]))
                for i in order
            ]
        rest = float(np.max(highs, where=fresh, initial=-math.inf))
        return Ranking(rows, rest)

    def expand(self, state: SearchState) -> ActionTable:
        here = state.state
        found, predictions, highs = self._scan(here)
        kept = np.isfinite(predictions) & self._representatives(here, found)
        if self._merges_equal_splits:
            # The first of interchangeable guesses splits like no candidate unless it is one: both
            # reductions pass on to an earlier guess of equal value, so one of each kind remains.
            kept &= distinct_splits(here, found.guesses, found.is_candidate)
        order = np.flatnonzero(kept)
        order = order[np.argsort(-predictions[order], kind="stable")]
        return ActionTable(found.guesses[order], predictions[order], highs[order])

    def bounded_outcomes(
        self, state: SearchState, action: int, above: float
    ) -> BoundedOutcomes[SearchState]:
        here = state.state
        if self.clock is not None and self.clock.expired():
            raise SearchInterruptedError
        if not self.can_bound_parts(here):
            return super().bounded_outcomes(state, action, above)
        found = self._part_bounds().bound(here, action, _total_not_above(here, above))
        high = _value(found.total, here)
        if found.open is None:
            return BoundedOutcomes(high)
        code = self.game.compiled.code
        rows = []
        for pattern, answers, lower in found.open:
            below = State(self.game, answers, (*here.history, (action, code(pattern))), here)
            rows.append((below.weight / here.weight, SearchState(below), _value(lower, below)))
        return BoundedOutcomes(high, -found.settled / here.weight, rows)

    def _scan(self, here: State) -> tuple[Splits, Floats, Floats]:
        """Every legal guess: how it splits the answers, its prediction (-inf for an idle one) and
        an upper bound of its value [guess bound]."""
        found = self._splits(here)
        predictions: Floats = -np.asarray(self.predictor(found), float)
        return found, predictions, -found.guess_bounds / here.weight

    def _splits(self, here: State) -> Splits:
        """How all legal guesses split the answers. A thread asks twice about a new state: for a
        look at it and for its actions."""
        last: Splits | None = getattr(self._local, "splits", None)
        if last is None or last.state is not here:
            last = self._local.splits = splits(here)
        return last

    def _representatives(self, here: State, found: Splits) -> Bools:
        """[guess]: whether it is the first of the guesses that a symmetry maps to each other."""
        symmetry = self.game.symmetry
        if symmetry.is_none or not self.leaves_out:
            return np.ones(len(found.guesses), bool)
        return symmetry.representatives(_guesses_made(here))[found.guesses]

    @property
    def _merges_equal_splits(self) -> bool:
        return self.leaves_out and self.game.mode == "normal"

    # ---- states

    def bounds(self, state: SearchState) -> ValueBounds:
        here = state.state
        if here.won:
            return ValueBounds(0.0, 0.0)
        answers, left = len(here.candidates), here.guesses_left
        if left is not None and left < min(answers, 2):
            return ValueBounds(-math.inf, -math.inf)
        high = -here.size_bound / here.weight  # [size bound]
        if answers <= 2:
            return ValueBounds(high, high)
        if left is not None and left < answers:
            return ValueBounds(-math.inf, high)
        # One candidate after the other, the heaviest first, is always legal.
        weights = self.game.weights
        if weights is None:
            return ValueBounds(-(answers + 1) / 2, high)
        ordered = np.sort(weights[here.candidates])[::-1]
        return ValueBounds(-float(ordered @ np.arange(1, answers + 1)) / here.weight, high)

    def look(self, state: SearchState) -> ValueBounds:
        """What a rollout takes, and the best guess bound [guess bound, capacity]."""
        here, known = state.state, self.bounds(state)
        if known.low == known.high:
            return known
        rollout = self.evaluator.total(here, width=1, clock=self.clock)
        found = self._splits(here)
        lower = max(int(found.guess_bounds.min()), self._capacity_bound(here, found))
        high = min(known.high, _value(lower, here))
        return ValueBounds(min(high, max(known.low, _value(rollout, here))), high)

    def _capacity_bound(self, here: State, found: Splits) -> int:
        max_parts, max_peel = int(found.parts.max()), found.answers - int(found.largest.min())
        weights, members = self.game.weights, here.candidates
        if weights is not None:
            members = members[np.argsort(-weights[members], kind="stable")]
        depth = root_of(here).depth
        layout = self.evaluator.layout
        bound = capacity_bound(
            layout, members, found.answers, here.weight, depth, max_parts, max_peel
        )
        return int(bound)

    def is_small(self, state: SearchState, threshold: int) -> bool:
        """Whether there are at most `threshold` answers; half as many where many symmetries are
        left."""
        here = state.state
        answers, symmetry = len(here.candidates), self.game.symmetry
        if not symmetry.is_none and symmetry.size(_guesses_made(here)) >= _SYMMETRIC:
            answers *= 2
        return answers <= threshold

    def refine(
        self, state: SearchState, above: float = -math.inf, effort: float = math.inf
    ) -> ValueBounds:
        """The exact value, if exact search finds it within `effort` states; otherwise the total of
        a beam, wider with every call."""
        here, plans = state.state, self.plans
        enough = _total_not_above(here, above)
        known = plans.total(state.key)
        beta = min(enough, known)
        allowance = self._allowance(effort)
        try:
            total = self.evaluator.total(here, beta=beta, clock=allowance)
        except SearchInterruptedError:
            if self.clock is not None and self.clock.expired():
                raise
            known = self._widen(state, effort)
            return ValueBounds(_value(known, here), self.bounds(state).high)
        if total >= beta and beta == known:
            return ValueBounds(_value(known, here), _value(known, here))
        if total < beta or total >= INF:
            if total < INF and allowance is not None and allowance.nodes >= _KEPT_NODES:
                plans.store(here, clock=self.clock)
            return ValueBounds(_value(total, here), _value(total, here))
        return ValueBounds(_value(known, here), _value(beta, here))

    def _allowance(self, effort: float) -> Clock | None:
        """A clock that expires after `effort` states, or when the clock of the process does."""
        if math.isinf(effort):
            return self.clock
        return Budget(
            nodes=effort, cancel=None if self.clock is None else self.clock.expired
        ).start()

    def _widen(self, state: SearchState, effort: float) -> int:
        """The total of the best plan known, once a wider beam has been tried for a while."""
        try:
            return self.plans.widen(state.state, state.key, self._allowance(effort))
        except SearchInterruptedError:
            if self.clock is not None and self.clock.expired():
                raise
            return self.plans.total(state.key)

    def source_of(self, state: SearchState, low: float) -> PolicySource:
        is_reached = _value(self.plans.total(state.key), state.state) >= low
        return PolicySource.CACHED if is_reached else PolicySource.EXACT

    def resolution(self, state: SearchState) -> float:
        return 1 / state.state.weight

    # ---- guesses of the plans behind lower bounds

    def exact_guess(self, here: State) -> int:
        """The best guess of a state, from exact search."""
        return self.evaluator.best_guess(here)

    def rollout_guess(self, here: State) -> int:
        """The guess that a rollout makes."""
        return self.evaluator.best_guess(here, width=1)

    def kept_guess(self, here: State) -> int:
        """The guess of the best plan kept of a state; of one that needs no search, a candidate."""
        found = self.plans.guess(SearchState(here).key)
        return heaviest_candidate(here) if found is None else found

    def next_candidate(self, here: State) -> int:
        """The heaviest remaining answer, the first of equals."""
        return heaviest_candidate(here)

    # ---- memory

    def key(self, state: SearchState) -> Hashable:
        return state.key

    def footprint(self, state: SearchState) -> int:
        return 400 + 2 * state.state.candidates.nbytes

    @property
    def nbytes(self) -> int:
        tables = (self.evaluator.megabytes + 4 + self._threads * self._part_megabytes) * 2**20
        tables += self.plans.nbytes
        layout = self.evaluator.layout
        arrays = (*layout, *layout.legality, self.game.compiled.ids)
        return int(tables) + sum(
            array.nbytes
            for array in arrays
            if isinstance(array, np.ndarray) and array is not layout.packed  # a view of `columns`
        )

    # ---- bounds of parts

    def can_bound_parts(self, here: State) -> bool:
        """Whether `bounded_outcomes` scans what follows, in a state."""
        layout = self.evaluator.layout
        left = here.guesses_left
        return bool(layout.unit) and layout.win < 256 and (left is None or left >= _MIN_DEPTH)

    @property
    def _part_megabytes(self) -> float:
        return min(_PART_MEGABYTES, 2.5 * self.game.compiled.ids.nbytes / 2**20 + 0.1)

    def _part_bounds(self) -> PartBounds:
        """What this thread bounds parts with. It remembers the parts of this thread's questions
        alone, so that what it answers does not depend on other threads."""
        if not hasattr(self._local, "part_bounds"):
            self._local.part_bounds = PartBounds(self.evaluator.layout, self._part_megabytes)
        found: PartBounds = self._local.part_bounds
        return found


class _SeenSplits:
    """Tells which guesses split the answers of a state as an earlier one did."""

    def __init__(self, here: State, guesses: Indices) -> None:
        self._here = here
        self._seen = set(map(tuple, split_keys(here, guesses).tolist()))

    def is_new(self, guesses: Indices, is_candidate: Bools) -> Bools:
        """[guess]: whether it is a candidate, or splits as no guess before it did."""
        new = is_candidate.copy()
        for index, key in enumerate(map(tuple, split_keys(self._here, guesses).tolist())):
            if key not in self._seen:
                self._seen.add(key)
                new[index] = True
        return new


def _guesses_made(here: State) -> list[int]:
    return [guess for guess, _ in here.history]


def _value(total: int, here: State) -> float:
    """The value that a total over the answers of a state stands for."""
    return -math.inf if total >= INF else -total / here.weight


def _total_not_above(here: State, above: float) -> int:
    """The least total whose value is not above `above`."""
    return INF if above == -math.inf else math.ceil(-above * here.weight - 0.5)


def _largest(values: Floats, indices: Any, count: int) -> Any:
    """Up to `count` of the indices, by value, greatest first; the earlier of equals first."""
    if len(indices) > count:
        kept = values[indices]
        indices = indices[kept >= -np.partition(-kept, count)[count]]
    return indices[np.argsort(-values[indices], kind="stable")][:count]

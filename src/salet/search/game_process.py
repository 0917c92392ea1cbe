"""Games of guess and feedback as decision processes.

A state is a set of remaining answers, the legal guesses and the number of guesses left; an action
is a guess; an outcome is a group of answers with the same feedback. The reward is -1 for each
guess, so the value of a state is minus the mean number of guesses to come, or -inf if the cap
cannot be kept.

Besides the rules, a game has optional knowledge: guesses ranked by a heuristic, in one scan; bounds
(proven in `exact/bounds.py`, whose names are in brackets here); rollouts by a beam of width 1; and
exact values.
"""

from __future__ import annotations

import copy
import math
import threading
from collections.abc import Hashable, Sequence, Set
from types import SimpleNamespace
from typing import Any

import numpy as np

from salet.array_types import Bools, Floats, Indices
from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.search.action_bounds import top_indices
from salet.search.budget import Budget, Clock
from salet.search.distinct_splits import SeenSplits, distinct_splits, split_keys
from salet.search.exact.bounds import capacity_bound
from salet.search.heuristics import predictor_named
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
from salet.search.roots import root_of
from salet.search.search_state import SearchState
from salet.search.splits import Splits, splits
from salet.search.value import INF, Evaluator, SearchInterruptedError, trivial_cost

MAX_WEIGHT = 1 << 40
"""Largest sum of weights: means of larger totals cannot be distinguished in floating point."""
_SYMMETRIC = 4
"""Number of symmetries from which a state counts as twice as large: exact search uses symmetries
only at the first guess."""
_MIN_CACHED_NODES = 1024
"""Smallest number of nodes for which the plan found is cached."""
_MIN_DEPTH = 4
"""Smallest number of guesses left for which parts are bounded by a scan of all guesses."""
_PART_MEGABYTES = 256.0
"""Memory of one thread for the parts it has scanned."""


class GameProcess(DecisionProcess[SearchState, int]):
    """A game as a decision process. Guesses are indices in the game's order."""

    prunes_equivalent = True
    """whether guesses that are equivalent to another one are left out"""

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
        """`megabytes` is the size of a new evaluator's transposition table. Once `clock` has
        expired, searches raise SearchInterruptedError. `threads` only affects `nbytes`."""
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

        Unless it `is_shared` by threads, one thread at a time may use it, whichever that is.
        """
        other = copy.copy(self)
        other._start, other.clock = SearchState(start), clock
        other._local = threading.local() if is_shared else SimpleNamespace()
        return other

    def warm_up(self) -> None:
        """Build the table, find the symmetries and load all kernels, before a clock starts."""
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
        seen = SeenSplits(here, made) if self._merges_equal_splits else None
        rows: list[RankedAction[int]] = []
        while not rows and fresh.any():  # a whole chunk may repeat earlier splits
            order = top_indices(predictions, np.flatnonzero(fresh), count)
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
        worthwhile = np.isfinite(predictions) & self._representatives(here, found)
        if self._merges_equal_splits:
            # Both reductions replace a guess by an earlier one of equal value, so together they
            # leave one guess of each kind.
            worthwhile &= distinct_splits(here, found.guesses, found.is_candidate)
        order = np.flatnonzero(worthwhile)
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
        """The splits, predictions (-inf for idle guesses) and upper bounds of all legal guesses
        [guess bound]."""
        found = self._splits(here)
        predictions: Floats = -np.asarray(self.predictor(found), float)
        return found, predictions, -found.guess_bounds / here.weight

    def _splits(self, here: State) -> Splits:
        """The splits of all legal guesses. The last result is cached, since a thread needs it
        twice: to look at a state and to expand it."""
        last: Splits | None = getattr(self._local, "splits", None)
        if last is None or last.state is not here:
            last = self._local.splits = splits(here)
        return last

    def _representatives(self, here: State, found: Splits) -> Bools:
        """[guess]: whether it is the first of its orbit under the symmetries of the state."""
        symmetry = self.game.symmetry
        if symmetry.is_trivial or not self.prunes_equivalent:
            return np.ones(len(found.guesses), bool)
        return symmetry.representatives(here.guesses)[found.guesses]

    @property
    def _merges_equal_splits(self) -> bool:
        return self.prunes_equivalent and self.game.mode == "normal"

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
        """The value of a rollout, and the best guess bound [guess bound, capacity]."""
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
        """Whether there are at most `threshold` answers; half as many in a symmetric state."""
        here = state.state
        answers, symmetry = len(here.candidates), self.game.symmetry
        if not symmetry.is_trivial and symmetry.size(here.guesses) >= _SYMMETRIC:
            answers *= 2
        return answers <= threshold

    def refine(
        self, state: SearchState, above: float = -math.inf, effort: float = math.inf
    ) -> ValueBounds:
        """The exact value if exact search finds it within `effort` nodes; otherwise bounds, from a
        beam that is wider at every call."""
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
            if total < INF and allowance is not None and allowance.nodes >= _MIN_CACHED_NODES:
                plans.store(here, clock=self.clock)
            return ValueBounds(_value(total, here), _value(total, here))
        return ValueBounds(_value(known, here), _value(beta, here))

    def _allowance(self, effort: float) -> Clock | None:
        """A clock that expires after `effort` nodes, or with the clock of the process."""
        if math.isinf(effort):
            return self.clock
        return Budget(
            nodes=effort, cancel=None if self.clock is None else self.clock.expired
        ).start()

    def _widen(self, state: SearchState, effort: float) -> int:
        """Try a wider beam within `effort` nodes; returns the total of the best known plan."""
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

    def planned_guess(self, here: State, source: PolicySource) -> int:
        """The guess of the plan behind a lower bound from this source (not an action's)."""
        if trivial_cost(here) is not None or source is PolicySource.BOUNDS:
            return here.heaviest
        if source is PolicySource.CACHED:
            cached = self.plans.guess(SearchState(here).key)
            return here.heaviest if cached is None else cached
        return self.evaluator.best_guess(here, width=int(source is PolicySource.LOOK))

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
        """Whether `bounded_outcomes` bounds parts by a scan of all guesses in this state."""
        layout = self.evaluator.layout
        left = here.guesses_left
        return bool(layout.unit) and layout.win < 256 and (left is None or left >= _MIN_DEPTH)

    @property
    def _part_megabytes(self) -> float:
        return min(_PART_MEGABYTES, 2.5 * self.game.compiled.ids.nbytes / 2**20 + 0.1)

    def _part_bounds(self) -> PartBounds:
        """The part bounds of this thread. Threads share none, so that results do not depend on what
        other threads have scanned."""
        if not hasattr(self._local, "part_bounds"):
            self._local.part_bounds = PartBounds(self.evaluator.layout, self._part_megabytes)
        found: PartBounds = self._local.part_bounds
        return found


def _value(total: int, here: State) -> float:
    """The value of a state with this total over its answers."""
    return -math.inf if total >= INF else -total / here.weight


def _total_not_above(here: State, above: float) -> int:
    """The smallest total whose value is at most `above`."""
    return INF if above == -math.inf else math.ceil(-above * here.weight - 0.5)

"""Costs of states and guesses for one question to the coach, with a cache.

The cost of a guess is the sum over its groups. The cost of a group is exact if the search finishes
in time; otherwise the lower bound is the size bound, and the upper bound the cost of a plan found
by beam search, or, in large positions once time is up, of one that guesses possible answers only.
States that a book of replies has need no search.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from salet.game.state import State
from salet.plan_formats import PlanNode
from salet.search.budget import Clock
from salet.search.reply_book import Reply
from salet.search.splits import splits
from salet.search.value import Bounds, Cost, Evaluator, SearchInterruptedError

BEAM_WIDTH, BEAM_WIDTH_RESTRICTED = 2, 12
"""Width of beam searches; larger in hard and strict mode, where few guesses are safe."""


class Valuation:
    """Costs of states of one game, as tight as the clock allows. Not thread-safe.

    `depth` limits the guesses left in a state, if below what the cap leaves. `replies` returns what
    a book has for a state. With `timed_beam` the clock also interrupts beam searches, which
    usually take a fraction of a second.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        clock: Clock,
        *,
        replies: Callable[[State], Reply | None] | None = None,
        timed_beam: bool = False,
    ) -> None:
        self.evaluator, self.clock, self._timed_beam = evaluator, clock, timed_beam
        self._replies = replies
        is_normal = evaluator.game.mode == "normal"
        self._width = BEAM_WIDTH if is_normal else BEAM_WIDTH_RESTRICTED
        self._exact: dict[Any, Cost] = {}
        self._upper: dict[Any, Cost] = {}
        self._worst: dict[Any, int] = {}

    # ---- states

    def exact(
        self, state: State, depth: int | None = None, *, within: Cost | None = None
    ) -> Cost | None:
        """The cost of a state; None if time runs out.

        `within` is the cost of a known plan that loses answers; it takes no `depth`.
        """
        key = self._look_up(state, depth)
        if key not in self._exact:
            evaluator, clock = self.evaluator, self.clock
            try:
                if within is None:
                    self._exact[key] = evaluator.cost(state, depth=depth, clock=clock)
                else:
                    self._exact[key] = evaluator.cost_within(state, within, clock=clock)
            except SearchInterruptedError:
                return None
        return self._exact[key]

    def upper(self, state: State, depth: int | None = None) -> Cost:
        """The cost of some plan for the state, found quickly."""
        key = self._look_up(state, depth)
        if key in self._exact:
            return self._exact[key]
        if key not in self._upper:
            self._upper[key] = self._beam(state, depth)
        return self._upper[key]

    def _look_up(self, state: State, depth: int | None) -> tuple[Any, ...]:
        """The key of a state, whose cost is known from now on if a book has it."""
        key = (depth, *_key(state))
        if depth is None and key not in self._exact:
            reply = self._reply(state)
            if reply is not None:
                self._exact[key] = reply.cost
        return key

    def _reply(self, state: State) -> Reply | None:
        return None if self._replies is None else self._replies(state)

    def _beam(self, state: State, depth: int | None) -> Cost:
        clock = self.clock if self._timed_beam else None
        if clock is None or not clock.expired():
            with contextlib.suppress(SearchInterruptedError):
                return self.evaluator.cost(state, depth=depth, width=self._width, clock=clock)
        return candidate_cost(state, depth)

    def worst(self, state: State, cost: Cost) -> int | None:
        """The minimum worst case of plans of at most this cost; None if an answer is lost or time
        runs out."""
        count = len(state.candidates)
        if cost.losses:
            return None
        if count <= 2:
            return count
        key = _key(state)
        reply = self._reply(state)
        if reply is not None and reply.cost == cost:
            return reply.worst
        if key not in self._worst:
            left = state.guesses_left
            try:
                for depth in range(2, (count if left is None else min(count, left)) + 1):
                    beta = cost.guesses + 1
                    total = self.evaluator.total(state, beta=beta, depth=depth, clock=self.clock)
                    if total < beta:
                        self._worst[key] = depth
                        break
            except SearchInterruptedError:
                return None
        return self._worst.get(key)

    def worst_case(self, state: State) -> int | None:
        """The minimum worst case; None if the cap is lower or time runs out."""
        try:
            return self.evaluator.worst_case(state, clock=self.clock)
        except SearchInterruptedError:
            return None

    # ---- guesses

    def of_guess(
        self,
        state: State,
        guess: int,
        *,
        quick: bool = False,
        depth: int | None = None,
        limit: Cost | None = None,
    ) -> Bounds:
        """Bounds on the cost of a guess, exact if time allows and `quick` is false.

        The search ends early once the guess is known to cost more than `limit`.
        """
        parts = state.groups(guess)
        parts.pop(state.game.win, None)
        below = None if depth is None else depth - 1
        bounds = {pattern: Cost(0, _size_bound(part, below)) for pattern, part in parts.items()}
        lower = sum(bounds.values(), Cost(0, state.weight))
        upper = Cost(0, state.weight)
        for pattern, part in sorted(parts.items(), key=lambda item: len(item[1].candidates)):
            found = None
            if not quick and (limit is None or lower <= limit):
                found = self.exact(part, below)
            if found is None:
                upper += self.upper(part, below)
            else:
                upper += found
                lower += found - bounds[pattern]
        return Bounds(lower, upper)

    def tighten_guess(self, state: State, guess: int) -> Iterator[Bounds]:
        """Yield bounds on a guess, tighter with every exact group, until time runs out."""
        parts = [part for id_, part in state.groups(guess).items() if id_ != state.game.win]
        lowers = [Cost(0, _size_bound(part, None)) for part in parts]
        uppers = [self.upper(part) for part in parts]
        lower = sum(lowers, Cost(0, state.weight))
        upper = sum(uppers, Cost(0, state.weight))
        for at in sorted(range(len(parts)), key=lambda at: len(parts[at].candidates)):
            exact = self.exact(parts[at])
            if exact is None:
                return
            lower, upper = lower + exact - lowers[at], upper + exact - uppers[at]
            yield Bounds(lower, upper)

    def outcomes(self, state: State, guess: int) -> list[tuple[int, int, Cost]]:
        """(pattern id, weight, cost) of every group of a guess: the exact cost if it is known, else
        that of a plan. The win costs nothing."""
        return [
            (id_, part.weight, Cost(0, 0) if id_ == state.game.win else self.upper(part))
            for id_, part in state.groups(guess).items()
        ]

    def worst_of_guess(self, state: State, guess: int) -> int | None:
        """The worst case after this guess if every group is played at its exact cost."""
        worst = 1
        for pattern, part in state.groups(guess).items():
            if pattern == state.game.win:
                continue
            cost = self.exact(part)
            more = None if cost is None else self.worst(part, cost)
            if more is None:
                return None
            worst = max(worst, 1 + more)
        return worst

    def best_guess(self, state: State, depth: int | None = None) -> int | None:
        """A guess of minimum cost; None if time runs out."""
        try:
            return self.evaluator.best_guess(state, depth=depth, clock=self.clock)
        except SearchInterruptedError:
            return None

    def any_best_guess(self, state: State, cost: Cost) -> int | None:
        """Any guess of minimum cost, which is given; None if time runs out."""
        try:
            return self.evaluator.any_best_guess(state, cost, clock=self.clock)
        except SearchInterruptedError:
            return None


def intersection(one: Bounds, other: Bounds) -> Bounds:
    """The tighter lower and upper bound of two bounds on the same cost."""
    return Bounds(max(one.lower, other.lower), min(one.upper, other.upper))


def candidate_cost(state: State, depth: int | None = None) -> Cost:
    """The cost of a plan that always guesses the possible answer with the most groups.

    This takes a fraction of a second for 17,723 answers; scanning all guesses takes several
    seconds.
    """
    left = state.guesses_left
    if depth is not None:
        left = depth if left is None else min(left, depth)
    cost, stack = Cost(0, 0), [(state, left)]
    while stack:
        current, left = stack.pop()
        if left == 0:
            cost += Cost(current.weight, 0)
            continue
        cost += Cost(0, current.weight)
        candidates = current.candidates
        at = 0 if len(candidates) <= 2 else int(splits(current, candidates).parts.argmax())
        below = None if left is None else left - 1
        parts = current.groups(int(candidates[at]))
        stack += [(part, below) for id_, part in parts.items() if id_ != current.game.win]
    return cost


def candidate_cost_of_guess(state: State, guess: int) -> Cost:
    """The cost of a guess that is followed by possible answers only."""
    parts = state.groups(guess)
    parts.pop(state.game.win, None)
    return sum(map(candidate_cost, parts.values()), Cost(0, state.weight))


def planned_cost(node: PlanNode, state: State) -> tuple[Cost, int]:
    """The cost of a plan's subtree in a state, and its worst case, by counting."""
    game = state.game
    guess = game.index(node.guess)
    cost, worst = Cost(0, len(state.candidates)), 1
    for pattern, part in state.groups(guess).items():
        if pattern == game.win:
            continue
        below = node.branches.get(game.show(pattern))
        if below is None:
            cost += Cost(len(part.candidates), 0)
            continue
        rest, depth = planned_cost(below, part)
        cost, worst = cost + rest, max(worst, 1 + depth)
    return cost, worst


def _key(state: State) -> tuple[Any, ...]:
    """A key for everything that the cost of a state depends on."""
    if state.game.mode == "normal":
        return state.turn, state.candidates.tobytes()
    return state.history


def _size_bound(state: State, depth: int | None) -> int:
    """The size bound of a state; 0 if no guess is left."""
    return 0 if depth == 0 else state.size_bound

"""Guess games as MCDP sees them: totals over answers, on the compiled kernels.

Bounds are those of `exact/bounds.py`, by their names there.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Indices
from salet.game.game import Game
from salet.game.state import State
from salet.search.exact.build import scan_memory
from salet.search.exact.model import INF
from salet.search.exact.scan import fewest_repeats
from salet.search.exact.solver import Rules, Solver
from salet.search.mcdp import dp
from salet.search.mcdp.problem import Actions, Span, Steps
from salet.search.mcdp.splitting import distinct, weigh
from salet.search.splits import splits
from salet.search.terms import hints_of, rules_of, warm_up

_NOBODY: Indices = np.zeros(0, np.int32)
_BEAM = 1
"""guesses that a rollout tries in a state"""
_MOST_PATTERNS = 256
"""more are scanned one guess at a time"""


class GuessProblem:
    """The rest of a game from a state on, as a `Problem`."""

    infinite: int = INF
    tolerance = 0.0

    def __init__(
        self,
        state: State,
        *,
        narrow: bool = True,
        rollout: bool = True,
        plain: bool = False,
        megabytes: float = 32,
    ) -> None:
        """The switches are those of `McdpConfig`; `megabytes`: for the bounds that exact search
        remembers."""
        self.game: Game = state.game
        self._start = state
        self._narrow = narrow
        self._rollout = rollout
        self._plain = plain
        self._memo: dp.Memo = {}
        self._can_scan = (
            self.game.mode == "normal"
            and self.game.weights is None
            and self.game.compiled.patterns <= _MOST_PATTERNS
        )
        rules = rules_of(self.game)
        warm_up(rules)
        self._tools = _Tools(rules, megabytes)
        self.stop: Callable[[], bool] = lambda: False
        """asked while a state is solved: True leaves it as it is"""
        self.game.symmetry  # noqa: B018 -- found before the clock starts
        self.nbytes = self._tools.nbytes + self.game.compiled.ids.nbytes
        self._warm_up()

    def _warm_up(self) -> None:
        """Load (or compile) what the exact search's own warming leaves out."""
        few = State(
            self.game, self._start.candidates[:3], self._start.history, self._start.previous
        )
        with self._tools.borrowed() as tool:
            self._least(few, tool)
            tool.beam.value(((0, self.game.win),))
            if self._can_scan:
                tool.weigh(few.candidates, 0, 0)
        for state in (self._start, few):  # the two memory orders of the table
            self._distinct(state, _NOBODY, np.zeros(0, bool))
            splits(state, _NOBODY)

    def start(self) -> State:
        return self._start

    def key(self, state: State) -> Hashable:
        depth = self._depth(state)
        legal = b"" if self.game.mode == "normal" else _digest(state.legal)
        return _digest(state.candidates), depth, legal

    def size(self, state: State) -> int:
        return len(state.candidates)

    def footprint(self, state: State) -> int:
        return 400 + 2 * state.candidates.nbytes

    # ---- bounds

    def _depth(self, state: State) -> int:
        """Guesses left, as far as they matter [useful depth]."""
        left, answers = state.guesses_left, len(state.candidates)
        return answers if left is None else min(left, answers)

    def _weights(self, state: State) -> tuple[int, int]:
        """The weight of all answers, and of the heaviest."""
        if self.game.weights is None:
            return len(state.candidates), 1
        weights = self.game.weights[state.candidates]
        return int(weights.sum()), int(weights.max())

    def bounds(self, state: State) -> Span:
        answers, depth = len(state.candidates), self._depth(state)
        if depth < min(answers, 2):
            return Span(INF, INF)
        lower = self.least(state)
        if answers <= 2:
            return Span(lower, lower)
        return Span(lower, self.reach(state) + lower if depth == answers else INF)

    def least(self, state: State) -> int:
        """What any plan takes, with or without a cap [size bound]."""
        weight, heaviest = self._weights(state)
        return 2 * weight - heaviest

    def reach(self, state: State) -> int:
        """Candidates one by one, the heaviest first, are always legal; no plan need take longer."""
        answers = len(state.candidates)
        if self.game.weights is None:
            return answers * (answers + 1) // 2 - 2 * answers + 1
        weights = np.sort(self.game.weights[state.candidates])[::-1]
        one_by_one = int(weights @ np.arange(1, answers + 1))
        return one_by_one - 2 * int(weights.sum()) + int(weights[0])

    def look(self, state: State) -> Span:
        """The least guess bound of all guesses, and the total of a greedy rollout."""
        known = self.bounds(state)
        with self._tools.borrowed() as tool:
            lower = max(known.lower, self._least(state, tool))
            upper = tool.beam.value(hints_of(state)) if self._rollout else known.upper
        return Span(lower, max(lower, upper))

    def _least(self, state: State, tool: _Tool) -> int:
        if self.game.weights is not None:
            return 0  # what is known at once is as good
        if self._can_scan:
            return tool.least(state.candidates)
        found = splits(state)
        return int((3 * found.answers - found.parts - found.is_candidate).min())

    # ---- dynamic programming

    def is_small(self, state: State, threshold: int) -> bool:
        return len(state.candidates) <= threshold

    def solve(self, state: State, beta: int) -> Span:
        if self._plain:
            value = dp.solve(self, state, beta, self._memo)
        else:
            with self._tools.borrowed() as tool:
                found = tool.exact.value_until(hints_of(state), self.stop, beta)
            if found is None:
                return Span(self.bounds(state).lower, INF)
            value = found
        return Span(value, value) if value < beta or value >= INF else Span(beta, INF)

    def best_guess(self, state: State) -> int:
        """The guess that exact play takes."""
        if len(state.candidates) <= 2:
            return self.first_candidate(state)
        with self._tools.borrowed() as tool:
            history = hints_of(state)
            if tool.exact.value(history) < INF:
                return tool.exact.first(history)
        return self._lossy.first(history)

    @functools.cached_property
    def _lossy(self) -> Solver:
        """Who plays on where no plan keeps the cap: fewest answers lost, then fewest guesses."""
        return Solver(rules_of(self.game), losses=True)

    def rolled_guess(self, state: State) -> int:
        """A guess that does as well as the rollout: the first in the order in which rollouts try
        them, unless that is a tie."""
        if len(state.candidates) <= 2:
            return self.first_candidate(state)
        found, history = splits(state), hints_of(state)
        least = 3 * found.answers - found.parts - found.is_candidate
        order = np.argsort(least * found.answers + 2 * found.squares, kind="stable")
        with self._tools.borrowed() as tool:
            value = tool.beam.value(history)
            for guess in found.guesses[order].tolist():
                if tool.beam.value(history, guess, value + 1) <= value:
                    return int(guess)
        raise AssertionError("a rollout begins with some guess")

    def first_candidate(self, state: State) -> int:
        """The heaviest candidate, the first of equals."""
        if self.game.weights is None:
            return int(state.candidates[0])
        return int(state.candidates[np.argmax(self.game.weights[state.candidates])])

    # ---- actions

    def expand(self, state: State, among: Indices | None) -> Actions:
        found = splits(state, among if self.game.mode == "normal" else None)
        n, is_candidate = found.answers, found.is_candidate
        if self.game.weights is None:
            lowers = 3 * n - found.parts - is_candidate  # [guess bound]
        else:  # [candidates only]
            weight, _ = self._weights(state)
            lowers = np.full(len(found.guesses), 2 * weight)
            lowers[is_candidate] -= self.game.weights[found.guesses[is_candidate]]
        kept = (found.parts > 1) | is_candidate  # the others are in no plan [useful depth]
        inherit = None
        if self._narrow and self.game.mode == "normal":
            kept &= self._distinct(state, found.guesses, is_candidate)
            inherit = found.guesses[kept]
        if not self.game.symmetry.is_none:
            # The earliest of guesses that can be exchanged has no candidate in its class unless it
            # is one: both reductions pass on to an earlier guess of equal value, so one remains.
            made = [guess for guess, _ in state.history]
            kept &= self.game.symmetry.representatives(made)[found.guesses]
        scores = 1 - found.squares / (n * n)
        order = np.flatnonzero(kept)
        order = order[np.argsort(-scores[order], kind="stable")]
        return Actions(found.guesses[order], scores[order], lowers[order], inherit)

    def _distinct(
        self, state: State, guesses: Indices, is_candidate: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        table = self.game.compiled
        ids = table.laid_out_for(len(state.candidates))
        return distinct(ids, table.patterns, state.candidates, guesses, is_candidate)

    def follow(self, state: State, action: int, limit: int) -> Steps:
        cost, _ = self._weights(state)
        children = []
        for below, lower in self._groups(state, action, limit):
            known = self.bounds(below)
            if known.lower == known.upper:
                cost += known.lower
            else:
                children.append((1, below, max(lower, known.lower)))
        return Steps(min(cost, INF), children)

    def _groups(self, state: State, action: int, limit: int) -> list[tuple[State, int]]:
        """The states after a guess that is not right, with lower bounds."""
        if not self._can_scan:
            groups = state.groups(action)
            groups.pop(self.game.win, None)
            return [(below, 0) for below in groups.values()]
        with self._tools.borrowed() as tool:
            order, parts, lowers = tool.weigh(state.candidates, action, limit)
        code = self.game.compiled.code
        return [
            (
                State(
                    self.game,
                    order[start : start + size],
                    (*state.history, (action, code(pattern))),
                    state,
                ),
                lower,
            )
            for (pattern, start, size), lower in zip(parts, lowers, strict=True)
            if pattern != self.game.win
        ]


def _digest(numbers: Indices) -> bytes:
    """Equal for equal arrays, and for different ones with probability 2**-128."""
    data = numbers.tobytes()
    return data if len(data) <= 32 else hashlib.blake2b(data, digest_size=16).digest()


class _Tool:
    """What one thread evaluates states with."""

    def __init__(self, exact: Solver, beam: Solver) -> None:
        self.exact, self.beam = exact, beam
        guesses = len(exact.place)
        patterns = exact.game.win + 1
        self._member = np.zeros(guesses, np.uint8)
        self._counts, self._seen = scan_memory(exact.game)
        self._tally = np.zeros(patterns, np.int32)
        self._queue = np.empty(patterns, np.int32)
        self._parts = np.empty((patterns, 3), np.int32)
        self._lowers = np.empty(patterns, np.int64)

    def weigh(
        self, candidates: Indices, guess: int, limit: int
    ) -> tuple[Indices, list[list[int]], list[int]]:
        """The candidates group by group; (pattern, start, size) and a lower bound of each."""
        order = np.empty_like(candidates)
        scratch = (self._tally, self._queue, self._member, self._counts, self._seen)
        place = self.exact.place[guess]
        count = weigh(
            self.exact.game, candidates, place, limit, self._parts, order, self._lowers, scratch
        )
        return order, self._parts[:count].tolist(), self._lowers[:count].tolist()

    def least(self, candidates: Indices) -> int:
        """The least 3n - k - w over all guesses (normal mode, equal weights)."""
        game, n = self.exact.game, len(candidates)
        own = game.own[candidates]
        self._member[own] = 1
        found = fewest_repeats(
            game.rows,
            game.packed,
            candidates,
            n,
            game.reach,
            len(self._member),
            self._member,
            self._counts,
            self._seen,
        )
        self._member[own] = 0
        return 2 * n - 1 + int(found)


class _Tools:
    """As many tools as threads ask for at once; they share what they remember."""

    def __init__(self, rules: Rules, megabytes: float) -> None:
        exact = Solver(rules, megabytes=megabytes * 3 / 4)
        beam = Solver(rules, megabytes=megabytes / 4, width=_BEAM)
        self._first = _Tool(exact, beam)
        self._free = [self._first]
        self.nbytes = sum(map(_bytes, (rules.full, exact.game, exact.bounds, exact.stack)))
        self.nbytes += _bytes(beam.bounds) + _bytes(beam.stack)  # the game is the same

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[_Tool]:
        try:
            tool = self._free.pop()
        except IndexError:
            tool = _Tool(self._first.exact.twin(), self._first.beam.twin())
        try:
            yield tool
        finally:
            self._free.append(tool)


def _bytes(thing: Any) -> int:
    """What the arrays in it take."""
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    return sum(map(_bytes, thing)) if isinstance(thing, tuple) else 0

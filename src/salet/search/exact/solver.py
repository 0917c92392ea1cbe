"""The search of one thread: takes states (roots), returns totals and guesses."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from salet.array_types import Bools, Indices, Ints
from salet.search.exact.engine import EXPAND, EXPAND_ONLY, NEXT_GUESS, search
from salet.search.exact.layout import HARD, INF, NORMAL, STRICT, Layout
from salet.search.exact.opener_bound import MIN_DEPTH, opener_bound
from salet.search.exact.stack import (
    ALL_GUESSES,
    ONE_GUESS,
    ONE_GUESS_IN_ROUNDS,
    UNKNOWN,
    build_stack,
)
from salet.search.exact.ties import tied_guesses
from salet.search.exact.transposition_table import (
    TranspositionTable,
    empty_table,
    probe,
)

_SLICE = 64
"""States expanded, or parts scanned, between two questions to `stop`."""
_UNSLICED = 1 << 60
_MIN_ALTERNATIVES = 20
"""Size of the smallest state in which trying given guesses one by one is faster than solving it."""

Stop = Callable[[int], bool]
"""Told the number of states expanded and parts scanned since it was last asked; True ends the
search."""


Log = Callable[[Ints], None]
"""Receives rows of `Stack.log`."""
_LOG_ROWS = 4096


_SIMILAR_MB = 64.0
"""Of one thread. Room that is never used is never touched."""


class SearchInterruptedError(Exception):
    """`stop` ended a search before its result was known."""


@dataclass(frozen=True, eq=False)
class Root:
    """A state in the form that a solver takes. Guesses and answers have the game's numbering."""

    answers: Indices
    """the remaining answers, ascending"""
    depth: int
    """guesses left, at most one more than the number of answers"""
    legal: Indices | None = None
    """the legal guesses; None in normal mode"""
    greens: Mapping[int, int] = field(default_factory=dict)
    """hard mode: position -> letter"""
    needs: Mapping[int, int] = field(default_factory=dict)
    """hard mode: letter -> the number of times it is known to occur"""


class Solver:
    """Exact totals of states and guesses. Not thread-safe; twins share the transposition table."""

    def __init__(
        self,
        layout: Layout,
        *,
        loss: int = INF,
        width: int = 0,
        max_depth: int | None = None,
        megabytes: float = 16,
        table: TranspositionTable | None = None,
        similar_mb: float | None = None,
        log: Log | None = None,
    ) -> None:
        """`loss` and `width` as in Layout. `max_depth` limits the depth of roots. `similar_mb` is
        room for sets that were scanned, by default what a large game can use. `log` gets every
        lower bound that is proven of a state."""
        self.layout: Layout = layout._replace(loss=loss, width=width)
        self._feasible: Layout = self.layout._replace(feasible=1)
        self.table = empty_table(megabytes) if table is None else table
        answers = layout.table.shape[1]
        self._max_depth = answers + 1 if max_depth is None else min(max_depth, answers + 1)
        self._log = log
        self._similar_mb = _similar_mb(layout) if similar_mb is None else similar_mb
        self._by_weight = np.argsort(-layout.weights, kind="stable").astype(np.int32)
        self._new_stack()

    def _new_stack(self) -> None:
        # Each level may log once before a search can pause: with fewer rows it would never go on.
        rows = 0 if self._log is None else max(_LOG_ROWS, 2 * (self._max_depth + 2))
        self.stack = build_stack(self.layout, self._max_depth, rows, self._similar_mb)

    def twin(self) -> Solver:
        """A solver for another thread, which shares the transposition table."""
        other = copy.copy(self)
        other._new_stack()
        return other

    @property
    def nodes(self) -> int:
        """States expanded so far."""
        return int(self.stack.counters[0].nodes)

    # ---- totals

    def value(
        self,
        root: Root,
        guess: int | None = None,
        beta: int = INF,
        *,
        in_rounds: bool = False,
        feasible: bool = False,
        stop: Stop | None = None,
    ) -> int:
        """The total of a state, or of one guess in it: exact if below beta, else at least beta.

        INF means that no plan keeps the cap; where losses are allowed, each lost answer adds `loss`
        times its weight to the guesses made for it. With `feasible` any finite number means that
        some plan keeps the cap. A guess that is probably not below beta is best tried `in_rounds`.
        Raises SearchInterruptedError if `stop`, asked every few milliseconds, says so.
        """
        self.enter(root)
        layout = self._feasible if feasible else self.layout
        frame = self.stack.frames[0]
        if frame.depth <= 0:
            return INF if layout.loss >= INF else int(layout.loss * frame.weight)
        frame.beta = beta
        if guess is None:
            frame.kind = ALL_GUESSES
            key0, key1 = self.stack.keys[0]
            lower, upper = probe(self.table, key0, key1)
            if not layout.width and (lower == upper or (feasible and 0 <= upper < INF)):
                return int(lower)
            return self._run(layout, EXPAND, stop=stop)
        frame.kind = ONE_GUESS_IN_ROUNDS if in_rounds else ONE_GUESS
        frame.best, frame.best_guess, frame.lower = INF, -1, 0
        frame.is_sorted, frame.queued, frame.taken, frame.tried = 1, 1, 0, 0
        frame.max_parts = frame.max_peel = frame.count
        self.stack.queue[0, 0] = index = layout.index_of[guess]
        self.stack.bounds[0, index] = 0
        self.stack.part_nodes[:] = 0
        return self._run(layout, NEXT_GUESS, stop=stop)

    def known(self, root: Root) -> tuple[int, int]:
        """What the transposition table holds of a state: lower <= total <= upper."""
        self.enter(root)
        lower, upper = probe(self.table, *self.stack.keys[0])
        return int(lower), INF if upper < 0 else int(upper)

    def best_of(
        self,
        root: Root,
        guesses: Ints,
        beta: int,
        stop: Stop | None = None,
        *,
        feasible: bool = False,
    ) -> int:
        """The total of a state in which only these guesses need be tried: exact if below `beta`,
        otherwise a lower bound >= `beta`. It is stored as the total of the state. With `feasible`
        any number below `beta` means that some plan keeps the cap.

        The state is expanded as any other, and the guesses not given are left out of its queue.
        """
        assert self._log is None  # a certificate would miss the guesses left out
        layout = self._feasible if feasible else self.layout
        stack, n = self.stack, len(root.answers)
        lower, upper = self.known(root)
        if lower == upper or lower >= beta or (feasible and upper < INF):
            return lower
        frame = stack.frames[0]
        if n < _MIN_ALTERNATIVES or frame.depth < 3:
            return self.value(root, beta=beta, feasible=feasible, stop=stop)
        frame.kind, frame.beta = ALL_GUESSES, beta
        value = self._run(layout, EXPAND_ONLY, stop=stop)
        if value >= 0:
            return value
        is_given = np.zeros(len(layout.index_of), bool)
        is_given[layout.index_of[guesses]] = True
        if frame.is_sorted:
            queue: Ints = stack.queue[0, : frame.queued].astype(np.int64)
            queue = queue[is_given[queue]]
        else:
            queue = self._sorted_queue(is_given)
        stack.queue[0, : len(queue)] = queue
        frame.queued, frame.taken, frame.is_sorted = len(queue), 0, 1
        return self._run(layout, NEXT_GUESS, stop=stop)

    def _sorted_queue(self, is_given: Bools) -> Ints:
        """The guesses given whose bound is below beta in the small state at the bottom, by their
        bounds and the sizes of their parts."""
        layout, stack, frame = self.layout, self.stack, self.stack.frames[0]
        n = int(frame.count)
        members = stack.answers[0, frame.start : frame.start + n]
        legal: Ints = np.arange(len(is_given))
        if layout.mode != NORMAL:
            legal = stack.legal[0, : frame.legal].astype(np.int64)
        repeats = stack.repeats[0, : len(legal)].astype(np.int64)
        # A guess that does not split the state is idle: its repeats are n, or no less than a limit.
        chosen = is_given[legal] & (2 * n - 1 + repeats < frame.beta) & (repeats < n)
        queue, repeats = legal[chosen], repeats[chosen]
        patterns = layout.win + 1
        cells = layout.table[queue][:, members] + patterns * np.arange(len(queue))[:, None]
        sizes = np.bincount(cells.ravel(), minlength=patterns * len(queue))
        squares = (sizes.reshape(-1, patterns) ** 2).sum(axis=1)
        stack.bounds[0, queue] = 2 * n - 1 + repeats
        ordered: Ints = queue[np.argsort(repeats * n + 2 * squares, kind="stable")]
        return ordered

    def bounds_of(
        self, root: Root, guesses: Ints, beta: int, stop: Stop | None = None
    ) -> Ints | None:
        """Lower bounds of guesses in a state, from scans of their parts: each at least `beta` if
        that can be shown quickly. What is found of parts is stored. None where they do not hold."""
        layout, frame = self.layout, self.stack.frames[0]
        self.enter(root)
        if not layout.unit or layout.win > 255 or frame.depth < MIN_DEPTH:
            return None
        frame.max_parts = frame.max_peel = frame.count
        bounds = np.empty(len(guesses), np.int64)
        for at, index in enumerate(layout.index_of[guesses]):
            if stop is not None and stop(1):
                raise SearchInterruptedError
            bounds[at] = opener_bound(layout, self.stack, self.table, 0, index, beta)
        return bounds

    # ---- guesses

    def ties(
        self, root: Root, value: int, limit: int | None = None, stop: Stop | None = None
    ) -> list[int]:
        """The guesses that reach a state's value: candidates first, then in the game's order. Of a
        beam search, the one that it prefers."""
        if value >= INF:
            return []
        if self.layout.width:
            guess = self.beam_guess(root, stop)
            return [] if guess is None else [guess]
        limit = len(self.layout.index_of) if limit is None else limit
        if len(root.answers) <= 2 or root.depth < 2:  # only a candidate can be best
            candidates = map(int, root.answers)
            return [g for g in candidates if self.value(root, g, value + 1) <= value][:limit]
        self.enter(root)
        run = partial(self._run, self.layout, stop=stop)
        return tied_guesses(self.layout, self.stack, value, limit, run)

    def beam_guess(self, root: Root, stop: Stop | None = None) -> int | None:
        """The guess that a beam search prefers in a state; None if it finds no plan."""
        value = self.value(root, stop=stop)
        if value >= INF:
            return None
        guess = int(self.stack.frames[0].best_guess)
        if guess >= 0:
            return int(self.layout.original[guess])
        # The state was settled without trying a guess to its end: then any that reaches it will do.
        self.enter(root)
        run = partial(self._run, self.layout, stop=stop)
        return tied_guesses(self.layout, self.stack, value, 1, run)[0]

    def any_best(self, root: Root, value: int, stop: Stop | None = None) -> int:
        """Any guess that reaches a state's value."""
        self.enter(root)
        frame = self.stack.frames[0]
        frame.kind, frame.beta = ALL_GUESSES, value + 1
        self._run(self.layout, EXPAND, stop=stop)
        if frame.best_guess >= 0:
            return int(self.layout.original[frame.best_guess])
        return self.ties(root, value, 1, stop)[0]  # settled without trying a guess to its end

    def ranking(
        self, root: Root, guesses: Sequence[int], count: int, stop: Stop | None = None
    ) -> list[tuple[int, int]]:
        """The `count` best of the guesses with their totals, in the order of ties.

        They are tried in the order given; promising ones first saves work.
        """
        candidates = set(root.answers.tolist())
        found: list[tuple[int, bool, int]] = []
        for guess in guesses:
            beta = found[count - 1][0] + 1 if len(found) >= count else INF
            value = self.value(root, guess, beta, stop=stop)
            if value < beta:
                found = sorted([*found, (value, guess not in candidates, guess)])
                while len(found) > count and found[-1][0] > found[count - 1][0]:
                    found.pop()
        return [(guess, value) for value, _, guess in found[:count]]

    # ---- inside

    def _run(self, layout: Layout, phase: int, *, stop: Stop | None) -> int:
        """Run the search from a phase of the bottom frame to its end."""
        self.stack.counters[0].level = 0
        budget = _UNSLICED if stop is None else _SLICE
        while True:
            finished, phase, value = search(layout, self.stack, self.table, phase, budget)
            self.drain_log()
            if finished:
                return int(value)
            if stop is not None and stop(_SLICE):
                raise SearchInterruptedError

    def drain_log(self) -> None:
        """Pass the rows logged since the last call to `log`."""
        counters = self.stack.counters[0]
        if self._log is not None and counters.logged:
            self._log(self.stack.log[: counters.logged].copy())
            counters.logged = 0

    def enter(self, root: Root) -> None:
        """Put a state at the bottom of the stack."""
        stack, layout, n = self.stack, self.layout, len(root.answers)
        members = root.answers
        if not layout.unit:
            is_member = np.zeros(layout.table.shape[1], bool)
            is_member[members] = True
            members = self._by_weight[is_member[self._by_weight]]
        stack.answers[0, :n] = members
        frame = stack.frames[0]
        frame.start, frame.count = 0, n
        frame.weight = layout.weights[members].sum()
        frame.depth = min(root.depth, n + 1)  # one guess may be forced
        with np.errstate(over="ignore"):
            stack.keys[0] = (
                layout.answer_keys[members].sum(axis=0, dtype=np.uint64)
                + layout.depth_keys[min(int(frame.depth), n)]
                + self._enter_legal(root)
            )

    def _enter_legal(self, root: Root) -> np.ndarray:
        """Put the legal guesses of a state at the bottom of the stack; returns their key."""
        stack, layout = self.stack, self.layout
        key = np.zeros(2, np.uint64)
        if layout.mode == NORMAL:
            return key
        assert root.legal is not None
        legal = np.sort(layout.index_of[root.legal])
        stack.legal[0, : len(legal)] = legal
        stack.frames[0].legal = len(legal)
        if layout.mode == STRICT:
            key = layout.legality.guess_keys[legal].sum(axis=0, dtype=np.uint64)
        elif layout.mode == HARD:
            rule = layout.legality
            length = rule.letters.shape[1]
            alphabet = len(rule.need_keys) // length
            stack.greens[0], stack.needs[0] = UNKNOWN, 0
            for position, letter in root.greens.items():
                stack.greens[0, position] = letter
                key += rule.green_keys[position * alphabet + letter]
            for letter, count in root.needs.items():
                stack.needs[0, letter] = count
                key += rule.need_keys[letter * length : letter * length + count].sum(
                    axis=0, dtype=np.uint64
                )
        stack.legal_keys[0] = key
        return key


def _similar_mb(layout: Layout) -> float:
    """Room for sets that were scanned: none where they are of no use."""
    is_used = layout.mode != STRICT and layout.unit and layout.table.shape[1] >= layout.large
    return _SIMILAR_MB if is_used else 0.0

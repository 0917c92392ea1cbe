"""The search as a library: states in, facts out."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Ints
from salet.search.exact.build import build_game, build_stack, hard_legality, strict_legality
from salet.search.exact.choice import equal_guesses, forced
from salet.search.exact.engine import OPEN, search
from salet.search.exact.legality import NONE, child_legal
from salet.search.exact.model import (
    BETA,
    DEPTH,
    FORCED,
    HARD,
    IN_ROUNDS,
    INF,
    LEGAL,
    LEVEL_NOW,
    NODES,
    NORMAL,
    ONE_GUESS,
    PATTERN,
    PLAYED,
    SIZE,
    START,
    STRICT,
    WEIGHT,
    Game,
)
from salet.search.exact.transpositions import Bounds, empty_bounds, probe, store

Hint = tuple[int, int]
"""A guess and the pattern it showed."""
_SLICE = 64
"""States that are opened before somebody is asked whether to stop."""
_WORTHWHILE = 20
"""Smaller states are solved sooner than their guesses are told apart."""


class Mode(Enum):
    """Which guesses are legal."""

    NORMAL = NORMAL
    HARD = HARD
    STRICT = STRICT


@dataclass(frozen=True)
class Rules:
    """A game, told by its table."""

    table: NDArray[np.uint8]
    """[guess, answer] -> pattern; guess i < n_answers is answer i; the last pattern wins."""
    patterns: int
    mode: Mode = Mode.NORMAL
    codes: NDArray[np.uint8] | None = None
    """[guess, position]: letters, for hard mode."""
    digits: NDArray[np.uint8] | None = None
    """[pattern, position]: tiles, for hard mode."""
    presence_only: bool = False
    """Hard mode for feedback that does not count letters."""
    full: NDArray[np.uint8] | None = None
    """[guess, guess]: patterns with any guess as answer, for strict mode."""
    weights: NDArray[np.int64] | None = None
    cap: int | None = None
    """Guesses in all, the ones already made included; None: as many as it takes."""
    name: str | None = None
    """A digest of the table, under which its layout is kept on disk."""

    @functools.cached_property
    def layout(self) -> Game:
        """The table and the legality rule as the kernels want them, made once for all solvers."""
        legality = None
        if self.mode is Mode.HARD:
            assert self.codes is not None and self.digits is not None
            most = 1 if self.presence_only else self.codes.shape[1]
            legality = hard_legality(self.codes, self.digits, most=most)
        elif self.mode is Mode.STRICT:
            assert self.full is not None
            legality = strict_legality(self.full)
        return build_game(
            self.table,
            self.patterns,
            weights=self.weights,
            mode=self.mode.value,
            legality=legality,
            name=self.name,
        )


class Solver:
    """Exact values of states and guesses of one game. Not for two threads at once; they may share
    `bounds`.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        losses: bool = False,
        feasible: bool = False,
        width: int = 0,
        megabytes: float = 16,
        bounds: Bounds | None = None,
        cap: int | None = None,
        without: int = 0,
    ) -> None:
        """`without` switches optimisations off [model.py]: only for measuring them."""
        self.rules = rules
        guesses, answers = rules.table.shape
        weights = np.ones(answers, np.int64) if rules.weights is None else rules.weights
        self.cap = cap or rules.cap
        # A loss must outweigh any number of guesses.
        most = answers + 1 if self.cap is None else min(self.cap, answers + 1)
        self.loss = (most + 1) * int(weights.sum()) + 1 if losses else INF
        self.game: Game = rules.layout._replace(
            loss=self.loss, width=width, feasible=int(feasible), without=without
        )
        self.bounds = bounds if bounds is not None else empty_bounds(megabytes)
        self.place = np.empty(guesses, np.int64)
        self.place[self.game.names] = np.arange(guesses)
        self._heaviest = np.argsort(-weights, kind="stable").astype(np.int32)
        self._new_memory()

    def _new_memory(self) -> None:
        most = self.game.table.shape[1] + 1
        self.stack = build_stack(self.game, most if self.cap is None else min(self.cap, most))

    def twin(self) -> Solver:
        """Another searching thread for the same game: it shares the table of bounds."""
        other = copy.copy(self)
        other._new_memory()
        return other

    @property
    def nodes(self) -> int:
        """States opened so far."""
        return int(self.stack.stats[NODES])

    def enter(self, history: Sequence[Hint]) -> int:
        """Put the state after a history at the bottom of the stack. Return the number of its
        answers.
        """
        stack, game = self.stack, self.game
        guesses = game.table.shape[0]
        members = self._heaviest
        if game.mode != NORMAL:
            stack.legal[0] = np.arange(guesses)
            stack.frame[0, LEGAL] = guesses
            stack.green[0] = NONE
            stack.need[0] = 0
            stack.legal_key[0] = 0
        for guess, pattern in history:
            g = self.place[guess]
            members = members[game.table[g, members] == pattern]
            if game.mode != NORMAL:
                stack.frame[1, PLAYED], stack.frame[1, PATTERN] = g, pattern
                child_legal(game, stack, 1)
                stack.frame[0, LEGAL] = stack.frame[1, LEGAL]
                for array in (stack.legal, stack.green, stack.need, stack.legal_key):
                    array[0] = array[1]
        n = len(members)
        stack.answers[0, :n] = members
        frame = stack.frame[0]
        # A plan never needs more useful guesses than answers, and one may be forced; without a cap
        # that is all there is to say, however many guesses were made.
        left = n + 1 if self.cap is None else min(self.cap - len(history), n + 1)
        frame[START], frame[SIZE], frame[DEPTH] = 0, n, left
        frame[WEIGHT] = game.weights[members].sum()
        legal_key = stack.legal_key[0].copy()
        if game.mode == STRICT:
            legal_key = game.legality.guess_keys[stack.legal[0, : frame[LEGAL]]].sum(
                axis=0, dtype=np.uint64
            )
        with np.errstate(over="ignore"):
            stack.key[0] = (
                game.keys[members].sum(axis=0, dtype=np.uint64)
                + game.depth_keys[min(int(frame[DEPTH]), n)]
                + legal_key
            )
        return n

    def legal(self, history: Sequence[Hint] = ()) -> list[int]:
        """The legal guesses after a history, in the game's order."""
        self.enter(history)
        if self.game.mode == NORMAL:
            return list(range(self.game.table.shape[0]))
        return sorted(
            int(g) for g in self.game.names[self.stack.legal[0, : self.stack.frame[0, LEGAL]]]
        )

    def answers(self, history: Sequence[Hint] = ()) -> list[int]:
        """The answers still possible after a history, in the game's order."""
        n = self.enter(history)
        return sorted(int(a) for a in self.stack.answers[0, :n])

    def value(
        self,
        history: Sequence[Hint] = (),
        guess: int | None = None,
        beta: int = INF,
        *,
        in_rounds: bool = False,
    ) -> int:
        """The total of a state, or of one guess in it: exact if below beta, else at least beta. A
        guess that is probably not below beta is best tried `in_rounds`.

        INF: no plan keeps the cap. With losses allowed, each lost answer adds `loss` (times its
        weight) to the guesses made for it.
        """
        self.enter(history)
        frame = self.stack.frame[0]
        if frame[DEPTH] <= 0:
            return INF if self.loss >= INF else int(self.loss * frame[WEIGHT])
        if guess is not None:
            kind = IN_ROUNDS if in_rounds else ONE_GUESS
            return forced(self.game, self.stack, self.bounds, self.place[guess], beta, kind)
        return self._value_here(beta)

    def value_until(
        self, history: Sequence[Hint], stop: Callable[[], bool], beta: int = INF
    ) -> int | None:
        """The total of a state, as `value` gives it; None if `stop` says so before it is found
        (asked every few milliseconds)."""
        self.enter(history)
        return self._search_here(beta, stop)

    def _value_here(self, beta: int) -> int:
        """The total of the state that was entered last."""
        value = self._search_here(beta, lambda: False)
        assert value is not None
        return value

    def _search_here(self, beta: int, stop: Callable[[], bool]) -> int | None:
        key0, key1 = self.stack.key[0]
        lower, upper = probe(self.bounds, key0, key1)
        if lower == upper and not self.game.width:
            return int(lower)
        frame = self.stack.frame[0]
        frame[BETA], frame[FORCED] = beta, 0
        self.stack.stats[LEVEL_NOW] = 0
        phase: Any = OPEN
        while True:
            finished, phase, value = search(self.game, self.stack, self.bounds, phase, _SLICE)
            if finished:
                return int(value)
            if stop():
                return None

    def least_of(self, history: Sequence[Hint], guesses: Ints, beta: int) -> int:
        """The total of a state, where some of its guesses suffice: exact if below beta, else at
        least beta. It is remembered as the state's."""
        n = self.enter(history)
        if n < _WORTHWHILE:
            return self.value(history, beta=beta)
        members = self.stack.answers[0, :n].copy()
        if self.game.mode != NORMAL:
            guesses = guesses[np.isin(guesses, self.legal(history))]
        patterns = np.sort(self.rules.table[guesses][:, members], axis=1)
        parts = 1 + (patterns[:, 1:] != patterns[:, :-1]).sum(axis=1)
        best = INF
        for guess in guesses[np.argsort(-parts, kind="stable")]:
            best = min(best, self.value(history, int(guess), min(beta, best)))
        if best < beta:
            self.enter(history)
            key0, key1 = self.stack.key[0]
            store(self.bounds, key0, key1, best, best)
        return best

    def first(self, history: Sequence[Hint]) -> int:
        """The first of the equally good guesses of a state that can be solved within the cap."""
        n = self.enter(history)
        if n <= 2 or self.stack.frame[0, DEPTH] < 2:
            return self.equal(history, self.value(history), 1)[0]
        value = self._value_here(INF)
        return equal_guesses(self.game, self.stack, self.bounds, self.place, value, 1)[0]

    def equal(self, history: Sequence[Hint], value: int, most: int | None = None) -> list[int]:
        """The guesses that reach a state's value, candidates first, then in the game's order."""
        n = self.enter(history)
        if value >= INF:
            return []
        most = len(self.place) if most is None else most
        if self.stack.frame[0, DEPTH] >= 2 and n > 2:
            return equal_guesses(self.game, self.stack, self.bounds, self.place, value, most)
        # One or two answers, or one guess left: only an answer can be best.
        found = [g for g in self.answers(history) if self.value(history, g, value + 1) <= value]
        return found[:most]

    def top(self, k: int, history: Sequence[Hint], order: Sequence[int]) -> list[tuple[int, int]]:
        """The k best guesses with their totals (candidates first among equals, then the game's
        order). Every guess of `order` is tried; good ones first saves work."""
        candidates = set(self.answers(history))
        found: list[tuple[int, bool, int]] = []
        for g in order:
            beta = found[k - 1][0] + 1 if len(found) >= k else INF
            value = self.value(history, g, beta)
            if value < beta:
                found = sorted([*found, (value, g not in candidates, g)])
                while len(found) > k and found[-1][0] > found[k - 1][0]:
                    found.pop()
        return [(g, value) for value, _, g in sorted(found)[:k]]


def least_cap(
    rules: Rules, history: Sequence[Hint] = (), guess: int | None = None
) -> tuple[int, Solver]:
    """The fewest guesses that always suffice, those of the history included, and a solver that
    asks only whether that cap can be kept."""
    answers = rules.table.shape[1]
    for cap in range(len(history) + 1, len(history) + answers + 2):
        solver = Solver(rules, feasible=True, cap=cap)
        if solver.value(history, guess) < INF:
            return cap, solver
    raise AssertionError("every game is solved by guessing its answers one by one")

"""Exact play on several boards when few answers are left: branch and bound over joint states.

A joint state consists of the sets of possible answers of its open boards; boards with the same
feedback have the same set, all others have disjoint sets. Its cost is the number of *misses*,
guesses that solve no board, over all possible tuples of answers; the number of guesses is that plus
one for each board of each tuple. The search uses three bounds:

[certain miss]   A guess that is possible on no board is a miss for every tuple. So if some guess
                 costs at most as many misses as there are tuples, no such guess is better.
[best chance]    If no answer is known yet, the next guess solves a board for at most k / n of the
                 tuples, where k boards share n answers; the others are misses.
[no known answer] If all boards have different sets, then of the tuples whose answers are all in
                 groups of two or more after a guess, the next guess solves a board for at most
                 half.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from salet.game.game import Game
from salet.game.joint_state import JointState
from salet.search.budget import Clock

Sets = tuple[tuple[int, ...], ...]
"""The possible answers of every open board, sorted."""

MAX_WORK = 20_000
"""Maximum number of outcomes that one call may examine."""


class _OutOfWorkError(Exception):
    """The limit on work is reached."""


class _Follow(NamedTuple):
    """A guess with its outcomes."""

    bound: int
    """lower bound on the misses"""
    guess: int
    outcomes: list[tuple[Sets, int, int]]
    """(sets, number of ways that lead there, lower bound on misses), most tuples first"""


@dataclass(frozen=True)
class JointValue:
    """The proven value of a joint state."""

    guesses: Fraction
    """expected guesses to come under best play"""
    guess: int
    """the first of the best guesses"""


class JointSearch:
    """Values joint states exactly, with a memo. The cap is ignored."""

    def __init__(self, board: Game, *, max_work: float = MAX_WORK) -> None:
        self.board, self.max_work = board, max_work
        self._exact: dict[Sets, tuple[int, int]] = {}
        self._lower: dict[Sets, int] = {}
        self._work = 0
        self._clock: Clock | None = None

    def best_guess(self, state: JointState) -> int | None:
        """The first of the best guesses; None if finding it takes too much work."""
        found = self.value(state)
        return None if found is None else found.guess

    def value(self, state: JointState, clock: Clock | None = None) -> JointValue | None:
        """The value of a state that is not won; None if work or time runs out."""
        sets = _sets(state)
        self._work, self._clock = 0, clock
        try:
            misses = self._misses(sets)
        except _OutOfWorkError:
            return None
        return JointValue(len(sets) + Fraction(misses, _tuples(sets)), self._exact[sets][1])

    def value_of(
        self, state: JointState, guess: int, clock: Clock | None = None
    ) -> JointValue | None:
        """The value of a guess in a state that is not won; None if work or time runs out."""
        sets = _sets(state)
        self._work, self._clock = 0, clock
        try:
            follows = self._ordered(sets, iter([guess]))
            if not follows:  # it changes nothing
                misses: float = _tuples(sets) + self._misses(sets)
            else:
                misses = self._of_guess(follows[0], math.inf)
        except _OutOfWorkError:
            return None
        return JointValue(len(sets) + Fraction(int(misses), _tuples(sets)), guess)

    def _misses(self, sets: Sets, limit: int | None = None) -> int:
        """Misses over all tuples: exact if below `limit`, else at least `limit`."""
        if not sets:
            return 0
        if sets in self._exact:
            return self._exact[sets][0]
        lower = self._lower.get(sets, _lower_bound(sets))
        if limit is not None and lower >= limit:
            return lower
        if all(len(answers) == 1 for answers in sets):
            self._exact[sets] = 0, sets[0][0]
            return 0
        tuples = _tuples(sets)
        best, chosen = (math.inf if limit is None else limit), -1
        for others in (False, True):
            if others and best <= tuples:  # [certain miss]
                break
            guesses = self._other_guesses(sets, best) if others else self._answers(sets)
            for follow in self._ordered(sets, guesses):
                if follow.bound >= best:
                    break
                value = self._of_guess(follow, best)
                if value < best:
                    best, chosen = value, follow.guess
        if chosen < 0:
            assert limit is not None
            self._lower[sets] = limit
            return limit
        self._exact[sets] = int(best), chosen
        return int(best)

    def _of_guess(self, follow: _Follow, limit: float) -> float:
        """The misses of a guess: exact if below `limit`, else `limit`."""
        value: float = follow.bound
        for sets, times, lower in follow.outcomes:
            room = math.ceil((limit - value) / times) + lower if limit < math.inf else None
            value += times * (self._misses(sets, room) - lower)
            if value >= limit:
                return limit
        return value

    def _ordered(self, sets: Sets, guesses: Iterator[int]) -> list[_Follow]:
        """All guesses that change something, with their outcomes, lowest bound first."""
        tuples, found = _tuples(sets), []
        for guess in guesses:
            outcomes = self._outcomes(sets, guess)
            if sets in outcomes:
                continue
            hits = sum(tuples // len(answers) for answers in sets if guess in answers)
            rows = [(after, times, self._bound(after)) for after, times in outcomes.items()]
            rows.sort(key=lambda row: -_tuples(row[0]))
            bound = tuples - hits + sum(times * lower for _, times, lower in rows)
            found.append(_Follow(bound, guess, rows))
        found.sort(key=lambda follow: follow[:2])
        return found

    def _bound(self, sets: Sets) -> int:
        found = self._exact.get(sets)
        return found[0] if found is not None else self._lower.get(sets, _lower_bound(sets))

    def _outcomes(self, sets: Sets, guess: int) -> Counter[Sets]:
        """The outcomes of a guess: the sets of the boards that stay open, with the number of ways
        that lead there. Ways in which two boards would share an answer are left out."""
        row, win = self.board.table[guess], self.board.win
        groups = []
        for answers in sets:
            parts: dict[int, list[int]] = {}
            for answer in answers:
                parts.setdefault(int(row[answer]), []).append(answer)
            groups.append([() if p == win else tuple(part) for p, part in parts.items()])
        self._spend(math.prod(map(len, groups)))
        outcomes: Counter[Sets] = Counter()
        for chosen in itertools.product(*groups):
            still_open = tuple(sorted(part for part in chosen if part))
            if len(chosen) - len(still_open) <= 1 and _tuples(still_open):
                outcomes[still_open] += 1
        return outcomes

    def _spend(self, work: int) -> None:
        self._work += work
        if self._work > self.max_work or (self._clock is not None and self._clock.expired()):
            raise _OutOfWorkError

    def _answers(self, sets: Sets) -> Iterator[int]:
        """The words that are possible on some board."""
        return iter(sorted({answer for answers in sets for answer in answers}))

    def _other_guesses(self, sets: Sets, limit: float) -> Iterator[int]:
        """One of the other guesses for each distinct split of the sets, without those that cost at
        least `limit` misses [no known answer]."""
        possible = sorted({answer for answers in sets for answer in answers})
        self._spend(len(possible) ** 2)
        rows = self.board.table[:, possible]
        # Two guesses make the same split if their columns repeat values at the same positions.
        first = np.zeros(rows.shape, np.uint16)
        for column in range(1, len(possible)):
            first[:, column] = (rows[:, : column + 1] == rows[:, [column]]).argmax(axis=1)
        first[possible] = 0
        _, distinct = np.unique(
            np.ascontiguousarray(first).view(f"V{2 * len(possible)}"), return_index=True
        )
        distinct = np.sort(distinct[first[distinct].any(axis=1)])
        if len(set(sets)) == len(sets):
            unknown = np.ones(len(distinct))
            for answers in sets:
                parts = self.board.table[np.ix_(distinct, np.array(answers))]
                equal = (parts[:, :, None] == parts[:, None, :]).sum(axis=2)
                unknown *= (equal > 1).sum(axis=1)
            distinct = distinct[_tuples(sets) + np.ceil(unknown / 2) < limit]
        return iter(distinct.tolist())


def _sets(state: JointState) -> Sets:
    return tuple(sorted(tuple(board.candidates.tolist()) for board in state.open_boards))


def _tuples(sets: Sets) -> int:
    """Number of tuples of different answers."""
    return math.prod(math.perm(len(answers), times) for answers, times in Counter(sets).items())


def _lower_bound(sets: Sets) -> int:
    """A lower bound on the misses [best chance]."""
    if any(len(answers) == 1 for answers in sets) or not sets:
        return 0
    tuples = _tuples(sets)
    chances = (Fraction(times, len(answers)) for answers, times in Counter(sets).items())
    return math.ceil(tuples * (1 - max(chances)))

"""Exact play on several boards when few answers are left: branch and bound over joint states.

A joint state consists of the sets of possible answers of its open boards; boards with the same
feedback have the same set, all others have disjoint sets. Its cost is the number of *misses*,
guesses that solve no board, over all possible tuples of answers; the number of guesses is that plus
one for each board of each tuple. A cap allows a number of misses, the *room*; one more loses the
game, which then counts one guess more than the cap. The best play loses the fewest games, and of
such plays makes the fewest guesses: a lost game costs LOSS misses, more than all others together.
The search uses these bounds:

[certain miss]   A guess that is possible on no board is a miss for every tuple. So if some guess
                 costs at most as many misses as there are tuples, no such guess is better.
[best chance]    If no answer is known yet, the next guess solves a board for at most k / n of the
                 tuples, where k boards share n answers; the others are misses.
[no known answer] If all boards have different sets, then of the tuples whose answers are all in
                 groups of two or more after a guess, the next guess solves a board for at most
                 half.
[room]           A guess that changes nothing is never needed, and any other leaves fewer answers on
                 some board. So N answers on m boards cost at most N - m misses. Play without a cap
                 is a lower bound, and optimal if it never misses more often than the cap allows.
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
LOSS = 1 << 40
"""Misses that a lost game costs."""
_NO_LIMIT = 1 << 100
_UNCAPPED = 1 << 30
"""Room without a cap."""


class _OutOfWorkError(Exception):
    """The limit on work is reached."""


class _Outcome(NamedTuple):
    """An outcome of a guess that does not lose the game."""

    sets: Sets
    room: int
    """misses that are still allowed"""
    times: int
    """number of ways that lead there"""
    lower: int
    """lower bound on the cost"""


class _Follow(NamedTuple):
    """A guess with its outcomes."""

    bound: int
    """lower bound on the cost"""
    guess: int
    outcomes: list[_Outcome]
    """most tuples first"""


@dataclass(frozen=True)
class JointValue:
    """The proven value of a joint state, or of a guess in it."""

    guesses: Fraction
    """expected guesses to come; a lost game counts one more than the cap"""
    lost: Fraction
    """share of the tuples that are not solved within the cap"""
    guess: int
    """the first of the best guesses"""


class JointSearch:
    """Values joint states exactly, with a memo."""

    def __init__(self, board: Game, *, max_work: float = MAX_WORK) -> None:
        self.board, self.max_work = board, max_work
        self._exact: dict[tuple[Sets, int], tuple[int, int]] = {}  # cost and guess
        self._lower: dict[tuple[Sets, int], int] = {}
        self._max_misses: dict[Sets, int] = {}
        self._work = 0
        self._clock: Clock | None = None

    def best_guess(self, state: JointState) -> int | None:
        """The first of the best guesses; None if finding it takes too much work."""
        found = self.value(state)
        return None if found is None else found.guess

    def value(self, state: JointState, clock: Clock | None = None) -> JointValue | None:
        """The value of a state that is not won; None if work or time runs out.

        A cap that leaves fewer guesses than boards are open is ignored.
        """
        sets, room = _sets(state), _room(state)
        self._work, self._clock = 0, clock
        try:
            cost = self._cost(sets, room)
        except _OutOfWorkError:
            return None
        return _value(sets, cost, self._exact[sets, _useful(sets, room)][1])

    def value_of(
        self, state: JointState, guess: int, clock: Clock | None = None
    ) -> JointValue | None:
        """The value of a guess in a state that is not won; None if work or time runs out."""
        sets, room = _sets(state), _room(state)
        self._work, self._clock = 0, clock
        try:
            follows = self._ordered(sets, room, iter([guess]))
            if follows:
                cost = self._of_guess(follows[0], _NO_LIMIT)
            else:  # it changes nothing
                cost = _tuples(sets) * (1 if room else 1 + LOSS)
                cost += self._cost(sets, room - 1) if room else 0
        except _OutOfWorkError:
            return None
        return _value(sets, cost, guess)

    def _cost(self, sets: Sets, room: int, limit: int = _NO_LIMIT) -> int:
        """Misses over all tuples, and LOSS for each that is lost: exact if below `limit`, else at
        least `limit`."""
        if not sets:
            return 0
        room = _useful(sets, room)
        if (sets, room) in self._exact:
            return self._exact[sets, room][0]
        if room != _UNCAPPED:  # [room]
            free = self._cost(sets, _UNCAPPED, limit)
            if free >= limit:
                return free
            if self._most_misses(sets) <= room:
                self._exact[sets, room] = self._exact[sets, _UNCAPPED]
                return free
        lower = self._bound(sets, room)
        if lower >= limit:
            return lower
        return self._searched(sets, room, limit)

    def _searched(self, sets: Sets, room: int, limit: int) -> int:
        """The cost of sets that are not remembered: exact if below `limit`, else `limit`."""
        if all(len(answers) == 1 for answers in sets):
            self._exact[sets, room] = 0, sets[0][0]
            return 0
        tuples, best, chosen = _tuples(sets), limit, -1
        for others in (False, True):
            if others and (best <= tuples or not room):  # [certain miss]
                break
            guesses = self._other_guesses(sets, best) if others else self._answers(sets)
            for follow in self._ordered(sets, room, guesses):
                if follow.bound >= best:
                    break
                cost = self._of_guess(follow, best)
                if cost < best:
                    best, chosen = cost, follow.guess
        if chosen < 0:
            self._lower[sets, room] = limit
        else:
            self._exact[sets, room] = best, chosen
        return best

    def _of_guess(self, follow: _Follow, limit: int) -> int:
        """The cost of a guess: exact if below `limit`, else `limit`."""
        cost = follow.bound
        for sets, room, times, lower in follow.outcomes:
            spare = -((cost - limit) // times)
            cost += times * (self._cost(sets, room, lower + spare) - lower)
            if cost >= limit:
                return limit
        return cost

    def _ordered(self, sets: Sets, room: int, guesses: Iterator[int]) -> list[_Follow]:
        """All guesses that change something, with their outcomes, lowest bound first."""
        tuples, found = _tuples(sets), []
        for guess in guesses:
            after_it = self._outcomes(sets, guess)
            if sets in after_it:
                continue
            hits = sum(tuples // len(answers) for answers in sets if guess in answers)
            bound, outcomes = tuples - hits, []
            for after, times in after_it.items():
                left = room - (len(after) == len(sets))
                if left < 0:
                    bound += times * _tuples(after) * LOSS
                    continue
                lower = self._bound(after, _useful(after, left))
                bound += times * lower
                outcomes.append(_Outcome(after, left, times, lower))
            outcomes.sort(key=lambda outcome: -_tuples(outcome.sets))
            found.append(_Follow(bound, guess, outcomes))
        found.sort(key=lambda follow: follow[:2])
        return found

    def _bound(self, sets: Sets, room: int) -> int:
        """The least cost that is known to be possible."""
        bounds = [_lower_bound(sets)]
        for key in {(sets, room), (sets, _UNCAPPED)}:
            if key in self._exact:
                bounds.append(self._exact[key][0])
            bounds.append(self._lower.get(key, 0))
        return max(bounds)

    def _most_misses(self, sets: Sets) -> int:
        """The most misses of any tuple, under the best play without a cap that was found."""
        if all(len(answers) == 1 for answers in sets):
            return 0
        if sets not in self._max_misses:
            guess = self._exact[sets, _UNCAPPED][1]
            self._max_misses[sets] = max(
                (len(after) == len(sets)) + self._most_misses(after)
                for after in self._outcomes(sets, guess)
            )
        return self._max_misses[sets]

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


def min_guesses(state: JointState) -> Fraction:
    """A lower bound on the expected guesses to come: one for each open board, and the misses of the
    next guess [best chance]."""
    groups = [
        (len(boards), len(state.boards[boards[0]].candidates)) for boards in state.boards_by_history
    ]
    if any(size == 1 for _, size in groups):
        return Fraction(len(state.open))
    return len(state.open) + 1 - max(Fraction(boards, size) for boards, size in groups)


def _sets(state: JointState) -> Sets:
    return tuple(sorted(tuple(board.candidates.tolist()) for board in state.open_boards))


def _room(state: JointState) -> int:
    """The misses that the cap allows."""
    left = state.guesses_left
    return _UNCAPPED if left is None or state.unwinnable else left - len(state.open)


def _useful(sets: Sets, room: int) -> int:
    """The room that makes a difference [room]."""
    return room if room < sum(map(len, sets)) - len(sets) else _UNCAPPED


def _value(sets: Sets, cost: int, guess: int) -> JointValue:
    tuples = _tuples(sets)
    lost, misses = divmod(cost, LOSS)
    return JointValue(len(sets) + Fraction(misses, tuples), Fraction(lost, tuples), guess)


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

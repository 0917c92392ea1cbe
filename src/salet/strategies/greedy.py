"""Players that look one guess ahead: the guess with the lowest heuristic cost, and its ties."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from salet.array_types import Indices
from salet.errors import InputError, UnknownNameError
from salet.game.joint_state import JointState
from salet.game.state import State
from salet.search.heuristics import Costs, heuristic_named
from salet.search.joint_splits import GROUP_VALUES, GroupSums
from salet.search.rounding import numpy_entropy, romanian_entropy
from salet.search.splits import splits
from salet.strategies.base import Strategy

TIES: Mapping[str, str] = MappingProxyType(
    {
        "candidate": "of exactly tied guesses a possible answer, then the first in guess order",
        "first": "the first in guess order of the guesses that are best in double precision",
        "first-candidate": "the first candidate unless a guess is better in double precision",
    }
)
_JOINT_TOLERANCE = 1e-9
"""Largest difference of two costs summed over boards that count as equal."""
_ROUNDED = {"first": numpy_entropy, "first-candidate": romanian_entropy}
"""Entropy by tie rule: in double precision the order of summation decides, so each tie rule adds as
the player that it reproduces."""


def check_ties(ties: str) -> str:
    """A known tie rule; raises an error for any other."""
    if ties not in TIES:
        raise UnknownNameError("tie rule", ties, TIES)
    return ties


class Greedy(Strategy):
    """Plays the legal guess of lowest heuristic cost, and a sole candidate at once."""

    def __init__(
        self, heuristic: str, ties: str = "candidate", temperature: float = 0.0, seed: int = 0
    ) -> None:
        """With `temperature` > 0 the guess is drawn from a softmax over the heuristic."""
        if not temperature >= 0:
            raise InputError(f"temperature {temperature}: give 0 (greedy) or more")
        self.heuristic = heuristic_named(heuristic)
        self.ties: str = check_ties(ties)
        self.temperature = temperature
        self.seed = seed
        self.name = heuristic
        # Of two candidates each splits perfectly and may win: no guess is better, and both tie
        # rules for candidates take the first. (For speed only: most states are that small.)
        self._joint: GroupSums | None = None
        self._plays_first_of_two = ties != "first" and temperature == 0

    def choose(self, state: State) -> int:
        candidates = state.candidates
        if len(candidates) == 1 or (len(candidates) == 2 and self._plays_first_of_two):
            return int(candidates[0])
        costs = self._costs(state)
        if self.temperature > 0:
            return int(state.legal[self._draw(state, costs)])
        tolerance = self.heuristic.tolerance if self.ties == "candidate" else 0.0
        tied = state.legal[costs <= costs.min() + tolerance]
        return _break_tie(tied, candidates, self.ties)

    def choose_joint(self, state: JointState) -> int:
        """The guess of lowest cost summed over the open boards.

        A known answer is played at once: it has to be played, and splits the other boards as well.
        """
        sums = self._joint_sums(state)
        costs, chances = np.zeros((2, len(state.legal)))
        for board in state.open_boards:
            chances[board.candidates] += 1 / len(board.candidates)
            if len(board.candidates) > 1:
                costs += sums.of_board(board)[0]
        known = [int(b.candidates[0]) for b in state.open_boards if len(b.candidates) == 1]
        pool = np.array(sorted(known), np.int64) if known else state.legal
        tied = pool[costs[pool] <= costs[pool].min() + _JOINT_TOLERANCE]
        return int(tied[np.argmax(chances[tied])])

    def _joint_sums(self, state: JointState) -> GroupSums:
        """The costs on the game's boards, cached while the game is played."""
        value = GROUP_VALUES.get(self.heuristic.name)
        if value is None or self.temperature > 0 or self.ties != "candidate":
            raise InputError(
                f"strategy {self.name!r} with these options plays one board; boards, entropy, "
                "parts and expected-size play several, by ties `candidate`"
            )
        board = state.game.one_board
        if self._joint is None or self._joint.game is not board:
            self._joint = GroupSums.of(board, value)
        return self._joint

    def _costs(self, state: State) -> Costs:
        if self.heuristic.name == "entropy" and self.ties in _ROUNDED:
            return -_ROUNDED[self.ties](state)
        return self.heuristic.cost(splits(state))

    def _draw(self, state: State, costs: Costs) -> int:
        """Draw from a softmax over the fraction eliminated, or over -cost for other heuristics."""
        merit = -np.asarray(costs, float)
        if self.heuristic.name == "expected-size":
            merit /= len(state.candidates) ** 2
        shifted = np.exp((merit - merit.max()) / self.temperature)
        return int(generator(self.seed, state).choice(len(costs), p=shifted / shifted.sum()))


class RandomCandidate(Strategy):
    """Plays a random possible answer; seed and state determine which."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, state: State) -> int:
        options = state.candidates[np.isin(state.candidates, state.legal, assume_unique=True)]
        return int(generator(self.seed, state).choice(options))


def generator(seed: int, state: State | JointState) -> np.random.Generator:
    """A generator that depends on seed and history only, not on the order of states."""
    history = state.history if isinstance(state, State) else state.turns
    digest = hashlib.blake2b(repr((seed, history)).encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "little"))


def _break_tie(tied: Indices, candidates: Indices, ties: str) -> int:
    """The guess to play among equally good ones, which are in guess order."""
    if ties == "candidate":
        possible = tied[np.isin(tied, candidates, assume_unique=True)]
        return int(possible[0] if len(possible) else tied[0])
    if ties == "first-candidate" and candidates[0] in tied:
        return int(candidates[0])
    return int(tied[0])

"""The second learned agent as a player: alone, with a rule for the end, or one guess ahead."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from salet.array_types import Bools, Indices
from salet.errors import InputError, MissingExtraError
from salet.game.game import Game
from salet.game.state import State
from salet.strategies.base import Strategy

if TYPE_CHECKING:
    from salet.learn.policy.files import PolicyWeights
    from salet.learn.policy.seat import Seat
    from salet.learn.policy.sets import Sets


class Learned(Strategy):
    """Plays the guess that the network scores highest; nothing is tried out."""

    name = "learned"

    def __init__(self, weights: str = "") -> None:
        """`weights` is a file that `salet train` wrote; without one, the shipped weights play."""
        self.file = weights
        self._lock = threading.Lock()
        self._seats: dict[Game, Seat] = {}

    @cached_property
    def weights(self) -> PolicyWeights:
        """The network, loaded when it is first asked."""
        try:
            from salet.learn.shipped import policy_weights
        except ModuleNotFoundError:
            raise MissingExtraError(f"the player {self.name!r}", "learn") from None
        return policy_weights("learned", self.file)

    def choose(self, state: State) -> int:
        return self.choose_many([state])[0]

    def choose_many(self, states: Sequence[State]) -> list[int]:
        seat = self._seat(states[0].game)
        best: list[int] = seat.best(_sets(states), _legal(states)).tolist()
        return best

    def prepare(self, game: Game) -> None:
        self._seat(game)

    def _seat(self, game: Game) -> Seat:
        with self._lock:
            if game not in self._seats:
                self._seats[game] = self.weights.seat(game)
            return self._seats[game]


class LearnedFinish(Learned):
    """The network alone, but where at most two answers remain it guesses one."""

    name = "learned-finish"

    def choose_many(self, states: Sequence[State]) -> list[int]:
        chosen = [int(state.candidates[0]) for state in states]
        large = [place for place, state in enumerate(states) if len(state.candidates) > 2]
        if large:
            guesses = self._beyond_two([states[place] for place in large])
            for place, guess in zip(large, guesses, strict=True):
                chosen[place] = guess
        return chosen

    def _beyond_two(self, states: Sequence[State]) -> list[int]:
        return super().choose_many(states)


class LearnedPly(LearnedFinish):
    """Tries the network's `best` guesses out against the answers still possible, and takes the one
    whose groups the network expects to need the fewest guesses."""

    name = "learned-ply"

    def __init__(self, weights: str = "", best: int = 50) -> None:
        if best < 1:
            raise InputError(f"strategy 'learned-ply': best={best}; give at least 1")
        super().__init__(weights)
        self.best = best

    def _beyond_two(self, states: Sequence[State]) -> list[int]:
        from salet.learn.policy.ownplay import one_ahead

        chosen: list[int] = []
        for state in states:
            seat, sets = self._seat(state.game), _sets([state])
            legal = _legal([state])
            count = self.best if legal is None else min(self.best, int(legal[0].sum()))
            guesses: Indices = seat.top(sets, count, legal)
            left = len(state.candidates) + 1 if state.guesses_left is None else state.guesses_left
            ahead = one_ahead(seat, state.game.compiled, sets, guesses, left)
            chosen.append(int(guesses[0, ahead.argmin()]))
        return chosen


def _sets(states: Sequence[State]) -> Sets:
    from salet.learn.policy.sets import Sets

    return Sets.of([state.candidates for state in states], (state.turn for state in states))


def _legal(states: Sequence[State]) -> list[Bools] | None:
    """Which guesses the mode allows in each state; None where it allows all."""
    if states[0].game.mode == "normal":
        return None
    masks = []
    for state in states:
        mask = np.zeros(len(state.game.lexicon), bool)
        mask[state.legal] = True
        masks.append(mask)
    return masks

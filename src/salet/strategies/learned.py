"""Players with a network that reads the set of remaining answers: alone, or one ply ahead.

`learned` and its kind have the pair network, which plays any list; `specialist` and its kind have
the policy network, which has trained on one list.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from salet.array_types import Bools, Floats, Indices, Ints
from salet.errors import InputError, MissingExtraError
from salet.game.game import Game
from salet.game.state import State
from salet.strategies.base import Strategy

if TYPE_CHECKING:
    from salet.learn.common.ragged import AnswerSets
    from salet.learn.pair.weights import PairWeights
    from salet.learn.policy.weights import PolicyWeights


class NetworkPlayer(Protocol):
    """A network together with the words of a game."""

    def best(
        self, sets: AnswerSets, legal: list[Bools] | None = None, left: Ints | None = None
    ) -> Indices:
        """The guess that the network alone plays in each set."""
        ...

    def top(self, sets: AnswerSets, count: int, legal: list[Bools] | None = None) -> Indices:
        """The `count` guesses of best score in each set, best first."""
        ...

    def totals(
        self, sets: AnswerSets, left: int | None = None, outside: Indices | None = None
    ) -> Floats:
        """The predicted guesses to come in each set, with `left` guesses and `outside` words that
        may be guessed besides the sets' own."""
        ...


class Learned(Strategy):
    """Plays what the pair network names, without trying any guess on the remaining answers."""

    name = "learned"
    shipped = "learned"
    """name of the shipped weights"""

    def __init__(self, weights: str = "") -> None:
        """`weights` is a file written by `salet train`; the default is the shipped weights."""
        self.file = weights
        self._lock = threading.Lock()
        self._players: dict[Game, NetworkPlayer] = {}

    @cached_property
    def weights(self) -> PairWeights | PolicyWeights:
        """The network, loaded on first use."""
        try:
            from salet.learn.common.weights import player_weights_path
            from salet.learn.pair.weights import PairWeights
        except ModuleNotFoundError:
            raise MissingExtraError(f"the player {self.name!r}", "learn") from None
        return PairWeights.load(player_weights_path(self.shipped, self.file))

    def choose(self, state: State) -> int:
        return self.choose_many([state])[0]

    def choose_many(self, states: Sequence[State]) -> list[int]:
        player = self._player(states[0].game)
        best: list[int] = player.best(
            _answer_sets(states), _legal(states), _guesses_left(states)
        ).tolist()
        return best

    def prepare(self, game: Game) -> None:
        self._player(game)

    def _player(self, game: Game) -> NetworkPlayer:
        with self._lock:
            if game not in self._players:
                self._players[game] = self.weights.player(game)
            return self._players[game]


class LearnedFinish(Learned):
    """The network alone, except that with at most two answers left it guesses one of them."""

    name = "learned-finish"

    def choose_many(self, states: Sequence[State]) -> list[int]:
        chosen = [int(state.candidates[0]) for state in states]
        large = [index for index, state in enumerate(states) if len(state.candidates) > 2]
        if large:
            guesses = self._choose_large([states[index] for index in large])
            for index, guess in zip(large, guesses, strict=True):
                chosen[index] = guess
        return chosen

    def _choose_large(self, states: Sequence[State]) -> list[int]:
        """The guesses in states with more than two answers left."""
        return super().choose_many(states)


class LearnedPly(LearnedFinish):
    """Tries the network's `best` guesses against the answers still possible, and plays the one
    whose groups the network expects to need the fewest guesses."""

    name = "learned-ply"

    def __init__(self, weights: str = "", best: int = 50) -> None:
        if best < 1:
            raise InputError(f"strategy {self.name!r}: best={best}; give at least 1")
        super().__init__(weights)
        self.best = best

    def _choose_large(self, states: Sequence[State]) -> list[int]:
        return [self._choose_one_ply(state) for state in states]

    def _choose_one_ply(self, state: State) -> int:
        from salet.learn.common.splitting import one_ply_totals

        player, sets, legal = self._player(state.game), _answer_sets([state]), _legal([state])
        count = self.best if legal is None else min(self.best, int(legal[0].sum()))
        guesses = player.top(sets, count, legal)
        left = len(state.candidates) + 1 if state.guesses_left is None else state.guesses_left
        value = partial(
            player.totals,
            left=None if state.guesses_left is None else left - 1,
            outside=guesses[0] if legal is None else None,
        )
        totals = one_ply_totals(value, state.game.compiled, sets, guesses, left)
        return int(guesses[0, totals.argmin()])


class Specialist(Learned):
    """Plays the guess that the policy network scores highest, without any search."""

    name = "specialist"
    shipped = "specialist"

    @cached_property
    def weights(self) -> PolicyWeights:
        """The network, loaded on first use."""
        try:
            from salet.learn.common.weights import player_weights_path
            from salet.learn.policy.weights import PolicyWeights
        except ModuleNotFoundError:
            raise MissingExtraError(f"the player {self.name!r}", "learn") from None
        return PolicyWeights.load(player_weights_path(self.shipped, self.file))


class SpecialistPly(LearnedPly, Specialist):
    """`LearnedPly` with the policy network."""

    name = "specialist-ply"


def _answer_sets(states: Sequence[State]) -> AnswerSets:
    from salet.learn.common.ragged import AnswerSets

    return AnswerSets.of([state.candidates for state in states], (state.turn for state in states))


def _guesses_left(states: Sequence[State]) -> Ints | None:
    """The guesses left in each state; None without a cap."""
    left = [state.guesses_left for state in states if state.guesses_left is not None]
    return np.array(left, np.int64) if len(left) == len(states) else None


def _legal(states: Sequence[State]) -> list[Bools] | None:
    """The guesses that the mode allows in each state; None if it allows all."""
    if states[0].game.mode == "normal":
        return None
    masks = []
    for state in states:
        mask = np.zeros(len(state.game.lexicon), bool)
        mask[state.legal] = True
        masks.append(mask)
    return masks

"""Players with the policy network: alone, with an endgame rule, or looking one ply ahead."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from salet.array_types import Bools
from salet.errors import InputError, MissingExtraError
from salet.game.game import Game
from salet.game.state import State
from salet.strategies.base import Strategy

if TYPE_CHECKING:
    from salet.learn.policy.player import PolicyPlayer
    from salet.learn.policy.ragged import AnswerSets
    from salet.learn.policy.weights import PolicyWeights


class Learned(Strategy):
    """Plays the guess that the network scores highest, without any search."""

    name = "learned"

    def __init__(self, weights: str = "") -> None:
        """`weights` is a file written by `salet train`; the default is the shipped weights."""
        self.file = weights
        self._lock = threading.Lock()
        self._players: dict[Game, PolicyPlayer] = {}

    @cached_property
    def weights(self) -> PolicyWeights:
        """The network, loaded on first use."""
        try:
            from salet.learn.common.weights import player_weights_path
            from salet.learn.policy.weights import PolicyWeights
        except ModuleNotFoundError:
            raise MissingExtraError(f"the player {self.name!r}", "learn") from None
        return PolicyWeights.load(player_weights_path("learned", self.file))

    def choose(self, state: State) -> int:
        return self.choose_many([state])[0]

    def choose_many(self, states: Sequence[State]) -> list[int]:
        player = self._player(states[0].game)
        best: list[int] = player.best(_answer_sets(states), _legal(states)).tolist()
        return best

    def prepare(self, game: Game) -> None:
        self._player(game)

    def _player(self, game: Game) -> PolicyPlayer:
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
            raise InputError(f"strategy 'learned-ply': best={best}; give at least 1")
        super().__init__(weights)
        self.best = best

    def _choose_large(self, states: Sequence[State]) -> list[int]:
        return [self._choose_one_ply(state) for state in states]

    def _choose_one_ply(self, state: State) -> int:
        from salet.learn.policy.self_play import one_ply_totals

        player, sets, legal = self._player(state.game), _answer_sets([state]), _legal([state])
        count = self.best if legal is None else min(self.best, int(legal[0].sum()))
        guesses = player.top(sets, count, legal)
        left = len(state.candidates) + 1 if state.guesses_left is None else state.guesses_left
        totals = one_ply_totals(player, state.game.compiled, sets, guesses, left)
        return int(guesses[0, totals.argmin()])


def _answer_sets(states: Sequence[State]) -> AnswerSets:
    from salet.learn.policy.ragged import AnswerSets

    return AnswerSets.of([state.candidates for state in states], (state.turn for state in states))


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

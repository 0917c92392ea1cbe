"""Playing games with a Q-network: greedily, or with random guesses to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from salet.array_types import Bools, Indices
from salet.env.action_masks import legal_masks
from salet.env.game_arrays import GameArrays, Histories, draw_candidates, make_guesses
from salet.env.observations import Observer, observer_named
from salet.game.game import Game
from salet.learn.dqn.config import DqnConfig
from salet.learn.dqn.heads import Head, Outputs, head_named
from salet.learn.dqn.network import QNetwork


@dataclass(frozen=True, eq=False)
class GameAdapter:
    """Connects Q-networks to one game: encodes histories as inputs, decodes outputs as guesses.

    A network can play any game for which there is an adapter with its alphabet and word length.
    """

    game: Game
    arrays: GameArrays
    observer: Observer
    head: Head

    @staticmethod
    def of(
        game: Game, config: DqnConfig, alphabet: tuple[str, ...], vocabulary: Sequence[str]
    ) -> GameAdapter:
        """The adapter for networks with this alphabet and vocabulary."""
        arrays = GameArrays.of(game, alphabet)
        observer = observer_named(config.observation, arrays)
        head = head_named(config.head, game, arrays, vocabulary)
        return GameAdapter(game, arrays, observer, head)

    def inputs(self, histories: Histories) -> torch.Tensor:
        """The network's inputs for each game."""
        return torch.from_numpy(self.observer.observe(histories))

    def outputs(self, network: QNetwork, histories: Histories) -> Outputs:
        """The network's outputs for each game."""
        with torch.no_grad():
            outputs: Outputs = network(self.inputs(histories)).numpy()
        return outputs

    def legal(self, histories: Histories) -> Bools:
        """The legal guesses of each game, or one row for all."""
        return legal_masks(self.game, histories)

    def best(self, network: QNetwork, histories: Histories) -> tuple[Indices, Outputs]:
        """The best guess for each game and its value."""
        return self.head.best(self.outputs(network, histories), self.legal(histories))

    def won(self, played: Histories) -> Bools:
        """Whether each of some finished games was won."""
        games = np.arange(len(played.turns))
        won: Bools = played.patterns[games, played.turns - 1] == self.arrays.win
        return won


@dataclass(frozen=True)
class EpsilonGreedy:
    """A policy that makes the best guess, or with probability epsilon a random one."""

    epsilon: float
    """probability of a random guess"""
    exploration: str
    """source of random guesses, see `DqnConfig.exploration`"""
    generator: np.random.Generator

    def guesses(self, adapter: GameAdapter, network: QNetwork, histories: Histories) -> Indices:
        """A guess for each game."""
        count = len(histories.turns)
        legal = adapter.legal(histories)
        is_random = self.generator.random(count) < self.epsilon
        chosen = np.empty(count, np.int32)
        for games in (np.flatnonzero(is_random), np.flatnonzero(~is_random)):
            if len(games):
                here, allowed = histories.take(games), legal if len(legal) == 1 else legal[games]
                if is_random[games[0]]:
                    chosen[games] = self._random(adapter, here, allowed)
                else:
                    chosen[games] = adapter.head.best(adapter.outputs(network, here), allowed)[0]
        return chosen

    def _random(self, adapter: GameAdapter, histories: Histories, legal: Bools) -> Indices:
        count = len(histories.turns)
        if self.exploration == "words":
            weights = self.generator.random((count, legal.shape[1]))
            words: Indices = np.where(legal, weights, -1.0).argmax(axis=1).astype(np.int32)
            return words
        candidates = np.empty(count, np.int32)
        if self.exploration != "outputs":
            draw_candidates(adapter.arrays, histories, self.generator.random(count), candidates)
        if self.exploration == "candidates":
            return candidates
        outputs = self.generator.standard_normal((count, adapter.head.size), np.float32)
        guesses, _ = adapter.head.best(outputs, legal)
        if self.exploration == "mixed":
            guesses = np.where(self.generator.random(count) < 0.5, candidates, guesses)
        return guesses


def play_games(
    adapter: GameAdapter, network: QNetwork, answers: Indices, policy: EpsilonGreedy | None = None
) -> Histories:
    """Play one game for each answer, all in lockstep, to the end; greedily without a policy."""
    histories = Histories.empty(len(answers), adapter.arrays.horizon)
    active = np.arange(len(answers))
    while len(active):
        now = histories.take(active)
        if policy is None:
            unique, inverse = now.unique()
            guesses = adapter.best(network, unique)[0][inverse]
        else:
            guesses = policy.guesses(adapter, network, now)
        make_guesses(adapter.arrays, histories, active, guesses, answers)
        now = histories.take(active)
        active = active[~adapter.won(now) & (now.turns < adapter.arrays.horizon)]
    return histories


@dataclass(frozen=True)
class DqnScore:
    """The result of greedy play of every answer of a game."""

    answers: int
    wins: int
    mean: float
    """guesses per game; a loss counts cap + 1"""

    @property
    def rank(self) -> tuple[int, float]:
        """Sort key, smaller is better: losses, then the mean."""
        return self.answers - self.wins, self.mean


def evaluate(adapter: GameAdapter, network: QNetwork) -> DqnScore:
    """Play every answer of the adapter's game greedily."""
    count = adapter.game.answer_count
    played = play_games(adapter, network, np.arange(count, dtype=np.int32))
    won = adapter.won(played)
    guesses = np.where(won, played.turns, adapter.arrays.horizon + 1)
    return DqnScore(count, int(won.sum()), float(guesses.mean()))

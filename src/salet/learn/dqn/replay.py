"""Prioritised experience replay: whole games as guesses and patterns, sampled turn by turn.

A game of six guesses takes 25 bytes; its features are computed when it is sampled. The transition
at turn t of game g has index g * horizon + t in the sum tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats, Ints
from salet.env.game_arrays import GameArrays, Histories
from salet.env.rewards import Reward, guess_reward
from salet.learn.common.torch_utils import Arrays
from salet.learn.dqn import sum_tree
from salet.numeric.jit import kernel


@dataclass(frozen=True)
class Transitions:
    """A batch to learn from."""

    indices: Ints
    """indices in the replay buffer"""
    before: Histories
    """states in which the guesses were made"""
    guesses: Ints
    """guesses made"""
    returns: NDArray[np.float32]
    """discounted rewards of this guess and the next n - 1"""
    after: Histories
    """states n guesses later, or at the end of the game"""
    discounts: NDArray[np.float32]
    """factors of the values of those states; 0 where the game was over"""
    weights: NDArray[np.float32]
    """importance weights, at most 1"""


class ReplayBuffer:
    """The most recent games; the oldest are overwritten first."""

    def __init__(self, capacity: int, game: GameArrays, alpha: float) -> None:
        """`capacity` is in games; `alpha` is the exponent of the priorities."""
        self.game = game
        self.alpha = alpha
        is_small = max(game.table.shape[0], len(game.colours)) <= 1 << 16
        dtype = np.uint16 if is_small else np.int32
        self.guesses = np.zeros((capacity, game.horizon), dtype)
        self.patterns = np.zeros((capacity, game.horizon), dtype)
        self.lengths = np.zeros(capacity, np.uint8)
        self.stored = 0
        """number of games ever added"""
        self.max_priority = 1.0
        """largest priority so far, which new transitions get"""
        leaves = 1 << (capacity * game.horizon - 1).bit_length()
        self.tree: Floats = np.zeros(2 * leaves)

    def __len__(self) -> int:
        """Number of transitions that can be sampled."""
        return int(self.lengths.sum())

    def add(self, played: Histories) -> None:
        """Store finished games."""
        horizon = self.game.horizon
        slots = (self.stored + np.arange(len(played.turns))) % len(self.lengths)
        self.stored += len(slots)
        self.guesses[slots] = played.guesses
        self.patterns[slots] = played.patterns
        self.lengths[slots] = played.turns
        was_played = np.arange(horizon) < played.turns[:, None]
        indices = (slots[:, None] * horizon + np.arange(horizon)).ravel()
        priorities = np.where(was_played, self.max_priority, 0.0).ravel()
        sum_tree.assign(self.tree, indices, priorities)

    def sample(
        self,
        count: int,
        reward: Reward,
        steps: int,
        gamma: float,
        beta: float,
        generator: np.random.Generator,
    ) -> Transitions:
        """Transitions by priority, one from each of `count` equal shares of the total priority."""
        fractions = (np.arange(count) + generator.random(count)) / count
        indices = np.empty(count, np.int64)
        sum_tree.sample(self.tree, fractions, indices)
        priorities = self.tree[len(self.tree) // 2 + indices]
        weights = (priorities.min() / priorities) ** beta
        games, turns = np.divmod(indices, self.game.horizon)
        played = Histories(
            self.guesses[games].astype(np.int32),
            self.patterns[games].astype(np.int32),
            self.lengths[games].astype(np.int32),
        )
        returns = np.empty(count, np.float32)
        discounts = np.empty(count, np.float32)
        _n_step_returns(self.game, reward, played, turns, steps, gamma, returns, discounts)
        later = np.minimum(turns + steps, played.turns).astype(np.int32)
        return Transitions(
            indices,
            Histories(played.guesses, played.patterns, turns.astype(np.int32)),
            played.guesses[np.arange(count), turns].astype(np.int64),
            returns,
            Histories(played.guesses, played.patterns, later),
            discounts,
            weights.astype(np.float32),
        )

    def update_priorities(self, indices: Ints, errors: NDArray[np.float32]) -> None:
        """Set the priorities of transitions from their latest errors."""
        priorities = (np.abs(errors.astype(np.float64)) + 1e-3) ** self.alpha
        self.max_priority = max(self.max_priority, float(priorities.max()))
        sum_tree.assign(self.tree, indices, priorities)

    def arrays(self) -> Arrays:
        """The stored games and their priorities, for a checkpoint."""
        used = min(self.stored, len(self.lengths))
        leaves = len(self.tree) // 2
        return {
            "guesses": self.guesses[:used],
            "patterns": self.patterns[:used],
            "lengths": self.lengths[:used],
            "priorities": self.tree[leaves : leaves + used * self.game.horizon],
        }

    def restore(self, arrays: Arrays, stored: int, max_priority: float) -> None:
        """Restore the state saved by `arrays()`, with the attributes of these names."""
        used = len(arrays["lengths"])
        leaves = len(self.tree) // 2
        self.guesses[:used] = arrays["guesses"]
        self.patterns[:used] = arrays["patterns"]
        self.lengths[:used] = arrays["lengths"]
        self.tree[leaves : leaves + used * self.game.horizon] = arrays["priorities"]
        sum_tree.rebuild(self.tree)
        self.stored, self.max_priority = stored, max_priority


@kernel
def _n_step_returns(
    game: GameArrays,
    reward: Reward,
    played: Histories,
    turns: Ints,
    steps: int,
    gamma: float,
    returns: NDArray[np.float32],
    discounts: NDArray[np.float32],
) -> None:
    """Fill the discounted sum of up to `steps` rewards from each turn, and the discount after."""
    for b in range(turns.shape[0]):
        total, discount = 0.0, 1.0
        end = min(turns[b] + steps, played.turns[b])
        for turn in range(turns[b], end):
            total += discount * guess_reward(game, reward, played, b, turn)
            discount *= gamma
        returns[b] = total
        discounts[b] = 0.0 if end == played.turns[b] else discount

"""Experience: whole games as guesses and patterns, drawn turn by turn with priorities.

A game of six guesses takes 25 bytes, and its features are made when it is drawn. The transition
"turn t of game g" has place g * horizon + t in the sum tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats, Ints
from salet.env.rewards import Reward, earned
from salet.env.rulebook import Histories, Rulebook
from salet.learn import sumtree
from salet.numeric.jit import kernel


@dataclass(frozen=True)
class Batch:
    """Transitions to learn from."""

    places: Ints
    """where they stand in the memory"""
    before: Histories
    """the states in which a guess was made"""
    guesses: Ints
    """the guesses made"""
    returns: NDArray[np.float32]
    """the discounted rewards of this guess and the next n - 1"""
    after: Histories
    """the states n guesses later (or at the game's end)"""
    discounts: NDArray[np.float32]
    """what a value there is worth now; 0 where the game was over"""
    weights: NDArray[np.float32]
    """importance weights, at most 1"""


class Replay:
    """The last games played, the oldest overwritten first."""

    def __init__(self, games: int, book: Rulebook, alpha: float) -> None:
        """`alpha` 0 draws evenly; 1 in proportion to the errors."""
        self.book = book
        self.alpha = alpha
        kind = np.uint16 if max(book.table.shape[0], len(book.colours)) <= 1 << 16 else np.int32
        self.guesses = np.zeros((games, book.horizon), kind)
        self.patterns = np.zeros((games, book.horizon), kind)
        self.lengths = np.zeros(games, np.uint8)
        self.stored = 0
        """games ever stored"""
        self.highest = 1.0
        """the greatest priority so far: what is new comes with it"""
        leaves = 1 << (games * book.horizon - 1).bit_length()
        self.tree: Floats = np.zeros(2 * leaves)

    def __len__(self) -> int:
        """Transitions that can be drawn."""
        return int(self.lengths.sum())

    def add(self, played: Histories) -> None:
        """Store finished games."""
        horizon = self.book.horizon
        slots = (self.stored + np.arange(len(played.turns))) % len(self.lengths)
        self.stored += len(slots)
        self.guesses[slots] = played.guesses
        self.patterns[slots] = played.patterns
        self.lengths[slots] = played.turns
        made = np.arange(horizon) < played.turns[:, None]
        places = (slots[:, None] * horizon + np.arange(horizon)).ravel()
        sumtree.assign(self.tree, places, np.where(made, self.highest, 0.0).ravel())

    def draw(
        self,
        count: int,
        reward: Reward,
        steps: int,
        gamma: float,
        beta: float,
        generator: np.random.Generator,
    ) -> Batch:
        """Transitions by priority, one from each of `count` equal shares of the total."""
        shares = (np.arange(count) + generator.random(count)) / count
        places = np.empty(count, np.int64)
        sumtree.draw(self.tree, shares, places)
        chances = self.tree[len(self.tree) // 2 + places]
        weights = (chances.min() / chances) ** beta
        games, turns = np.divmod(places, self.book.horizon)
        rows = (
            self.guesses[games].astype(np.int32),
            self.patterns[games].astype(np.int32),
            self.lengths[games].astype(np.int32),
        )
        played = Histories(*rows)
        returns = np.empty(count, np.float32)
        discounts = np.empty(count, np.float32)
        _returns(self.book, reward, played, turns, steps, gamma, returns, discounts)
        later = np.minimum(turns + steps, played.turns).astype(np.int32)
        return Batch(
            places,
            Histories(played.guesses, played.patterns, turns.astype(np.int32)),
            played.guesses[np.arange(count), turns].astype(np.int64),
            returns,
            Histories(played.guesses, played.patterns, later),
            discounts,
            weights.astype(np.float32),
        )

    def update(self, places: Ints, errors: NDArray[np.float32]) -> None:
        """The errors that learning has just made become the priorities."""
        priorities = (np.abs(errors.astype(np.float64)) + 1e-3) ** self.alpha
        self.highest = max(self.highest, float(priorities.max()))
        sumtree.assign(self.tree, places, priorities)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What a checkpoint keeps: games stored so far and their priorities."""
        used = min(self.stored, len(self.lengths))
        leaves = len(self.tree) // 2
        return {
            "guesses": self.guesses[:used],
            "patterns": self.patterns[:used],
            "lengths": self.lengths[:used],
            "priorities": self.tree[leaves : leaves + used * self.book.horizon],
        }

    def restore(self, arrays: dict[str, NDArray[np.generic]], stored: int, highest: float) -> None:
        """Be as `arrays` were."""
        used = len(arrays["lengths"])
        leaves = len(self.tree) // 2
        self.guesses[:used] = arrays["guesses"]
        self.patterns[:used] = arrays["patterns"]
        self.lengths[:used] = arrays["lengths"]
        self.tree[leaves : leaves + used * self.book.horizon] = arrays["priorities"]
        sumtree.rebuild(self.tree)
        self.stored, self.highest = stored, highest


@kernel
def _returns(
    book: Rulebook,
    reward: Reward,
    played: Histories,
    turns: Ints,
    steps: int,
    gamma: float,
    returns: NDArray[np.float32],
    discounts: NDArray[np.float32],
) -> None:
    for b in range(turns.shape[0]):
        total, discount = 0.0, 1.0
        end = min(turns[b] + steps, played.turns[b])
        for turn in range(turns[b], end):
            total += discount * earned(book, reward, played, b, turn)
            discount *= gamma
        returns[b] = total
        discounts[b] = 0.0 if end == played.turns[b] else discount

"""The pair network: which answers a guess tells apart, and what the groups are worth.

It has three learned parts, none of which knows a letter, a word, or what feedback looks like.

1. *Places.* Each relation of a guess's letter to an answer (`relations`) has a place, a point. Two
   answers look alike after a guess if the places of all letters coincide. Training moves the
   relations that show the same colour together, because only then do the values come out right.
2. *Shares.* The guesses to come for one of s answers that look alike, as a function of s. Summed
   over all answers it scores a guess.
3. *Value.* The guesses to come for a set of answers, from the features of `set_features`.

The features of a set of n answers are log n, 1 / n and sqrt n; for each of its words as the next
guess the score by shares, of which the lowest, the second lowest and the mean; and how many pairs
of words are how similar (equal positions times shared letters).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from salet.array_types import Codes
from salet.learn.common.ragged import AnswerSets
from salet.learn.pair.kernels import FEATURES, RANGE, PairParameters, Singles, fill_set_features
from salet.learn.pair.relations import RELATIONS, SIMILARITIES

MAX_MEMBERS = 32
"""words of a set that are imagined as the next guess"""
MAX_SHARE = 4096
"""largest group whose share is tabulated"""
KNOTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 4096)
"""group sizes at which shares are learned; between them they are linear in log s"""


class PairNetworkShape(NamedTuple):
    """The sizes of all weights."""

    depth: int = 3
    similar: int = 8
    width: int = 48


class PairNetwork(nn.Module):
    """Plays any list of words of any length."""

    def __init__(self, shape: PairNetworkShape) -> None:
        super().__init__()
        self.shape = shape
        self.places = nn.Parameter(0.5 * torch.randn(RELATIONS, shape.depth))
        knots = torch.tensor(KNOTS, dtype=torch.float32)
        self.shares = nn.Parameter(2 - 1 / knots + 0.2 * knots.log2().sub(1).clamp(min=0))
        self.bonus = nn.Parameter(torch.zeros(()))
        self.similarities = nn.Linear(SIMILARITIES, shape.similar)
        self.first = nn.Linear(FEATURES + shape.similar, shape.width)
        self.second = nn.Linear(shape.width, shape.width)
        self.last = nn.Linear(shape.width, 1)

    # ---- which answers look alike

    def score(
        self, relations: Tensor, is_present: Tensor, is_candidate: Tensor, *, pooled: bool = False
    ) -> Tensor:
        """Guesses to come after a guess, over all answers of a set (itself not counted).

        relations[example, answer, position] of a guess to the answers of a set, of which
        is_present[example, answer] says which are not padding; is_candidate[example] whether the
        guess is one of them. With `pooled` the feedback only counts.
        """
        places = self.places[relations]
        points = places.sum(2) if pooled else places.flatten(2)
        squares = (points**2).sum(2)
        products = points @ points.transpose(1, 2)
        distances = squares[:, :, None] + squares[:, None, :] - 2 * products
        likeness = (1 - distances / RANGE).clamp(0, 1) ** 8
        sizes = (likeness * is_present[:, None, :]).sum(2).clamp(min=1)
        return (self.share(sizes) * is_present).sum(1) - self.bonus * is_candidate

    def share(self, sizes: Tensor) -> Tensor:
        """Guesses to come for one of `sizes` answers that look alike."""
        knots = torch.tensor(KNOTS, dtype=sizes.dtype).log()
        x = sizes.log()
        above = torch.searchsorted(knots, x.detach()).clamp(1, len(KNOTS) - 1)
        low, high = knots[above - 1], knots[above]
        part = ((x - low) / (high - low)).clamp(max=1)
        return self.shares[above - 1] + part * (self.shares[above] - self.shares[above - 1])

    # ---- values

    def excess(self, features: Tensor) -> Tensor:
        """Guesses to come for sets of n answers, minus the minimum conceivable, 2 n - 1."""
        similar = torch.tanh(self.similarities(features[:, FEATURES:]))
        hidden = torch.relu(self.first(torch.cat([features[:, :FEATURES], similar], 1)))
        hidden = torch.relu(self.second(hidden) + hidden)
        lowest, root = features[:, 5], features[:, 6] * 10
        excess: Tensor = lowest + root * self.last(hidden)[:, 0]
        return excess

    # ---- for the compiled loops

    def learned(self, *, pooled: bool = False) -> PairParameters:
        """What the loops need; `pooled` for feedback that only counts."""
        with torch.no_grad():
            sizes = torch.arange(MAX_SHARE + 1, dtype=torch.float64).clamp(min=1)
            share = self.share(sizes).double().numpy()
            return PairParameters(self.places.numpy().copy(), share, float(self.bonus), pooled)


def set_features(codes: Codes, sets: AnswerSets, learned: PairParameters) -> Singles:
    """The features of each set of at least two words."""
    features = np.empty((len(sets), FEATURES + SIMILARITIES), np.float32)
    fill_set_features(codes, sets.words, sets.starts, learned, MAX_MEMBERS, features)
    return features

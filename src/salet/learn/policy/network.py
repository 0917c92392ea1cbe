"""The network: words are encoded by their letters, sets by their words, and both meet in a score.

A word's encoding depends on its letters alone and a set's on the words in it, so the same weights
play any list of words of that length. The score of a guess is the product of its encoding with a
query made from the set; a guess that is itself a remaining answer gets a second product added.
Nothing here knows which feedback a guess would get.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from salet.array_types import Codes
from salet.learn.policy.kernels import describe, mark_letters
from salet.learn.policy.sets import Sets

COUNTED = 8
"""up to so many answers the number is told outright"""
TURNED = 6
"""from so many guesses on, later turns look alike"""


class Shape(NamedTuple):
    """What decides the sizes of all weights."""

    length: int = 5
    alphabet: int = 26
    pool: int = 128
    """features of a word that are averaged over a set"""
    word: int = 256
    """hidden units of the encoder of guesses"""
    width: int = 384
    """units of each layer between a set and its query"""
    layers: int = 2
    """residual layers of two steps each"""
    query: int = 128
    """length of a guess's encoding"""
    candidate: int = 32
    """length of the encoding that counts for remaining answers only"""

    @property
    def marks(self) -> int:
        """Letters by position, letters that occur, letters that occur twice."""
        return (self.length + 2) * self.alphabet

    @property
    def features(self) -> int:
        """Numbers that describe a set: see `set_features`."""
        pairs = self.alphabet * (self.alphabet - 1) // 2
        return 2 * self.marks + pairs + 2 + COUNTED + TURNED


def word_features(codes: Codes, alphabet: int) -> NDArray[np.float32]:
    """For each word its letters by position, the letters in it, and those that it has twice."""
    marks = np.zeros((len(codes), (codes.shape[1] + 2) * alphabet), np.uint8)
    mark_letters(codes, alphabet, marks)
    return marks.astype(np.float32)


def set_features(codes: Codes, alphabet: int, sets: Sets) -> NDArray[np.float32]:
    """For each set: the share of its words with each mark; how evenly that divides them,
    4 p (1 - p); how letters go together (4 times the covariance of the presence of two); log n,
    1 / n, n itself up to COUNTED, and the turn."""
    shape = Shape(codes.shape[1], alphabet)
    out = np.empty((len(sets), shape.features), np.float32)
    describe(codes, sets.words, sets.starts, sets.turns, alphabet, COUNTED, TURNED, out)
    return out


class Words(NamedTuple):
    """Encodings of a list of words."""

    pooled: Tensor
    """what each adds to a set"""
    guesses: Tensor
    """what is multiplied with a query, for any guess, then for a remaining answer; two biases"""


class Network(nn.Module):
    """From sets of remaining answers to a score for each guess, and to the guesses to come."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        encoding = shape.query + shape.candidate
        self.pool = nn.Linear(shape.marks, shape.pool)
        self.letters = nn.Linear(shape.marks, shape.word)
        self.guess = nn.Linear(shape.word, encoding + 2)
        self.enter = nn.Linear(shape.features + shape.pool, shape.width)
        self.layers = nn.ModuleList(
            nn.Sequential(
                nn.LayerNorm(shape.width),
                nn.Linear(shape.width, shape.width),
                nn.ReLU(),
                nn.Linear(shape.width, shape.width),
            )
            for _ in range(shape.layers)
        )
        self.leave = nn.LayerNorm(shape.width)
        self.query = nn.Linear(shape.width, encoding + 1)
        self.value = nn.Sequential(nn.Linear(shape.width, 128), nn.ReLU(), nn.Linear(128, 1))

    def words(self, marks: Tensor) -> Words:
        """Encode words by their features."""
        guesses = self.guess(torch.relu(self.letters(marks)))
        return Words(torch.relu(self.pool(marks)), guesses)

    def read(self, pooled: Tensor, features: Tensor, members: Tensor, owners: Tensor) -> Tensor:
        """Encode sets: `members` are places among the words, `owners` the set each belongs to."""
        sizes = torch.bincount(owners, minlength=len(features))
        mean = torch.zeros(len(features), pooled.shape[1])
        mean = mean.index_add(0, owners, pooled[members]) / sizes[:, None]
        y = self.enter(torch.cat([features, mean], 1))
        for layer in self.layers:
            y = y + layer(y)
        return torch.relu(self.leave(y))

    def scores(self, seen: Tensor, guesses: Tensor, members: Tensor, owners: Tensor) -> Tensor:
        """A score for each guess in each set; the greatest is the network's choice."""
        query, cut = self.query(seen), self.shape.query
        scores = torch.addmm(guesses[:, -2], query[:, :cut], guesses[:, :cut].T)
        member, asked = guesses[members], query[owners]
        extra = (member[:, cut:-2] * asked[:, cut:-1]).sum(1) + member[:, -1] + asked[:, -1]
        return scores.index_put((owners, members), extra, accumulate=True)

    def excess(self, seen: Tensor) -> Tensor:
        """Guesses to come in the mean of a set's answers, above (2 n - 1) / n: what it takes if
        the next guess is an answer and tells all others apart."""
        out: Tensor = self.value(seen)[:, 0]
        return out

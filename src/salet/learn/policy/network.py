"""The policy network: words are encoded by their letters, sets by their words.

A word's encoding depends on its letters alone and a set's on the words in it, so the same weights
play any list of words of that length. The score of a guess is the dot product of its encoding with
a query computed from the set; a second product is added if the guess is itself a remaining answer.
Nothing here knows what feedback a guess would get.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from salet.array_types import Codes, Ints
from salet.learn.common.ragged import AnswerSets
from salet.learn.policy.kernels import fill_set_features, fill_word_features

MAX_COUNT = 8
"""largest size of a set that is encoded one-hot"""
MAX_TURNS = 6
"""number of turns that are told apart; later ones look like the last"""


class PolicyNetworkShape(NamedTuple):
    """The sizes of all weights."""

    length: int = 5
    alphabet: int = 26
    pool: int = 128
    """learned features of a word that are averaged over a set"""
    word: int = 256
    """hidden units of the encoder of guesses"""
    width: int = 384
    """units in each layer between a set and its query"""
    layers: int = 2
    """number of residual blocks"""
    query: int = 128
    """length of a guess's encoding"""
    candidate: int = 32
    """length of the additional encoding of remaining answers"""

    @property
    def marks(self) -> int:
        """Number of features of a word: letters by position, present, and repeated."""
        return (self.length + 2) * self.alphabet

    @property
    def features(self) -> int:
        """Number of features of a set, see `set_features`."""
        pairs = self.alphabet * (self.alphabet - 1) // 2
        return 2 * self.marks + pairs + 2 + MAX_COUNT + MAX_TURNS


def word_features(codes: Codes, alphabet: int) -> NDArray[np.float32]:
    """For each word its letters by position, the letters in it, and those it has more than once."""
    marks = np.zeros((len(codes), (codes.shape[1] + 2) * alphabet), np.uint8)
    fill_word_features(codes, alphabet, marks)
    return marks.astype(np.float32)


def set_features(codes: Codes, alphabet: int, sets: AnswerSets) -> NDArray[np.float32]:
    """Statistics of each set of n words.

    The fraction p of its words with each feature of a word; how evenly that divides the set,
    4 p (1 - p); for each two letters, 4 times the covariance of their presence; log n, 1 / n, n
    itself up to MAX_COUNT, and the turn.
    """
    shape = PolicyNetworkShape(codes.shape[1], alphabet)
    out = np.empty((len(sets), shape.features), np.float32)
    fill_set_features(
        codes, sets.words, sets.starts, sets.turns, alphabet, MAX_COUNT, MAX_TURNS, out
    )
    return out


def network_inputs(
    codes: Codes, alphabet: int, sets: AnswerSets, index: Ints | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Features, members and owners of sets, as the network's methods take them.

    Members are numbered by `index[word]` if that is given.
    """
    features = torch.from_numpy(set_features(codes, alphabet, sets))
    members = sets.words.astype(np.int64) if index is None else index[sets.words]
    return features, torch.from_numpy(members), torch.from_numpy(sets.owners)


class WordEncodings(NamedTuple):
    """Encodings of a list of words."""

    pooled: Tensor
    """contribution of each word to a set"""
    guesses: Tensor
    """encoding as a guess, additional encoding as a remaining answer, and a bias for each"""


class PolicyNetwork(nn.Module):
    """Maps sets of remaining answers to a score for each guess and to the guesses to come."""

    def __init__(self, shape: PolicyNetworkShape) -> None:
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

    def encode_words(self, marks: Tensor) -> WordEncodings:
        """Encode words, given their features."""
        guesses = self.guess(torch.relu(self.letters(marks)))
        return WordEncodings(torch.relu(self.pool(marks)), guesses)

    def encode_sets(
        self, pooled: Tensor, features: Tensor, members: Tensor, owners: Tensor
    ) -> Tensor:
        """Encode sets: `members` are indices of words, `owners` the set that each belongs to."""
        sizes = torch.bincount(owners, minlength=len(features))
        mean = torch.zeros(len(features), pooled.shape[1])
        mean = mean.index_add(0, owners, pooled[members]) / sizes[:, None]
        y = self.enter(torch.cat([features, mean], 1))
        for layer in self.layers:
            y = y + layer(y)
        return torch.relu(self.leave(y))

    def scores(self, encoded: Tensor, guesses: Tensor, members: Tensor, owners: Tensor) -> Tensor:
        """scores[set, guess]: the network chooses the largest."""
        query, cut = self.query(encoded), self.shape.query
        scores = torch.addmm(guesses[:, -2], query[:, :cut], guesses[:, :cut].T)
        member, own_query = guesses[members], query[owners]
        product = (member[:, cut:-2] * own_query[:, cut:-1]).sum(1)
        extra = product + member[:, -1] + own_query[:, -1]
        return scores.index_put((owners, members), extra, accumulate=True)

    def excess(self, encoded: Tensor) -> Tensor:
        """Mean guesses to come over a set's answers, minus the minimum (2 n - 1) / n: that of a
        guess which is an answer and tells all others apart."""
        out: Tensor = self.value(encoded)[:, 0]
        return out

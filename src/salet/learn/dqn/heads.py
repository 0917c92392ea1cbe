"""Action heads: they turn a network's outputs into the values of thousands of words.

letters    one output for each letter in each position; a word's value is the sum over its letters
pairs      one output for each pair of adjacent letters in its position, overlapping
words      one output for each word
embedding  a point among the words' embeddings, and a value: the nearer a word, the better it is
convex     a concave function of a word's embedding: minus an input-convex network (Amos 2017)

The first three are sums over the parts of a word and differ only in what the parts are. To add a
head, write a function that makes a `Head`, and one line in `HEADS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from salet.array_types import Bools, Floats, Indices, Ints
from salet.env.game_arrays import GameArrays
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.lexicon import encode
from salet.learn.dqn.network import QNetwork
from salet.numeric.jit import kernel

Outputs = NDArray[np.float32]
EMBEDDING_SIZE = 20
"""maximum number of dimensions of the embedding"""


class Head(ABC):
    """Computes the values of a game's guesses from a network's outputs."""

    size: int
    """number of outputs of the network"""

    @abstractmethod
    def best(self, outputs: Outputs, legal: Bools) -> tuple[Indices, Outputs]:
        """The best legal guess for each row and its value; the first of equals.

        `legal` has a row for each row of outputs, or one row for all.
        """

    @abstractmethod
    def values_of(self, outputs: torch.Tensor, guesses: torch.Tensor) -> torch.Tensor:
        """The value of one guess for each row."""

    def network_values_of(
        self, network: QNetwork, inputs: torch.Tensor, guesses: torch.Tensor
    ) -> torch.Tensor:
        """The value of one guess for each row, from the network's inputs."""
        return self.values_of(network(inputs), guesses)

    @abstractmethod
    def all_values(self, outputs: Outputs) -> Outputs:
        """values[row, guess]"""


class HalvedWords(NamedTuple):
    """Words as a front and a back half, so that the sum of each half is computed once."""

    fronts: Indices
    """fronts[k, front]: the outputs that make up a front half"""
    backs: Indices
    """backs[k, back]: the outputs that make up a back half"""
    words: Indices
    """all words, grouped by front"""
    starts: Indices
    """index of each front's first word in `words`"""
    back: Indices
    """back half of each word of `words`"""


class SumHead(Head):
    """A word's value is the sum of the outputs of its parts."""

    def __init__(self, parts: Ints, size: int) -> None:
        """`parts[word, k]`: the outputs that make up the word."""
        self.size = size
        self.parts = torch.from_numpy(parts)
        middle = (parts.shape[1] + 1) // 2
        fronts, front = np.unique(parts[:, :middle], axis=0, return_inverse=True)
        backs, back = np.unique(parts[:, middle:], axis=0, return_inverse=True)
        words = np.argsort(front, kind="stable")
        starts = np.searchsorted(front[words], np.arange(len(fronts) + 1))
        arrays = (fronts.T, backs.T, words, starts, back[words])
        self._split = HalvedWords(*(np.ascontiguousarray(array, np.int32) for array in arrays))

    def best(self, outputs: Outputs, legal: Bools) -> tuple[Indices, Outputs]:
        words = np.empty(len(outputs), np.int32)
        values = np.empty(len(outputs), np.float32)
        _best(outputs, legal, self._split, words, values)
        return words, values

    def values_of(self, outputs: torch.Tensor, guesses: torch.Tensor) -> torch.Tensor:
        return outputs.gather(1, self.parts[guesses]).sum(1)

    def all_values(self, outputs: Outputs) -> Outputs:
        values: Outputs = outputs[:, self.parts.numpy()].sum(2)
        return values


class WordHead(SumHead):
    """A word's value is an output of its own, and the only one that has to be computed for it.

    With thousands of words this makes a gradient step three times as fast.
    """

    def __init__(self, outputs: Ints, size: int) -> None:
        """`outputs[word]`: the output of each word."""
        super().__init__(outputs[:, None], size)

    def network_values_of(
        self, network: QNetwork, inputs: torch.Tensor, guesses: torch.Tensor
    ) -> torch.Tensor:
        return network.one_output(inputs, self.parts[guesses, 0])


@kernel
def _sum_halves(outputs: Outputs, halves: Indices, sums: Outputs) -> int:
    """Add up the outputs of every half; returns the half with the largest sum."""
    sums[:] = 0
    for k in range(halves.shape[0]):
        part = halves[k]
        for h in range(part.shape[0]):  # over all halves at once, so that it is vectorised
            sums[h] += outputs[part[h]]
    best = 0
    for h in range(sums.shape[0]):
        if sums[h] > sums[best]:
            best = h
    return best


@kernel
def _best(
    outputs: Outputs, legal: Bools, split: HalvedWords, words: Indices, values: Outputs
) -> None:
    """Find the first legal word of largest value for every row.

    A front is skipped if even the best back would leave it below the best word so far; the best
    front goes first, so that there is soon something to compare with. If the outputs are NaN, the
    first legal word is chosen.
    """
    front_sums = np.empty(split.fronts.shape[1], np.float32)
    back_sums = np.empty(split.backs.shape[1], np.float32)
    for row in range(outputs.shape[0]):
        allowed = legal[row if legal.shape[0] > 1 else 0]
        first = _sum_halves(outputs[row], split.fronts, front_sums)
        best_back = back_sums[_sum_halves(outputs[row], split.backs, back_sums)]
        best, found = np.float32(-np.inf), split.words.shape[0]
        for step in range(-1, front_sums.shape[0]):
            front = first if step < 0 else step
            if front_sums[front] + best_back < best:
                continue
            for k in range(split.starts[front], split.starts[front + 1]):
                value = front_sums[front] + back_sums[split.back[k]]
                if value >= best:
                    word = split.words[k]
                    if allowed[word] and (value > best or word < found):
                        best, found = value, word
        if found == split.words.shape[0]:
            found, best = 0, np.float32(np.nan)
            while not allowed[found]:
                found += 1
        words[row] = found
        values[row] = best


class EmbeddingHead(Head):
    """Q(word) = value - |point - embedding of the word|**2: the best word is the nearest."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        """`vectors[word]` are the embeddings; the outputs are the value and the point."""
        self.size = 1 + vectors.shape[1]
        self._vectors = vectors
        self._tensors = torch.from_numpy(vectors)

    def best(self, outputs: Outputs, legal: Bools) -> tuple[Indices, Outputs]:
        values = np.where(legal, self.all_values(outputs), -np.inf)
        words = values.argmax(axis=1).astype(np.int32)
        return words, values[np.arange(len(words)), words]

    def values_of(self, outputs: torch.Tensor, guesses: torch.Tensor) -> torch.Tensor:
        return outputs[:, 0] - (outputs[:, 1:] - self._tensors[guesses]).square().sum(1)

    def all_values(self, outputs: Outputs) -> Outputs:
        points = outputs[:, 1:]
        cross = points @ self._vectors.T
        squares = np.square(points).sum(1)[:, None] + np.square(self._vectors).sum(1)
        values: Outputs = outputs[:, :1] - (squares - 2 * cross)
        return values


MakeHead = Callable[[Game, GameArrays, Sequence[str]], Head]
"""makes a head for a game, given the vocabulary that the weights were trained with"""


def _letters(game: Game, arrays: GameArrays, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    parts = arrays.letters.astype(np.int64) + arrays.alphabet_size * np.arange(game.length)
    return SumHead(parts, arrays.alphabet_size * game.length)


def _pairs(game: Game, arrays: GameArrays, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    index = {pair: k for k, pair in enumerate(vocabulary)}
    parts = np.empty((len(game.lexicon), game.length - 1), np.int64)
    for word, pairs in enumerate(_pairs_of(game)):
        for k, pair in enumerate(pairs):
            if pair not in index:
                raise InputError(
                    f"{game.guesses[word]!r} has the letters {pair[1:]!r} at position {k + 1}, "
                    "which these weights have never seen"
                )
            parts[word, k] = index[pair]
    return SumHead(parts, len(vocabulary))


def _words(game: Game, arrays: GameArrays, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    return WordHead(_indices_of(game, vocabulary), len(vocabulary))


def _embedding(game: Game, arrays: GameArrays, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    indices = _indices_of(game, vocabulary)
    return EmbeddingHead(_embed(vocabulary)[indices])


def _convex(game: Game, arrays: GameArrays, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    from salet.learn.dqn.convex_head import ConvexHead

    indices = _indices_of(game, vocabulary)
    return ConvexHead(_embed(vocabulary)[indices])


def _indices_of(game: Game, vocabulary: Sequence[str]) -> Ints:
    """The index of each guess in the vocabulary; a word that is not there is refused."""
    index = {word: k for k, word in enumerate(vocabulary)}
    unknown = [word for word in game.guesses if word not in index]
    if unknown:
        raise InputError(f"{unknown[0]!r} is not among the {len(index)} words of these weights")
    return np.array([index[word] for word in game.guesses])


def _embed(words: Sequence[str]) -> NDArray[np.float32]:
    """Embeddings in which words that share letters are near each other: the principal components
    of one-hot letters by position and of letters anywhere.

    They depend on all the words, so that a word has the same embedding only in the same list.
    """
    lexicon = encode(words)
    size, length = len(lexicon.alphabet), lexicon.length
    features: Floats = np.zeros((len(words), size * (length + 1)))
    rows = np.arange(len(words))
    for k in range(length):
        features[rows, k * size + lexicon.codes[:, k]] = 1
        features[rows, length * size + lexicon.codes[:, k]] = 1
    features -= features.mean(axis=0)
    _, singular_values, axes = np.linalg.svd(features, full_matrices=False)
    dimensions = min(EMBEDDING_SIZE, int((singular_values > 1e-9).sum()))
    return np.ascontiguousarray(features @ axes[:dimensions].T, np.float32)


def _pairs_of(game: Game) -> list[list[str]]:
    """The adjacent pairs of each word: the position in base 36, then the two letters."""
    letters, digits = game.lexicon.alphabet, "0123456789abcdefghijklmnopqrstuvwxyz"
    return [
        [digits[k] + letters[word[k]] + letters[word[k + 1]] for k in range(game.length - 1)]
        for word in game.lexicon.codes.tolist()
    ]


HEADS: Mapping[str, MakeHead] = MappingProxyType(
    {
        "letters": _letters,
        "pairs": _pairs,
        "words": _words,
        "embedding": _embedding,
        "convex": _convex,
    }
)


def vocabulary_of(name: str, game: Game) -> tuple[str, ...]:
    """What the outputs of a head stand for, if the alphabet alone does not decide it."""
    if name == "pairs":
        return tuple(sorted({pair for pairs in _pairs_of(game) for pair in pairs}))
    return game.guesses if name in ("words", "embedding", "convex") else ()


def head_named(name: str, game: Game, arrays: GameArrays, vocabulary: Sequence[str]) -> Head:
    """The head of that name for a game."""
    if name not in HEADS:
        raise UnknownNameError("head", name, HEADS)
    return HEADS[name](game, arrays, vocabulary)

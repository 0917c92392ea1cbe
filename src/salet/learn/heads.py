"""Action heads: how a network's outputs become the values of thousands of words.

letters    one output for each letter at each position; a word's value is the sum over its letters
pairs      one output for each pair of adjacent letters at its position, overlapping
words      one output for each word
embedding  a point among the words' embeddings, and a value: the nearer a word, the better it is

The first three are sums over a word's parts, and differ in nothing but the parts. A head of one's
own is a function that makes a `Head`, and one line in `HEADS`.
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
from salet.env.rulebook import Rulebook
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.numeric.jit import kernel

Outputs = NDArray[np.float32]
EMBEDDED = 20
"""dimensions of the embedding"""


class Head(ABC):
    """Values of all guesses of a game from a network's outputs."""

    size: int
    """how many outputs the network has"""

    @abstractmethod
    def best(self, outputs: Outputs, legal: Bools) -> tuple[Indices, Outputs]:
        """The best legal guess for each row, and its value; the first of equals.

        `legal` has a row for each row of outputs, or one row for all.
        """

    @abstractmethod
    def of(self, outputs: torch.Tensor, guesses: torch.Tensor) -> torch.Tensor:
        """The value of one guess for each row."""

    @abstractmethod
    def all(self, outputs: Outputs) -> Outputs:
        """values[row, guess]"""

    def wild(self, rows: int, generator: np.random.Generator) -> Outputs:
        """Outputs at random: exploration takes the best guess under them."""
        return generator.standard_normal((rows, self.size), np.float32)


class Halves(NamedTuple):
    """Words as a front and a back half, so that each half's sum is made once."""

    fronts: Indices
    """fronts[k, front]: the outputs that a front half stands for"""
    backs: Indices
    words: Indices
    """all words, those of one front side by side"""
    starts: Indices
    """where the words of each front start"""
    back: Indices
    """the back half of each of these words"""


class PartsHead(Head):
    """A word's value is the sum of the outputs of its parts."""

    def __init__(self, parts: Ints, size: int) -> None:
        """`parts[word, k]`: the outputs that the word stands for."""
        self.size = size
        self.parts = torch.from_numpy(parts)
        split = (parts.shape[1] + 1) // 2
        fronts, front = np.unique(parts[:, :split], axis=0, return_inverse=True)
        backs, back = np.unique(parts[:, split:], axis=0, return_inverse=True)
        words = np.argsort(front, kind="stable")
        starts = np.searchsorted(front[words], np.arange(len(fronts) + 1))
        arrays = (fronts.T, backs.T, words, starts, back[words])
        self._halves = Halves(*(np.ascontiguousarray(array, np.int32) for array in arrays))

    def best(self, outputs: Outputs, legal: Bools) -> tuple[Indices, Outputs]:
        words = np.empty(len(outputs), np.int32)
        values = np.empty(len(outputs), np.float32)
        _best(outputs, legal, self._halves, words, values)
        return words, values

    def of(self, outputs: torch.Tensor, guesses: torch.Tensor) -> torch.Tensor:
        return outputs.gather(1, self.parts[guesses]).sum(1)

    def all(self, outputs: Outputs) -> Outputs:
        values: Outputs = outputs[:, self.parts.numpy()].sum(2)
        return values


@kernel
def _sums(outputs: Outputs, halves: Indices, sums: Outputs) -> int:
    """Add up the outputs of every half; returns the half of greatest sum."""
    sums[:] = 0
    for k in range(halves.shape[0]):
        part = halves[k]
        for h in range(part.shape[0]):  # side by side: becomes SIMD code
            sums[h] += outputs[part[h]]
    best = 0
    for h in range(sums.shape[0]):
        if sums[h] > sums[best]:
            best = h
    return best


@kernel
def _best(outputs: Outputs, legal: Bools, halves: Halves, words: Indices, values: Outputs) -> None:
    """The first word of greatest value in every row.

    A front can be passed over if even the best back would not make it equal to the best word so
    far. The best front goes first, so that there is something to compare with. Where outputs are
    no numbers, the first legal word is as good as any.
    """
    front_sums = np.empty(halves.fronts.shape[1], np.float32)
    back_sums = np.empty(halves.backs.shape[1], np.float32)
    for row in range(outputs.shape[0]):
        allowed = legal[row if legal.shape[0] > 1 else 0]
        first = _sums(outputs[row], halves.fronts, front_sums)
        top = back_sums[_sums(outputs[row], halves.backs, back_sums)]
        best, found = np.float32(-np.inf), halves.words.shape[0]
        for place in range(-1, front_sums.shape[0]):
            front = first if place < 0 else place
            if front_sums[front] + top < best:
                continue
            for k in range(halves.starts[front], halves.starts[front + 1]):
                value = front_sums[front] + back_sums[halves.back[k]]
                if value >= best:
                    word = halves.words[k]
                    if allowed[word] and (value > best or word < found):
                        best, found = value, word
        if found == halves.words.shape[0]:
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
        values = np.where(legal, self.all(outputs), -np.inf)
        words = values.argmax(axis=1).astype(np.int32)
        return words, values[np.arange(len(words)), words]

    def of(self, outputs: torch.Tensor, guesses: torch.Tensor) -> torch.Tensor:
        return outputs[:, 0] - (outputs[:, 1:] - self._tensors[guesses]).square().sum(1)

    def all(self, outputs: Outputs) -> Outputs:
        points = outputs[:, 1:]
        cross = points @ self._vectors.T
        far = np.square(points).sum(1)[:, None] + np.square(self._vectors).sum(1)
        values: Outputs = outputs[:, :1] - (far - 2 * cross)
        return values


Make = Callable[[Game, Rulebook, Sequence[str]], Head]
"""a head for a game, from the vocabulary that the weights were made with"""


def _letters(game: Game, book: Rulebook, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    length = game.length
    parts = book.letters.astype(np.int64) + book.alphabet * np.arange(length)
    return PartsHead(parts, book.alphabet * length)


def _pairs(game: Game, book: Rulebook, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    places = {pair: place for place, pair in enumerate(vocabulary)}
    parts = np.empty((len(game.lexicon), game.length - 1), np.int64)
    for word, pairs in enumerate(_pairs_of(game)):
        for k, pair in enumerate(pairs):
            if pair not in places:
                raise InputError(
                    f"{game.guesses[word]!r} has the letters {pair[1:]!r} at {k + 1}, which these "
                    "weights have never seen"
                )
            parts[word, k] = places[pair]
    return PartsHead(parts, len(vocabulary))


def _words(game: Game, book: Rulebook, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    places = {word: place for place, word in enumerate(vocabulary)}
    unknown = [word for word in game.guesses if word not in places]
    if unknown:
        raise InputError(f"{unknown[0]!r} is not among the {len(places)} words of these weights")
    parts = np.array([[places[word]] for word in game.guesses])
    return PartsHead(parts, len(vocabulary))


def _embedding(game: Game, book: Rulebook, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    return EmbeddingHead(_embed(game, book))


def _embed(game: Game, book: Rulebook) -> NDArray[np.float32]:
    """Words near each other share letters: the leading directions of the words' letters, at their
    position and anywhere, by singular values."""
    size, length = book.alphabet, game.length
    marks: Floats = np.zeros((len(game.lexicon), size * (length + 1)))
    rows = np.arange(len(game.lexicon))
    for k in range(length):
        marks[rows, k * size + book.letters[:, k]] = 1
        marks[rows, length * size + book.letters[:, k]] = 1
    marks -= marks.mean(axis=0)
    _, strengths, axes = np.linalg.svd(marks, full_matrices=False)
    kept = min(EMBEDDED, int((strengths > 1e-9).sum()))
    return np.ascontiguousarray(marks @ axes[:kept].T, np.float32)


def _pairs_of(game: Game) -> list[list[str]]:
    """Each word's adjacent pairs, with the position (in base 36) before the letters."""
    signs, digits = game.lexicon.alphabet, "0123456789abcdefghijklmnopqrstuvwxyz"
    return [
        [digits[k] + signs[word[k]] + signs[word[k + 1]] for k in range(game.length - 1)]
        for word in game.lexicon.codes.tolist()
    ]


HEADS: Mapping[str, Make] = MappingProxyType(
    {"letters": _letters, "pairs": _pairs, "words": _words, "embedding": _embedding}
)


def vocabulary_of(name: str, game: Game) -> tuple[str, ...]:
    """What a head's outputs stand for, where the alphabet does not say it."""
    if name == "pairs":
        return tuple(sorted({pair for pairs in _pairs_of(game) for pair in pairs}))
    return game.guesses if name == "words" else ()


def head_named(name: str, game: Game, book: Rulebook, vocabulary: Sequence[str]) -> Head:
    """The head of that name for a game."""
    if name not in HEADS:
        raise UnknownNameError("head", name, HEADS)
    return HEADS[name](game, book, vocabulary)

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
from salet.numeric.jit import kernel

Outputs = NDArray[np.float32]
EMBEDDING_SIZE = 20
"""maximum number of dimensions of the embedding"""
CONVEX_UNITS = 16
"""hidden units of the convex head"""
CUTS = 4
"""words at which the convex head bounds all others before it tries those that are left"""


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


class ConvexHead(Head):
    """Q(a) = value + slope . a - sum of gain_k * relu(direction_k . a + offset_k), gain_k >= 0.

    -Q is a partially input-convex network: convex in the word's embedding `a`, while the
    observation decides all of its weights. It is convex for any outputs, since the gains are
    softplus(outputs). `best` returns the exact maximum over the legal words: as Q is concave, a
    supergradient at one word bounds the value of every other, and few are left to be tried.
    """

    def __init__(self, vectors: NDArray[np.float32], units: int = CONVEX_UNITS) -> None:
        """`vectors[word]` are the embeddings. The outputs are the value, the slope, and for each
        unit its direction, offset and gain."""
        self._units, self._dimensions = units, vectors.shape[1]
        self.size = 1 + self._dimensions + units * (self._dimensions + 2)
        self._vectors = np.ascontiguousarray(vectors)
        self._columns = np.ascontiguousarray(vectors.T)
        self._tensors = torch.from_numpy(self._vectors)

    def _unpack(self, outputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Values, slopes[row], directions[row, unit], offsets[row, unit], gains[row, unit]."""
        middle = 1 + self._dimensions
        units = outputs[:, middle:].reshape(len(outputs), self._units, self._dimensions + 2)
        gains = torch.nn.functional.softplus(units[:, :, -1])
        return outputs[:, 0], outputs[:, 1:middle], units[:, :, :-2], units[:, :, -2], gains

    def best(self, outputs: Outputs, legal: Bools) -> tuple[Indices, Outputs]:
        value, slopes, directions, offsets, gains = self._unpack(torch.from_numpy(outputs))
        by_dimension = directions.transpose(1, 2).contiguous()
        arrays = (value, slopes, by_dimension, offsets, gains)
        functions = ConcaveFunctions(*(np.ascontiguousarray(array.numpy()) for array in arrays))
        words = np.empty(len(outputs), np.int32)
        values = np.empty(len(outputs), np.float32)
        _best_concave(functions, legal, self._vectors, self._columns, words, values)
        return words, values

    def values_of(self, outputs: torch.Tensor, guesses: torch.Tensor) -> torch.Tensor:
        return self.values_at(outputs, self._tensors[guesses])

    def values_at(self, outputs: torch.Tensor, points: torch.Tensor) -> torch.Tensor:
        """The value at one point of the embedding for each row."""
        value, slopes, directions, offsets, gains = self._unpack(outputs)
        bends = torch.relu(torch.einsum("rkd,rd->rk", directions, points) + offsets)
        return value + (slopes * points).sum(1) - (gains * bends).sum(1)

    def all_values(self, outputs: Outputs) -> Outputs:
        value, slopes, directions, offsets, gains = self._unpack(torch.from_numpy(outputs))
        values = value[:, None] + slopes @ self._tensors.T
        for unit in range(self._units):
            bends = torch.relu(directions[:, unit] @ self._tensors.T + offsets[:, unit, None])
            values -= gains[:, unit, None] * bends
        found: Outputs = values.numpy()
        return found


class ConcaveFunctions(NamedTuple):
    """The outputs of the convex head, a function for each row; see `ConvexHead`."""

    value: Outputs
    slopes: Outputs
    """slopes[row, dimension]"""
    directions: Outputs
    """directions[row, dimension, unit]"""
    offsets: Outputs
    """offsets[row, unit]"""
    gains: Outputs
    """gains[row, unit], none of them negative"""


@kernel
def _value_at(functions: ConcaveFunctions, row: int, vector: Outputs, bends: Outputs) -> np.float32:
    """The value of a row's function at a word's embedding; `bends` is left as the units' inputs."""
    bends[:] = functions.offsets[row]
    value = functions.value[row]
    for d in range(vector.shape[0]):
        value += functions.slopes[row, d] * vector[d]
        for k in range(bends.shape[0]):
            bends[k] += functions.directions[row, d, k] * vector[d]
    for k in range(bends.shape[0]):
        if bends[k] > 0:
            value -= functions.gains[row, k] * bends[k]
    return np.float32(value)


@kernel
def _tangent_plane(
    functions: ConcaveFunctions, row: int, bends: Outputs, columns: Outputs, cut: Outputs
) -> None:
    """Fill `cut` with the tangent plane, at the word with these `bends`, for every word.

    A concave function lies below its tangent planes. Where a unit is active, the plane follows it.
    """
    at_zero = functions.value[row]
    for k in range(bends.shape[0]):
        if bends[k] > 0:
            at_zero -= functions.gains[row, k] * functions.offsets[row, k]
    cut[:] = at_zero
    for d in range(columns.shape[0]):
        slope = functions.slopes[row, d]
        for k in range(bends.shape[0]):
            if bends[k] > 0:
                slope -= functions.gains[row, k] * functions.directions[row, d, k]
        column = columns[d]
        for word in range(cut.shape[0]):
            cut[word] += slope * column[word]


@kernel
def _best_concave(
    functions: ConcaveFunctions,
    legal: Bools,
    vectors: Outputs,
    columns: Outputs,
    words: Indices,
    values: Outputs,
) -> None:
    """Find the first legal word of largest value for every row, by cutting planes.

    The word with the largest bound is tried and its tangent plane lowers all bounds, `CUTS` times;
    then every word is tried whose bound is not below the best value. If the outputs are NaN, the
    first legal word is chosen.
    """
    count = vectors.shape[0]
    bounds, cut = np.empty(count, np.float32), np.empty(count, np.float32)
    bends = np.empty(functions.offsets.shape[1], np.float32)
    for row in range(words.shape[0]):
        allowed = legal[row if legal.shape[0] > 1 else 0]
        for word in range(count):
            bounds[word] = np.inf if allowed[word] else -np.inf
        first = 0
        while not allowed[first]:
            first += 1
        best, found, word = np.float32(-np.inf), count, first
        for _ in range(CUTS):
            value = _value_at(functions, row, vectors[word], bends)
            if value > best or (value == best and word < found):
                best, found = value, word
            _tangent_plane(functions, row, bends, columns, cut)
            for other in range(count):
                bounds[other] = min(bounds[other], cut[other])
            word = int(np.argmax(bounds))
        slack = np.float32(1e-3) * (1 + abs(best))  # far above the rounding error of a bound
        for other in range(count):
            if bounds[other] >= best - slack:
                value = _value_at(functions, row, vectors[other], bends)
                if value > best or (value == best and other < found):
                    best, found = value, other
        words[row] = first if found == count else found
        values[row] = np.nan if found == count else best


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
    return SumHead(_indices_of(game, vocabulary)[:, None], len(vocabulary))


def _embedding(game: Game, arrays: GameArrays, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
    indices = _indices_of(game, vocabulary)
    return EmbeddingHead(_embed(vocabulary)[indices])


def _convex(game: Game, arrays: GameArrays, vocabulary: Sequence[str]) -> Head:  # noqa: ARG001
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
    marks: Floats = np.zeros((len(words), size * (length + 1)))
    rows = np.arange(len(words))
    for k in range(length):
        marks[rows, k * size + lexicon.codes[:, k]] = 1
        marks[rows, length * size + lexicon.codes[:, k]] = 1
    marks -= marks.mean(axis=0)
    _, singular_values, axes = np.linalg.svd(marks, full_matrices=False)
    kept = min(EMBEDDING_SIZE, int((singular_values > 1e-9).sum()))
    return np.ascontiguousarray(marks @ axes[:kept].T, np.float32)


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

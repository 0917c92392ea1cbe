"""The convex head: the value of a word is a concave function of its embedding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from salet.array_types import Bools, Indices
from salet.learn.dqn.heads import Head, Outputs
from salet.numeric.jit import kernel

CONVEX_UNITS = 16
"""hidden units of the convex head"""
CUTS = 4
"""words whose tangent planes bound all others before the remaining words are tried"""


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

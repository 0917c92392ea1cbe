"""Heuristic costs on several boards, as sums over boards and groups.

On one board the cost of a guess is the sum of a value f(n_c) over its groups, divided by the number
of answers if it is a mean. It depends on the set of answers alone, so the costs of large sets,
which many games share, are cached.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from salet.array_types import Floats, Indices, Patterns
from salet.game.game import Game
from salet.game.state import State
from salet.numeric.jit import kernel

_REMEMBERED_FROM = 12
"""Smallest set whose costs are cached."""
_MAX_BYTES = 200 << 20
"""Maximum size of the cache."""


@dataclass(frozen=True)
class GroupValue:
    """A heuristic as a sum over groups."""

    value: Callable[[int], float]
    """contribution of a group of n answers; lower is better"""
    is_mean: bool
    """whether the sum is divided by the number of answers"""


def _n_log_n(n: int) -> float:
    return n * math.log2(n)


GROUP_VALUES: Mapping[str, GroupValue] = MappingProxyType(
    {
        "entropy": GroupValue(_n_log_n, True),
        "expected-size": GroupValue(lambda n: float(n * n), True),
        "parts": GroupValue(lambda _: -1.0, False),
    }
)
"""The heuristics that can be summed over boards."""


class GroupSums:
    """Sums over the groups of every guess, for boards of one game. Thread-safe."""

    def __init__(
        self, game: Game, values: Sequence[Sequence[float]] | Floats, is_mean: bool
    ) -> None:
        """`values[k][n]`: contribution of a group of n answers to sum k; [k][0] is 0."""
        self.game = game
        self.values: Floats = np.array(values, float)
        self._is_mean = is_mean
        self._remembered: OrderedDict[bytes, Floats] = OrderedDict()
        self._max_remembered = max(16, _MAX_BYTES // (8 * len(self.values) * len(game.lexicon)))
        self._lock = threading.Lock()

    @staticmethod
    def of(game: Game, value: GroupValue) -> GroupSums:
        """The sums of one heuristic."""
        sizes = range(1, game.answer_count + 1)
        return GroupSums(game, [[0.0, *map(value.value, sizes)]], value.is_mean)

    def of_board(self, board: State) -> Floats:
        """[k, guess]: the sums on one board."""
        candidates = board.candidates
        if len(candidates) < _REMEMBERED_FROM:
            return self._computed(candidates)
        key = candidates.tobytes()
        with self._lock:
            found = self._remembered.get(key)
            if found is not None:
                self._remembered.move_to_end(key)
                return found
        found = self._computed(candidates)
        with self._lock:
            self._remembered[key] = found
            if len(self._remembered) > self._max_remembered:
                self._remembered.popitem(last=False)
        return found

    def _computed(self, candidates: Indices) -> Floats:
        table = self.game.compiled
        scale = 1 / len(candidates) if self._is_mean else 1.0
        ids = table.laid_out_for(len(candidates))
        sums = np.empty((len(self.values), len(self.game.lexicon)))
        _sum_groups(ids, table.patterns, candidates, self.values, scale, sums)
        return sums


@kernel
def _sum_groups(
    table: Patterns,
    patterns: int,
    candidates: Indices,
    values: Floats,
    scale: float,
    sums: Floats,
) -> None:
    """sums[k, guess] = scale * the sum over the groups of the guess of values[k, size]."""
    layers = values.shape[0]
    sizes = np.zeros(patterns, np.int32)
    for guess in range(sums.shape[1]):
        row = table[guess]
        for a in candidates:
            sizes[row[a]] += 1
        for k in range(layers):
            sums[k, guess] = 0.0
        for a in candidates:
            size = sizes[row[a]]
            if size > 0:
                sizes[row[a]] = 0
                for k in range(layers):
                    sums[k, guess] += values[k, size]
        for k in range(layers):
            sums[k, guess] *= scale

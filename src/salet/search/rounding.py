"""Entropy in double precision, added up in the order of two historical players.

Rounding errors decided their ties, so their transcripts are reproduced only if every addition is
made in their order. Nothing here is meant for other purposes: `heuristics` finds exact ties.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from salet.array_types import Floats, Indices, Patterns
from salet.game.game import Game
from salet.game.notation import TILES, tiles
from salet.game.state import State
from salet.numeric.jit import kernel


def romanian_entropy(state: State) -> Floats:
    """Entropy as the Romanian player computes it: (sum of (log2 N - log2 m) * m) / N.

    Patterns are added with the first letter most significant, green before yellow before grey.
    """
    n = len(state.candidates)
    terms = [0.0, *((math.log2(n) - math.log2(m)) * m for m in range(1, n + 1))]
    rank = _romanian_rank(state.game)
    lanes = np.zeros(len(rank), np.int32)
    return _summed(state, np.array(terms), rank, lanes, np.zeros((0, 2), np.int32)) / n


def numpy_entropy(state: State) -> Floats:
    """Entropy as the DQN paper's MaxEntropy computes it: SciPy's, in bits, over all patterns.

    NumPy adds an array pairwise: it halves the array down to blocks of at most 128 elements, and
    keeps eight running sums in each block.
    """
    n = len(state.candidates)
    terms = [0.0, *(-(m / n) * math.log(m / n) for m in range(1, n + 1))]
    lanes, additions = _pairwise(state.game.compiled.patterns)
    rank = np.arange(len(lanes), dtype=np.int32)
    return _summed(state, np.array(terms), rank, lanes, additions) / math.log(2)


def _summed(
    state: State, terms: Floats, rank: Indices, lanes: Indices, additions: Indices
) -> Floats:
    out = np.empty(len(state.legal))
    table = state.game.compiled.laid_out_for(len(state.candidates))
    _sum_in_order(table, state.candidates, state.legal, terms, rank, lanes, additions, out)
    return out


@functools.lru_cache(maxsize=1)
def _romanian_rank(game: Game) -> Indices:
    """rank[pattern id]: its position in the Romanian player's order of addition."""
    patterns = range(game.compiled.patterns)
    rank = np.arange(len(patterns), dtype=np.int32)
    if game.rule.notation is TILES:
        colours = [tiles(game.compiled.code(pattern), game.length) for pattern in patterns]
        order = sorted(patterns, key=lambda pattern: [-colour for colour in colours[pattern]])
        rank[order] = np.arange(len(patterns), dtype=np.int32)
    return rank


@functools.lru_cache(maxsize=8)
def _pairwise(count: int) -> tuple[Indices, Indices]:
    """NumPy's order of addition as a program: (lanes, additions).

    `lanes[i]` is the running sum that element i is added to; then the running sums are added to
    each other, as (target, source) pairs. Elements of a block beyond a multiple of eight have
    running sums of their own, which are added one by one at the end of the block.
    """
    lanes: list[int] = []
    additions: list[tuple[int, int]] = []

    def block(size: int) -> int:
        """Plan the next `size` elements; returns the running sum that will hold their total."""
        if size > 128:
            half = size // 2 - size // 2 % 8
            left = block(half)
            right = block(size - half)
            additions.append((left, right))
            return left
        base = max(lanes, default=-1) + 1
        whole = size - size % 8
        lanes.extend(base + i % 8 for i in range(whole))
        lanes.extend(range(base + 8, base + 8 + size - whole))
        additions.extend((base + a, base + b) for a, b in ((0, 1), (2, 3), (4, 5), (6, 7)))
        additions.extend((base + a, base + b) for a, b in ((0, 2), (4, 6), (0, 4)))
        additions.extend((base, base + 8 + i) for i in range(size - whole))
        return base

    block(count)
    return np.array(lanes, np.int32), np.array(additions, np.int32)


@kernel
def _sum_in_order(
    table: Patterns,
    candidates: Indices,
    guesses: Indices,
    terms: Floats,
    rank: Indices,
    lanes: Indices,
    additions: Indices,
    out: Floats,
) -> None:
    """out[k] = the sum of terms[size] over the groups of guess k, in the order of `rank`."""
    sizes = np.zeros(rank.shape[0], np.int32)
    seen = np.empty(rank.shape[0], np.int32)
    sums = np.zeros(max(9, lanes.max() + 9))
    for k in range(guesses.shape[0]):
        row = table[guesses[k]]
        parts = 0
        for a in candidates:
            r = rank[row[a]]
            if sizes[r] == 0:
                seen[parts] = r
                parts += 1
            sizes[r] += 1
        if parts * parts < 4 * rank.shape[0]:  # sort few patterns; scan all if there are many
            for i in range(1, parts):
                r = seen[i]
                j = i
                while j > 0 and seen[j - 1] > r:
                    seen[j] = seen[j - 1]
                    j -= 1
                seen[j] = r
        else:
            parts = 0
            for r in range(sizes.shape[0]):
                if sizes[r] > 0:
                    seen[parts] = r
                    parts += 1
        for i in range(parts):
            r = seen[i]
            sums[lanes[r]] += terms[sizes[r]]
            sizes[r] = 0
        for i in range(additions.shape[0]):
            sums[additions[i, 0]] += sums[additions[i, 1]]
        out[k] = sums[0]
        for i in range(sums.shape[0]):
            sums[i] = 0.0

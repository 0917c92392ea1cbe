"""Entropy in plain doubles, summed just as two founding players summed it.

Their ties were decided by rounding, so a transcript comes out the same only if every addition is
made in their order. Nothing else should use these: `partition` tells exact ties apart properly.
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
    """The Romanian player: (sum of (log2 N - log2 m) * m) / N, pattern after pattern.

    Patterns come with the first letter most significant, green before yellow before grey.
    """
    n = len(state.candidates)
    terms = [0.0, *((math.log2(n) - math.log2(m)) * m for m in range(1, n + 1))]
    rank = _romanian_rank(state.game)
    lanes = np.zeros(len(rank), np.int32)
    return _summed(state, np.array(terms), rank, lanes, np.zeros((0, 2), np.int32)) / n


def numpy_entropy(state: State) -> Floats:
    """The DQN paper's MaxEntropy: scipy's entropy, in bits, of the shares of all patterns.

    numpy adds an array pairwise: halves of it, down to blocks of at most 128, and in each block
    eight running sums.
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
    """Where each pattern id comes in the founding player's order."""
    patterns = range(game.compiled.patterns)
    rank = np.arange(len(patterns), dtype=np.int32)
    if game.rule.notation is TILES:
        shown = [tiles(game.compiled.code(pattern), game.length) for pattern in patterns]
        order = sorted(patterns, key=lambda pattern: [-colour for colour in shown[pattern]])
        rank[order] = np.arange(len(patterns), dtype=np.int32)
    return rank


@functools.lru_cache(maxsize=8)
def _pairwise(count: int) -> tuple[Indices, Indices]:
    """numpy's order of addition as a program: the running sum each element goes to, and then
    which sums are added to which (target, source), in turn. Elements that a block has beyond a
    multiple of eight have sums of their own, added one by one at the end of the block.
    """
    lanes: list[int] = []
    additions: list[tuple[int, int]] = []

    def block(size: int) -> int:
        """Plan the next `size` elements; returns the running sum that ends with their total."""
        if size > 128:
            half = size // 2 - size // 2 % 8
            left = block(half)
            right = block(size - half)
            additions.append((left, right))
            return left
        base = max(lanes, default=-1) + 1
        whole = size - size % 8
        lanes.extend(base + place % 8 for place in range(whole))
        lanes.extend(range(base + 8, base + 8 + size - whole))
        additions.extend((base + a, base + b) for a, b in ((0, 1), (2, 3), (4, 5), (6, 7)))
        additions.extend((base + a, base + b) for a, b in ((0, 2), (4, 6), (0, 4)))
        additions.extend((base, base + 8 + place) for place in range(size - whole))
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
    """out[k] = the sum over patterns of terms[size of its group], in the stated order."""
    sizes = np.zeros(rank.shape[0], np.int32)
    met = np.empty(rank.shape[0], np.int32)
    sums = np.zeros(max(9, lanes.max() + 9))
    for k in range(guesses.shape[0]):
        row = table[guesses[k]]
        parts = 0
        for a in candidates:
            place = rank[row[a]]
            if sizes[place] == 0:
                met[parts] = place
                parts += 1
            sizes[place] += 1
        if parts * parts < 4 * rank.shape[0]:  # few patterns: sort them; many: run through all
            for i in range(1, parts):
                place = met[i]
                j = i
                while j > 0 and met[j - 1] > place:
                    met[j] = met[j - 1]
                    j -= 1
                met[j] = place
        else:
            parts = 0
            for place in range(sizes.shape[0]):
                if sizes[place] > 0:
                    met[parts] = place
                    parts += 1
        for i in range(parts):
            place = met[i]
            sums[lanes[place]] += terms[sizes[place]]
            sizes[place] = 0
        for i in range(additions.shape[0]):
            sums[additions[i, 0]] += sums[additions[i, 1]]
        out[k] = sums[0]
        for i in range(sums.shape[0]):
            sums[i] = 0.0

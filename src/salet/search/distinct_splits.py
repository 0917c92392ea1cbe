"""Guesses that split the remaining answers alike: one of them is enough.

Two guesses that make the same groups lead to the same states, with two cautions. A candidate may be
right, which the other cannot: so a candidate is never dropped, and a guess that is none may be
dropped in favour of one. And only in normal mode the same guesses are legal after either.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Bools, Indices, Patterns
from salet.game.state import State
from salet.numeric.jit import kernel


def split_keys(state: State, guesses: Indices) -> NDArray[np.uint64]:
    """[guess, 2]: equal for guesses that make the same groups of the state's answers; of others
    with probability about 2**-128."""
    table = state.game.compiled
    keys = np.empty((len(guesses), 2), np.uint64)
    ids = table.laid_out_for(len(state.candidates))
    _fill_keys(ids, table.patterns, state.candidates, guesses, keys)
    return keys


def distinct_splits(state: State, guesses: Indices, is_candidate: Bools) -> Bools:
    """[guess]: whether it is a candidate, or else the first guess that splits so and no candidate
    does."""
    keys = split_keys(state, guesses)
    order = np.lexsort((np.arange(len(guesses)), ~is_candidate, keys[:, 1], keys[:, 0]))
    ordered = keys[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    kept = is_candidate.copy()
    kept[order[is_first]] = True
    return kept


@kernel
def _fill_keys(
    table: Patterns, patterns: int, candidates: Indices, guesses: Indices, out: NDArray[np.uint64]
) -> None:
    """out[k] = a sum over answers of a hash of the answer and the first answer of its group."""
    first = np.full(patterns, -1, np.int32)
    n = candidates.shape[0]
    for k in range(guesses.shape[0]):
        row = table[guesses[k]]
        low, high = np.uint64(0), np.uint64(0)
        for i in range(n):
            pattern = row[candidates[i]]
            if first[pattern] < 0:
                first[pattern] = i
            x = np.uint64(i * n + first[pattern] + 1) * np.uint64(0x9E3779B97F4A7C15)
            x ^= x >> np.uint64(30)
            x *= np.uint64(0xBF58476D1CE4E5B9)
            x ^= x >> np.uint64(27)
            low += x * np.uint64(0x94D049BB133111EB)
            x ^= x >> np.uint64(31)
            high += x * np.uint64(0xD6E8FEB86659FD93) ^ (x >> np.uint64(29))
        for i in range(n):
            first[row[candidates[i]]] = -1
        out[k, 0], out[k, 1] = low, high

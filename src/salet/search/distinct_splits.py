"""Find guesses that make the same groups, of which a search needs to try only one.

Guesses with the same groups lead to the same states, with two exceptions. A candidate can also win,
so candidates are never dropped, and a non-candidate is dropped in favour of a candidate. And in
hard and strict mode the guesses that stay legal differ, so nothing is dropped there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Bools, Indices, Patterns
from salet.game.state import State
from salet.numeric.jit import kernel


def split_keys(state: State, guesses: Indices) -> NDArray[np.uint64]:
    """[guess, 2]: 128-bit hashes of the groups that each guess makes of the state's answers."""
    table = state.game.compiled
    keys = np.empty((len(guesses), 2), np.uint64)
    ids = table.laid_out_for(len(state.candidates))
    _fill_keys(ids, table.patterns, state.candidates, guesses, keys)
    return keys


def distinct_splits(state: State, guesses: Indices, is_candidate: Bools) -> Bools:
    """[guess]: whether it is a candidate, or the first guess with groups that no candidate
    makes."""
    keys = split_keys(state, guesses)
    order = np.lexsort((np.arange(len(guesses)), ~is_candidate, keys[:, 1], keys[:, 0]))
    ordered = keys[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    distinct = is_candidate.copy()
    distinct[order[is_first]] = True
    return distinct


class SeenSplits:
    """The groups of guesses that were tried in a state, to recognise guesses that repeat them."""

    def __init__(self, state: State, guesses: Indices) -> None:
        self._state = state
        self._seen = set(map(tuple, split_keys(state, guesses).tolist()))

    def is_new(self, guesses: Indices, is_candidate: Bools) -> Bools:
        """[guess]: whether it is a candidate, or no guess before it makes the same groups."""
        new = is_candidate.copy()
        for index, key in enumerate(map(tuple, split_keys(self._state, guesses).tolist())):
            if key not in self._seen:
                self._seen.add(key)
                new[index] = True
        return new


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

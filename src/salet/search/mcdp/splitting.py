"""Guesses that split a set of answers alike.

Two guesses that make the same groups lead to the same states, so one of them is enough, with two
cautions. A candidate may be right, which the other can not: so a candidate is never dropped, and
a guess that is none may be dropped in favour of one. And only normal mode leaves the same guesses
legal after either.

What is dropped for a set of answers can be left out for all its subsets too: groups of a subset
are groups of the set cut down, and a guess that is no candidate does not become one. The same holds
for guesses that make one group only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from salet.arrays import Bools, Indices, Patterns
from salet.jit import kernel


def distinct(
    table: Patterns, patterns: int, candidates: Indices, guesses: Indices, is_candidate: Bools
) -> Bools:
    """[guess]: all candidates, and of the others the first of those that split alike, unless a
    candidate splits so too.

    Splits are compared by 128 bits that depend on the groups alone; for a fixed pair of different
    splits they coincide with probability about 2**-128.
    """
    keys = np.empty((len(guesses), 2), np.uint64)
    _split_keys(table, patterns, candidates, guesses, keys)
    order = np.lexsort((np.arange(len(guesses)), ~is_candidate, keys[:, 1], keys[:, 0]))
    ordered = keys[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    kept = is_candidate.copy()
    kept[order[is_first]] = True
    return kept


@kernel
def _split_keys(
    table: Patterns, patterns: int, candidates: Indices, guesses: Indices, out: NDArray[np.uint64]
) -> None:
    """out[k] = a sum over answers of a mixture of the answer and the first answer of its group."""
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

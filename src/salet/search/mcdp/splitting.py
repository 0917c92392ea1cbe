"""Splitting a set of answers: guesses that split it alike, and what the groups cost at least.

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

from salet.array_types import Bools, Indices, Patterns
from salet.numeric.jit import kernel
from salet.search.exact.scan import fewest_repeats


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


@kernel
def weigh(game, members, guess, limit, parts, order, lowers, scratch):  # type: ignore[no-untyped-def]
    """Split the members by a guess and bound every group; return how many groups there are.

    order gets the members group by group, parts[j] = (pattern, start, size), lowers[j] a lower
    bound of the group's total (normal mode, equal weights, at most 256 patterns): 2m - 1, or the
    least 3m - k - w over all guesses [exact/bounds.py]. The largest groups are scanned first, until
    the bound of the guess reaches the limit.
    """
    n = members.shape[0]
    row = game.table[guess]
    tally, queue, member, counts, seen = scratch
    for i in range(n):
        tally[row[members[i]]] += 1
    count, start = 0, 0
    total = np.int64(n)
    for p in range(game.win + 1):
        size = tally[p]
        if size > 0:
            parts[count, 0], parts[count, 1], parts[count, 2] = p, start, size
            tally[p] = start
            start += size
            lowers[count] = 0 if p == game.win else 2 * size - 1
            total += lowers[count]
            j = count  # by size, descending
            while j > 0 and parts[queue[j - 1], 2] < size:
                queue[j] = queue[j - 1]
                j -= 1
            queue[j] = count
            count += 1
    for i in range(n):
        p = row[members[i]]
        order[tally[p]] = members[i]
        tally[p] += 1
    for j in range(count):
        tally[parts[j, 0]] = 0
    for q in range(count):
        j = queue[q]
        m = np.int64(parts[j, 2])
        if m < 3 or total >= limit:
            break
        group = order[parts[j, 1] : parts[j, 1] + m]
        for i in range(m):
            member[game.own[group[i]]] = 1
        least = fewest_repeats(
            game.rows,
            game.packed,
            group,
            m,
            game.reach,
            game.reach.shape[0],
            member,
            counts,
            seen,
        )
        for i in range(m):
            member[game.own[group[i]]] = 0
        lowers[j] += least
        total += least
    return count

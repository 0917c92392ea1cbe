"""How guesses split a set of answers: counted for all guesses at once, or carried out for one
guess.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import lean_kernel
from salet.numeric.simd import LANES, count_block

PAIRWISE = 500
"""Up to so many answers comparing rows pairwise is faster than marking patterns, if guesses that
are of no use are left early.
"""


@lean_kernel
def count_repeats(rows, members, n, width, out, scratch, limit):
    """out[g] = 1 + n - k(g) for g < width: k is the number of parts in which guess g splits the n
    members (n <= 254).

    An answer repeats if an earlier one has the same pattern: comparing rows pairwise takes n**2/2
    steps, each over LANES guesses in one vector instruction [vector.py]. Where all counts of a
    block have reached `limit` it is left at that: out[g] is exact below limit, and otherwise a
    lower bound of the count that is at least limit.
    """
    for base in range(0, width, LANES):
        count_block(rows, base, members, n, scratch, out, limit)


@lean_kernel
def gather(rows, members, n, guesses, count, out):
    """out[i, x] = rows[members[i], guesses[x]]: a dense copy for the legal guesses."""
    for i in range(n):
        row = rows[members[i]]
        to = out[i]
        for x in range(count):
            to[x] = row[guesses[x]]


MARKED = 64
"""Guesses whose marks are kept side by side (MARKED * 256 bytes, within the first-level cache)."""


@lean_kernel
def mark_block(packed, members, n, word, marks):
    """Mark the patterns that MARKED guesses show on the members: marks[lane * 256 + pattern] = 1.

    packed[a] holds row a eight patterns to a 64-bit word; `word` is the first word of the block.
    Reads n short stretches of the rows instead of whole guess-major rows, so it never leaves the
    caches.
    """
    byte = np.uint64(255)
    for x in range(MARKED << 8):
        marks[x] = 0
    for i in range(n):
        row = packed[members[i]]
        for w in range(MARKED // 8):
            v = row[word + w]
            at = np.uint64(w) << np.uint64(11)
            marks[at + (v & byte)] = 1
            marks[at + np.uint64(256) + ((v >> np.uint64(8)) & byte)] = 1
            marks[at + np.uint64(512) + ((v >> np.uint64(16)) & byte)] = 1
            marks[at + np.uint64(768) + ((v >> np.uint64(24)) & byte)] = 1
            marks[at + np.uint64(1024) + ((v >> np.uint64(32)) & byte)] = 1
            marks[at + np.uint64(1280) + ((v >> np.uint64(40)) & byte)] = 1
            marks[at + np.uint64(1536) + ((v >> np.uint64(48)) & byte)] = 1
            marks[at + np.uint64(1792) + (v >> np.uint64(56))] = 1


@lean_kernel
def count_marks(marks, lane):
    """How many of the 256 marks of a lane are set."""
    mark = marks[lane << 8 : (lane << 8) + 256]
    k = np.uint8(0)
    for p in range(
        255
    ):  # at most 255 patterns are marked besides the last, which is counted below: no overflow
        k += mark[p]
    return np.int64(k) + np.int64(mark[255])


@lean_kernel
def mark_repeats(packed, members, n, width, out, marks):
    """The same as count_repeats (without a limit) for sets too large to compare pairwise. `marks`
    is
    MARKED * 256 bytes of scratch.
    """
    for base in range(0, width, MARKED):
        mark_block(packed, members, n, base // 8, marks)
        for x in range(min(MARKED, width - base)):
            out[base + x] = n - count_marks(marks, x) + 1


@lean_kernel
def sum_of_squares(row, members, n, count):
    """The sum of the squared part sizes of one guess. `count` is zero before and after."""
    squares = 0
    for i in range(n):
        p = row[members[i]]
        c = count[p]
        squares += 2 * c + 1
        count[p] = c + 1
    for i in range(n):
        count[row[members[i]]] = 0
    return squares


@lean_kernel
def fewest_repeats(rows, packed, members, n, reach, width, candidate, out, scratch):
    """The least 1 + n - k(g) - w(g) over all guesses (w: 1 if g is a candidate), stopping each
    block as soon as it cannot be better.

    Guesses come sorted by `reach` >= k: once n - reach is no better than the best found, neither
    is any later guess. `out` is scratch.
    """
    best = np.int64(n)
    pairwise = n <= PAIRWISE
    size = LANES if pairwise else MARKED
    base = 0
    while base < width and n - reach[base] < best:  # 1 + n - k - w >= n - reach
        m = min(size, width - base)
        if pairwise:
            count_block(rows, base, members, n, scratch, out, best + 1)
        else:
            mark_block(packed, members, n, base // 8, scratch)
            for x in range(m):
                out[base + x] = 1 + n - count_marks(scratch, x)
        fewest = np.uint16(65535)
        for x in range(base, base + m):
            fewest = min(fewest, np.uint16(out[x] - candidate[x]))
        best = min(best, np.int64(fewest))
        base += m
    return best

"""Count the parts into which every guess splits a set of answers.

A *part* is the set of answers that show a guess the same pattern. An answer is a *repeat* if an
earlier answer shows the same pattern: a guess that makes k parts of n answers has n - k repeats.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import lean_kernel
from salet.numeric.simd import LANES, count_block

MAX_PAIRWISE = 256
"""Largest set whose rows `fewest_repeats` compares pairwise. Larger ones mark patterns instead,
although a block of useless guesses cannot then be left early."""
MARKED = 64
"""Guesses whose marks are kept side by side (MARKED * 256 bytes fit the first-level cache)."""


@lean_kernel
def count_repeats(columns, members, n, width, out, scratch, limit):
    """out[g] = 1 + the number of repeats of guess g among the n members, for g < width (n <= 254).

    Comparing rows pairwise takes n**2 / 2 steps, each over LANES guesses in one vector instruction
    (simd.py). Where all counts of a block have reached `limit`, the block is left: out[g] is exact
    below `limit`, and otherwise a lower bound of the count that is at least `limit`.
    """
    for base in range(0, width, LANES):
        count_block(columns, base, members, n, scratch, out, limit)


@lean_kernel
def mark_repeats(packed, members, n, width, out, marks):
    """The same as `count_repeats`, without a limit, for sets too large to compare pairwise.

    `marks` is MARKED * 256 bytes of scratch.
    """
    for base in range(0, width, MARKED):
        mark_block(packed, members, n, base // 8, marks)
        for x in range(min(MARKED, width - base)):
            out[base + x] = n - count_marks(marks, x) + 1


@lean_kernel
def mark_block(packed, members, n, word, marks):
    """marks[lane * 256 + pattern] = 1 for each pattern that one of MARKED guesses shows.

    packed[a] holds column a, eight patterns to a 64-bit word; `word` is the first word of the
    block. This reads n short stretches of columns instead of whole rows, so it stays in the caches.
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
    """The number of the 256 marks of a lane that are set."""
    mark = marks[lane << 8 : (lane << 8) + 256]
    count = np.uint8(0)
    for p in range(255):  # the 256th mark is added in a wider type: a byte would overflow
        count += mark[p]
    return np.int64(count) + np.int64(mark[255])


@lean_kernel
def fewest_repeats(columns, packed, members, n, max_parts, width, is_candidate, out, scratch):
    """The minimum of 1 + n - k - w over all guesses (w is 1 for a candidate, otherwise 0).

    Guesses are sorted by `max_parts` >= k, descending. No later guess is better once the best found
    is 0, or n - max_parts <= 1 + n - k - w is no less. `out` and `scratch` are
    overwritten.
    """
    best = np.int64(n)
    pairwise = n <= MAX_PAIRWISE
    block = LANES if pairwise else MARKED
    base = 0
    while base < width and max(0, n - max_parts[base]) < best:
        m = min(block, width - base)
        if pairwise:
            count_block(columns, base, members, n, scratch, out, best + 1)
        else:
            mark_block(packed, members, n, base // 8, scratch)
            for x in range(m):
                out[base + x] = 1 + n - count_marks(scratch, x)
        fewest = np.uint16(65535)
        for x in range(base, base + m):
            fewest = min(fewest, np.uint16(out[x] - is_candidate[x]))
        best = min(best, np.int64(fewest))
        base += m
    return best


@lean_kernel
def gather(columns, members, n, guesses, count, out):
    """out[i, x] = columns[members[i], guesses[x]]: a dense copy for the legal guesses."""
    for i in range(n):
        row = columns[members[i]]
        to = out[i]
        for x in range(count):
            to[x] = row[guesses[x]]


@lean_kernel
def sum_of_squares(row, members, n, tally):
    """The sum of the squared part sizes of one guess. `tally` is zero before and after."""
    squares = 0
    for i in range(n):
        p = row[members[i]]
        c = tally[p]
        squares += 2 * c + 1
        tally[p] = c + 1
    for i in range(n):
        tally[row[members[i]]] = 0
    return squares


@lean_kernel
def largest_part(row, members, n, tally):
    """The size of the largest part of one guess. `tally` is zero before and after."""
    largest = 0
    for i in range(n):
        p = row[members[i]]
        tally[p] += 1
        largest = max(largest, tally[p])
    for i in range(n):
        tally[row[members[i]]] = 0
    return largest

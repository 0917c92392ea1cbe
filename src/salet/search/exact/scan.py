"""How guesses split a set of answers: counted for all guesses at once, or carried out for one
guess.
"""

from __future__ import annotations

import numpy as np

from salet.jit import kernel

PAIRWISE = 120
"""Up to so many answers comparing rows pairwise is faster than marking patterns."""
CHUNK = 1024
"""Guesses handled together, so that the counters stay in the first-level cache."""


@kernel
def count_repeats(rows, members, n, width, out, seen, limit):
    """out[g] = 1 + n - k(g) for g < width: k is the number of parts in which guess g splits the n
    members (n <= 254).

    Counts only grow with more members, so a chunk whose counts have all reached `limit` is left
    at that: out[g] is exact below limit, and otherwise a lower bound of the count that is at
    least limit.

    rows[a, g] is the pattern of guess g on answer a. An answer repeats if an earlier one has the
    same pattern: comparing rows pairwise takes n**2/2 steps, each over 32 guesses in one vector
    instruction. `seen` is CHUNK bytes of scratch.
    """
    for base in range(0, width, CHUNK):
        m = min(CHUNK, width - base)
        o = out[base : base + m]
        for x in range(m):
            o[x] = 1
        for i in range(1, n):
            a = rows[members[i], base : base + m]
            r = i & 3  # the first r rows one by one, the rest four at a time
            if r == 0:
                for x in range(m):
                    seen[x] = 0
            elif r == 1:
                b = rows[members[0], base : base + m]
                for x in range(m):
                    seen[x] = np.uint8(a[x] == b[x])
            elif r == 2:
                b = rows[members[0], base : base + m]
                c = rows[members[1], base : base + m]
                for x in range(m):
                    seen[x] = np.uint8((a[x] == b[x]) | (a[x] == c[x]))
            else:
                b = rows[members[0], base : base + m]
                c = rows[members[1], base : base + m]
                d = rows[members[2], base : base + m]
                for x in range(m):
                    seen[x] = np.uint8((a[x] == b[x]) | (a[x] == c[x]) | (a[x] == d[x]))
            for j in range(r, i, 4):
                b = rows[members[j], base : base + m]
                c = rows[members[j + 1], base : base + m]
                d = rows[members[j + 2], base : base + m]
                e = rows[members[j + 3], base : base + m]
                for x in range(m):
                    seen[x] |= np.uint8(
                        (a[x] == b[x]) | (a[x] == c[x]) | (a[x] == d[x]) | (a[x] == e[x])
                    )
            for x in range(m):
                o[x] += seen[x]
            if i & 3 == 3 and i >= limit:
                least = np.uint8(255)
                for x in range(m):
                    least = min(least, o[x])
                if least >= limit:
                    break


@kernel
def gather(rows, members, n, guesses, count, out):
    """out[i, x] = rows[members[i], guesses[x]]: a dense copy for the legal guesses."""
    for i in range(n):
        row = rows[members[i]]
        to = out[i]
        for x in range(count):
            to[x] = row[guesses[x]]


LANES = 64
"""Guesses whose marks are kept side by side (LANES * 256 bytes, within the first-level cache)."""


@kernel
def mark_block(packed, members, n, word, marks):
    """Mark the patterns that LANES guesses show on the members: marks[lane * 256 + pattern] = 1.

    packed[a] holds row a eight patterns to a 64-bit word; `word` is the first word of the block.
    Reads n short stretches of the rows instead of whole guess-major rows, so it never leaves the
    caches.
    """
    byte = np.uint64(255)
    for x in range(LANES << 8):
        marks[x] = 0
    for i in range(n):
        row = packed[members[i]]
        for w in range(LANES // 8):
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


@kernel
def count_marks(marks, lane):
    """How many of the 256 marks of a lane are set."""
    mark = marks[lane << 8 : (lane << 8) + 256]
    k = np.uint8(0)
    for p in range(
        255
    ):  # at most 255 patterns are marked besides the last, which is counted below: no overflow
        k += mark[p]
    return np.int64(k) + np.int64(mark[255])


@kernel
def mark_repeats(packed, members, n, width, out, marks):
    """The same as count_repeats (without a limit) for sets too large to compare pairwise. `marks`
    is
    LANES * 256 bytes of scratch.
    """
    for base in range(0, width, LANES):
        mark_block(packed, members, n, base // 8, marks)
        for x in range(min(LANES, width - base)):
            out[base + x] = n - count_marks(marks, x) + 1


@kernel
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


@kernel
def fewest_repeats(rows, packed, members, n, reach, width, candidate, out, seen, marks):
    """The least 1 + n - k(g) - w(g) over all guesses (w: 1 if g is a candidate), stopping each
    chunk
    as soon as it cannot be near it.

    out[g] <= 1 + n - k(g) for all guesses, with equality if that is within `slack` of the least.
    Guesses come sorted by `reach` >= k: once n - reach is far from the best found, so are all
    later guesses.
    """
    best = np.int64(n)
    pairwise = n <= PAIRWISE
    size = CHUNK if pairwise else LANES
    base = 0
    slack = 2 + n // 6
    while base < width and n - reach[base] < best + slack:  # 1 + n - k - w >= n - reach
        m = min(size, width - base)
        o = out[base : base + m]
        if pairwise:
            limit = np.uint8(min(best + 1 + slack, 255))
            for x in range(m):
                o[x] = 1
            for i in range(1, n):
                a = rows[members[i], base : base + m]
                r = i & 3
                if r == 0:
                    for x in range(m):
                        seen[x] = 0
                elif r == 1:
                    b = rows[members[0], base : base + m]
                    for x in range(m):
                        seen[x] = np.uint8(a[x] == b[x])
                elif r == 2:
                    b = rows[members[0], base : base + m]
                    c = rows[members[1], base : base + m]
                    for x in range(m):
                        seen[x] = np.uint8((a[x] == b[x]) | (a[x] == c[x]))
                else:
                    b = rows[members[0], base : base + m]
                    c = rows[members[1], base : base + m]
                    d = rows[members[2], base : base + m]
                    for x in range(m):
                        seen[x] = np.uint8((a[x] == b[x]) | (a[x] == c[x]) | (a[x] == d[x]))
                for j in range(r, i, 4):
                    b = rows[members[j], base : base + m]
                    c = rows[members[j + 1], base : base + m]
                    d = rows[members[j + 2], base : base + m]
                    e = rows[members[j + 3], base : base + m]
                    for x in range(m):
                        seen[x] |= np.uint8(
                            (a[x] == b[x]) | (a[x] == c[x]) | (a[x] == d[x]) | (a[x] == e[x])
                        )
                for x in range(m):
                    o[x] += seen[x]
                if i & 3 == 3 and i >= limit:
                    least = np.uint8(255)
                    for x in range(m):
                        least = min(least, o[x])
                    if least >= limit:
                        break
            fewest = np.uint16(65535)
            for x in range(m):
                fewest = min(fewest, np.uint16(o[x] - candidate[base + x]))
            best = min(best, np.int64(fewest))
        else:
            mark_block(packed, members, n, base // 8, marks)
            for x in range(m):
                k = count_marks(marks, x)
                count = 1 + n - k
                o[x] = count
                best = min(best, count - np.int64(candidate[base + x]))
        base += m
    for x in range(base, width):
        out[x] = 1 + n - reach[x]
    return best

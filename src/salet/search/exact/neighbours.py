"""Bounds learnt from similar sets.

The openers of a game cut the answers into hundreds of thousands of sets, many nearly equal. For
two sets T and T' that share all but x answers of T (normal mode, one weight for all):

    V(T) >= V(T n T') + V(T \\ T')                        (superadditivity)
         >= 3 (|T| - x) - parts(T') + (2x - 1 if x > 0)   (guess bound, parts(T n T') <= parts(T'))

Here parts(S) is the greatest number of parts, plus one if the guess is a candidate, into which
any guess splits S. So one scan of all guesses on T' bounds all its neighbours. Neighbours are
found by minhashing: two sets agree in the first answer of a random order with probability |T n
T'| / |T u T'|; sets that agree in two such orders share a bucket.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.numeric.jit import lean_kernel

ORDERS = 8
RING = 16
"""Sets remembered in a bucket, the newest instead of the oldest."""


class Library(NamedTuple):
    """The sets scanned so far."""

    ranks: NDArray[np.int32]
    """[answer, order]: place of an answer in a random order."""
    buckets: NDArray[np.int32]
    """[bucket, place]: numbers of sets, -1 where empty."""
    fill: NDArray[np.uint8]
    """[bucket]: where the next set goes."""
    bits: NDArray[np.uint64]
    """[set, word]: the answers of a set, one bit each."""
    size: NDArray[np.int32]
    parts: NDArray[np.int32]
    first: NDArray[np.int32]
    """Scratch: the minhashes of the set asked for."""
    state: NDArray[np.int64]
    """[0]: number of sets stored."""


def empty_library(answers: int, megabytes: float = 512, seed: int = 3) -> Library:
    """A library of at most about the given size."""
    words = (answers + 63) // 64
    room = max(1024, int(megabytes * (1 << 20) / (8 * words + 16 + ORDERS * 2 * 4)))
    rng = np.random.default_rng(seed)
    ranks = np.stack([rng.permutation(answers) for _ in range(ORDERS)], axis=1).astype(np.int32)
    buckets = 1 << max(6, (room // 4).bit_length())
    return Library(
        np.ascontiguousarray(ranks),
        np.full((buckets, RING), -1, np.int32),
        np.zeros(buckets, np.uint8),
        np.zeros((room, words), np.uint64),
        np.zeros(room, np.int32),
        np.zeros(room, np.int32),
        np.zeros(ORDERS, np.int32),
        np.zeros(1, np.int64),
    )


@lean_kernel
def minhash(library, members, n):
    first = library.first
    for o in range(ORDERS):
        first[o] = 1 << 30
    for i in range(n):
        rank = library.ranks[members[i]]
        for o in range(ORDERS):
            first[o] = min(first[o], rank[o])


@lean_kernel
def bucket_of(library, pair):
    first = library.first
    h = np.uint64(first[2 * pair]) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(
        first[2 * pair + 1] + 4096 * pair
    ) * np.uint64(0xC2B2AE3D27D4EB4F)
    h ^= h >> np.uint64(29)
    return np.int64((h * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(32)) & (
        library.buckets.shape[0] - 1
    )


@lean_kernel
def learn(library, members, n):
    """The best lower bound of the set that its neighbours give (2n - 1 if none does)."""
    minhash(library, members, n)
    best = np.int64(2 * n - 1)
    for pair in range(ORDERS // 2):
        bucket = library.buckets[bucket_of(library, pair)]
        for r in range(RING):
            s = bucket[r]
            if s < 0:
                break
            m, parts = np.int64(library.size[s]), np.int64(library.parts[s])
            if 3 * min(n, m) - parts <= best:
                continue
            bits = library.bits[s]
            both = np.int64(0)
            for i in range(n):
                a = np.uint64(members[i])
                both += np.int64((bits[a >> np.uint64(6)] >> (a & np.uint64(63))) & np.uint64(1))
            x = n - both
            lower = 3 * both - parts + max(0, 2 * x - 1)
            best = max(best, lower)
    return best


@lean_kernel
def teach(library, members, n, parts):
    """Remember a set that was scanned. minhash must have been called for it last."""
    room = library.bits.shape[0]
    s = library.state[0]
    if s >= room:
        return
    library.state[0] = s + 1
    library.size[s] = n
    library.parts[s] = parts
    bits = library.bits[s]
    for i in range(n):
        a = np.uint64(members[i])
        bits[a >> np.uint64(6)] |= np.uint64(1) << (a & np.uint64(63))
    for pair in range(ORDERS // 2):
        b = bucket_of(library, pair)
        at = library.fill[b]
        library.buckets[b, at] = s
        library.fill[b] = (at + 1) % RING

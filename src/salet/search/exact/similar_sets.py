"""Lower bounds on sets of answers, from similar sets that were scanned before.

The openers of a game cut its answers into hundreds of thousands of sets, many of them nearly equal.
Let parts(S) be the maximum number of parts, plus one if the guess is a candidate, that any guess
makes of S. For two sets T and T' that have the same legal guesses and share all but x answers of T
(unit weights):

    V(T) >= V(T n T') + V(T \\ T')                        [superadditivity]
         >= 3 (|T| - x) - parts(T') + (2x - 1 if x > 0)   [guess bound], parts(T n T') <= parts(T')

So one scan of all guesses on T' bounds all sets like it. They are found by minhashing: two sets
agree in the first answer of a random order with probability |T n T'| / |T u T'|, and sets that
agree in two such orders and in the key of their legal guesses share a bucket. (In strict mode few
sets have the same legal guesses, and the key is costly: there nothing is remembered.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.numeric.jit import lean_kernel

ORDERS = 8
"""Random orders of the answers; two make a bucket."""
BUCKET_SIZE = 16
"""Sets in a bucket; the newest replaces the oldest."""


class SimilarSets(NamedTuple):
    """The sets scanned so far."""

    ranks: NDArray[np.int32]
    """[answer, order]: the rank of an answer in a random order."""
    buckets: NDArray[np.int32]
    """[bucket, slot]: 1 + the index of a set, 0 where empty."""
    next_slot: NDArray[np.uint8]
    """[bucket]"""
    bits: NDArray[np.uint64]
    """[set, word]: one bit for each of its answers."""
    sizes: NDArray[np.int32]
    """[set]"""
    parts: NDArray[np.int32]
    """[set]: parts(S)."""
    legal_keys: NDArray[np.uint64]
    """[set]: the key of its legal guesses, zero in normal mode."""
    signature: NDArray[np.int32]
    """Scratch: the minhashes of one set."""
    stored: NDArray[np.int64]
    """[0]: the number of sets stored so far; the newest take the place of the oldest."""


def empty_similar_sets(answers: int, megabytes: float, seed: int = 3) -> SimilarSets:
    """Room for sets of a game's answers, of about the given size."""
    words = (answers + 63) // 64
    room = max(1024, int(megabytes * (1 << 20) / (8 * words + 24 + ORDERS * 2 * 4)))
    rng = np.random.default_rng(seed)
    ranks = np.stack([rng.permutation(answers) for _ in range(ORDERS)], axis=1).astype(np.int32)
    buckets = 1 << max(6, (room // 4).bit_length())
    return SimilarSets(
        ranks=np.ascontiguousarray(ranks),
        buckets=np.zeros((buckets, BUCKET_SIZE), np.int32),
        next_slot=np.zeros(buckets, np.uint8),
        bits=np.zeros((room, words), np.uint64),
        sizes=np.zeros(room, np.int32),
        parts=np.zeros(room, np.int32),
        legal_keys=np.zeros(room, np.uint64),
        signature=np.zeros(ORDERS, np.int32),
        stored=np.zeros(1, np.int64),
    )


@lean_kernel
def lower_bound(sets, legal_key, members, n):
    """The best lower bound of a set that similar ones give (2n - 1 if none does)."""
    minhash(sets, members, n)
    best = np.int64(2 * n - 1)
    for pair in range(ORDERS // 2):
        bucket = sets.buckets[bucket_of(sets, legal_key, pair)]
        for slot in range(BUCKET_SIZE):
            s = bucket[slot] - 1
            if s < 0:
                break
            m, parts = np.int64(sets.sizes[s]), np.int64(sets.parts[s])
            if 3 * min(n, m) - parts <= best or sets.legal_keys[s] != legal_key:
                continue
            bits = sets.bits[s]
            shared = np.int64(0)
            for i in range(n):
                a = np.uint64(members[i])
                shared += np.int64((bits[a >> np.uint64(6)] >> (a & np.uint64(63))) & np.uint64(1))
            best = max(best, 3 * shared - parts + max(0, 2 * (n - shared) - 1))
    return best


@lean_kernel
def remember(sets, legal_key, members, n, parts):
    """Add a set that was scanned. Without room it replaces the oldest, whose places in buckets it
    inherits: a bucket only says what may be similar."""
    s = sets.stored[0] % sets.bits.shape[0]
    sets.stored[0] += 1
    sets.sizes[s] = n
    sets.parts[s] = parts
    sets.legal_keys[s] = legal_key
    bits = sets.bits[s]
    for word in range(bits.shape[0]):
        bits[word] = 0
    for i in range(n):
        a = np.uint64(members[i])
        bits[a >> np.uint64(6)] |= np.uint64(1) << (a & np.uint64(63))
    minhash(sets, members, n)
    for pair in range(ORDERS // 2):
        bucket = bucket_of(sets, legal_key, pair)
        slot = sets.next_slot[bucket]
        sets.buckets[bucket, slot] = s + 1
        sets.next_slot[bucket] = (slot + 1) % BUCKET_SIZE


@lean_kernel
def minhash(sets, members, n):
    """signature[o] = the minimum rank of a member in order o."""
    signature = sets.signature
    for o in range(ORDERS):
        signature[o] = 1 << 30
    for i in range(n):
        rank = sets.ranks[members[i]]
        for o in range(ORDERS):
            signature[o] = min(signature[o], rank[o])


@lean_kernel
def bucket_of(sets, legal_key, pair):
    """The bucket of the set in `signature`, for one pair of orders."""
    signature = sets.signature
    h = (
        legal_key
        + np.uint64(signature[2 * pair]) * np.uint64(0x9E3779B97F4A7C15)
        + np.uint64(signature[2 * pair + 1] + 4096 * pair) * np.uint64(0xC2B2AE3D27D4EB4F)
    )
    h ^= h >> np.uint64(29)
    return np.int64((h * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(32)) & (
        sets.buckets.shape[0] - 1
    )

"""A table of proven bounds, shared by threads, of fixed size.

An entry is four 64-bit words: lower, upper, and two check words that mix the whole 128-bit key of
the state with both bounds. A probe believes an entry only if both check words fit, so

* a torn entry (two threads writing the same slot at once) is not believed: its check words belong
  to other data;
* two different states are confused only if their 128-bit keys coincide. Keys are sums of random
  128-bit numbers, one an answer (Zobrist), so for a fixed pair of states that has probability
  2**-128 over the choice of the numbers; a proof that meets N states runs a risk below N**2 /
  2**129: for ten thousand million states less than 10**-18.

Replacement: a bucket of four neighbours (two cache lines); the new entry takes the slot of the
same state, an empty one, or else the one of least `lower` (lower totals are cheaper to
recompute). Eviction can cost time, never truth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.numeric.jit import lean_kernel

WAYS = 4
MIX = np.uint64(0x9E3779B97F4A7C15)
TURN = np.uint64(23)
BACK = np.uint64(41)


class Bounds(NamedTuple):
    """The table: entries[slot] = check0, check1, lower, upper."""

    entries: NDArray[np.uint64]
    """Shape (slots, 4), slots a power of two; a zeroed slot is empty (upper 0 is below any true
    value).
    """


def empty_bounds(megabytes: float) -> Bounds:
    """A table of at most the given size."""
    slots = 1 << max(8, int(megabytes * (1 << 20) / 32).bit_length() - 1)
    return Bounds(np.zeros((slots, 4), np.uint64))


@lean_kernel
def probe(table, key0, key1):
    """Return (lower, upper) as stored, or (0, -1) if the state is not there."""
    entries = table.entries
    base = np.int64(key0 & np.uint64(entries.shape[0] - WAYS))
    for way in range(WAYS):
        slot = base + way
        lower = entries[slot, 2]
        upper = entries[slot, 3]
        mixed = (lower ^ (upper << TURN) ^ (upper >> BACK)) * MIX
        if (
            entries[slot, 0] == key0 ^ mixed
            and entries[slot, 1] == key1 ^ upper ^ (mixed >> TURN)
            and upper != np.uint64(0)
        ):
            return np.int64(lower), np.int64(upper)
    return np.int64(0), np.int64(-1)


@lean_kernel
def store(table, key0, key1, lower, upper):
    """Remember lower <= value <= upper, joined with what is known already."""
    entries = table.entries
    base = np.int64(key0 & np.uint64(entries.shape[0] - WAYS))
    victim = base
    least = np.int64(1) << np.int64(62)
    for way in range(WAYS):
        slot = base + way
        low = entries[slot, 2]
        high = entries[slot, 3]
        if high == np.uint64(0):
            if least >= 0:
                victim = slot
                least = np.int64(-1)
            continue
        mixed = (low ^ (high << TURN) ^ (high >> BACK)) * MIX
        if entries[slot, 0] == key0 ^ mixed and entries[slot, 1] == key1 ^ high ^ (mixed >> TURN):
            lower = max(lower, np.int64(low))
            upper = min(upper, np.int64(high))
            victim = slot
            break
        if np.int64(low) < least:
            least = np.int64(low)
            victim = slot
    low = np.uint64(lower)
    high = np.uint64(upper)
    mixed = (low ^ (high << TURN) ^ (high >> BACK)) * MIX
    entries[victim, 0] = key0 ^ mixed
    entries[victim, 1] = key1 ^ high ^ (mixed >> TURN)
    entries[victim, 2] = low
    entries[victim, 3] = high

"""The transposition table: proven bounds of states, of fixed size, shared by threads.

An entry is four 64-bit words: two check words, lower and upper. The check words mix the 128-bit key
of the state with both bounds, and a probe believes an entry only if both fit. So

* a torn entry (two threads wrote the same slot at once) is not believed: its check words belong to
  other data;
* two different states are confused only if their 128-bit keys are equal. Keys are sums of random
  128-bit numbers, one for each answer (Zobrist hashing): for a fixed pair of states that has
  probability 2**-128 over the choice of the numbers, so a proof that meets N states runs a risk
  below N**2 / 2**129: less than 10**-18 for ten billion states.

Replacement: a state may stand in any of four neighbouring slots (two cache lines). A new entry
takes the slot of the same state, or an empty one, or else that of the smallest `lower`, which is
cheapest to find again. Eviction costs time, never truth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.numeric.jit import lean_kernel

WAYS = 4
"""Slots in which a state may stand."""
MIX = np.uint64(0x9E3779B97F4A7C15)
TURN = np.uint64(23)
BACK = np.uint64(41)
"""Constants of the check words."""


class TranspositionTable(NamedTuple):
    """Bounds of states by their keys."""

    entries: NDArray[np.uint64]
    """[slot] = check0, check1, lower, upper. The number of slots is a power of two; a slot with
    upper 0, which is below any total, is empty."""


def empty_table(megabytes: float) -> TranspositionTable:
    """A table of at most the given size (but at least 256 slots)."""
    slots = 1 << max(8, int(megabytes * (1 << 20) / 32).bit_length() - 1)
    return TranspositionTable(np.zeros((slots, 4), np.uint64))


@lean_kernel
def probe(table, key0, key1):
    """(lower, upper) of a state; (0, -1) if it is not there."""
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
    """Remember lower <= value <= upper, joined with what is already known of the state."""
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

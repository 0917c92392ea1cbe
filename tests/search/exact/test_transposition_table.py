"""The transposition table never believes what was not stored."""

from __future__ import annotations

import itertools
import random
import threading

import numba
import numpy as np
import pytest

from random_tables import INF, trials
from salet.search.exact.transposition_table import (
    WAYS,
    TranspositionTable,
    empty_table,
    probe,
    store,
)

pytestmark = pytest.mark.tiny

NOTHING = (0, -1)


def random_key(rng, slot=None, slots=256):
    """Two words; with `slot` those of a state that stands there."""
    first, second = rng.getrandbits(64), rng.getrandbits(64)
    if slot is not None:
        first = first & ~(slots - 1) | slot
    return np.uint64(first), np.uint64(second)


def random_bounds(rng):
    lower = rng.choice([0, 1, rng.randrange(2000), rng.randrange(1 << 50)])
    return lower, rng.choice([max(lower, 1), max(lower, 1) + rng.randrange(50), INF])


@pytest.mark.parametrize(
    ("megabytes", "slots"), [(0.0, 256), (0.01, 256), (1, 1 << 15), (1.9, 1 << 15)]
)
def test_a_table_has_the_size_asked_for(megabytes, slots):
    table = empty_table(megabytes)
    assert table.entries.shape == (slots, 4)
    assert table.entries.nbytes <= max(megabytes * (1 << 20), 256 * 32)
    assert probe(table, np.uint64(0), np.uint64(0)) == NOTHING


def test_what_is_stored_is_found():
    rng = random.Random(1)
    table = empty_table(0)
    for _ in range(trials(400)):
        key, bounds = random_key(rng), random_bounds(rng)
        store(table, *key, *bounds)
        assert probe(table, *key) == bounds
        for other in ((key[1], key[0]), (key[0], key[1] ^ np.uint64(1)), random_key(rng)):
            assert probe(table, *other) == NOTHING


def test_bounds_of_one_state_are_joined():
    rng = random.Random(2)
    for _ in range(trials(100)):
        table, key = empty_table(0), random_key(rng)
        value = rng.randint(1, 1000)
        known = (0, INF)
        for _ in range(6):
            lower = value - rng.randint(0, min(value, 20))
            upper = rng.choice([INF, value + rng.randint(0, 20)])
            store(table, *key, lower, upper)
            known = max(known[0], lower), min(known[1], upper)
            assert probe(table, *key) == known
        assert np.count_nonzero(table.entries[:, 3]) == 1


def test_a_full_table_forgets_the_least_lower_bound_and_lies_never():
    rng = random.Random(3)
    table, slot = empty_table(0), 17
    stored = {random_key(rng, slot): (lower, INF) for lower in rng.sample(range(1, 99), WAYS)}
    for key, bounds in stored.items():
        store(table, *key, *bounds)
    assert all(probe(table, *key) == bounds for key, bounds in stored.items())
    for lower in rng.sample(range(100, 200), 5):
        victim = min(stored, key=lambda key: stored[key][0])
        key = random_key(rng, slot)
        store(table, *key, lower, INF)
        del stored[victim]
        stored[key] = lower, INF
        assert probe(table, *victim) == NOTHING
        assert all(probe(table, *key) == bounds for key, bounds in stored.items())


def test_a_state_in_the_last_slot_is_not_stored_twice():
    """The slots before it hold other states: it is looked for in all four."""
    rng = random.Random(4)
    table = empty_table(0)
    keys = [random_key(rng, 40) for _ in range(WAYS)]
    for key in keys:
        store(table, *key, 5, INF)
    store(table, *keys[-1], 7, 9)
    assert probe(table, *keys[-1]) == (7, 9)
    assert [probe(table, *key) for key in keys[:-1]] == [(5, INF)] * (WAYS - 1)


def test_eviction_keeps_truth():
    """Many states in few slots: what is found is what was stored last, or nothing."""
    rng = random.Random(5)
    table = empty_table(0)
    truth = {}
    found = 0
    for _ in range(trials(8000)):
        key, bounds = random_key(rng), random_bounds(rng)
        truth[key] = bounds
        store(table, *key, *bounds)
    for key, bounds in truth.items():
        seen = probe(table, *key)
        assert seen in (bounds, NOTHING)
        found += seen == bounds
    assert 0 < found <= len(table.entries)


def test_torn_entries_are_not_believed():
    """Two threads wrote one slot: every mixture of the words of two entries."""
    rng = random.Random(6)
    for _ in range(trials(60)):
        same_state = rng.random() < 0.4
        first = random_key(rng, 8)
        second = first if same_state else random_key(rng, 8)
        stored = []
        for key in (first, second):
            table, bounds = empty_table(0), random_bounds(rng)
            store(table, *key, *bounds)
            stored.append((key, bounds, table.entries[8].copy()))
        for choice in itertools.product((0, 1), repeat=4):
            torn = empty_table(0)
            torn.entries[8] = [stored[which][2][word] for word, which in enumerate(choice)]
            for key in (first, second):
                true = {bounds for owner, bounds, _ in stored if owner == key}
                assert probe(torn, *key) in {NOTHING, *true}


def test_damaged_entries_are_not_believed():
    """A bit of an entry turned over."""
    rng = random.Random(7)
    table, key = empty_table(0), random_key(rng, 12)
    store(table, *key, 41, 44)
    for word, bit in itertools.product(range(4), range(0, 64, 3)):
        damaged = TranspositionTable(table.entries.copy())
        damaged.entries[12, word] ^= np.uint64(1 << bit)
        assert probe(damaged, *key) == NOTHING


@numba.njit(nogil=True)
def _mixed(x):
    """A random word from a number (compiled with the loop below)."""
    x = np.uint64(x) * np.uint64(0x9E3779B97F4A7C15)
    x ^= x >> np.uint64(31)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    return x ^ (x >> np.uint64(29))


@numba.njit(nogil=True)
def _hammer(table, states, rounds, seed):
    """Store and probe bounds of a few states; returns (false bounds, true bounds) seen.

    The value of state s is 100 + s % 50; whatever is stored and found must contain it.
    """
    lies = truths = 0
    for r in range(rounds):
        x = _mixed(np.uint64(seed) + np.uint64(r))
        s = np.int64(x % np.uint64(states))
        key0, key1 = _mixed(np.uint64(2 * s + 1)), _mixed(np.uint64(2 * s + 2))
        value = 100 + s % 50
        if x & np.uint64(1 << 40):
            lower = value - np.int64((x >> np.uint64(41)) % np.uint64(90))
            upper = value + np.int64((x >> np.uint64(50)) % np.uint64(90))
            store(table, key0, key1, lower, upper)
        else:
            lower, upper = probe(table, key0, key1)
            if upper >= 0:
                truths += 1
                lies += not lower <= value <= upper
    return lies, truths


def test_threads_that_share_a_small_table_read_no_false_bound():
    table = empty_table(0)
    rounds = 2000 if numba.config.DISABLE_JIT else 4_000_000
    _hammer(empty_table(0), 2000, 10, 1)  # compile before the threads start
    results = []

    def work(seed):
        results.append(_hammer(table, 2000, rounds, seed))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 1 << 33)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2
    for lies, truths in results:
        assert lies == 0
        assert truths > 0

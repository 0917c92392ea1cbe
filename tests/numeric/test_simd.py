"""The hand-written vectors count what plain sets count."""

from __future__ import annotations

import numpy as np
import pytest

from salet.numeric.simd import LANES
from salet.search.exact.scan import count_repeats, fewest_repeats

pytestmark = pytest.mark.tiny


def patterns(kind: type, n: int, guesses: int, parts: int, seed: int):
    rng = np.random.default_rng(seed)
    width = -(-guesses // 64) * 64
    rows = np.zeros((2 * n, width), kind)
    # guesses of every quality: from all alike to nearly all apart
    most = 1 + np.arange(guesses) * parts // guesses
    rows[:, :guesses] = rng.integers(0, most, (2 * n, guesses))
    members = rng.permutation(2 * n)[:n].astype(np.int32)
    return rows, members


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 30, 129])
def test_counts_are_those_of_sets(kind, n):
    guesses = 70
    rows, members = patterns(kind, n, guesses, min(2 * n, 250), seed=n)
    scratch = np.zeros(n * LANES * rows.itemsize, np.uint8)
    wanted = [1 + n - len(set(rows[members, guess])) for guess in range(guesses)]
    for limit in (255, max(1, n // 2), 1):
        out = np.zeros(rows.shape[1], np.uint8)
        count_repeats(rows, members, n, guesses, out, scratch, limit)
        for found, exact in zip(out, wanted, strict=False):
            assert found == exact or limit <= found <= exact


@pytest.mark.parametrize("n", [3, 40, 300, 505])
def test_the_fewest_repeats(n):
    guesses = 130
    rows, members = patterns(np.uint8, n, guesses, min(n, 250), seed=n)
    parts = np.array([len(set(rows[members, guess])) for guess in range(guesses)])
    reach = np.array([len(set(rows[:, guess])) for guess in range(guesses)], np.int32)
    order = np.argsort(-reach, kind="stable")
    rows[:, :guesses] = rows[:, order]
    parts, reach = parts[order], reach[order]
    is_candidate = np.zeros(guesses, np.uint8)
    is_candidate[[5, 60]] = 1
    out = np.zeros(rows.shape[1], np.uint16)
    scratch = np.zeros(1 << 16, np.uint8)
    found = fewest_repeats(
        rows, rows.view(np.uint64), members, n, reach, guesses, is_candidate, out, scratch
    )
    assert found == min(n, (1 + n - parts - is_candidate).min())

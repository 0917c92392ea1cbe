"""Sorting in place."""

from __future__ import annotations

import random

import numpy as np
import pytest

from random_tables import trials
from salet.search.exact.sorting import sort_by_key

pytestmark = pytest.mark.tiny


def test_sort_by_key():
    rng = random.Random(0)
    for n in range(trials(40)):
        keys = np.array(rng.sample(range(-50, 1 << 40), n), np.int64)
        items = np.arange(n, dtype=np.int32)
        order = np.argsort(keys)
        sort_by_key(keys, items, n)
        assert items.tolist() == order.tolist()
        assert (np.diff(keys) > 0).all()

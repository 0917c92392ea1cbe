"""The sum tree against a running sum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet.learn.dqn import sum_tree

pytestmark = pytest.mark.tiny


@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=16).filter(lambda p: sum(p) > 0),
    st.lists(st.floats(0, 0.999999), min_size=1, max_size=20),
)
def test_samples_are_those_of_a_running_sum(priorities, fractions):
    tree = np.zeros(32)
    indices = np.arange(len(priorities))
    sum_tree.assign(tree, indices, np.array(priorities))
    again = np.zeros(32)
    again[16 : 16 + len(priorities)] = priorities
    sum_tree.rebuild(again)
    assert np.array_equal(tree[1:], again[1:])
    sampled = np.empty(len(fractions), np.int64)
    sum_tree.sample(tree, np.array(fractions), sampled)
    ends = np.cumsum(priorities)
    for fraction, index in zip(fractions, sampled, strict=True):
        assert priorities[index] > 0
        slack = 1e-9 * ends[-1]
        assert ends[index] - priorities[index] - slack <= fraction * ends[-1] <= ends[index] + slack

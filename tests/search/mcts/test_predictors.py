"""Sums of changes, against the histories that they replace."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet.search.mcts.predictors import Changes

numbers = st.floats(-5, 5).map(lambda x: round(x, 3))
histories = st.lists(st.lists(numbers, max_size=6), min_size=1, max_size=6)
"""for each action, the changes of its visits"""


def learnt(actions, is_raw):
    changes = Changes(is_raw)
    for _ in actions:
        changes.add_action()
    for visit in range(1, 7):
        for action in actions:
            if len(action) >= visit:
                changes.learn(visit, action[visit - 1])
    return changes


@given(histories)
def test_bias_is_the_sum_of_mean_changes_to_come(actions):
    changes = learnt(actions, False)
    for visits in range(8):
        rest = [[a[v] for a in actions if len(a) > v] for v in range(visits, 6)]
        expected = sum(np.mean(column) for column in rest if column)
        assert changes.bias(np.array([visits]))[0] == pytest.approx(expected, abs=1e-9)


@given(histories)
def test_variance_is_the_sum_of_variances_to_come(actions):
    changes = learnt(actions, False)
    columns = [[a[v] for a in actions if len(a) > v] for v in range(6)]
    each = [(np.var(c, ddof=1) if len(c) > 1 else c[0] ** 2) for c in columns if c]
    sums = [sum(each[v:]) for v in range(len(each))]
    found = changes.variance(np.arange(8), 7.0)
    for visits in range(8):
        if not each:
            assert found[visits] == 7.0
            continue
        at = min(visits, len(sums) - 1)
        while at > 0 and sums[at] <= 1e-18:
            at -= 1
        assert found[visits] == pytest.approx(sums[at], abs=1e-9)


@given(histories)
def test_the_published_code_squares_the_changes_themselves(actions):
    changes = learnt(actions, True)
    columns = [[a[v] for a in actions if len(a) > v] for v in range(6)]
    counts = [len(actions), *(len(c) for c in columns)]
    each = [sum(x * x for x in c) / max(counts[v] - 1, 1) for v, c in enumerate(columns) if c]
    if each:
        assert changes.variance(np.array([0]), 7.0)[0] == pytest.approx(sum(each), abs=1e-9)


def test_where_the_latest_visits_changed_nothing_the_one_before_tells():
    changes = learnt([[3.0, 1.0, 0.0], [1.0, 1.0]], False)
    found = changes.variance(np.array([0, 1, 2, 9]), 1.0)
    assert found.tolist() == [2.0, 2.0, 2.0, 2.0]

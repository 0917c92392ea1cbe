"""The paired test against tables, and against its own definition."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet.arena.statistics import compare, incomplete_beta, student_quantile, student_tail


@pytest.mark.parametrize(
    ("freedom", "tail", "t"),
    [  # from the tables in any textbook
        (1, 0.05, 12.7062),
        (2, 0.05, 4.3027),
        (10, 0.01, 3.1693),
        (30, 0.05, 2.0423),
        (120, 0.001, 3.3735),
        (2314, 0.05, 1.9610),
    ],
)
def test_students_table(freedom: int, tail: float, t: float) -> None:
    assert student_quantile(tail, freedom) == pytest.approx(t, abs=1e-4)
    assert student_tail(t, freedom) == pytest.approx(tail, rel=2e-3)


def test_closed_forms() -> None:
    for t in (0.1, 1.0, 7.5):
        assert student_tail(t, 1) == pytest.approx(1 - 2 * math.atan(t) / math.pi, rel=1e-12)
        assert student_tail(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), rel=1e-9)
    for x in (0.0, 0.2, 0.7, 1.0):
        assert incomplete_beta(1, 3, x) == pytest.approx(1 - (1 - x) ** 3)


@given(st.floats(0.2, 50), st.floats(0.2, 50), st.floats(0.001, 0.999))
def test_symmetry(a: float, b: float, x: float) -> None:
    assert incomplete_beta(a, b, x) == pytest.approx(1 - incomplete_beta(b, a, 1 - x), abs=1e-9)


def test_two_players() -> None:
    first = {"a": 3, "b": 4, "c": 5, "d": 2, "only": 9}
    second = {"a": 4, "b": 4, "c": 3, "d": 4}
    found = compare(first, second)
    assert found is not None
    assert (found.answers, found.wins, found.losses, found.ties) == (4, 2, 1, 1)
    assert found.difference == pytest.approx(-0.25)
    # differences -1, 0, 2, -2: s^2 = (9 - 0.25) / 3, error = sqrt(s^2 / 4)
    error = math.sqrt(8.75 / 3 / 4)
    assert found.high - found.low == pytest.approx(2 * 3.18245 * error, rel=1e-5)
    assert found.p == pytest.approx(student_tail(0.25 / error, 3))
    assert found.best == [("d", -2), ("a", -1)]
    assert found.worst == [("c", 2)]
    turned = compare(second, first)
    assert turned is not None
    assert (turned.difference, turned.p) == (-found.difference, found.p)
    assert "better on 1, worse on 2, equal on 1 of 4" in found.sentence()


def test_certain_cases() -> None:
    assert compare({"a": 1}, {"b": 1}) is None
    same = compare({"a": 1, "b": 2}, {"a": 1, "b": 2})
    assert same is not None and (same.difference, same.p) == (0, 1)
    always = compare({"a": 1, "b": 2}, {"a": 2, "b": 3})
    assert always is not None and (always.low, always.high, always.p) == (-1, -1, 0)


@given(st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=2, max_size=40))
def test_the_interval_holds_the_mean_and_agrees_with_p(pairs: list[tuple[int, int]]) -> None:
    first = {str(n): a for n, (a, _) in enumerate(pairs)}
    second = {str(n): b for n, (_, b) in enumerate(pairs)}
    found = compare(first, second)
    assert found is not None
    assert found.low <= found.difference <= found.high
    assert found.wins + found.losses + found.ties == len(pairs)
    if abs(found.p - 0.05) > 1e-6 and found.low != found.high:
        assert (found.p < 0.05) == (not found.low <= 0 <= found.high)

"""Advice that was given before."""

from __future__ import annotations

from salet.web.remembered import Remembered


def test_the_longest_unasked_is_forgotten() -> None:
    kept = Remembered(most=2)
    one, two, three = object(), object(), object()
    kept.keep(("one",), one)
    kept.keep(("two",), two)
    assert kept.get(("one",)) is one
    kept.keep(("three",), three)
    assert kept.get(("two",)) is None
    assert (kept.get(("one",)), kept.get(("three",))) == (one, three)

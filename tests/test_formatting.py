"""Durations have a unit that suits their size."""

from __future__ import annotations

import pytest

from salet.formatting import format_seconds


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "<1 ms"),
        (0.0004, "<1 ms"),
        (0.001, "1 ms"),
        (0.0123, "12 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.0 s"),
        (1, "1.0 s"),
        (1.24, "1.2 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 0 s"),
        (185.2, "3 min 5 s"),
        (3599.6, "1 h 0 min"),
        (7500, "2 h 5 min"),
    ],
)
def test_format_seconds(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text

"""Histograms as text."""

from __future__ import annotations

from salet.cli.render.simulation import WIDTH, histogram


def test_the_longest_bar_has_the_full_width() -> None:
    rows = histogram({2: 10, 3: 200}, losses=1).plain.splitlines()
    assert rows == [f"   2 {'█' * 2} 10", f"   3 {'█' * WIDTH} 200", "lost █ 1"]


def test_no_games_make_an_empty_histogram() -> None:
    assert histogram({}).plain == ""

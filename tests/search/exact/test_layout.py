"""The table as the kernels want it, made and from disk."""

from __future__ import annotations

import numpy as np
import pytest

import drawn
from salet import Game
from salet.search import terms
from salet.search.exact import build
from salet.search.terms import rules_of


def test_a_layout_from_disk_is_the_one_that_was_made(own_cache, monkeypatch):
    game = Game(list(drawn.ANSWERS))
    assert not rules_of(game).layout.table.flags.writeable
    assert not (own_cache / "layouts").exists()  # too small to be kept
    monkeypatch.setattr(terms, "WORTH_KEEPING", 1)
    made = rules_of(game).layout
    (path,) = (own_cache / "layouts").iterdir()
    monkeypatch.setattr(build, "_laid_out", lambda *_: pytest.fail("made again"))
    read = rules_of(game).layout
    for name in ("table", "rows", "reach", "names", "own"):
        assert np.array_equal(getattr(made, name), getattr(read, name)), name
    assert not read.table.flags.writeable
    assert not made.table.flags.writeable
    assert path.stat().st_size > made.rows.nbytes


def test_the_layout_is_the_table_in_another_order(own_cache):
    game = Game(list(drawn.ANSWERS))
    laid = rules_of(game).layout
    assert np.array_equal(laid.table, game.table[laid.names])
    assert np.array_equal(laid.rows[:, : len(laid.names)].T, laid.table)
    assert (np.diff(laid.reach) <= 0).all()  # those that split best come first

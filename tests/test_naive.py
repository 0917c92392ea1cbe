"""The brute-force oracle itself: results known by hand, and it imports nothing from salet."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

import naive


def test_imports_nothing_from_salet():
    tree = ast.parse(Path(naive.__file__).read_text("utf-8"))
    names = [
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
    ]
    assert names
    assert not [name for name in names if name.startswith("salet")]


@pytest.mark.parametrize(
    ("guess", "answer", "colours"),
    [
        ("error", "heron", "YBGGB"),
        ("sease", "essay", "YYYYB"),
        ("steer", "terse", "YYYYY"),
        ("chuck", "whack", "BGBGG"),
    ],
)
def test_standard(guess, answer, colours):
    assert naive.shown("standard", naive.standard(guess, answer)) == colours


def test_present_and_pegs():
    assert naive.shown("present", naive.present("carte", "frate")) == "BYYGG"
    assert naive.pegs("1122", "1212") == (2, 2)
    assert naive.pegs("1111", "1212") == (2, 0)


def codes(positions: int, symbols: int) -> naive.Tiny:
    words = tuple(itertools.product(range(symbols), repeat=positions))
    return naive.Tiny(words, words, rule="pegs")


@pytest.mark.parametrize(
    ("positions", "symbols", "total"),
    [(2, 2, 8), (2, 3, 21), (2, 4, 45), (3, 2, 18), (2, 5, 81), (4, 2, 44)],
)
def test_mastermind_totals_of_the_literature(positions, symbols, total):
    best = naive.solve(codes(positions, symbols))
    assert best.total == total
    assert best.losses == 0


def test_objectives_and_cap_by_hand():
    # four answers that differ in one letter, and a guess that tells them all apart
    family = ("aax", "bax", "cax", "dax")
    game = naive.Tiny(family, (*family, "abc"), cap=None)
    best = naive.solve(game)
    # abc tells a, b, c, d apart at once: 4 + 4; a candidate first: 1 + 2 + (2 + 3) or so
    assert (best.total, best.guesses) == (8, (4,))
    worst = naive.solve(game, "worst")
    assert (worst.worst, worst.total, worst.guesses) == (2, 8, (4,))
    both = naive.solve(game, "mean-then-worst")
    assert (both.total, both.worst, both.guesses) == (8, 2, (4,))
    alone = naive.Tiny(family, family, cap=3)
    assert naive.solve(alone) is None
    lost = naive.solve(alone, "win-then-mean")
    # guesses 1, 2, 3 find one answer each, the fourth is lost and counts cap + 1
    assert (lost.losses, lost.total, lost.guesses) == (1, 1 + 2 + 3 + 4, (0, 1, 2, 3))


def test_weights_and_history():
    family = ("aax", "bax", "cax", "dax")
    game = naive.Tiny(family, family, weights=(1, 1, 10, 1))
    best = naive.solve(game)
    assert best.guesses == (2,)
    assert best.total == 10 + 2 + 3 + 4
    after = naive.solve(game, history=[("cax", naive.standard("cax", "aax"))])
    assert (after.total, after.guesses) == (1 + 2 + 3, (0, 1, 3))
    capped = naive.Tiny(family, family, cap=3)
    row = ("aax", naive.standard("aax", "bax"))
    lost = naive.solve(capped, "win-then-mean", [row])
    assert (lost.losses, lost.total) == (1, 1 + 2 + 3)


def test_hard_mode_costs_more_than_normal():
    family = ("aaxx", "baxx", "caxx", "daxx", "eaxx")
    guesses = (*family, "bcde")
    normal = naive.solve(naive.Tiny(family, guesses))
    hard = naive.solve(naive.Tiny(family, guesses, mode="hard"))
    strict = naive.solve(naive.Tiny(family, guesses, mode="strict"))
    assert normal.total == 10  # bcde first tells all five apart
    assert hard.total == 10  # it may open in hard mode too
    assert strict.total == 10
    opened = [("aaxx", naive.standard("aaxx", "baxx"))]
    # with aaxx played, bcde is no longer legal
    assert naive.solve(naive.Tiny(family, guesses), history=opened).total == 2 * 4 - 1 + 1
    hard = naive.solve(naive.Tiny(family, guesses, mode="hard"), history=opened)
    assert hard.total == 1 + 2 + 3 + 4


def test_best_prefers_a_candidate_then_the_order():
    best = naive.Optimum(0, 5, None, (1, 3, 4))
    assert best.best([3, 4]) == 3
    assert best.best([0, 2]) == 1


def test_power_product_orders_splits_as_entropy_does():
    assert naive.power_product([2, 2]) < naive.power_product([3, 1])
    assert naive.entropy([2, 2]) == 1.0
    # 4 log 4 = 8 = 2 log 2 four times: an exact tie of different splits
    assert naive.power_product([4, 1, 1, 1, 1]) == naive.power_product([2, 2, 2, 2])

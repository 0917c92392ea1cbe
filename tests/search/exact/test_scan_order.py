"""Guesses sorted for scans of the parts of a state: scans find the same."""

from __future__ import annotations

import random

import numpy as np
import pytest

from random_tables import puzzles
from salet import Game
from salet.search.exact.layout import layout_of
from salet.search.exact.scan import fewest_repeats
from salet.search.exact.scan_order import (
    empty_scan_order,
    fewest_repeats_of_rows,
    find_rows,
    sort_for_scans,
)
from salet.search.exact.solver import Solver
from salet.search.exact.stack import build_stack
from salet.search.quick_bounds import QuickBound
from salet.search.roots import root_of


def draw_members(rng: random.Random, among: list[int], count: int) -> np.ndarray:
    return np.array(sorted(rng.sample(among, count)), np.int32)


@pytest.mark.tiny
def test_scans_of_subsets_find_what_plain_scans_find():
    for rng, puzzle in puzzles(75, 40, mode="normal", unit=True, answers=10):
        layout = puzzle.layout
        answers, guesses = layout.table.shape[1], layout.table.shape[0]
        stack = build_stack(layout, 3)
        order = stack.scan_order
        scratch = stack.counts, stack.block
        for _ in range(3):  # each state replaces the one before
            state = draw_members(rng, list(range(answers)), rng.randint(1, answers))
            sort_for_scans(layout, order, state, len(state), *scratch, stack.sort_keys)
            assert sorted(order.guesses[:guesses].tolist()) == list(range(guesses))
            parts = [len(set(layout.table[g, state].tolist())) for g in order.guesses[:guesses]]
            assert order.max_parts[:guesses].tolist() == sorted(parts, reverse=True) == parts
            part = draw_members(rng, state.tolist(), rng.randint(1, len(state)))
            n = len(part)
            assert find_rows(order, part, n)
            found = fewest_repeats_of_rows(order, n, guesses, *scratch)
            stack.is_candidate[layout.guess_of[part]] = 1
            plain = (layout.columns, layout.packed, part, n, layout.max_parts, guesses)
            assert found == fewest_repeats(*plain, stack.is_candidate, *scratch)
            stack.is_candidate[:] = 0
            assert not order.is_candidate.any()
            others = sorted(set(range(answers)) - set(state.tolist()))
            if others:
                foreign = np.array([*part, rng.choice(others)], np.int32)
                assert not find_rows(order, foreign, len(foreign))


def test_bounds_of_a_large_state_do_not_depend_on_the_order():
    game = Game.named("original")
    state = game.start().after("fuzzy", "bbbbb")
    layout, root = layout_of(game), root_of(state)
    total = Solver(layout).value(root)
    # Each has a table of its own: what one bound finds out would improve the next.
    sorted_, plain = (QuickBound(Solver(layout, megabytes=1), root, 1.0) for _ in range(2))
    plain._stack = plain._stack._replace(scan_order=empty_scan_order(layout, 0))
    for guess in random.Random(4).sample(range(len(game.guesses)), 300):
        assert sorted_(guess, total) == plain(guess, total)
    assert sorted_._stack.scan_order.stored[0] == len(state.candidates)
    assert plain._stack.scan_order.stored[0] == 0

"""Bounds hold for every plan: they are compared with trying everything.

The puzzles are drawn to break them: K and P of a larger set with more legal guesses, weights,
losses, fewer guesses than answers.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from random_tables import INF, Puzzle, draw_loss, puzzles, random_puzzle, trials
from salet.search.exact.bounds import candidates_bound, capacity_bound, price_of

pytestmark = pytest.mark.tiny


def test_the_price_of_losing_nothing_is_nothing():
    for loss in (INF, 7):
        assert price_of(loss, 0) == 0
    assert price_of(INF, 3) == INF
    assert price_of(7, 3) == 21


def max_parts_and_peel(puzzle, members, legal):
    """K and P: parts, and answers outside the largest part, of the best legal guess."""
    sizes = [[len(part) for part in puzzle.split(members, guess).values()] for guess in legal]
    return max(map(len, sizes)), max(sum(each) - max(each) for each in sizes)


def capacity(puzzle, loss, members, depth, max_parts, max_peel):
    layout = puzzle.layout._replace(loss=loss)
    ordered = np.array(puzzle.by_weight(members), np.int32)
    weight = puzzle.weight(members)
    return capacity_bound(layout, ordered, len(members), weight, depth, max_parts, max_peel)


def some(rng, items, always=()):
    """A random subset that has at least these."""
    return frozenset(always) | frozenset(item for item in sorted(items) if rng.random() < 0.7)


def test_capacity_is_a_lower_bound():
    met = better = 0
    for rng, puzzle in puzzles(11, 400):
        larger = rng.sample(puzzle.answers, rng.randint(1, len(puzzle.answers)))
        members = rng.sample(larger, rng.randint(1, len(larger)))
        more_legal = some(rng, puzzle.guesses, always=larger)
        legal = some(rng, more_legal, always=members)
        max_parts, max_peel = max_parts_and_peel(puzzle, larger, more_legal)
        for depth in range(1, len(members) + 2):
            loss = rng.choice([draw_loss(rng, puzzle, depth), 1, 5])
            value = puzzle.value(members, depth, loss, legal)
            bound = capacity(puzzle, loss, members, depth, max_parts, max_peel)
            assert bound <= value
            met += bound == value
            size_bound = 2 * puzzle.weight(members) - puzzle.heaviest(members)
            assert bound >= size_bound
            better += size_bound < bound < INF
    assert met > 0
    assert better > 0


def test_capacity_knows_what_single_steps_give():
    """The sum over j of the weight not found within j guesses, written out."""
    rng = random.Random(12)
    for _ in range(trials(300)):
        puzzle = random_puzzle(rng, mode="normal", wide=False)
        n, depth = len(puzzle.answers), rng.randint(1, 9)
        loss = rng.choice([INF, 1, 50])
        max_parts, max_peel = rng.randint(1, n + 1), rng.randint(1, n)
        weights = sorted(puzzle.weights, reverse=True)
        found = [0, 1] + [
            min(max_parts ** (j - 1), 1 + (j - 1) * max_peel) for j in range(2, depth + 1)
        ]
        missing = [sum(weights[min(f, n) :]) for f in found]
        lost = missing[depth]
        wanted = sum(missing[:depth]) + (0 if lost == 0 else min(loss * lost, INF))
        bound = capacity(puzzle, loss, puzzle.answers, depth, max_parts, max_peel)
        assert bound == min(wanted, INF)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 20])
def test_the_capacity_of_a_family_is_its_value(n):
    """Answers that no guess tells apart are found one by one."""
    family = Puzzle(np.eye(n, dtype=np.uint8), 2, (1,) * n)
    peel = min(1, n - 1)
    assert capacity(family, INF, range(n), n, min(2, n), peel) == n * (n + 1) // 2
    if n > 1:
        assert capacity(family, INF, range(n), n - 1, 2, peel) == INF
        lost = capacity(family, 1000, range(n), n - 1, 2, peel)
        assert lost == n * (n + 1) // 2 - 1 + 1000  # the last: n - 1 guesses, and its price


def test_candidates_bound_is_a_lower_bound_and_exact_where_it_says_so():
    seen = {True: 0, False: 0}
    for rng, puzzle in puzzles(13, 160):
        if len(puzzle.answers) < 3:
            continue
        members = rng.sample(puzzle.answers, rng.randint(3, len(puzzle.answers)))
        solver = puzzle.solver()
        ordered = np.array(puzzle.by_weight(members), np.int32)
        for depth in range(2, len(members) + 2):
            loss = rng.choice([draw_loss(rng, puzzle, depth), 1])
            lower, is_exact = candidates_bound(
                solver.layout._replace(loss=loss),
                solver.stack,
                ordered,
                len(members),
                puzzle.weight(members),
                depth,
            )
            value = puzzle.value(members, depth, loss)
            assert lower == value if is_exact else lower <= value
            seen[is_exact] += 1
            assert not solver.stack.tally.any()
    assert min(seen.values()) > 0


def test_a_candidate_within_the_cap_settles_whether_the_cap_suffices():
    settled = 0
    for rng, puzzle in puzzles(14, 150):
        n = len(puzzle.answers)
        if n < 3:
            continue
        solver, depth = puzzle.solver(), rng.randint(2, n)
        ordered = np.array(puzzle.by_weight(puzzle.answers), np.int32)
        lower, is_settled = candidates_bound(
            solver.layout._replace(feasible=1),
            solver.stack,
            ordered,
            n,
            puzzle.weight(puzzle.answers),
            depth,
        )
        value = puzzle.value(puzzle.answers, depth)
        assert lower <= value
        if is_settled:
            assert value < INF
            settled += 1
    assert settled > 0

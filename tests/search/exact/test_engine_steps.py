"""Single steps of the search against plain Python: trivial states, and which part comes next."""

from __future__ import annotations

import random

import numpy as np
import pytest

from random_tables import INF, Puzzle, draw_loss, puzzles, trials
from salet.search.exact.engine import AGAIN, MAX_AT_ONCE, SHARE, choose_part, trivial_value

pytestmark = pytest.mark.tiny


def test_trivial_states_are_valued_exactly_and_others_are_left_to_the_search():
    settled = {True: 0, False: 0}
    for rng, puzzle in puzzles(51, 300):
        members = rng.sample(puzzle.answers, rng.randint(1, len(puzzle.answers)))
        depth = rng.randint(1, len(members) + 1)
        loss = draw_loss(rng, puzzle, depth)
        solver = puzzle.solver(loss)
        solver.enter(puzzle.root(members, depth))
        found = int(trivial_value(solver.layout, solver.stack, 0))
        if found >= 0:
            assert found == puzzle.value(members, depth, loss)
        else:
            assert len(members) > 2 and depth > 1
        settled[found >= 0] += 1
    assert min(settled.values()) > 0


def test_the_part_that_is_cheapest_for_its_size_comes_next():
    """Small parts are asked for all that is missing, large ones for a little more."""
    rng = random.Random(52)
    table = np.zeros((4, 4), np.uint8)
    np.fill_diagonal(table, 3)
    stack = Puzzle(table, 4, (1,) * 4).solver().stack
    little = 0
    for _ in range(trials(200)):
        sizes = [rng.choice([3, 7, MAX_AT_ONCE, MAX_AT_ONCE + 1, 400]) for _ in range(3)]
        order = rng.sample(range(3), 3)
        begin = rng.randrange(3)
        stack.part_count[0, :3], stack.open_parts[0, :3] = sizes, order
        stack.part_lower[0, :3] = lowers = [2 * size - 1 + rng.randrange(9) for size in sizes]
        stack.part_nodes[:3] = nodes = [rng.choice([0, 10, 100_000]) for _ in range(3)]
        frame = stack.frames[0]
        frame.next_part, frame.open_parts, frame.total = begin, 3, sum(lowers) + 20

        def price(part, sizes=sizes, nodes=nodes):
            return max(AGAIN * nodes[part], 0.01 * sizes[part] ** 2) / sizes[part]

        beta = int(frame.total) + rng.randint(1, 60)
        asked = int(choose_part(stack, 0, beta))
        found = stack.open_parts[0, :3].tolist()
        assert found[:begin] == order[:begin]
        assert sorted(found[begin:]) == sorted(order[begin:])
        chosen = found[begin]
        assert price(chosen) == min(map(price, order[begin:]))
        enough = beta - (int(frame.total) - lowers[chosen])
        assert asked <= enough < INF
        if sizes[chosen] <= MAX_AT_ONCE:
            assert asked == enough
        else:
            assert asked == min(lowers[chosen] + sizes[chosen] // SHARE, enough)
            little += asked < enough
    assert little > 0
    assert np.isin(stack.open_parts[0, :3], range(3)).all()

"""A state split by a guess: parts, weights, bounds and keys against plain dictionaries."""

from __future__ import annotations

import numpy as np
import pytest

from random_tables import INF, Puzzle, draw_loss, puzzles
from salet.search.exact.split import split, state_key, try_guess
from salet.search.exact.transposition_table import store

pytestmark = pytest.mark.tiny


def entered(rng, puzzle, depth=None, loss=INF):
    """A solver with a random state at the bottom, its answers in the order of the stack."""
    size = rng.randint(1, len(puzzle.answers))
    members = sorted(rng.sample(puzzle.answers, size))
    solver = puzzle.solver(loss)
    solver.enter(puzzle.root(members, size + 1 if depth is None else depth))
    frame = solver.stack.frames[0]
    frame.max_parts = frame.max_peel = frame.count
    return solver, members


def parts_in(solver, level=0):
    """[(pattern, answers, weight, lower)] as the stack has them."""
    stack = solver.stack
    found = []
    for j in range(stack.frames[level].parts):
        start, count = stack.part_start[level, j], stack.part_count[level, j]
        part = stack.answers[level + 1, start : start + count].tolist()
        weight, lower = int(stack.part_weight[level, j]), int(stack.part_lower[level, j])
        found.append((int(stack.part_pattern[level, j]), part, weight, lower))
    return found


@pytest.mark.parametrize("wide", [False, True])
def test_parts_keep_the_order_of_answers_and_of_first_patterns(wide):
    for rng, puzzle in puzzles(21, 150, wide=wide):
        solver, members = entered(rng, puzzle)
        guess = rng.choice(sorted(puzzle.guesses))
        split(solver.stack, 0, solver.layout.table[solver.layout.index_of[guess]])
        wanted = puzzle.split(puzzle.by_weight(members), guess)
        found = [(pattern, part) for pattern, part, _, _ in parts_in(solver)]
        assert found == [(pattern, list(part)) for pattern, part in wanted.items()]
        assert not solver.stack.tally.any()


def test_parts_are_bounded_and_those_not_known_are_listed():
    opened = 0
    for rng, puzzle in puzzles(22, 250):
        depth = rng.randint(1, 5)
        loss = draw_loss(rng, puzzle, depth)
        solver, members = entered(rng, puzzle, depth, loss)
        stack, guess = solver.stack, rng.choice(sorted(puzzle.guesses))
        total = try_guess(
            solver.layout, stack, solver.table, 0, solver.layout.index_of[guess], INF + 1
        )
        depth = int(stack.frames[0].depth)
        below = puzzle.weight(members)
        is_open = set(stack.open_parts[0, : stack.frames[0].open_parts].tolist())
        for j, (pattern, part, weight, lower) in enumerate(parts_in(solver)):
            if pattern == puzzle.win:
                assert lower == 0
                continue
            assert weight == puzzle.weight(part)
            legal = puzzle.narrow(puzzle.guesses, guess, pattern)
            value = puzzle.value(part, depth - 1, loss, legal)
            assert lower <= value
            assert lower == value or j in is_open
            below += lower
        assert total == min(below, INF)
        assert total <= puzzle.value_of_guess(members, guess, depth, loss)
        if total < INF:
            assert stack.frames[0].total == total
        sizes = [int(stack.part_count[0, j]) for j in stack.open_parts[0, : len(is_open)]]
        assert sizes == sorted(sizes)
        opened += len(is_open)
    assert opened > 0


def test_a_guess_is_dropped_with_a_bound_that_reaches_beta():
    for rng, puzzle in puzzles(23, 150):
        solver, members = entered(rng, puzzle, depth=4)
        guess = rng.choice(sorted(puzzle.guesses))
        value = puzzle.value_of_guess(members, guess, int(solver.stack.frames[0].depth))
        index = solver.layout.index_of[guess]
        for beta in (1, value - 2, value, value + 1):
            total = try_guess(solver.layout, solver.stack, solver.table, 0, index, beta)
            assert total <= value


def test_small_parts_come_first():
    table = np.zeros((16, 15), np.uint8)
    table[15] = [1] * 5 + [0] * 4 + [2] * 6
    np.fill_diagonal(table[:15], 3)
    puzzle = Puzzle(table, 4, (1,) * 15)
    solver = puzzle.solver()
    solver.enter(puzzle.root(puzzle.answers, 15))
    stack, layout = solver.stack, solver.layout
    stack.frames[0].max_parts = stack.frames[0].max_peel = 15
    assert try_guess(layout, stack, solver.table, 0, layout.index_of[15], INF) < INF
    opened = stack.open_parts[0, : stack.frames[0].open_parts]
    assert stack.part_count[0, opened].tolist() == [4, 5, 6]


def test_what_the_table_knows_of_a_part_is_used():
    used = 0
    for rng, puzzle in puzzles(25, 200, unit=True):
        solver, members = entered(rng, puzzle)
        stack, layout = solver.stack, solver.layout
        guess = rng.choice(sorted(puzzle.guesses))
        index, depth = layout.index_of[guess], int(stack.frames[0].depth)
        try_guess(layout, stack, solver.table, 0, index, INF)
        for j in stack.open_parts[0, : stack.frames[0].open_parts].tolist():
            pattern, part, _, _ = parts_in(solver)[j]
            legal = puzzle.narrow(puzzle.guesses, guess, pattern)
            value = puzzle.value(part, depth - 1, INF, legal)
            key = state_key(
                layout, stack, 0, index, pattern, np.array(part, np.int32), len(part), depth - 1
            )
            store(solver.table, np.uint64(key[0]), np.uint64(key[1]), value, value)
            used += 1
        total = try_guess(layout, stack, solver.table, 0, index, INF)
        assert total == puzzle.value_of_guess(members, guess, depth)
        assert stack.frames[0].open_parts == 0 or total >= INF
    assert used > 0


def test_transpositions_have_one_key_and_other_states_have_others():
    """Two guesses in either order: the same answers, depth and legal guesses, the same key; a
    depth beyond the number of answers counts as that number."""
    shared = 0
    for rng, puzzle in puzzles(26, 60):
        solver, members = entered(rng, puzzle)
        states = {}
        for guess in puzzle.guesses:
            solver.stack.frames[0].guess = solver.layout.index_of[guess]
            for pattern, part in puzzle.split(members, guess).items():
                legal = puzzle.narrow(puzzle.guesses, guess, pattern)
                if puzzle.mode == "hard":  # known greens and counts, not what they leave: see
                    legal = (guess, pattern)  # test_legality.py
                for depth in range(1, 6):
                    index = solver.layout.index_of[guess]
                    key = state_key(
                        solver.layout,
                        solver.stack,
                        0,
                        index,
                        pattern,
                        np.array(rng.sample(part, len(part)), np.int32),
                        len(part),
                        depth,
                    )
                    state = part, min(depth, len(part)), legal
                    shared += state in states
                    assert states.setdefault(state, key) == key
        if puzzle.mode != "hard":
            assert len(set(states.values())) == len(states)
    assert shared > 0

"""The guesses that reach a state's value, in the order of ties."""

from __future__ import annotations

import numpy as np
import pytest

from random_tables import INF, Puzzle, draw_loss, puzzles
from salet.search.exact.ties import MAX_CANDIDATES_FIRST


def best_guesses(puzzle, members, depth, loss):
    """Candidates first, then the order of the game."""
    value = puzzle.value(members, depth, loss)
    order = sorted(puzzle.guesses, key=lambda guess: (guess not in members, guess))
    return [g for g in order if puzzle.value_of_guess(members, g, depth, loss) == value]


@pytest.mark.tiny
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_all_ties_are_found(mode):
    several = 0
    for rng, puzzle in puzzles(51, 200, mode=mode):
        members = rng.sample(puzzle.answers, rng.randint(1, len(puzzle.answers)))
        depth = rng.randint(1, len(members) + 1)
        loss = draw_loss(rng, puzzle, depth)
        value = puzzle.value(members, depth, loss)
        solver, root = puzzle.solver(loss), puzzle.root(members, depth)
        if value == INF:
            assert solver.ties(root, value) == []
            continue
        wanted = best_guesses(puzzle, members, depth, loss)
        assert solver.ties(root, value) == wanted
        for limit in (1, 2):
            assert puzzle.solver(loss).ties(root, value, limit) == wanted[:limit]
        several += len(wanted) > 2
    assert several > 0


def test_ties_of_a_state_with_more_candidates_than_are_tried_first():
    """Answers that nothing tells apart, and a guess that tells nothing: each answer is as good."""
    n = MAX_CANDIDATES_FIRST + 3
    family = Puzzle(np.eye(n + 1, n, dtype=np.uint8), 2, (1,) * n)
    solver, root = family.solver(), family.root(family.answers, n)
    value = n * (n + 1) // 2
    assert solver.value(root) == value
    assert solver.ties(root, value) == list(range(n))
    assert solver.ties(root, value, 3) == [0, 1, 2]


@pytest.mark.tiny
def test_a_beam_prefers_one_guess():
    """Its total is what the beam found: no less than the value of that guess."""
    for rng, puzzle in puzzles(53, 60, unit=True):
        depth = len(puzzle.answers) + 1
        root, width = puzzle.root(puzzle.answers, depth), rng.randint(1, 3)
        solver = puzzle.solver(width=width)
        value = solver.value(root)
        (guess,) = solver.ties(root, value)
        assert puzzle.value_of_guess(puzzle.answers, guess, depth) <= value

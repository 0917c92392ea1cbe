"""Expanding a state: a bound for every guess, a bound of the state, and the order of guesses."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from random_tables import INF, Puzzle, draw_loss, puzzles, random_puzzle, trials
from salet.search.exact.engine import EXPAND_ONLY, search
from salet.search.exact.expand import MAX_SMALL, SORTED_FROM, expand, next_guess
from salet.search.exact.solver import Root

pytestmark = pytest.mark.tiny


def entered(puzzle, members, depth, *, beta=INF, loss=INF, **options):
    solver = puzzle.solver(loss, **options)
    solver.enter(puzzle.root(members, depth))
    solver.stack.frames[0].beta = beta
    return solver


def expanded(solver):
    """(value, is_exact): what `expand` says of the state at the bottom."""
    if solver.layout.win > 255:  # compiled as a part of the search: once is enough
        solver.stack.counters[0].level = 0
        _, _, value = search(solver.layout, solver.stack, solver.table, EXPAND_ONLY, 0)
        is_exact = False
    else:
        value, is_exact = expand(solver.layout, solver.stack, 0)
    assert not solver.stack.tally.any()
    assert not solver.stack.is_candidate.any()
    return int(value), bool(is_exact)


def handed_out(solver, best=INF):
    """All guesses in the order to try them, in the game's numbering."""
    solver.stack.frames[0].best = best
    found = []
    while (guess := next_guess(solver.layout, solver.stack, 0)) >= 0:
        found.append(int(solver.layout.original[guess]))
    return found


def guess_bound(puzzle, members, guess):
    """3W - w(g) - the sum over parts of the greatest weight."""
    parts = puzzle.split(members, guess).values()
    own = puzzle.weights[guess] if guess in members else 0
    return 3 * puzzle.weight(members) - own - sum(puzzle.heaviest(part) for part in parts)


def is_idle(puzzle, members, guess):
    return guess not in members and len(puzzle.split(members, guess)) == 1


def squares(puzzle, members, guess):
    return sum(len(part) ** 2 for part in puzzle.split(members, guess).values())


# ---- against brute force


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_a_state_is_bounded_or_settled(mode):
    settled = {True: 0, False: 0}
    for rng, puzzle in puzzles(31, 150, mode=mode):
        if len(puzzle.answers) < 3:
            continue
        members = rng.sample(puzzle.answers, rng.randint(3, len(puzzle.answers)))
        depth = rng.randint(2, len(members) + 1)
        loss = draw_loss(rng, puzzle, depth)
        value = puzzle.value(members, depth, loss)
        beta = rng.choice([INF, value, value + 1, value - 1, value + 3])
        solver = entered(puzzle, members, depth, beta=beta, loss=loss)
        found, is_exact = expanded(solver)
        frame = solver.stack.frames[0]
        if is_exact:
            assert found == value
            assert depth == 2
        elif found >= 0:
            assert beta <= found <= value
        else:
            assert frame.lower <= value
            assert depth > 2
            assert_bounds_parts(puzzle, members, frame)
            guesses = handed_out(solver)
            wanted = {
                g
                for g in puzzle.guesses
                if guess_bound(puzzle, members, g) < beta and not is_idle(puzzle, members, g)
            }
            assert set(guesses) == wanted
            assert len(guesses) == len(wanted)
        settled[found >= 0] += 1
    assert min(settled.values()) > 0


def assert_bounds_parts(puzzle, members, frame):
    """K and P of the state are at most those of the frame."""
    for guess in puzzle.guesses:
        sizes = [len(part) for part in puzzle.split(members, guess).values()]
        assert len(sizes) <= frame.max_parts
        assert len(members) - max(sizes) <= frame.max_peel


@pytest.mark.parametrize("loss", [INF, 1, 1000])
def test_two_guesses_left_is_a_value(loss):
    for rng, puzzle in puzzles(32, 250):
        n = len(puzzle.answers)
        if n < 3:
            continue
        members = rng.sample(puzzle.answers, rng.randint(3, n))
        solver = entered(puzzle, members, 2, loss=loss, beta=rng.choice([INF, 1]))
        assert expanded(solver) == (puzzle.value(members, 2, loss), True)


def test_a_guess_that_beats_the_best_so_far_is_all_that_is_handed_out():
    for rng, puzzle in puzzles(33, 150):
        n = len(puzzle.answers)
        if n < 3:
            continue
        solver = entered(puzzle, puzzle.answers, n + 1)
        expanded(solver)
        bounds = {g: guess_bound(puzzle, puzzle.answers, g) for g in puzzle.guesses}
        best = rng.choice(list(bounds.values()))
        assert set(handed_out(solver, best)) == {
            g for g in bounds if bounds[g] < best and not is_idle(puzzle, puzzle.answers, g)
        }


# ---- many answers: bounds, not values


def many(rng, answers, others, patterns, *, mode="normal", kind=np.uint8, weighted=False):
    """A table of guesses of every quality."""
    guesses = answers + others
    table = np.zeros((guesses, guesses), kind)
    for guess in range(guesses):
        shown = rng.randint(1, patterns - 1)
        for other in range(guesses):
            table[guess, other] = rng.randrange(shown)
    np.fill_diagonal(table, patterns - 1)
    weights = tuple(rng.randint(1, 3) if weighted else 1 for _ in range(answers))
    return Puzzle(np.ascontiguousarray(table[:, :answers]), patterns, weights, mode, legality=table)


@pytest.mark.parametrize(
    ("answers", "kind", "patterns", "mode"),
    [
        *((n, np.uint8, 4, "normal") for n in (3, 24, SORTED_FROM, 60)),
        *((n, np.uint8, 250, "normal") for n in (60, 201, MAX_SMALL)),
        (40, np.uint16, 300, "normal"),
        (210, np.uint16, 300, "normal"),
        (30, np.uint8, 5, "strict"),
    ],
)
def test_repeats_of_every_guess_of_a_small_state(answers, kind, patterns, mode):
    """1 + n - k - w: exact below the limit that beta gives, and never too many."""
    rng = random.Random(f"{answers} {patterns} {mode}")
    puzzle = many(rng, answers + 3, 20, patterns, mode=mode, kind=kind)
    members = sorted(rng.sample(puzzle.answers, answers))
    bounds = {g: guess_bound(puzzle, members, g) for g in puzzle.guesses}
    exact = {g: bound - 2 * answers + 1 for g, bound in bounds.items()}
    for beta in (INF, sorted(bounds.values())[len(bounds) // 2], min(bounds.values()) + 1):
        solver = entered(puzzle, members, answers, beta=beta)
        if mode == "strict":  # a fifth of the guesses: these are copied together
            few = np.array(sorted(rng.sample(sorted(puzzle.guesses), 10)), np.int32)
            solver.enter(Root(np.array(members, np.int32), answers, few))
        value, _ = expanded(solver)
        layout, stack = solver.layout, solver.stack
        legal = range(len(puzzle.guesses)) if mode == "normal" else stack.legal[0, :10]
        for x, index in enumerate(legal):
            guess = int(layout.original[index])
            found = int(stack.repeats[0, x])
            assert found <= exact[guess]
            if 2 * answers - 1 + found < beta:
                assert found == exact[guess]
        if value < 0:
            listed = [int(layout.original[index]) for index in legal]
            assert_order_of_small_state(puzzle, members, bounds, listed, handed_out(solver), beta)


def assert_order_of_small_state(puzzle, members, bounds, legal, found, beta):
    """Groups of bounds come in order; within a group of a larger state, even splits first."""
    n = len(members)
    wanted = [g for g in legal if bounds[g] < beta and not is_idle(puzzle, members, g)]
    assert sorted(found) == sorted(wanted)
    step = 1 + n // 16
    least = min(bounds[g] for g in legal)
    groups = [(bounds[g] - least) // step for g in found]
    assert groups == sorted(groups)
    if n >= SORTED_FROM:
        keys = [
            (group, (bounds[g] - 2 * n + 1) * n + 2 * squares(puzzle, members, g))
            for group, g in zip(groups, found, strict=True)
        ]
        assert keys == sorted(keys)


@pytest.mark.parametrize(
    ("answers", "weighted"), [(5, True), (40, True), (MAX_SMALL + 1, False), (270, True)]
)
def test_bounds_of_every_guess_of_a_large_state(answers, weighted):
    rng = random.Random(answers)
    puzzle = many(rng, answers + 2, 12, 9, weighted=weighted)
    if weighted:
        assert not puzzle.layout.unit
    members = sorted(rng.sample(puzzle.answers, answers))
    bounds = {g: guess_bound(puzzle, members, g) for g in puzzle.guesses}
    for beta in (INF, sorted(bounds.values())[len(bounds) // 2]):
        solver = entered(puzzle, members, answers, beta=beta)
        value, is_exact = expanded(solver)
        frame = solver.stack.frames[0]
        assert not is_exact
        assert_bounds_parts(puzzle, members, frame)
        assert frame.lower >= min(bounds.values())
        if value >= 0:
            assert value == frame.lower >= beta
            continue
        found = handed_out(solver)
        assert sorted(found) == [
            g for g in bounds if bounds[g] < beta and not is_idle(puzzle, members, g)
        ]
        stored = [int(solver.stack.bounds[0, solver.layout.index_of[g]]) for g in found]
        assert stored == [bounds[g] for g in found]
        keys = [bounds[g] * answers + 2 * squares(puzzle, members, g) for g in found]
        assert keys == sorted(keys)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_beam_hands_out_the_most_promising_guesses(width):
    rng = random.Random(width)
    for answers, patterns in itertools.product((3, 6, 12, 30, 60), (3, 4, 9)):
        puzzle = many(rng, answers, 20, patterns)
        members = puzzle.answers
        solver = entered(puzzle, members, answers, width=width)
        expanded(solver)
        bounds = {g: guess_bound(puzzle, members, g) for g in puzzle.guesses}
        found = []
        for _ in range(width + 1):
            guess = next_guess(solver.layout, solver.stack, 0)
            found.append(guess)
            solver.stack.frames[0].tried += 1
        assert found.pop() == -1
        keys = sorted(
            (
                (bounds[g] - 2 * answers + 1) * answers + 2 * squares(puzzle, members, g),
                solver.layout.index_of[g],
            )
            for g in puzzle.guesses
            if not is_idle(puzzle, members, g)
        )
        assert found == [index for _, index in keys[:width]]


def test_a_family_is_settled_by_what_guesses_cut_off():
    """26 answers that nothing tells apart: 1 + 2 + … + 26, known without a search."""
    family = Puzzle(np.eye(26, dtype=np.uint8), 2, (1,) * 26)
    solver = entered(family, family.answers, 26)
    assert expanded(solver) == (-1, False)
    frame = solver.stack.frames[0]
    assert (frame.max_parts, frame.max_peel, frame.lower) == (2, 1, 351)
    assert expanded(entered(family, family.answers, 25)) == (INF, False)


def test_a_random_puzzle_can_be_expanded_twice():
    """The queue and its counters start again: nothing of the first time is left."""
    rng = random.Random(35)
    for _ in range(trials(40)):
        puzzle = random_puzzle(rng, answers=6)
        solver = entered(puzzle, puzzle.answers, 6)
        first = expanded(solver), handed_out(solver)
        solver.enter(puzzle.root(puzzle.answers, 6))
        assert (expanded(solver), handed_out(solver)) == first

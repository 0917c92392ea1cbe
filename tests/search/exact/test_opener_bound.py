"""The quick bound of an opener never exceeds its total."""

from __future__ import annotations

import random

import numpy as np
import pytest

from random_tables import INF, Puzzle, puzzles
from salet import Game
from salet.search.exact.layout import layout_of
from salet.search.exact.opener_bound import fewest_repeats_of_part, opener_bound
from salet.search.exact.solver import Solver
from salet.search.exact.split import split
from salet.search.roots import root_of


class Quick:
    """The memory of `opener_bound` for one state."""

    def __init__(self, layout, root, log=None):
        self.layout = layout
        self.solver = Solver(layout, megabytes=0.01, log=log)
        self.solver.enter(root)
        frame = self.solver.stack.frames[0]
        frame.max_parts = frame.max_peel = frame.count

    def bound(self, opener, target):
        stack, table = self.solver.stack, self.solver.table
        index = self.layout.index_of[opener]
        found = opener_bound(self.layout, stack, table, 0, index, target)
        assert not stack.is_candidate.any()
        return int(found)


@pytest.mark.tiny
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_the_bound_is_a_lower_bound(mode):
    """Openers one after the other, each with what is known from those before."""
    met = 0
    for rng, puzzle in puzzles(71, 24, mode=mode, unit=True, answers=10):
        depth = rng.choice([4, 4, 5, 11])
        quick = Quick(puzzle.layout, puzzle.root(puzzle.answers, depth))
        for opener in rng.sample(sorted(puzzle.guesses), len(puzzle.guesses)):
            value = puzzle.value_of_guess(puzzle.answers, opener, depth)
            for target in (INF, value, value + 1, max(1, value - 2)):
                bound = quick.bound(opener, target)
                assert bound <= value
                met += bound == value < INF
        for members in (range(3), range(2, 10)):  # what it left in the table is true, too
            root = puzzle.root(members, 3)
            wanted = puzzle.value(members, 3)
            assert Solver(puzzle.layout, table=quick.solver.table).value(root) == wanted
    assert met > 0


@pytest.mark.tiny
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_the_fewest_repeats_of_a_part(mode):
    exact = 0
    for rng, puzzle in puzzles(72, 60, mode=mode, unit=True, answers=9):
        quick = Quick(puzzle.layout, puzzle.root(puzzle.answers, 9))
        stack, layout = quick.solver.stack, puzzle.layout
        opener = rng.choice(sorted(puzzle.guesses))
        split(stack, 0, layout.table[layout.index_of[opener]])
        stack.frames[0].guess = layout.index_of[opener]
        for j in range(stack.frames[0].parts):
            pattern = int(stack.part_pattern[0, j])
            part = puzzle.split(puzzle.answers, opener)[pattern]
            legal = puzzle.narrow(puzzle.guesses, opener, pattern)
            repeats = {
                g: 1 + len(part) - len(puzzle.split(part, g)) - (g in part) for g in puzzle.guesses
            }
            found = fewest_repeats_of_part(layout, stack, 0, j)
            if 4 * len(legal) <= len(puzzle.guesses):  # copied together
                assert found == min(repeats[g] for g in legal)
                exact += 1
            else:
                assert found == min(repeats.values())
    assert exact > 0 or mode == "normal"


@pytest.mark.tiny
def test_what_is_remembered_of_a_set_is_true_of_equal_and_of_similar_ones():
    """Ten answers, a guess that tells them apart, and openers that cut off one or two of them: nine
    cost 18, and the bound of every opener is exact."""
    table = np.zeros((15, 10), np.uint8)
    np.fill_diagonal(table[:10], 11)
    table[10] = np.arange(10)
    for opener, cut in ((11, [0]), (12, [0]), (13, [1]), (14, [0, 1])):
        table[opener, cut] = 1
    puzzle = Puzzle(table, 12, (1,) * 10)
    quick = Quick(puzzle.layout, puzzle.root(puzzle.answers, 10))
    for opener in (11, 12, 13, 14, 11):
        value = puzzle.value_of_guess(puzzle.answers, opener, 4)
        assert quick.bound(opener, INF) == value
    assert quick.solver.stack.similar.stored[0] > 0


@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_openers_of_a_real_game(mode):
    """Parts of many sizes, most of them bounded by similar ones."""
    game = Game.named("original:first=300,guesses=answers", mode=mode)
    layout, root = layout_of(game), root_of(game.start())
    quick, exact = Quick(layout, root), Solver(layout._replace(large=INF))
    rng = random.Random(73)
    best = exact.value(root)
    refuted = 0
    for opener in rng.sample(range(300), 60):
        bound = quick.bound(opener, best + 1)
        refuted += bound > best
        assert exact.value(root, opener, bound) >= bound
    assert refuted > 0
    assert quick.solver.stack.similar.stored[0] > 0
    assert quick.solver.stack.counters[0].scans > 0


def test_what_is_logged_follows_from_each_set_alone_and_shows_the_bound():
    """A certificate has no similar sets: the guess bound of a part must be what is logged of it."""
    game = Game.named("original:first=300,guesses=answers")
    table, win = game.table, game.win
    layout, root = layout_of(game), root_of(game.start())
    rows = []
    quick = Quick(layout, root, log=lambda block: rows.extend(block.tolist()))
    target = Solver(layout).value(root) + 1
    facts: dict[frozenset[int], int] = {}
    refuted = 0
    for opener in random.Random(74).sample(range(300), 80):
        bound = quick.bound(opener, target)
        quick.solver.drain_log()
        groups: dict[int, list[int]] = {}
        for answer in range(300):
            groups.setdefault(int(table[opener, answer]), []).append(answer)
        for steps, lower, guess, pattern, *_ in rows:
            part = groups[pattern]
            assert (steps, int(layout.original[guess])) == (1, opener)
            makes = [len({*table[g, part].tolist()}) + (g in part) for g in range(300)]
            assert 2 * len(part) - 1 < lower <= 3 * len(part) - max(makes)
            facts[frozenset(part)] = max(lower, facts.get(frozenset(part), 0))
        rows.clear()
        parts = [part for pattern, part in groups.items() if pattern != win]
        known = [max(facts.get(frozenset(p), 0), _by_candidates(table, p)) for p in parts]
        if bound >= target:
            assert 300 + sum(known) >= target
            refuted += 1
    assert refuted > 0
    assert len(facts) > quick.solver.stack.counters[0].scans  # some without a scan


def _by_candidates(table, part):
    """A guess that is no candidate costs at least two for each answer, a candidate by its parts."""
    n = len(part)
    if n == 1:
        return 1
    bounds = [3 * n - 1 - len({*table[g, part].tolist()}) for g in part]
    return min(2 * n, *bounds)

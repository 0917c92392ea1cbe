"""Losses shown by cores never exceed those of the best plan."""

from __future__ import annotations

import numpy as np
import pytest

from random_tables import puzzles
from salet.search.exact.loss_cores import (
    ALL,
    empty_loss_cores,
    grow_core,
    lost_after,
    lost_by_opener,
    lost_with_two,
)

pytestmark = pytest.mark.tiny


def lost(puzzle, members, depth):
    """The fewest answers that are not found within `depth` guesses, by trying every guess."""
    if depth == 0 or not members:
        return len(members)
    if len(members) == 1:
        return 0
    return min(lost_by(puzzle, members, guess, depth) for guess in puzzle.guesses)


def lost_by(puzzle, members, guess, depth):
    parts = puzzle.split(members, guess)
    parts.pop(puzzle.win, None)
    return sum(lost(puzzle, part, depth - 1) for part in parts.values())


def drawn(seed, count, answers):
    for rng, puzzle in puzzles(seed, count, mode="normal", unit=True, answers=answers):
        if puzzle.win < 256:
            yield rng, puzzle, empty_loss_cores(puzzle.layout, max_cores=rng.choice([1, 50]))


def indices(members):
    return np.array(members, np.int32)


def test_two_and_three_guesses_left():
    some = 0
    for rng, puzzle, cores in drawn(5, 40, 9):
        layout = puzzle.layout
        for _ in range(4):
            members = sorted(rng.sample(puzzle.answers, rng.randint(1, 9)))
            wanted = lost(puzzle, members, 2)
            for _ in range(2):  # found, then remembered
                assert lost_with_two(layout, cores, indices(members), len(members)) == wanted
            guess = rng.choice(sorted(puzzle.guesses))
            wanted = lost_by(puzzle, members, guess, 3)
            index = layout.index_of[guess]
            array = indices(members)
            assert lost_after(layout, cores, array, len(members), index, ALL) == wanted
            some += wanted > 0
            enough = rng.randint(0, 4)
            found = lost_after(layout, cores, array, len(members), index, enough)
            assert min(found, enough) == min(wanted, enough)
            assert found <= wanted
    assert some


def test_a_core_shows_what_a_set_loses():
    smaller = 0
    for rng, puzzle, cores in drawn(6, 40, 12):
        layout, members = puzzle.layout, list(puzzle.answers)
        wanted = lost(puzzle, members, 3)
        enough = rng.choice([1, 2, ALL])
        found, size = grow_core(layout, cores, indices(members), len(members), 0, enough)
        assert found == min(wanted, enough)
        core = cores.core[:size].tolist()
        assert len(set(core)) == size
        if found:
            assert lost(puzzle, core, 3) >= found
            smaller += size < len(members)
        for scratch in (cores.tally, cores.in_core):
            assert not scratch.any()
    assert smaller


def test_openers_one_after_the_other():
    """Each with the cores of those before, in a state of some of the answers."""
    packed = 0
    for rng, puzzle, cores in drawn(7, 40, 14):
        layout = puzzle.layout
        members = sorted(rng.sample(puzzle.answers, rng.choice([9, 14])))
        for opener in rng.sample(sorted(puzzle.guesses), min(6, len(puzzle.guesses))):
            wanted = lost_by(puzzle, members, opener, 4)
            scans = int(cores.stored[1])
            for enough in (1, wanted + 1):
                array, index = indices(members), layout.index_of[opener]
                found = lost_by_opener(layout, cores, array, len(members), index, enough)
                assert found <= wanted
                assert min(found, enough) == min(wanted, enough)
            packed += wanted > 0 and scans == int(cores.stored[1])
        assert not cores.tally.any()
        assert not cores.in_core.any()
    assert packed

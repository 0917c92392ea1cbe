"""Own play: totals are those of games that were really played."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import naive
from salet import simulate
from salet.learn.policy.network import Network, Shape
from salet.learn.policy.ownplay import (
    ASIDE,
    EARLY,
    LOSS,
    explore,
    hindsight,
    own_lessons,
    played_alone,
    small_totals,
)
from salet.learn.policy.seat import Seat
from salet.learn.policy.sets import Sets
from salet.strategies.base import Strategy

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.tiny]


@pytest.fixture
def seat(tiny_game):
    game = tiny_game(cap=6)
    torch.manual_seed(3)
    shape = Shape(5, len(game.lexicon.alphabet), 8, 8, 16, 1, 8, 4)
    return game, Seat(Network(shape), game.lexicon.codes)


def explored(game, seat, widths, ahead=(), known=None, seed=0):
    answers = np.arange(game.answer_count, dtype=np.int32)
    generator = np.random.default_rng(seed)
    return explore(seat, game.compiled, answers, game.cap, widths, ahead, known or {}, generator)


class Alone(Strategy):
    """The network behind a seat, one state at a time."""

    def __init__(self, seat):
        self.seat = seat

    def choose(self, state):
        return int(self.seat.best(Sets.of([state.candidates], [state.turn]))[0])


def test_all_games_at_once_are_the_games_one_by_one(seat):
    game, at = seat
    charges = played_alone(at, game.compiled, game.cap)
    result = simulate(game, Alone(at))
    assert int(charges.sum()) == result.total
    assert int((charges > game.cap).sum()) == result.losses


def test_hindsight_is_play_that_exists(seat):
    """Between what is proven and what the network does: each set's total is reached by one of its
    proposals, and none is less than perfect play takes."""
    game, at = seat
    levels = explored(game, at, (4, 5, 4))
    words = tuple(tuple(word) for word in game.guesses)
    for turn, (level, (took, totals)) in enumerate(zip(levels, hindsight(levels), strict=True)):
        for place in range(len(level.sets)):
            members = level.sets[place].tolist()
            assert totals[place] == took[place].min()
            if len(members) > 6:
                continue
            order = [*members, *(g for g in range(len(words)) if g not in members)]
            tiny = naive.Tiny(
                tuple(words[g] for g in members), tuple(words[g] for g in order), cap=6 - turn
            )
            found = naive.solve(tiny)
            if found is None:  # some answer must be lost
                assert totals[place] > LOSS
            else:
                assert found.total is not None and totals[place] >= found.total


def test_with_every_guess_proposed_small_sets_are_played_perfectly(seat):
    game, at = seat
    width = len(game.guesses)
    members = np.array([0, 1, 2, 3, 8], np.int32)
    levels = explore(at, game.compiled, members, 6, (width,), (), {}, np.random.default_rng(0))
    words = tuple(tuple(word) for word in game.guesses)
    order = [*members.tolist(), *(g for g in range(width) if g not in members)]
    tiny = naive.Tiny(tuple(words[g] for g in members), tuple(words[g] for g in order), cap=6)
    found = naive.solve(tiny)
    assert found is not None
    assert own_lessons(levels, np.random.default_rng(0))[1] == found.total


def test_lessons_of_own_play(seat):
    game, at = seat
    levels = explored(game, at, (4, 4))
    lessons, total = own_lessons(levels, np.random.default_rng(0))
    assert 10 < len(lessons) < sum(len(level.sets) for level in levels)
    assert set(lessons.weights.tolist()) == {1, ASIDE}
    assert lessons.totals[0] == total
    assert lessons.weights[0] == 1
    for place in range(len(lessons)):
        told = slice(lessons.told[place], lessons.told[place + 1])
        assert lessons.losses[told].min() == 0
        assert len(set(lessons.guesses[told].tolist())) == told.stop - told.start
    proposals = levels[0].proposals
    assert proposals.shape == (1, 4)
    assert proposals[0, 0] == at.best(levels[0].sets)[0]


def test_the_same_seed_plays_the_same(seat):
    game, at = seat
    one, two = (
        own_lessons(explored(game, at, (4, 4), seed=5), np.random.default_rng(5))[0].arrays()
        for _ in range(2)
    )
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_what_was_found_once_is_not_lost(seat):
    """With the best guesses of the play before among the proposals no play takes longer, whatever
    else is drawn."""
    game, at = seat
    known: dict[bytes, int] = {}
    taken = []
    for seed in range(6):
        levels = explored(game, at, (4, 4, 4), (3,), known, seed)
        lessons, total = own_lessons(levels, np.random.default_rng(seed))
        known = lessons.best_guesses()
        taken.append(total)
    assert taken == sorted(taken, reverse=True)
    assert taken[-1] < taken[0]


def test_every_set_of_the_first_turns_is_told_of(seat):
    game, at = seat
    levels = explored(game, at, (4, 4))
    lessons, _ = own_lessons(levels, np.random.default_rng(0))
    for turn in range(EARLY):
        is_early = lessons.sets.turns == turn
        assert is_early.sum() == len(levels[turn].sets)
        assert set(lessons.weights[is_early].tolist()) == {1}


def test_guesses_of_small_groups():
    sizes = np.array([1, 2, 3])
    assert small_totals(sizes, 3).tolist() == [1, 3, 0]
    assert small_totals(sizes, 1).tolist() == [1, 2 + LOSS, 3 + 2 * LOSS]
    assert small_totals(sizes, 0).tolist() == [LOSS, 2 * LOSS, 3 * LOSS]


def test_a_proposal_looks_one_guess_ahead(seat):
    """The guess whose groups, one by one, the network expects to need the fewest guesses."""
    game, at = seat
    count = len(game.guesses)
    level, follow, *_ = explored(game, at, (3, 3), (count,))
    table = game.compiled.ids
    answers = np.arange(game.answer_count, dtype=np.int32)

    def ahead(guess):
        groups = [answers[table[guess] == pattern] for pattern in np.unique(table[guess])]
        groups = [group for group in groups if group.tolist() != [guess]]
        return sum(at.totals(Sets.of([group], [1]))[0] for group in groups)

    best = min(range(count), key=ahead)
    assert level.proposals[0, 1] == best != at.top(level.sets, 2)[0, 1]
    assert (follow.proposals == at.top(follow.sets, 3)).all()

"""Self-play: totals are those of games that were really played."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import naive
from salet import simulate
from salet.learn.common.greedy_play import play_greedily
from salet.learn.common.ragged import AnswerSets
from salet.learn.common.splitting import LOSS_COST, known_totals
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.network import PolicyNetwork, PolicyNetworkShape
from salet.learn.policy.player import PolicyPlayer
from salet.learn.policy.self_play import (
    EARLY_TURNS,
    SIDE_SHARE,
    back_up,
    explore,
    self_play_examples,
)
from salet.strategies.base import Strategy

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.tiny]


@pytest.fixture
def game(tiny_game):
    return tiny_game(cap=6)


@pytest.fixture
def player(game):
    """An untrained network."""
    torch.manual_seed(3)
    shape = PolicyNetworkShape(5, len(game.lexicon.alphabet), 8, 8, 16, 1, 8, 4)
    return PolicyPlayer(PolicyNetwork(shape), game.lexicon.codes)


def explored(game, player, widths, ahead=(), remembered=None, seed=0, answers=None):
    if answers is None:
        answers = np.arange(game.answer_count, dtype=np.int32)
    config = PolicyConfig(cap=game.cap, play_widths=widths, play_ahead=ahead)
    generator = np.random.default_rng(seed)
    return explore(player, game.compiled, answers, config, remembered or {}, generator)


class OneByOne(Strategy):
    """The network, one state at a time."""

    def __init__(self, player):
        self.player = player

    def choose(self, state):
        return int(self.player.best(AnswerSets.of([state.candidates], [state.turn]))[0])


def test_greedy_play_of_all_answers_is_play_of_each(game, player):
    taken = play_greedily(
        lambda sets, _: player.best(sets),
        game.compiled,
        np.arange(game.answer_count, dtype=np.int32),
        game.cap,
    )
    result = simulate(game, OneByOne(player))
    assert int(taken.sum()) == result.total
    assert int((taken > game.cap).sum()) == result.losses


def test_totals_are_never_better_than_perfect_play(game, player):
    levels = explored(game, player, (4, 5, 4))
    words = tuple(tuple(word) for word in game.guesses)
    checked = 0
    for turn, (level, took) in enumerate(zip(levels, back_up(levels), strict=True)):
        totals = took.min(1)
        for index in range(len(level.sets)):
            members = level.sets[index].tolist()
            if len(members) > 6:
                continue
            order = [*members, *(g for g in range(len(words)) if g not in members)]
            tiny = naive.Tiny(
                tuple(words[g] for g in members), tuple(words[g] for g in order), cap=6 - turn
            )
            found = naive.solve(tiny)
            checked += 1
            if found is None:  # some answer must be lost
                assert totals[index] > LOSS_COST
            else:
                assert found.total is not None and totals[index] >= found.total
    assert checked > 10


def test_with_every_guess_proposed_small_sets_are_played_perfectly(game, player):
    width = len(game.guesses)
    members = np.array([0, 1, 2, 3, 8], np.int32)
    levels = explored(game, player, (width,), answers=members)
    words = tuple(tuple(word) for word in game.guesses)
    order = [*members.tolist(), *(g for g in range(width) if g not in members)]
    tiny = naive.Tiny(tuple(words[g] for g in members), tuple(words[g] for g in order), cap=6)
    found = naive.solve(tiny)
    assert found is not None
    assert self_play_examples(levels, np.random.default_rng(0))[1] == found.total


def test_examples(game, player):
    levels = explored(game, player, (4, 4))
    examples, total = self_play_examples(levels, np.random.default_rng(0))
    assert 10 < len(examples) < sum(len(level.sets) for level in levels)
    assert set(examples.weights.tolist()) == {1, SIDE_SHARE}
    assert examples.totals[0] == total
    assert examples.weights[0] == 1
    for index in range(len(examples)):
        own = slice(examples.guess_starts[index], examples.guess_starts[index + 1])
        assert examples.losses[own].min() == 0
        assert len(set(examples.guesses[own].tolist())) == own.stop - own.start
    proposals = levels[0].proposals
    assert proposals.shape == (1, 4)
    assert proposals[0, 0] == player.best(levels[0].sets)[0]


def test_every_set_of_the_first_turns_becomes_an_example(game, player):
    levels = explored(game, player, (4, 4))
    examples, _ = self_play_examples(levels, np.random.default_rng(0))
    for turn in range(EARLY_TURNS):
        is_early = examples.sets.turns == turn
        assert is_early.sum() == len(levels[turn].sets)
        assert set(examples.weights[is_early].tolist()) == {1}


def test_the_same_seed_plays_the_same(game, player):
    one, two = (
        self_play_examples(explored(game, player, (4, 4), seed=5), np.random.default_rng(5))[0]
        for _ in range(2)
    )
    for name, array in one.arrays().items():
        assert np.array_equal(array, two.arrays()[name])


def test_remembered_guesses_never_make_the_result_worse(game, player):
    """With the best guesses of the last self-play among the proposals, whatever else is drawn."""
    remembered: dict[bytes, int] = {}
    totals = []
    for seed in range(6):
        levels = explored(game, player, (4, 4, 4), (3,), remembered, seed)
        examples, total = self_play_examples(levels, np.random.default_rng(seed))
        remembered = examples.best_guesses()
        totals.append(total)
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] < totals[0]


def test_totals_of_groups_that_are_not_followed():
    sizes = np.array([1, 2, 3])
    assert known_totals(sizes, 3).tolist() == [1, 3, 0]
    assert known_totals(sizes, 1).tolist() == [1, 2 + LOSS_COST, 3 + 2 * LOSS_COST]
    assert known_totals(sizes, 0).tolist() == [LOSS_COST, 2 * LOSS_COST, 3 * LOSS_COST]


def test_one_proposal_is_the_best_one_ply_ahead(game, player):
    """The guess whose groups, one by one, the network expects to need the fewest guesses."""
    count = len(game.guesses)
    level, following, *_ = explored(game, player, (3, 3), (count,))
    table = game.compiled.ids
    answers = np.arange(game.answer_count, dtype=np.int32)

    def one_ply_total(guess):
        groups = [answers[table[guess] == pattern] for pattern in np.unique(table[guess])]
        groups = [group for group in groups if group.tolist() != [guess]]
        return sum(player.totals(AnswerSets.of([group], [1]))[0] for group in groups)

    best = min(range(count), key=one_ply_total)
    assert level.proposals[0, 1] == best != player.top(level.sets, 2)[0, 1]
    assert (following.proposals == player.top(following.sets, 3)).all()

"""Players with the policy network."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest
import torch

from salet import Game, simulate, strategy_named
from salet.errors import DataError, InputError, MissingExtraError, OffListWarning
from salet.learn.common.ragged import AnswerSets
from salet.learn.pair.config import PairConfig
from salet.learn.pair.network import PairNetwork, PairNetworkShape
from salet.learn.pair.weights import PairWeights
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.network import PolicyNetwork, PolicyNetworkShape
from salet.learn.policy.weights import PolicyWeights
from salet.strategies.learned import (
    Learned,
    LearnedFinish,
    LearnedPly,
    Specialist,
    SpecialistPly,
)

pytestmark = pytest.mark.usefixtures("own_cache")

NAMES = ("learned", "learned-finish", "learned-ply", "specialist", "specialist-ply")
PLAYERS = [Learned, LearnedFinish, LearnedPly, Specialist, SpecialistPly]


@pytest.fixture
def weights_of(tmp_path, tiny_game):
    """Untrained weights for the tiny game, by the name of a player."""

    def of(name):
        path = tmp_path / f"{name}.safetensors"
        torch.manual_seed(1)
        if name.startswith("learned"):
            PairWeights(PairNetwork(PairNetworkShape(3, 4, 8)), PairConfig(), {}).save(path)
        else:
            alphabet = tiny_game().lexicon.alphabet
            network = PolicyNetwork(PolicyNetworkShape(5, len(alphabet), 8, 8, 16, 1, 8, 4))
            PolicyWeights(network, PolicyConfig(), alphabet, {}).save(path)
        return str(path)

    return of


@pytest.mark.tiny
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_untrained_players_play_legally(tiny_game, weights_of, name, mode):
    weights = weights_of(name)
    for cap in (None, 6, 2):
        result = simulate(tiny_game(cap=cap, mode=mode), f"{name}:weights={weights}")
        assert result.answers == sum(result.histogram.values()) + result.losses == 20


@pytest.mark.tiny
@pytest.mark.parametrize("player", PLAYERS)
def test_many_states_at_once_give_the_guesses_of_each(tiny_game, weights_of, player):
    game = tiny_game(cap=6)
    level = list(game.start().groups(game.index("salet")).values())
    one = player(weights_of(player.name))
    assert list(one.choose_many(level)) == [one.choose(state) for state in level]


@pytest.mark.tiny
@pytest.mark.parametrize("kind", [Learned, Specialist])
def test_alone_it_never_looks_at_the_table(tiny_game, weights_of, monkeypatch, kind):
    """The network does not know what feedback a guess would get."""
    game = tiny_game(cap=6)
    states = [game.start(), *game.start().groups(game.index("salet")).values()]
    player = kind(weights_of(kind.name))
    expected = list(player.choose_many(states))

    def forbidden(self):
        raise AssertionError("the table was asked")

    monkeypatch.delitem(game.__dict__, "compiled")
    monkeypatch.setattr(Game, "compiled", property(forbidden))
    assert list(player.choose_many(states)) == expected


@pytest.mark.tiny
@pytest.mark.parametrize("kind", [LearnedPly, SpecialistPly])
def test_one_ply_over_all_guesses_finds_the_best(tiny_game, weights_of, kind):
    """Against a slow sum over groups, each valued by the network on its own."""
    game = tiny_game(cap=6)
    state = game.start().after("label", "bbbbb")
    player = kind(weights_of(kind.name), best=len(game.guesses))
    network = player._player(game)

    def expected(guess):
        total = float(len(state.candidates))
        for pattern, below in state.groups(guess).items():
            if pattern != game.win:
                total += float(network.totals(AnswerSets.of([below.candidates], [below.turn]))[0])
        return total

    slow = {guess: expected(guess) for guess in range(len(game.guesses))}
    assert slow[player.choose(state)] == pytest.approx(min(slow.values()), abs=1e-4)


@pytest.mark.tiny
@pytest.mark.parametrize("kind", [Learned, Specialist])
def test_small_groups_need_no_network(tiny_game, weights_of, kind):
    player = kind(weights_of(kind.name))._player(tiny_game())
    sets = AnswerSets.of([np.array([3], np.int32), np.array([3, 7], np.int32)], [1, 1])
    assert player.totals(sets).tolist() == [1.0, 3.0]


@pytest.mark.tiny
def test_with_two_answers_left_the_first_is_guessed(tiny_game, weights_of):
    weights = weights_of("learned")
    game = tiny_game(cap=6)
    two = next(
        state for guess in range(31) for state in game.start().groups(guess).values()
        if len(state.candidates) == 2
    )  # fmt: skip
    assert LearnedFinish(weights).choose(two) == LearnedPly(weights).choose(two)
    assert LearnedFinish(weights).choose(two) == two.candidates[0]


def test_bad_input(tiny_game, weights_of, monkeypatch):
    weights, specialist = weights_of("learned"), weights_of("specialist")
    with pytest.raises(InputError, match="give at least 1"):
        strategy_named(f"learned-ply:weights={weights},best=0")
    with pytest.raises(InputError, match=r"no file 'none\.safetensors'"):
        simulate(tiny_game(cap=6), "learned:weights=none.safetensors")
    with pytest.raises(InputError, match="words of 4 letters"):
        simulate(Game(["four", "fore"], cap=6), f"specialist:weights={specialist}")
    with pytest.raises(DataError, match="'policy', not 'pair'; the player 'specialist' takes"):
        simulate(tiny_game(cap=6), f"learned:weights={specialist}")
    monkeypatch.setitem(sys.modules, "salet.learn.pair.weights", None)
    with pytest.raises(MissingExtraError, match="the player 'learned' needs the extra 'learn'"):
        simulate(tiny_game(cap=6), "learned")


def test_weights_of_one_list_warn_on_others(tiny_game, weights_of):
    game = tiny_game(cap=6)
    with pytest.warns(OffListWarning, match="trained on the answers of original and play"):
        Specialist(weights_of("specialist")).prepare(game)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Learned(weights_of("learned")).prepare(game)
        Specialist().prepare(Game.named("original", mode="hard"))

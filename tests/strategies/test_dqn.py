"""Players with a Q-network."""

from __future__ import annotations

import sys

import pytest

from salet import Game, simulate, strategy_named
from salet.errors import InputError, MissingExtraError
from salet.learn.dqn.config import dqn_config_from
from salet.learn.dqn.weights import DqnWeights
from salet.strategies.dqn import Dqn, DqnFinish, DqnPly

pytestmark = pytest.mark.usefixtures("own_cache")

NAMES = ("dqn", "dqn-finish", "dqn-ply")


@pytest.fixture
def weights(tmp_path, tiny_game):
    """Untrained weights for the tiny game."""
    path = tmp_path / "w.safetensors"
    game = tiny_game(cap=6)
    DqnWeights.initial(game, dqn_config_from({"width": 16, "seed": 3})).save(path)
    return str(path)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_untrained_players_play_legally(tiny_game, weights, name, mode):
    result = simulate(tiny_game(cap=6, mode=mode), f"{name}:weights={weights}")
    assert result.answers == 20
    assert sum(result.histogram.values()) + result.losses == 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_games_longer_than_those_of_the_network(tmp_path, tiny_game, name, mode):
    """It sees only the last turns, but obeys the mode for all of them."""
    path = tmp_path / "short.safetensors"
    config = dqn_config_from({"width": 16, "seed": 3, "cap": 2})
    DqnWeights.initial(tiny_game(cap=2), config).save(path)
    for cap in (None, 9, 3):
        assert simulate(tiny_game(cap=cap, mode=mode), f"{name}:weights={path}").answers == 20


def test_the_endgame_rule(tiny_game, weights):
    state = tiny_game(cap=6).start().after("label", "bbbbb").after("might", "bgggg")
    assert len(state.candidates) > 2
    assert DqnFinish(weights).choose(state) == Dqn(weights).choose(state)
    while len(state.candidates) > 2:
        state = state.after(int(state.candidates[0]), "bgggg")
    assert DqnFinish(weights).choose(state) == state.candidates[0]


def test_one_ply_over_all_guesses_finds_the_best(tiny_game, weights):
    """Against a slow sum over groups, each valued by the network on its own."""
    game = tiny_game(cap=6)
    state = game.start().after("label", "bbbbb")
    player = DqnPly(weights, best=len(game.guesses))
    adapter = player._adapter(game)

    def value(guess):
        total = 0.0
        for pattern, below in state.groups(guess).items():
            total -= len(below.candidates)
            if pattern != game.win:
                histories = player._histories(below, adapter)
                _, values = adapter.best(player.weights.network, histories)
                total += len(below.candidates) * float(values[0])
        return total / len(state.candidates)

    slow = {guess: value(guess) for guess in range(len(game.guesses))}
    assert slow[player.choose(state)] == pytest.approx(max(slow.values()), abs=1e-5)


def test_bad_input(tiny_game, weights, monkeypatch):
    with pytest.raises(InputError, match="give at least 1"):
        strategy_named(f"dqn-ply:weights={weights},best=0")
    with pytest.raises(InputError, match=r"no file 'none\.safetensors'"):
        simulate(tiny_game(cap=6), "dqn:weights=none.safetensors")
    with pytest.raises(InputError, match="words of 4 letters"):
        simulate(Game(["four", "fore"], cap=6), f"dqn:weights={weights}")
    with pytest.raises(InputError, match="gives no hint for each letter"):
        simulate(Game(["aaaaa", "label"], rule="pegs", cap=6), f"dqn:weights={weights}")
    monkeypatch.setitem(sys.modules, "salet.learn.dqn.weights", None)
    with pytest.raises(MissingExtraError, match=r"the player 'dqn' needs the extra 'learn'"):
        simulate(tiny_game(cap=6), "dqn")

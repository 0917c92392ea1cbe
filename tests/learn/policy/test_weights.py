"""Weights files of policy networks."""

from __future__ import annotations

import pytest

from salet import Game
from salet.errors import DataError, InputError
from salet.learn.dqn.weights import DqnWeights
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.network import PolicyNetwork, PolicyNetworkShape
from salet.learn.policy.weights import PolicyWeights


@pytest.fixture
def path(tmp_path):
    """Untrained weights for five letters of the alphabet a to y."""
    network = PolicyNetwork(PolicyNetworkShape(5, 25, 8, 8, 16, 1, 8, 4))
    alphabet = tuple("abcdefghijklmnopqrstuvwxy")
    PolicyWeights(network, PolicyConfig(), alphabet, {"mean": 4.5}).save(tmp_path / "w.safetensors")
    return tmp_path / "w.safetensors"


def test_weights_are_read_as_they_were_written(path):
    weights = PolicyWeights.load(path)
    assert weights.config == PolicyConfig()
    assert weights.trained == {"mean": 4.5}
    assert weights.player(Game(["crane", "slate"])).codes.tolist()[0] == [2, 17, 0, 13, 4]


def test_games_that_the_weights_cannot_play_are_refused(path):
    weights = PolicyWeights.load(path)
    with pytest.raises(InputError, match="words of 4 letters, these weights play 5"):
        weights.player(Game(["able", "acre"]))
    with pytest.raises(InputError, match="the letter 'z', which these weights have never seen"):
        weights.player(Game(["zebra"]))


def test_damaged_files_and_weights_of_another_kind_are_refused(path):
    good = path.read_bytes()
    with pytest.raises(DataError, match="holds weights of kind 'policy', not 'dqn'"):
        DqnWeights.load(path)
    path.write_bytes(good[: len(good) // 2])
    with pytest.raises(DataError, match="is damaged or not a salet file"):
        PolicyWeights.load(path)
    path.write_bytes(good.replace(b'\\"pool\\": 8', b'\\"pool\\": 9'))
    with pytest.raises(DataError, match="does not hold what its header says"):
        PolicyWeights.load(path)

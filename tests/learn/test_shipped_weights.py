"""The shipped agents: what they must reach, and that their files belong together."""

from __future__ import annotations

import json

import pytest

from salet import Game, simulate
from salet.learn.common.metrics import read_metrics
from salet.learn.config_file import read_config
from salet.learn.dqn.metrics import DqnMetrics
from salet.learn.dqn.weights import DqnWeights
from salet.learn.policy.metrics import PolicyMetrics
from salet.learn.policy.weights import PolicyWeights

FOLDER = "src/salet/learn/weights"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "mean"), [("dqn", 3.6959), ("learned", 3.51), ("learned-ply", 3.43)]
)
def test_they_win_every_game_and_reach_their_aim(player, mean):
    """A loss would count seven. The aims are the mean of the original DQN, the best published mean
    of a learned player, and what one ply of search should add."""
    found = simulate(Game.named("original"), player)
    assert found.losses == 0
    assert found.mean <= mean


@pytest.mark.parametrize(
    ("name", "kind", "row", "shipped"),
    [
        ("dqn", DqnWeights, DqnMetrics, min),
        ("learned", PolicyWeights, PolicyMetrics, lambda means: means[-1]),
    ],
)
def test_weights_configuration_and_metrics_belong_together(top, name, kind, row, shipped):
    folder = top / FOLDER
    weights = kind.load(folder / f"{name}.safetensors")
    assert weights.config == read_config(folder / f"{name}.toml")
    rows = read_metrics(row, folder / f"{name}.csv")
    assert shipped([each.mean for each in rows if each.mean is not None]) == weights.trained["mean"]


def test_the_stored_figures_are_of_these_weights(top):
    stored = json.loads((top / "benchmarks" / "results" / "learn-ship.json").read_text())["figures"]
    shipped = stored[stored["shipped"]]
    dqn = DqnWeights.load(top / FOLDER / "dqn.safetensors")
    assert shipped["dqn"]["mean"] == round(dqn.trained["mean"], 4)
    stored = json.loads((top / "benchmarks" / "results" / "learned.json").read_text())["figures"]
    policy = PolicyWeights.load(top / FOLDER / "learned.safetensors")
    assert stored["original"]["learned"]["mean"] == pytest.approx(policy.trained["mean"])

"""The agents that come with the package: what they must reach, and that their files say so."""

from __future__ import annotations

import json

import pytest

from salet import Game, simulate
from salet.learn.config import read_config
from salet.learn.directory import rows_of
from salet.learn.files import Weights
from salet.learn.metrics import Row as DqnRow
from salet.learn.policy.files import PolicyWeights
from salet.learn.policy.metrics import Row as PolicyRow

FOLDER = "src/salet/learn/weights"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "mean"), [("dqn", 3.6959), ("learned", 3.51), ("learned-ply", 3.43)]
)
def test_they_win_every_game_and_reach_their_aim(player, mean):
    """A loss would count seven. The aims are the founding agent's mean, the best published, and
    what one guess ahead should bring."""
    found = simulate(Game.named("original"), player)
    assert found.losses == 0
    assert found.mean <= mean


@pytest.mark.parametrize(
    ("name", "kind", "row", "kept"),
    [("dqn", Weights, DqnRow, min), ("learned", PolicyWeights, PolicyRow, lambda means: means[-1])],
)
def test_weights_configuration_and_curve_belong_together(top, name, kind, row, kept):
    folder = top / FOLDER
    weights = kind.load(folder / f"{name}.safetensors")
    assert weights.config == read_config(folder / f"{name}.toml")
    means = [each.mean for each in rows_of(row, folder / f"{name}.csv") if each.mean is not None]
    assert kept(means) == weights.trained["mean"]


def test_the_stored_figures_are_of_these_weights(top):
    stored = json.loads((top / "benchmarks" / "results" / "learn-ship.json").read_text())["figures"]
    shipped = stored[stored["shipped"]]
    weights = Weights.load(top / FOLDER / "dqn.safetensors")
    assert shipped["dqn"]["mean"] == round(weights.trained["mean"], 4)
    stored = json.loads((top / "benchmarks" / "results" / "learned.json").read_text())["figures"]
    weights = PolicyWeights.load(top / FOLDER / "learned.safetensors")
    assert stored["original"]["learned"]["mean"] == pytest.approx(weights.trained["mean"])

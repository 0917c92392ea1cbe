"""The shipped agents: what they must reach, and that their files belong together."""

from __future__ import annotations

import json

import numpy as np
import pytest

from salet import Game, simulate
from salet.game.table import build_table
from salet.learn.common.metrics import RoundMetrics, read_metrics
from salet.learn.common.ragged import AnswerSets
from salet.learn.common.word_lists import is_held_out
from salet.learn.config_file import read_config
from salet.learn.dqn.metrics import DqnMetrics
from salet.learn.dqn.weights import DqnWeights
from salet.learn.pair.weights import PairWeights
from salet.learn.policy.weights import PolicyWeights

FOLDER = "src/salet/learn/weights"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "mean"),
    [("dqn", 3.6959), ("specialist", 3.51), ("specialist-ply", 3.43), ("learned", 3.4635)],
)
def test_they_win_every_game_and_reach_their_aim(player, mean):
    """A loss would count seven. The aims are the mean of the original DQN, the best published mean
    of a learned player, what one ply of search should add, and the mean of entropy."""
    found = simulate(Game.named("original"), player)
    assert found.losses == 0
    assert found.mean <= mean


@pytest.mark.parametrize(
    ("name", "kind", "row", "shipped"),
    [
        ("dqn", DqnWeights, DqnMetrics, min),
        ("learned", PairWeights, RoundMetrics, lambda means: means[-1]),
        ("specialist", PolicyWeights, RoundMetrics, lambda means: means[-1]),
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
    stored = json.loads((top / "benchmarks" / "results" / "specialist.json").read_text())["figures"]
    policy = PolicyWeights.load(top / FOLDER / "specialist.safetensors")
    row = stored["original"]["specialist"]
    assert row["mean"] == pytest.approx(policy.trained["mean"])


def test_the_shipped_network_sees_the_groups_that_the_rules_make(top):
    """On words that it never saw as answers: it was never told what the colours are."""
    game = Game.named("original")
    held_out = [i for i, word in enumerate(game.guesses) if is_held_out(word)]
    generator = np.random.default_rng(9)
    words = np.sort(generator.choice(held_out, 120, replace=False)).astype(np.int32)
    guesses = generator.choice(len(game.guesses), 300).astype(np.int32)
    player = PairWeights.load(top / FOLDER / "learned.safetensors").player(game)
    groups, parents = player._split(AnswerSets.of([words], [0]), guesses[None])
    table = build_table(game.lexicon, len(game.lexicon), game.rule).ids
    agreed = 0
    for number, guess in enumerate(guesses):
        seen = {tuple(groups[i].tolist()) for i in np.flatnonzero(parents == number)}
        row = table[guess, words]
        made = {tuple(words[row == p].tolist()) for p in set(row.tolist()) - {game.win}}
        agreed += seen == made
    assert agreed >= 0.97 * len(guesses)

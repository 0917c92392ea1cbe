"""Weights files of Q-networks."""

from __future__ import annotations

import pytest

from salet import Game
from salet.errors import DataError, InputError
from salet.learn.common.run_directory import CHECKPOINT_FILE, WEIGHTS_FILE
from salet.learn.dqn.play import evaluate
from salet.learn.dqn.train import train
from salet.learn.dqn.weights import DqnWeights
from small_runs import DQN, dqn_config

pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def run(tmp_path):
    train(dqn_config(rounds=20, head="words"), tmp_path)
    return tmp_path


def test_games_that_the_weights_cannot_play_are_refused(run, tiny_game):
    weights = DqnWeights.load(run / WEIGHTS_FILE)
    for game, message in (
        (Game(["four", "fore"], cap=6), "words of 4 letters, these weights play 5"),
        (tiny_game(cap=6), "which is not in the agent's alphabet|is not among the"),
    ):
        with pytest.raises(InputError, match=message):
            weights.adapter(game)
    adapter = weights.adapter(Game.named(DQN["game"], cap=6))
    assert evaluate(adapter, weights.network).answers == 12


@pytest.mark.parametrize("head", ["embedding", "convex"])
def test_embeddings_are_those_of_the_training_words(tmp_path, head):
    """Saved weights play as they did, parts of their list too, and no other words."""
    config = dqn_config(rounds=20, head=head)
    trained, score = train(config, tmp_path)
    loaded = DqnWeights.load(tmp_path / WEIGHTS_FILE)
    game = Game.named(DQN["game"], cap=6)
    assert evaluate(loaded.adapter(game), loaded.network) == score
    assert loaded.vocabulary == trained.vocabulary == game.guesses
    part = Game(game.guesses[:6], cap=6)
    assert evaluate(loaded.adapter(part), loaded.network).answers == 6
    strange = Game([*game.guesses[1:6], game.guesses[0][::-1]], cap=6)
    with pytest.raises(InputError, match="is not among the 12 words"):
        loaded.adapter(strange)


def test_weights_to_start_from_must_fit_the_configuration(run):
    start = str(run / WEIGHTS_FILE)
    with pytest.raises(InputError, match=r"has outputs = 12, this configuration has \d+"):
        train(dqn_config(start=start), run / "letters")
    other = "original:sample=12,seed=9,guesses=answers"
    with pytest.raises(InputError, match=r"other letters or words|has (inputs|alphabet) = "):
        train(dqn_config(head="words", start=start, game=other), run / "words")


def test_damaged_files_and_files_of_another_format_are_refused(run):
    good = (run / WEIGHTS_FILE).read_bytes()
    bad = run / "bad.safetensors"
    bad.write_bytes(good[:-50])
    with pytest.raises(DataError, match="is damaged or not a salet file"):
        DqnWeights.load(bad)
    with pytest.raises(DataError, match="is not a file of format 'salet weights 1'"):
        DqnWeights.load(run / CHECKPOINT_FILE)
    bad.write_bytes(good.replace(b'\\"width\\": 32', b'\\"width\\": 33'))
    with pytest.raises(DataError, match="does not hold what its header says"):
        DqnWeights.load(bad)

"""The state of a DQN run: its schedule, its words and its checkpoint."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from salet import Game
from salet.errors import DataError, InputError
from salet.learn.common.run_directory import CHECKPOINT_FILE, WEIGHTS_FILE
from salet.learn.common.run_directory import FORMAT as CHECKPOINT_FORMAT
from salet.learn.common.tensor_file import read_tensors
from salet.learn.common.torch_utils import module_arrays
from salet.learn.common.word_lists import SplitWords
from salet.learn.dqn import learner as learner_module
from salet.learn.dqn.learner import DqnLearner, words_of
from salet.learn.dqn.train import train
from salet.learn.dqn.weights import DqnWeights
from small_runs import dqn_config

pytestmark = pytest.mark.usefixtures("own_cache")


def test_frozen_layers_do_not_move(tmp_path):
    train(dqn_config(), tmp_path / "first")
    start = tmp_path / "first" / WEIGHTS_FILE
    config = dqn_config(
        start=str(start), freeze=["encoder", "hidden"], epsilon=0.0, final_epsilon=0.0
    )
    before = module_arrays(DqnLearner.start(config, tmp_path / "second").online)
    before = {name: array.copy() for name, array in before.items()}
    for name, array in module_arrays(DqnWeights.load(start).network).items():
        assert np.array_equal(before[name], array)
    train(config, tmp_path / "third")
    arrays, _ = read_tensors(tmp_path / "third" / CHECKPOINT_FILE, CHECKPOINT_FORMAT)
    for name, array in before.items():
        has_moved = not np.array_equal(arrays[f"online.{name}"], array)
        assert has_moved == name.startswith("output")


def test_only_training_words_are_ever_the_secret(tmp_path):
    config = dqn_config(holdout=3, validation=2)
    _, score = train(config, tmp_path)
    assert score.answers == 3
    learner = DqnLearner.resume(config, tmp_path)
    replay, train_game = learner.replay, learner.words.train
    was_played = np.arange(6) < replay.lengths[:, None]
    is_win = (replay.patterns == learner.training.arrays.win) & was_played
    won = {train_game.guesses[guess] for guess in replay.guesses[is_win]}
    assert won
    assert won <= set(train_game.answers)


def test_answers_that_were_lost_are_drawn_more_often(tmp_path):
    learner = DqnLearner.start(dqn_config(hard_answers=0.25, games=4000, buffer=4000), tmp_path)
    learner.losses[3] = 16
    frequencies = np.bincount(learner.draw_answers(), minlength=12) / 4000
    weights = (learner.losses + 1e-5) ** 0.25
    assert frequencies == pytest.approx(weights / weights.sum(), abs=0.03)


@pytest.mark.parametrize(("final", "middle"), [(0.01, 0.1), (0.0, 0.5)])
def test_epsilon_decays_exponentially_or_to_zero_linearly(tmp_path, final, middle):
    learner = DqnLearner.start(dqn_config(final_epsilon=final), tmp_path)
    found = []
    for learner.round in (0, 10, 20, 30):
        found.append(learner.epsilon())
    assert found == pytest.approx([1.0, middle, final, final])


def test_a_run_is_resumed_with_its_own_words_only(tmp_path, monkeypatch):
    """The replay buffer stores indices into the lists: with other words they mean other guesses."""
    config = dqn_config(rounds=20)
    train(config, tmp_path)

    def reversed_words(stage):
        game = words_of(stage).train
        other = Game(game.answers[::-1], game.guesses[::-1], cap=game.cap)
        return SplitWords(other, other, other)

    monkeypatch.setattr(learner_module, "words_of", reversed_words)
    with pytest.raises(InputError, match=r"are not those that the run in .* was started with"):
        DqnLearner.resume(config, tmp_path)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    config = dqn_config(rounds=20)
    train(config, tmp_path)
    path = tmp_path / CHECKPOINT_FILE
    good = path.read_bytes()
    path.write_bytes(good.replace(b'\\"stored\\"', b'\\"stoned\\"'))
    with pytest.raises(DataError, match=r"the checkpoint in .* is damaged: 'stored'"):
        DqnLearner.resume(config, tmp_path)
    path.write_bytes((tmp_path / WEIGHTS_FILE).read_bytes())
    with pytest.raises(DataError, match="is not a file of format 'salet checkpoint 1'"):
        DqnLearner.resume(config, tmp_path)


def test_the_names_in_checkpoints_stay(tmp_path):
    """Runs that were started with earlier versions can be resumed."""
    train(dqn_config(rounds=20), tmp_path)
    arrays, header = read_tensors(tmp_path / CHECKPOINT_FILE, CHECKPOINT_FORMAT)
    assert {name.partition(".")[0] for name in arrays} == {
        *("online", "target", "adam", "replay", "losses")
    }
    assert {name for name in arrays if name.startswith("replay.")} == {
        f"replay.{name}" for name in ("guesses", "patterns", "lengths", "priorities")
    }
    assert set(header) == {
        *("format", "version", "kind", "words", "config", "progress", "round", "generator"),
        *("stored", "highest"),
    }
    assert set(header["progress"]) == {"stage", "rounds", "games", "best", "seconds"}


def test_the_words_of_a_stage_are_those_of_its_configuration():
    config = dqn_config(holdout=4, validation=2)
    small, large = (words_of(dataclasses.replace(config, words=words)) for words in (9, 0))
    assert len(large.test.answers) == 4
    assert len(large.validation.answers) == 2
    assert len(small.train.guesses) < len(large.train.guesses)

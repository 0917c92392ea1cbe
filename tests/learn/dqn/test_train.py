"""DQN training: it learns, it can be interrupted anywhere, and it fails in one line."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from salet import Game, simulate
from salet.errors import InputError, TrainingError
from salet.learn.common.metrics import read_metrics
from salet.learn.common.run_directory import CHECKPOINT_FILE, METRICS_FILE, WEIGHTS_FILE
from salet.learn.common.torch_utils import module_arrays
from salet.learn.dqn import train as training
from salet.learn.dqn.heads import HEADS
from salet.learn.dqn.learner import DqnLearner
from salet.learn.dqn.metrics import DqnMetrics
from salet.learn.dqn.train import train
from salet.strategies.dqn import Dqn, DqnFinish, DqnPly
from small_runs import DQN, dqn_config, timeless_rows

pytestmark = pytest.mark.usefixtures("own_cache")


def rows_of(directory):
    return timeless_rows(DqnMetrics, directory)


@pytest.mark.slow
def test_it_learns_a_small_game(tmp_path):
    config = dqn_config(rounds=400, tau=0.05, final_epsilon=0.05, final_learning_rate=1e-4)
    weights, score = train(config, tmp_path)
    assert score.wins >= 11
    assert score.mean < 3  # random candidates take 3.2
    path = str(tmp_path / WEIGHTS_FILE)
    game = Game.named(DQN["game"], cap=6)
    played = simulate(game, Dqn(path))
    assert (played.mean, played.losses) == (score.mean, 12 - score.wins)
    assert simulate(game, DqnFinish(path)).losses <= played.losses
    assert simulate(game, DqnPly(path)).losses <= played.losses
    assert weights.trained["wins"] == score.wins


VARIANTS = [{"head": head} for head in HEADS] + [
    {"steps": 3, "double": False, "alpha": 0.0},
    {"reward": "founding", "exploration": "outputs", "norm": True, "layers": 2},
    {"exploration": "words", "hard_answers": 0.25},
    {"observation": "history", "encoder": "sequence"},
    {"observation": "history", "encoder": "sequence", "steps": 6},
    {"mode": "hard"},
    {"augment": "splice", "augmented": 5, "validation": 3},
    {"stages": [{"words": 6, "rounds": 20}, {"rounds": 40, "freeze": ["encoder", "hidden"]}]},
    {"head": "words", "augment": "splice", "augmented": 3,
     "stages": [{"words": 6, "rounds": 20}, {"rounds": 40}]},
]  # fmt: skip


@pytest.mark.parametrize("changes", VARIANTS, ids=str)
def test_a_run_that_is_killed_and_resumed_gives_the_same_numbers(tmp_path, changes):
    """Every head and every switch, to the last bit."""
    config = dqn_config(**changes)
    whole, score = train(config, tmp_path / "whole")

    class Killed(BaseException):
        pass

    def kill(row, done, games):
        if row.round in (20, 40):
            raise Killed

    for resume in (False, True):
        with pytest.raises(Killed):
            train(config, tmp_path / "parts", resume=resume, progress=kill)
    parts, again = train(config, tmp_path / "parts", resume=True)
    assert rows_of(tmp_path / "parts") == rows_of(tmp_path / "whole")
    assert len(rows_of(tmp_path / "whole")) == 3
    assert score == again
    expected = module_arrays(whole.network)
    for name, array in module_arrays(parts.network).items():
        assert np.array_equal(array, expected[name])


def test_a_run_that_dies_between_weights_and_checkpoint_gives_the_same_numbers(
    tmp_path, monkeypatch
):
    """In its second stage, when new best weights are written and the checkpoint is not."""
    config = dqn_config(stages=[{"words": 6, "rounds": 20}, {"rounds": 40}])
    train(config, tmp_path / "whole")
    save = DqnLearner.save_checkpoint

    def full(learner, directory):
        if learner.progress.stage == 1 and learner.round:
            raise OSError("no space left")
        save(learner, directory)

    monkeypatch.setattr(DqnLearner, "save_checkpoint", full)
    with pytest.raises(OSError, match="no space left"):
        train(config, tmp_path / "parts")
    monkeypatch.undo()
    train(config, tmp_path / "parts", resume=True)
    assert rows_of(tmp_path / "parts") == rows_of(tmp_path / "whole")


def test_a_full_disk_leaves_the_old_checkpoint_intact(tmp_path, monkeypatch):
    import salet.storage

    config = dqn_config()
    fdopen = salet.storage.os.fdopen

    def full(handle, mode):
        file = fdopen(handle, mode)
        if (tmp_path / CHECKPOINT_FILE).exists():  # the disk fills up after the first one

            def write(data):
                raise OSError(28, "No space left on device")

            class Full:
                def __enter__(self):
                    return self

                def __exit__(self, *_):
                    file.close()

                flush = file.flush

            Full.write = staticmethod(write)
            return Full()
        return file

    monkeypatch.setattr(salet.storage.os, "fdopen", full)
    with pytest.raises(InputError, match="no space left on device"):
        train(config, tmp_path)
    monkeypatch.undo()
    assert not list(tmp_path.glob(".*"))
    train(config, tmp_path, resume=True)
    train(config, tmp_path / "whole")
    assert rows_of(tmp_path) == rows_of(tmp_path / "whole")


def test_a_loss_that_is_not_finite_stops_the_run_and_keeps_the_checkpoint(tmp_path, monkeypatch):
    config = dqn_config()
    gradient_step = training.gradient_step

    def diverge(learner):
        if learner.round == 30:
            with torch.no_grad():
                learner.online.output.bias.fill_(float("nan"))
        return gradient_step(learner)

    monkeypatch.setattr(training, "gradient_step", diverge)
    with pytest.raises(TrainingError, match="the loss became nan in round 30; the last checkpoint"):
        train(config, tmp_path)
    monkeypatch.undo()
    assert DqnLearner.resume(config, tmp_path).round == 20
    train(config, tmp_path, resume=True)
    train(config, tmp_path / "whole")
    assert rows_of(tmp_path) == rows_of(tmp_path / "whole")


def test_the_learning_rate_decays(tmp_path):
    train(dqn_config(learning_rate=1e-2, final_learning_rate=1e-4), tmp_path)
    rates = [row.learning_rate for row in read_metrics(DqnMetrics, tmp_path / METRICS_FILE)]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] == pytest.approx(1e-4, abs=3e-5)


def test_the_callers_torch_settings_are_left_alone(tmp_path):
    torch.manual_seed(5)
    before, threads = torch.random.get_rng_state(), torch.get_num_threads()
    train(dqn_config(rounds=20), tmp_path)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert torch.get_num_threads() == threads


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "orignal"}, "unknown game"),
        ({"head": "letter"}, "unknown head"),
        ({"observation": "letters"}, "unknown observation"),
        ({"words": 13}, "words = 13"),
        ({"start": "nothing.safetensors"}, "no file 'nothing.safetensors'"),
        ({"stages": [{}, {"reward": "foo"}]}, "unknown reward 'foo'"),
        ({"stages": [{}, {"words": 13}]}, "words = 13"),
    ],
)
def test_configurations_that_do_not_fit_their_game_write_nothing(tmp_path, changes, message):
    with pytest.raises(InputError, match=message):
        train(dqn_config(**changes), tmp_path / "run")
    assert not (tmp_path / "run").exists()

"""Policy training: it learns, it can be interrupted, and its weights play as measured."""

from __future__ import annotations

import math

import pytest
import torch

from salet import Game, simulate
from salet.errors import TrainingError
from salet.learn.common.metrics import RoundMetrics, read_metrics
from salet.learn.common.run_directory import CHECKPOINT_FILE, METRICS_FILE, WEIGHTS_FILE
from salet.learn.policy import train as training
from salet.learn.policy.learner import PolicyLearner
from salet.learn.policy.train import train
from salet.strategies.learned import Specialist, SpecialistPly
from small_runs import POLICY, timeless_rows

pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("run")
    reports = []
    weights = train(POLICY, directory, progress=lambda row, rounds: reports.append((row, rounds)))
    return directory, weights, reports


def stop_after(number):
    def stop(row, rounds):
        if row.round == number:
            raise KeyboardInterrupt

    return stop


def test_it_learns_and_reports(run):
    directory, weights, reports = run
    rows = [row for row, _ in reports]
    assert [row.round for row in rows] == list(range(1, 7))
    assert {rounds for _, rounds in reports} == {6}
    assert read_metrics(RoundMetrics, directory / METRICS_FILE) == rows
    assert rows[-1].loss < 0.8 * rows[0].loss
    assert (weights.trained["lost"], weights.trained["mean"]) == (rows[-1].lost, rows[-1].mean)
    assert [row.hindsight is None for row in rows] == [True] * 3 + [False] * 3
    assert not list(directory.glob(".*"))


def test_the_weights_play_as_measured(run):
    directory, weights, _ = run
    game = Game.named(POLICY.game)
    file = str(directory / WEIGHTS_FILE)
    alone = simulate(game, Specialist(file))
    assert (alone.losses, alone.mean) == (weights.trained["lost"], weights.trained["mean"])
    assert simulate(game, Specialist(file), jobs=2).total == alone.total
    ply = simulate(game, SpecialistPly(file, best=60))
    assert ply.losses == 0
    assert ply.total <= alone.total
    for mode in ("hard", "strict"):
        assert simulate(game.replace(mode=mode, cap=None), SpecialistPly(file)).losses == 0


def test_a_run_that_is_stopped_and_resumed_gives_the_same_numbers(run, tmp_path):
    directory, whole, _ = run
    with pytest.raises(KeyboardInterrupt):
        train(POLICY, tmp_path, progress=stop_after(4))
    weights = train(POLICY, tmp_path, resume=True)
    for one, two in zip(whole.network.parameters(), weights.network.parameters(), strict=True):
        assert torch.equal(one, two)
    assert timeless_rows(RoundMetrics, tmp_path) == timeless_rows(RoundMetrics, directory)


def test_a_loss_that_is_not_finite_stops_the_run_and_keeps_the_checkpoint(tmp_path, monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        train(POLICY, tmp_path, progress=stop_after(1))
    before = (tmp_path / CHECKPOINT_FILE).read_bytes()
    monkeypatch.setattr(training, "gradient_steps", lambda learner, generator: [math.nan])
    with pytest.raises(TrainingError, match="the loss became nan in round 2"):
        train(POLICY, tmp_path, resume=True)
    assert (tmp_path / CHECKPOINT_FILE).read_bytes() == before


def test_no_row_of_the_metrics_is_lost_if_a_checkpoint_fails(run, tmp_path, monkeypatch):
    directory, _, _ = run
    save = PolicyLearner.save_checkpoint

    def full(learner, place):
        if learner.round == 3:
            raise OSError("no space left")
        save(learner, place)

    monkeypatch.setattr(PolicyLearner, "save_checkpoint", full)
    with pytest.raises(OSError, match="no space left"):
        train(POLICY, tmp_path)
    monkeypatch.undo()
    train(POLICY, tmp_path, resume=True)
    assert timeless_rows(RoundMetrics, tmp_path) == timeless_rows(RoundMetrics, directory)

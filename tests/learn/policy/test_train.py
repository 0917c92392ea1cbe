"""A run: it learns, it goes on where it was stopped, and it refuses what is not its own."""

from __future__ import annotations

import dataclasses
import math
import shutil

import numpy as np
import pytest
import torch

from salet import Game, simulate
from salet.errors import DataError, InputError, TrainingError
from salet.learn import dqn
from salet.learn.config import config_from, read_config, read_dqn_config
from salet.learn.files import Weights
from salet.learn.policy import files
from salet.learn.policy import learner as learning_from
from salet.learn.policy import train as training
from salet.learn.policy.config import PolicyConfig, policy_config_from
from salet.learn.policy.files import PolicyWeights, go_on, save_checkpoint
from salet.learn.policy.learner import Learner
from salet.learn.policy.metrics import read_rows
from salet.learn.policy.train import train
from salet.strategies.learned import Learned, LearnedFinish, LearnedPly

pytestmark = pytest.mark.usefixtures("own_cache")

SMALL = PolicyConfig(
    game="original:first=60,guesses=answers",
    pool=16,
    word=16,
    width=32,
    layers=1,
    query=16,
    candidate=4,
    lists=3,
    list_answers=30,
    openers=2,
    plays=3,
    play_widths=(4, 3),
    play_lists=2,
    steps=40,
    batch=32,
    others=20,
    learning_rate=3e-3,
    evaluate_every=1,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("run")
    rows = []
    weights = train(SMALL, directory, report=lambda row, rounds: rows.append((row, rounds)))
    return directory, weights, rows


def test_it_learns_and_tells(run):
    directory, weights, rows = run
    assert [row.round for row, _ in rows] == list(range(1, 7))
    assert {rounds for _, rounds in rows} == {6}
    assert read_rows(directory / "metrics.csv") == [row for row, _ in rows]
    assert rows[-1][0].loss < 0.8 * rows[0][0].loss
    last = rows[-1][0]
    assert (weights.trained["lost"], weights.trained["mean"]) == (last.lost, last.mean)
    assert [row.hindsight is None for row, _ in rows] == [True] * 3 + [False] * 3
    assert not list(directory.glob(".*"))


def test_the_weights_play_as_was_measured(run):
    directory, weights, _ = run
    game = Game.named(SMALL.game)
    file = str(directory / "weights.safetensors")
    alone = simulate(game, Learned(file))
    assert (alone.losses, alone.mean) == (weights.trained["lost"], weights.trained["mean"])
    one_by_one = simulate(game, Learned(file), jobs=2)
    assert one_by_one.total == alone.total
    assert simulate(game, LearnedFinish(file)).total <= alone.total
    ply = simulate(game, LearnedPly(file, best=60))
    assert ply.losses == 0
    assert ply.total <= alone.total
    for mode in ("hard", "strict"):
        assert simulate(game.with_(mode=mode, cap=None), LearnedPly(file)).losses == 0


def test_stopped_and_resumed_it_is_the_same_run(run, tmp_path):
    directory, whole, _ = run

    def stop(row, rounds):
        if row.round == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(SMALL, tmp_path, report=stop)
    weights = train(SMALL, tmp_path, resume=True)
    for one, two in zip(whole.network.parameters(), weights.network.parameters(), strict=True):
        assert torch.equal(one, two)
    theirs, mine = (read_rows(place / "metrics.csv") for place in (directory, tmp_path))
    assert [(row.round, row.loss, row.mean, row.hindsight) for row in mine] == [
        (row.round, row.loss, row.mean, row.hindsight) for row in theirs
    ]
    with pytest.raises(InputError, match="holds a run; add --resume"):
        train(SMALL, tmp_path)
    with pytest.raises(InputError, match="has steps = 40, not 41"):
        train(dataclasses.replace(SMALL, steps=41), tmp_path, resume=True)


def test_a_loss_that_is_no_number_keeps_the_last_checkpoint(tmp_path, monkeypatch):
    def stop(row, rounds):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(SMALL, tmp_path, report=stop)
    before = (tmp_path / "checkpoint.safetensors").read_bytes()
    monkeypatch.setattr(training.Learner, "study", lambda self, generator: [math.nan])
    with pytest.raises(TrainingError, match="the loss became nan in round 2"):
        train(SMALL, tmp_path, resume=True)
    assert (tmp_path / "checkpoint.safetensors").read_bytes() == before


def test_damaged_and_foreign_files(run, tmp_path):
    directory, _, _ = run
    good = (directory / "weights.safetensors").read_bytes()
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(good[: len(good) // 2])
    with pytest.raises(DataError, match="damaged or foreign"):
        PolicyWeights.load(damaged)
    with pytest.raises(DataError, match="is no file of 'salet weights 1'"):
        PolicyWeights.load(directory / "checkpoint.safetensors")
    with pytest.raises(InputError, match="holds no run to resume"):
        train(SMALL, tmp_path, resume=True)
    weights = PolicyWeights.load(directory / "weights.safetensors")
    with pytest.raises(InputError, match="words of 4 letters, these weights play 5"):
        weights.seat(Game(["able", "acre"]))
    strange = next(letter for letter in "jqxz" if letter not in weights.alphabet)
    with pytest.raises(InputError, match=f"the letter '{strange}', which these weights"):
        weights.seat(Game([f"{strange}ebra"]))


def test_a_checkpoint_holds_the_run(tmp_path):
    learner = Learner.begin(SMALL)
    generator = learner.generator()
    learner.gather(generator)
    learner.study(generator)
    learner.round = 1
    save_checkpoint(learner, tmp_path)
    again = go_on(SMALL, tmp_path)
    assert again.round == 1
    assert again.generator().random() == learner.generator().random()
    one, two = (each.memory["lists"][0].arrays() for each in (learner, again))
    assert all(np.array_equal(one[name], two[name]) for name in one)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"stepz": 3}, "unknown key 'stepz'; did you mean 'steps'"),
        ({"steps": 0}, "steps = 0: give a number from 1"),
        ({"steps": "many"}, "steps = 'many': give a whole number"),
        ({"play_widths": []}, "give numbers from 1"),
        ({"play_widths": [2, 0]}, "give numbers from 1"),
        ({"play_ahead": [5, 0]}, "give numbers from 1"),
        ({"play_widths": ["a"]}, "give a list of whole numbers"),
        ({"width": 10**8}, "width = 100000000: give a number from 1 to 8192"),
        ({"cap": 2}, "cap = 2: give a number from 3"),
        ({"own_share": 2}, "own_share = 2.0: give a number from 0 to 1"),
        ({"own_share": 0.9, "early_share": 0.2}, "own_share and early_share are more than 1"),
    ],
)
def test_configurations_that_cannot_be(fields, said):
    with pytest.raises(InputError, match=said):
        policy_config_from(fields)


def test_kinds_of_agents(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text('kind = "policy"\nlists = 7\nlearning_rate = 1\n')
    assert read_config(file) == PolicyConfig(lists=7, learning_rate=1.0)
    with pytest.raises(InputError, match="is of kind 'policy'; give one of kind 'dqn'"):
        read_dqn_config(file)
    file.write_text('kind = "polcy"\n')
    with pytest.raises(InputError, match="did you mean 'policy'"):
        read_config(file)


def test_a_list_larger_than_the_words_is_refused():
    with pytest.raises(InputError, match=r"list_answers = 61: .* has 60 words"):
        Learner.begin(dataclasses.replace(SMALL, list_answers=61))
    with pytest.raises(InputError, match=r"openers = 61: .* has 60 words"):
        Learner.begin(dataclasses.replace(SMALL, openers=61))


def test_the_game_itself_is_never_solved():
    with pytest.raises(InputError, match="that is the game itself, which is never solved"):
        Learner.begin(dataclasses.replace(SMALL, list_answers=60))
    small = dataclasses.replace(SMALL, game="original:first=3", list_answers=3)
    learner = Learner.begin(small)
    assert learner.game.answer_count == 3
    drawn = iter([np.arange(3), np.array([0, 1, 7])])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning_from, "drawn_list", lambda *_: next(drawn))
        assert learner._drawn(learner.generator()).tolist() == [0, 1, 7]


def test_no_row_of_the_figures_is_lost(run, tmp_path, monkeypatch):
    directory, _, _ = run

    def full(learner, place):
        if learner.round == 3:
            raise OSError("no space left")
        save_checkpoint(learner, place)

    monkeypatch.setattr(training, "save_checkpoint", full)
    with pytest.raises(OSError, match="no space left"):
        train(SMALL, tmp_path)
    monkeypatch.undo()
    train(SMALL, tmp_path, resume=True)
    theirs, mine = (read_rows(place / "metrics.csv") for place in (directory, tmp_path))
    assert [row.round for row in mine] == [row.round for row in theirs]


def test_a_run_goes_on_with_its_own_kind_and_words_only(run, tmp_path, monkeypatch):
    directory, _, _ = run
    shutil.copytree(directory, tmp_path / "copy")
    with pytest.raises(InputError, match="trains an agent of kind 'policy', not 'dqn'"):
        dqn.train(config_from({"game": SMALL.game}), tmp_path / "copy", resume=True)
    with pytest.raises(DataError, match="holds weights of kind 'policy', not 'dqn'"):
        Weights.load(directory / "weights.safetensors")
    monkeypatch.setattr(files, "digest", lambda game: "other words")
    with pytest.raises(InputError, match=r"are not those that the run in .* began with"):
        train(SMALL, tmp_path / "copy", resume=True)

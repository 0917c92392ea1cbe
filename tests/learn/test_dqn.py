"""Training: it learns, it goes on where it was, and it fails in one line."""

from __future__ import annotations

import dataclasses
import inspect
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from salet import Game, simulate
from salet.errors import DataError, InputError, TrainingError, UnknownNameError
from salet.learn import checkpoint, dqn, files
from salet.learn.agent import evaluate
from salet.learn.config import DqnConfig, config_from, read_config
from salet.learn.directory import CHECKPOINT_FILE
from salet.learn.files import Weights
from salet.learn.heads import HEADS
from salet.learn.lists import Lists, lists_of
from salet.learn.metrics import read_rows
from salet.learn.policy.config import PolicyConfig
from salet.strategies.dqn import Dqn, DqnFinish, DqnPly

pytestmark = pytest.mark.usefixtures("own_cache")

SMALL = {
    "game": "original:first=12,guesses=answers",
    "width": 32,
    "games": 8,
    "rounds": 60,
    "warmup": 16,
    "updates": 2,
    "batch": 32,
    "epsilon_rounds": 20,
    "evaluate_every": 20,
    "buffer": 200,
    "learning_rate": 3e-3,
    "tau": 0.02,
}


def config(**changes):
    return config_from({**SMALL, **changes})


def rows_of(directory):
    """The figures of a run without its times."""
    rows = read_rows(directory / "metrics.csv")
    return [{**{f: getattr(r, f) for f in r.__struct_fields__}, "seconds": 0} for r in rows]


def tensors(weights):
    return {name: p.numpy() for name, p in weights.network.state_dict().items()}


def same(first, second):
    return first.keys() == second.keys() and all(
        np.array_equal(first[name], second[name]) for name in first
    )


@pytest.mark.slow
def test_it_learns_a_small_game(tmp_path):
    weights, score = dqn.train(
        config(rounds=400, tau=0.05, final_epsilon=0.05, final_learning_rate=1e-4), tmp_path
    )
    assert score.wins >= 11
    assert score.mean < 3  # candidates at random take 3.2
    path = str(tmp_path / "weights.safetensors")
    game = Game.named(SMALL["game"], cap=6)
    played = simulate(game, Dqn(path))
    assert (played.mean, played.losses) == (score.mean, 12 - score.wins)
    assert simulate(game, DqnFinish(path)).losses <= played.losses
    assert simulate(game, DqnPly(path)).losses <= played.losses
    assert weights.trained["wins"] == score.wins


KINDS = [{"head": head} for head in HEADS] + [
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


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_a_run_that_was_killed_goes_on_with_the_same_numbers(tmp_path, monkeypatch, changes):
    """Every head and every switch, bit by bit."""
    wanted = config(**changes)
    whole, score = dqn.train(wanted, tmp_path / "whole")

    class Killed(BaseException):
        pass

    def kill(row, done, games):
        if row.round in (20, 40):
            raise Killed

    for resume in (False, True):
        with pytest.raises(Killed):
            dqn.train(wanted, tmp_path / "parts", resume=resume, report=kill)
    parts, again = dqn.train(wanted, tmp_path / "parts", resume=True)
    assert rows_of(tmp_path / "parts") == rows_of(tmp_path / "whole")
    assert len(rows_of(tmp_path / "whole")) == 3
    assert score == again
    assert same(tensors(whole), tensors(parts))


def test_a_run_that_dies_in_its_second_stage_goes_on_with_the_same_numbers(tmp_path, monkeypatch):
    """It dies when new best weights are written already, and the checkpoint is not."""
    wanted = config(stages=[{"words": 6, "rounds": 20}, {"rounds": 40}])
    dqn.train(wanted, tmp_path / "whole")
    real = dqn.save_checkpoint

    def full(learner, directory):
        if learner.progress.stage == 1:
            raise OSError("no space left")
        real(learner, directory)

    monkeypatch.setattr(dqn, "save_checkpoint", full)
    with pytest.raises(OSError, match="no space left"):
        dqn.train(wanted, tmp_path / "parts")
    monkeypatch.undo()
    dqn.train(wanted, tmp_path / "parts", resume=True)
    assert rows_of(tmp_path / "parts") == rows_of(tmp_path / "whole")


def test_the_learning_rate_really_decays(tmp_path):
    dqn.train(config(learning_rate=1e-2, final_learning_rate=1e-4), tmp_path)
    rates = [row.learning_rate for row in read_rows(tmp_path / "metrics.csv")]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] == pytest.approx(1e-4, abs=3e-5)


def test_frozen_layers_do_not_move(tmp_path):
    dqn.train(config(), tmp_path / "first")
    start = tmp_path / "first" / "weights.safetensors"
    tuned = config(start=str(start), freeze=["encoder", "hidden"], epsilon=0.0, final_epsilon=0.0)
    learner = checkpoint.start(tuned, tmp_path / "second")
    before = {name: p.detach().clone() for name, p in learner.online.named_parameters()}
    for name, value in tensors(Weights.load(start)).items():
        assert np.array_equal(before[name].numpy(), value)
    dqn.train(tuned, tmp_path / "third")
    arrays, _ = files.read(tmp_path / "third" / CHECKPOINT_FILE, files.CHECKPOINT)
    for name, value in before.items():
        moved = not np.array_equal(arrays[f"online.{name}"], value.numpy())
        assert moved == name.startswith("output")


def test_test_words_never_enter_training(tmp_path):
    """Disjoint lists: no test or validation word is an answer of a game that is learned from."""
    for changes in (
        {"holdout": 3, "validation": 2},
        {"holdout": 3, "hidden": True},
        {"game": "original:first=12", "source": "others", "validation": 50, "rounds": 1},
    ):
        learner = checkpoint.start(config(**changes), tmp_path / str(changes))
        train, judge, test = learner.lists.train, learner.lists.validate, learner.lists.test
        assert not set(train.answers) & set(test.answers)
        if changes.get("validation"):
            assert not set(train.answers) & set(judge.answers)
            assert not set(judge.answers) & set(test.answers)
        assert bool(set(train.guesses) & set(test.answers)) != bool(changes.get("hidden"))
    _, score = dqn.train(config(holdout=3, validation=2), tmp_path / "run")
    assert score.answers == 3
    arrays, _ = files.read(tmp_path / "run" / CHECKPOINT_FILE, files.CHECKPOINT)
    learner = checkpoint.go_on(config(holdout=3, validation=2), tmp_path / "run")
    win = learner.table.book.win
    made = np.arange(6) < arrays["replay.lengths"][:, None]
    right = (arrays["replay.patterns"] == win) & made
    won = {learner.lists.train.guesses[g] for g in arrays["replay.guesses"][right]}
    assert won
    assert won <= set(learner.lists.train.answers)


def test_no_stage_trains_on_what_another_tests_on():
    wanted = config(holdout=4, validation=2)
    small, large = (lists_of(dataclasses.replace(wanted, words=words)) for words in (9, 0))
    assert set(small.train.guesses) < set(large.train.guesses)
    for first, second in ((small, large), (large, small)):
        assert not set(first.train.answers) & set(second.test.answers)
        assert not set(first.train.answers) & set(second.validate.answers)


@pytest.mark.parametrize("kind", ["permute", "replace", "splice"])
def test_made_up_words_are_new(tmp_path, kind):
    lists = checkpoint.start(config(augment=kind, augmented=6), tmp_path).lists
    listed = set(Game.named(SMALL["game"]).guesses)
    assert len(set(lists.train.answers) - listed) == 6
    assert set(lists.validate.answers) == listed


def test_a_lost_answer_is_drawn_more_often(tmp_path):
    learner = checkpoint.start(config(hard_answers=0.25, games=4000, buffer=4000), tmp_path)
    learner.losses[3] = 16
    drawn = np.bincount(learner.answers(), minlength=12) / 4000
    weights = (learner.losses + 1e-5) ** 0.25
    assert drawn == pytest.approx(weights / weights.sum(), abs=0.03)


# ---------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"widht": 3}, "unknown key 'widht'; did you mean 'width'"),
        ({"width": 0}, "width = 0: give a number from 1"),
        ({"width": "wide"}, "width = 'wide': give a whole number"),
        ({"double": 1}, "double = 1: give true or false"),
        ({"gamma": 1.5}, "gamma = 1.5: give a number from 0 to 1"),
        ({"buffer": 4, "games": 8}, "it must hold at least one round"),
        ({"encoder": "sequence"}, "reads observation = 'history'"),
        ({"exploration": "wild"}, "unknown exploration 'wild'"),
        ({"freeze": ["encoder", "hidden", "output"]}, "leave one to learn"),
        ({"freeze": ["input"]}, "unknown layer to freeze 'input'"),
        ({"stages": [{"game": "nyt"}]}, "is the same in all stages"),
        ({"stages": [{}, {"holdout": 2}]}, "'holdout' is the same in all stages"),
        ({"stages": [{"start": "w.safetensors"}]}, "'start' is the same in all stages"),
        ({"width": 10**8}, "width = 100000000: give a number from 1 to 8192"),
        ({"cap": 300}, "cap = 300: give a number from 1 to 255"),
        ({"freeze": [1]}, "unknown layer to freeze '1'"),
        ({"augment": "splice"}, "give both a kind and a number, or neither"),
        ({"augmented": 3}, "give both a kind and a number, or neither"),
        ({"stages": [{"rounds": 0}]}, "rounds = 0"),
        ({"stages": [3]}, "is no table"),
    ],
)
def test_configurations_that_cannot_be(fields, said):
    with pytest.raises(InputError, match=said):
        config_from(fields)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "orignal"}, "unknown game"),
        ({"head": "letter"}, "unknown head"),
        ({"observation": "letters"}, "unknown observation"),
        ({"words": 13}, "words = 13"),
        ({"holdout": 12}, "some must be trained on"),
        ({"source": "others"}, "is left to train or test on"),
        ({"start": "nothing.safetensors"}, "no file 'nothing.safetensors'"),
        ({"stages": [{}, {"reward": "foo"}]}, "unknown reward 'foo'"),
        ({"stages": [{}, {"words": 13}]}, "words = 13"),
        ({"augment": "permute", "augmented": 5000}, "gave only .* new ones; give fewer"),
    ],
)
def test_configurations_that_do_not_fit_their_game(tmp_path, changes, said):
    """They are refused before anything is written."""
    with pytest.raises((InputError, UnknownNameError), match=said):
        dqn.train(config(**changes), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_configuration_files(tmp_path):
    path = tmp_path / "c.toml"
    for text, said in (("width = ", "is no TOML"), ("[a]\nb = 1", "unknown key 'a'")):
        path.write_text(text)
        with pytest.raises(InputError, match=said):
            read_config(path)
    with pytest.raises(InputError, match="no file"):
        read_config(tmp_path / "d.toml")
    path.write_text('game = "nyt"\nfreeze = ["hidden"]\n[[stages]]\nrounds = 7\n')
    found = read_config(path)
    assert (found.game, found.freeze, found.stage(0).rounds) == ("nyt", ("hidden",), 7)


@pytest.mark.parametrize("kind", [DqnConfig, PolicyConfig])
def test_every_field_of_the_configuration_is_explained(kind):
    source = Path(inspect.getfile(kind)).read_text()
    for field in dataclasses.fields(kind):
        declared = source.split(f"    {field.name}: ")[1].split("\n")[1]
        assert declared.strip().startswith('"""'), field.name


def test_a_loss_that_is_no_number_stops_and_keeps_the_checkpoint(tmp_path, monkeypatch):
    wanted = config()
    learn = dqn.learn

    def burst(learner):
        if learner.round == 30:
            with torch.no_grad():
                learner.online.output.bias.fill_(float("nan"))
        return learn(learner)

    monkeypatch.setattr(dqn, "learn", burst)
    with pytest.raises(TrainingError, match="the loss became nan in round 30; the last checkpoint"):
        dqn.train(wanted, tmp_path)
    monkeypatch.undo()
    assert checkpoint.go_on(wanted, tmp_path).round == 20
    dqn.train(wanted, tmp_path, resume=True)
    dqn.train(wanted, tmp_path / "whole")
    assert rows_of(tmp_path) == rows_of(tmp_path / "whole")


def test_a_full_disk_leaves_the_old_checkpoint_whole(tmp_path, monkeypatch):
    import salet.storage

    wanted = config()
    real = salet.storage.os.fdopen

    def full(handle, mode):
        file = real(handle, mode)
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
        dqn.train(wanted, tmp_path)
    monkeypatch.undo()
    assert not list(tmp_path.glob(".*"))
    dqn.train(wanted, tmp_path, resume=True)
    dqn.train(wanted, tmp_path / "whole")
    assert rows_of(tmp_path) == rows_of(tmp_path / "whole")


def test_runs_are_not_mixed_up(tmp_path):
    dqn.train(config(rounds=20), tmp_path)
    with pytest.raises(InputError, match="holds a run; add --resume"):
        dqn.train(config(rounds=20), tmp_path)
    with pytest.raises(InputError, match="has width = 32, not 64"):
        dqn.train(config(rounds=20, width=64), tmp_path, resume=True)
    with pytest.raises(InputError, match="holds no run to resume"):
        dqn.train(config(), tmp_path / "empty", resume=True)


def test_a_run_goes_on_with_its_own_words_only(tmp_path, monkeypatch):
    """What is remembered are places in the lists: with other words they mean other guesses."""
    wanted = config(rounds=20)
    dqn.train(wanted, tmp_path)

    def reversed_lists(stage):
        game = lists_of(stage).train
        other = Game(game.answers[::-1], game.guesses[::-1], cap=game.cap)
        return Lists(other, other, other)

    monkeypatch.setattr(checkpoint, "lists_of", reversed_lists)
    with pytest.raises(InputError, match=r"are not those that the run in .* began with"):
        dqn.train(wanted, tmp_path, resume=True)


def test_a_library_call_leaves_the_callers_torch_as_it_was(tmp_path):
    torch.manual_seed(5)
    before, threads = torch.random.get_rng_state(), torch.get_num_threads()
    dqn.train(config(rounds=20), tmp_path)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert torch.get_num_threads() == threads


def test_weights_that_do_not_fit(tmp_path, tiny_game):
    dqn.train(config(rounds=20, head="words"), tmp_path)
    path = tmp_path / "weights.safetensors"
    weights = Weights.load(path)
    for game, said in (
        (Game(["four", "fore"], cap=6), "words of 4 letters, these weights play 5"),
        (tiny_game(cap=6), "which is not in the agent's alphabet|is not among the"),
    ):
        with pytest.raises(InputError, match=said):
            weights.table(game)
    assert evaluate(weights.table(Game.named(SMALL["game"], cap=6)), weights.network).answers == 12
    with pytest.raises(InputError, match=r"has outputs = 12, this configuration has \d+"):
        dqn.train(config(start=str(path)), tmp_path / "other")
    turned = config(head="words", start=str(path), game="original:sample=12,seed=9,guesses=answers")
    with pytest.raises(InputError, match=r"other letters or words|has (inputs|alphabet) = "):
        dqn.train(turned, tmp_path / "another")


def test_foreign_and_damaged_files_are_refused(tmp_path):
    dqn.train(config(rounds=20), tmp_path)
    good = (tmp_path / "weights.safetensors").read_bytes()
    bad = tmp_path / "bad.safetensors"
    cases = [good[:100], good[:-50], b"", b"\x80\x04pickle", json.dumps({"a": 1}).encode()]
    for text in cases:
        bad.write_bytes(text)
        with pytest.raises(DataError, match="is damaged or foreign"):
            Weights.load(bad)
    bad.write_bytes((tmp_path / CHECKPOINT_FILE).read_bytes())
    with pytest.raises(DataError, match="is no file of 'salet weights 1'"):
        Weights.load(bad)
    bad.write_bytes(good.replace(b'\\"width\\": 32', b'\\"width\\": 33'))
    with pytest.raises(DataError, match="does not hold what its header says"):
        Weights.load(bad)
    (tmp_path / CHECKPOINT_FILE).write_bytes(good)
    with pytest.raises(DataError, match="is no file of 'salet checkpoint 1'"):
        checkpoint.go_on(config(rounds=20), tmp_path)

"""`salet train`, `tune` and `watch` as users meet them."""

from __future__ import annotations

import json

import pytest

from salet.cli import main

pytestmark = pytest.mark.usefixtures("own_cache")

CONFIG = """
game = "original:first=8,guesses=answers"
games = 4
rounds = 6
warmup = 4
updates = 1
batch = 8
width = 8
epsilon_rounds = 3
evaluate_every = 3
buffer = 50
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text(CONFIG)
    return str(path)


def test_train_and_resume(config, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(["train", config, "--out", str(out), "--json"]) == 0
    printed = capsys.readouterr()
    first = json.loads(printed.out)
    assert printed.err.splitlines()[-1].startswith("24 of 24 games, won ")
    assert "min left" in printed.err
    assert first["test"]["answers"] == 8
    assert first["rows"] == 2
    for name in first["files"]:
        assert (out / name).stat().st_size > 0
    assert (out / "checkpoint.safetensors").stat().st_size < 50 << 20
    assert main(["train", config, "--out", str(out), "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["test"] == first["test"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("widht = 3", "unknown key 'widht'; did you mean 'width'"),
        ("buffer = 1", "it must hold at least one round"),
        ('game = "nope"', "unknown game 'nope'"),
        ("=", "is not valid TOML"),
        ("buffer = 1000000000", "buffer = 1000000000: give a number from 1 to 10000000"),
        ("kind = ['dqn']", "unknown kind of agent"),
    ],
)
def test_train_complains_in_one_line(tmp_path, capsys, text, said):
    path = tmp_path / "c.toml"
    path.write_text(text)
    assert main(["train", str(path), "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_tune(config, tmp_path, capsys):
    arguments = ["tune", config, "--out", str(tmp_path / "t"), "--trials", "2", "--json"]
    assert main(arguments) == 0
    first = json.loads(capsys.readouterr().out)
    assert [set(t) for t in first["trials"]] == [
        {"number", "settings", "answers", "wins", "mean", "seconds"}
    ] * 2
    assert first["trials"][0]["mean"] <= first["trials"][1]["mean"]
    assert set(first["effects"]) == set(first["trials"][0]["settings"])
    assert len((tmp_path / "t" / "trials.csv").read_text().splitlines()) == 3
    assert main(arguments) == 0  # goes on where it was: nothing is left to do
    assert json.loads(capsys.readouterr().out)["trials"] == first["trials"]
    assert main(["tune"]) == 2
    assert "give --out DIR" in capsys.readouterr().err
    assert main(["tune", config, "--out", "x", "--trials", "100000"]) == 2
    assert "the space has 1944 settings" in capsys.readouterr().err


def test_whoever_stops_a_run_is_told_how_to_go_on(config, tmp_path, capsys, monkeypatch):
    from salet.learn.dqn.learner import DqnLearner

    def stop(config, directory):
        raise KeyboardInterrupt

    out = tmp_path / "run"
    assert main(["train", config, "--out", str(out)]) == 0
    monkeypatch.setattr(DqnLearner, "resume", stop)
    capsys.readouterr()
    assert main(["train", config, "--out", str(out), "--resume"]) == 130
    assert "with --resume goes on from the last checkpoint" in capsys.readouterr().err


def test_tune_counts_a_run_that_diverges_as_lost(config, tmp_path, capsys, monkeypatch):
    from salet.errors import TrainingError
    from salet.learn.dqn import tune

    real = tune.train

    def sometimes(settings, place, *, resume):
        if place.name == "000":
            place.mkdir(parents=True)
            raise TrainingError("the loss became nan")
        return real(settings, place, resume=resume)

    monkeypatch.setattr(tune, "train", sometimes)
    arguments = ["tune", config, "--out", str(tmp_path / "t"), "--trials", "2", "--json"]
    assert main(arguments) == 0
    last = json.loads(capsys.readouterr().out)["trials"][-1]
    assert (last["number"], last["wins"], last["mean"]) == (0, 0, 7.0)
    staged = tmp_path / "staged.toml"
    staged.write_text(CONFIG + "[[stages]]\nrounds = 3\n")
    assert main(["tune", str(staged), "--out", str(tmp_path / "u")]) == 2
    assert "leave out the stages" in capsys.readouterr().err


def test_watch(capsys):
    words = ["--answer", "abbey", "--answer", "ABACK"]
    game = ["--game", "original:first=8,guesses=answers"]
    players = ["--strategy", "parts", "--against", "random"]
    assert main(["watch", *players, *words, *game, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [g["answer"] for g in shown["games"]] == ["abbey", "aback"]
    for played in shown["games"]:
        for side in ("strategy", "against"):
            assert played[side]["won"]
            assert played[side]["guesses"][-1] == [played["answer"], "GGGGG"]
    assert main(["watch", *players, *words, *game]) == 0
    printed = capsys.readouterr().out
    assert "the answer is abbey" in printed
    assert "parts, in" in printed
    assert "[A][B][B][E][Y]" in printed
    assert main(["watch", *players, "--count", "3", "--game", "mastermind:2x3"]) == 0
    assert capsys.readouterr().out.count("the answer is") == 3

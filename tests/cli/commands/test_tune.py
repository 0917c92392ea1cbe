"""`salet tune` as users and scripts meet it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("own_cache")


def test_trials_are_ranked_and_resumed(salet, config: Path, tmp_path: Path) -> None:
    arguments = ("tune", str(config), "--out", str(tmp_path / "t"), "--trials", "2")
    first = salet(*arguments, "--json").json
    assert [set(t) for t in first["trials"]] == [
        {"number", "settings", "answers", "wins", "mean", "seconds"}
    ] * 2
    assert first["trials"][0]["mean"] <= first["trials"][1]["mean"]
    assert set(first["effects"]) == set(first["trials"][0]["settings"])
    assert len((tmp_path / "t" / "trials.csv").read_text().splitlines()) == 3
    assert salet(*arguments, "--json").json["trials"] == first["trials"]  # nothing is left to do
    assert "mean of all trials with each value:" in salet(*arguments).out


def test_bad_input(salet, config: Path, tmp_path: Path) -> None:
    salet("tune").assert_refused("give --out DIR")
    ran = salet("tune", str(config), "--out", "x", "--trials", "100000")
    ran.assert_refused("the space has 1944 settings")
    staged = tmp_path / "staged.toml"
    staged.write_text(config.read_text() + "[[stages]]\nrounds = 3\n")
    salet("tune", str(staged), "--out", str(tmp_path / "u")).assert_refused("leave out the stages")


def test_a_run_that_diverges_counts_as_lost(
    salet, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from salet.errors import TrainingError
    from salet.learn.dqn import tune

    train = tune.train

    def sometimes(settings: Any, place: Path, *, resume: bool) -> Any:
        if place.name == "000":
            place.mkdir(parents=True)
            raise TrainingError("the loss became nan")
        return train(settings, place, resume=resume)

    monkeypatch.setattr(tune, "train", sometimes)
    ran = salet("tune", str(config), "--out", str(tmp_path / "t"), "--trials", "2", "--json")
    last = ran.json["trials"][-1]
    assert (last["number"], last["wins"], last["mean"]) == (0, 0, 7.0)

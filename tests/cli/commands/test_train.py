"""`salet train` as users and scripts meet it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("own_cache")

KEYS = ["game", "cap", "head", "observation", "seed", "trained", "test", "rows", "files"]


def test_train_and_resume(salet, config: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    ran = salet("train", str(config), "--out", str(out), "--json")
    assert ran.code == 0, ran.err
    first, last = ran.err.splitlines()
    assert first.startswith("12 of 24 games, won ") and first.endswith(" left")
    assert last.startswith("24 of 24 games, won ") and last.endswith(", done")
    fields = ran.json
    assert list(fields) == KEYS
    assert (fields["test"]["answers"], fields["rows"]) == (8, 2)
    for name in fields["files"]:
        assert (out / name).stat().st_size > 0
    assert (out / "checkpoint.safetensors").stat().st_size < 50 << 20
    again = salet("train", str(config), "--out", str(out), "--resume")
    assert f"won {fields['test']['wins']} of 8" in again.out
    assert f"written to {out}: {', '.join(fields['files'])}" in again.out
    salet("train", str(config), "--out", str(out)).assert_refused("--resume")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("widht = 3", "unknown key 'widht'; did you mean 'width'"),
        ("buffer = 1", "it must hold at least one round"),
        ('game = "nope"', "unknown game 'nope'"),
        ("=", "TOML"),
        ("buffer = 1000000000", "buffer = 1000000000: give a number from 1 to 10000000"),
        ("kind = ['dqn']", "unknown kind of agent"),
    ],
)
def test_bad_input(salet, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text)
    salet("train", str(path), "--out", str(tmp_path / "run")).assert_refused(said)
    salet("train", str(tmp_path / "none.toml"), "--out", "run").assert_refused("none.toml")


def test_ctrl_c_tells_how_to_resume(
    salet, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from salet.learn.dqn.learner import DqnLearner

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "run"
    assert salet("train", str(config), "--out", str(out)).code == 0
    monkeypatch.setattr(DqnLearner, "resume", stop)
    ran = salet("train", str(config), "--out", str(out), "--resume")
    assert ran.code == 130
    assert "run the same command with --resume to continue" in ran.err

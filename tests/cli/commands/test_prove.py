"""`salet prove` as users and scripts meet it."""

from __future__ import annotations

import sys

import pytest

SMALL = ("prove", "--game", "mastermind:2x3")


def test_json(salet) -> None:
    ran = salet(*SMALL, "--ranking", "2", "--json")
    assert (ran.code, ran.err) == (0, "")
    said = ran.json
    assert list(said) == [
        *("game", "mode", "cap", "best", "total", "ranking", "lower", "upper", "proven"),
        *("openers", "nodes", "seconds", "peak_mb", "version", "commit"),
    ]
    assert (said["total"], said["lower"], said["upper"], said["proven"]) == (21, 21, 21, True)
    assert [list(row) for row in said["ranking"]] == [["guess", "total"]] * 2
    assert sum(said["openers"].values()) == 9


def test_text(salet) -> None:
    ran = salet(*SMALL)
    assert ran.out.startswith("mastermind:2x3, normal mode, no cap\n")
    assert "is the best opener: total 21, proven" in ran.out
    assert "openers decided: " in ran.out and ", 7 by symmetry; " in ran.out
    ran = salet(*SMALL, "--cap", "1")
    assert "no opener solves every answer within the cap of 1 (proven)" in ran.out


def test_an_interrupted_proof_has_no_certificate(salet, tmp_path) -> None:
    path = tmp_path / "proof.cert"
    ran = salet(
        "prove", "--game", "mastermind:3x5", "--seconds", "1e-6", "--certificate", str(path)
    )
    assert ran.code == 0
    assert ran.err == "no certificate is written: the proof is not complete\n"
    assert "stopped before the end" in ran.out
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--scheduler", "192.168.0.2"), "tcp://HOST:PORT"),
        (("--scheduler", "tcp://127.0.0.1:1", "--threads", "2"), "--threads"),
        (("--openers", "no-such-file"), "'no-such-file'"),
        (("--ranking", "0"), "ranking 0: there are 9 openers"),
        (("--memory", "0"), "memory"),
        (("--checkpoint", __file__), "is a file; give a directory"),
    ],
)
def test_bad_input(salet, arguments: tuple[str, ...], said: str) -> None:
    salet(*SMALL, *arguments).assert_refused(said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--ranking", "10"), "ranking 10: there are 9 openers"),
        (("--ranking", "best"), "--ranking 'best'"),
        (("--seconds", "0"), "seconds 0"),
        (("--memory", "0.000001"), "memory 1e-06: give some gigabytes"),
        (("--openers", "words.txt"), "'zz'"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(
    salet, arguments: tuple[str, ...], said: str, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("zz\n")
    saved = ("--checkpoint", "proof", "--certificate", "proof.txt")
    salet(*SMALL, *saved, *arguments).assert_refused(said)
    assert [path.name for path in tmp_path.iterdir()] == ["words.txt"]


def test_a_checkpoint_of_another_game_is_left_as_it_is(salet, tmp_path) -> None:
    folder = str(tmp_path)
    assert salet(*SMALL, "--checkpoint", folder).code == 0
    before = (tmp_path / "proof.jsonl").read_bytes()
    ran = salet("prove", "--game", "mastermind:2x2", "--checkpoint", folder)
    ran.assert_refused("belongs to another search")
    assert (tmp_path / "proof.jsonl").read_bytes() == before


def test_a_cluster_needs_its_extra(salet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = salet(*SMALL, "--scheduler", "tcp://127.0.0.1:1")
    ran.assert_refused("pip install 'salet[cluster]'")

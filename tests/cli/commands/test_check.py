"""`salet check` as users and scripts meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GAME = ("--game", "mastermind:2x3")
KEYS = [
    *("certificate", "game", "mode", "cap", "claim", "lower", "upper", "optimal", "facts"),
    *("seconds", "sha256", "version", "commit"),
]


@pytest.fixture
def files(salet, tmp_path: Path) -> tuple[str, str]:
    """A certificate and its plan."""
    certificate, plan = str(tmp_path / "m.cert"), str(tmp_path / "m.json")
    assert salet("solve", *GAME, "--certificate", certificate, "--plan", plan).code == 0
    return certificate, plan


def test_together_with_a_plan(salet, files) -> None:
    certificate, plan = files
    said = salet("check", certificate, "--plan", plan).out.splitlines()
    assert said[:2] == ["mastermind:2x3, normal mode, no cap", "total 21 is optimal, certified"]
    fields = salet("check", certificate, "--plan", plan, "--threads", "2", "--json").json
    assert list(fields) == KEYS
    assert (fields["lower"], fields["upper"], fields["optimal"]) == (21, 21, True)


def test_alone(salet, files) -> None:
    fields = salet("check", files[0], "--json").json
    assert (fields["lower"], fields["upper"], fields["optimal"]) == (21, None, False)
    assert "certified: no plan costs less than 21" in salet("check", files[0]).out


def test_a_worse_plan_is_not_optimal(salet, files, tmp_path: Path) -> None:
    plan = str(tmp_path / "worse.json")
    assert salet("solve", *GAME, "--opener", "11", "--plan", plan).code == 0
    said = salet("check", files[0], "--plan", plan).out
    assert "optimal" not in said
    assert "no plan costs less than 21; the plan takes 24" in said


def test_lists_of_files(salet, tmp_path: Path) -> None:
    """They have no name by which a certificate or a plan could find them again."""
    words = tmp_path / "own.txt"
    words.write_text("crane\nslate\nbrine\nspine\n")
    certificate, plan = str(tmp_path / "own.cert"), str(tmp_path / "own.json")
    game = ("--answers", str(words), "--guesses", str(words), "--hard")
    made = salet("solve", *game, "--certificate", certificate, "--plan", plan)
    assert made.code == 0, made.err
    fields = salet("check", certificate, *game[:4], "--plan", plan, "--json").json
    assert (fields["mode"], fields["optimal"]) == ("hard", True)
    assert salet("verify", plan, *game[:4], "--json").json["total"] == fields["lower"]


def test_a_ranking(salet, tmp_path: Path) -> None:
    path = str(tmp_path / "ranking.cert")
    assert salet("prove", *GAME, "--ranking", "all", "--certificate", path).code == 0
    assert salet("check", path, "--json").json["lower"] == 21


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": ["a"]}, "the header says 'game' is ['a']"),
        ({"mode": 7}, "the header says 'mode' is 7"),
        ({"rule": {}}, "the header says 'rule' is {}"),
        ({"mode": "x"}, "unknown mode 'x'"),
        ({"cap": "x"}, "cap 'x'"),
        ({"cap": -5}, "a cap of -5"),
        ({"cap": 3}, "is a certificate for another game than 'mastermind:2x3'"),
        ({"game": "/etc/passwd"}, "unknown game '/etc/passwd'"),
        ({"lower": [[None, 22]]}, "does not follow: guess 1 costs at least 21"),
        ({"facts": 2}, "ends before fact 1"),
        ({"bytes": 1}, "holds more than the 1 bytes"),
        ({"sha256": "0"}, "do not have the checksum"),
    ],
)
def test_a_changed_header_ends_in_one_line(salet, files, changes, said, tmp_path: Path) -> None:
    line, _, facts = Path(files[0]).read_bytes().partition(b"\n")
    path = tmp_path / "changed.cert"
    path.write_bytes(json.dumps({**json.loads(line), **changes}).encode() + b"\n" + facts)
    salet("check", str(path)).assert_refused(said)

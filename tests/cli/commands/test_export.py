"""`salet export games` as users and scripts meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GAME = ("--game", "original:first=60,guesses=answers")


def test_lines_on_stdout_and_in_a_file(salet, tmp_path: Path) -> None:
    ran = salet("export", "games", *GAME)
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert {row["split"] for row in rows} == {"train"} and 40 < len(rows) < 60
    assert rows[0]["messages"][0]["role"] == "user"
    out = tmp_path / "train.jsonl"
    ran = salet("export", "games", *GAME, "--out", str(out))
    assert ran.out == "" and f"{len(rows)} games of original:first=60" in ran.err
    assert [json.loads(line) for line in out.read_text().splitlines()] == rows


def test_other_splits_formats_and_players(salet) -> None:
    options = ("--split", "test", "--format", "jsonl-tools", "--strategy", "entropy")
    rows = [json.loads(row) for row in salet("export", "games", *GAME, *options).out.splitlines()]
    assert {row["split"] for row in rows} == {"test"}
    assert rows[0]["messages"][1]["tool_calls"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--format", "jsnol"), "unknown format 'jsnol'; did you mean 'jsonl'"),
        (("--split", "dev"), "unknown split 'dev'; known: train, validation, test, all"),
        (("--strategy", "exacct"), "unknown strategy 'exacct'; did you mean 'exact'"),
        (("--out", "missing/x.jsonl"), "there is no directory 'missing'"),
        (("--game", "original:first=3", "--split", "test"), "is in the split 'test'; choose"),
        (("--game", "original:boards=2"), "original:boards=2 has 2 boards, and this is for one"),
    ],
)
def test_wrong_options(salet, options, message) -> None:
    ran = salet("export", "games", *GAME, *options)
    assert ran.code == 2 and message in ran.err and ran.out == ""

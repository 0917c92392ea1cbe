"""`salet assist` as users and scripts meet it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

KEYS = {
    *("game", "mode", "cap", "remaining", "words", "guess", "expected", "lower", "upper"),
    *("proven", "explanation", "suggestions"),
}
SUGGESTION_KEYS = {
    *("guess", "expected", "lower", "upper", "proven", "groups", "largest", "win", "worst"),
}
ORIGINAL = ("--game", "original", "--seconds", "600")


@pytest.mark.parametrize("game", ["nyt", "original"])
@pytest.mark.parametrize("mode", [(), ("--hard",)])
def test_the_opener_as_json(salet, game: str, mode: tuple[str, ...]) -> None:
    ran = salet("assist", "--game", game, *mode, "--seconds", "1", "--json")
    fields = ran.json
    assert set(fields) >= KEYS
    assert fields["game"] == {"nyt": "nyt-2023-07", "original": "original"}[game]
    assert fields["mode"] == ("hard" if mode else "normal")
    assert len(fields["suggestions"]) >= 10
    assert all(set(row) >= SUGGESTION_KEYS for row in fields["suggestions"])
    assert fields["guess"] == fields["suggestions"][0]["guess"]
    assert len(fields["words"]) == fields["remaining"]


@pytest.mark.parametrize("rows", [("crane:bybbg",), ("crane", "bybbg"), ("CRANE:⬛🟨⬛⬛🟩",)])
def test_rows_can_be_written_in_several_ways(salet, rows: tuple[str, ...]) -> None:
    fields = salet("assist", *rows, *ORIGINAL, "--json").json
    assert (fields["guess"], fields["proven"]) == ("south", True)
    assert fields["expected"] == fields["lower"] == fields["upper"] == pytest.approx(97 / 40)


def test_text(salet) -> None:
    ran = salet("assist", "crane:bybbg", *ORIGINAL)
    assert ran.out.startswith(
        "original: 2315 answers, 6 guesses, normal mode\n1   C (R) A  N [E]\n"
    )
    assert "SOUTH splits 40 words into 24 groups" in ran.out.replace("\n", " ")


def test_past_answers_become_less_likely_but_stay(salet, tmp_path: Path) -> None:
    past = tmp_path / "past.txt"
    past.write_text("there\nwhere\n")
    arguments = ("assist", "crane:bybbg", "--game", "original", "--seconds", "1", "--json")
    before = salet(*arguments).json["words"]
    after = salet(*arguments, "--past", str(past)).json["words"]
    assert before[0] == "there" and after[0] == "three"
    assert sorted(before) == sorted(after)


BAD_INPUT = {
    "row": (("crane:bybb",), "row 1 'crane:bybb'", "4 tiles"),
    "word": (("crnae:bybbg",), "'crnae'", "did you mean"),
    "half a row": (("crane",), "row 1", "has no feedback"),
    "game": (("--game", "orignal", "--json"), "'orignal'", "'original'"),
    "objective": (("--objective", "fast", "--json"), "'fast'", "mean"),
    "opener": (("--opener", "qqqqq", "--json"), "'qqqqq'"),
    "past": (("--past", "no/such", "--json"), "'no/such'"),
    "weights": (("--weights", "no/such", "--json"), "no/such"),
    "seconds": (("--seconds", "0"), "--seconds"),
    "solved": (("crane:ggggg",), "'crane'", "found the answer"),
}


@pytest.mark.parametrize("fault", BAD_INPUT)
def test_bad_input(salet, fault: str) -> None:
    arguments, *said = BAD_INPUT[fault]
    salet("assist", *arguments).assert_refused(*said)


def test_the_opener_needs_no_compiling(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "salet", "assist", "--game", "original", "--json"],
        env={**os.environ, "SALET_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["proven"]
    assert not list(tmp_path.rglob("*.nbc")) and not (tmp_path / "tables").exists()

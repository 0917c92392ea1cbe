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


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("1", "40 words fit; 5 guesses are left"),
        ("2", "the best guess takes 2.425 guesses on average"),
        ("3", "letters worth testing, the most telling first:\nS at 1: in 16 of 40 words"),
        ("4", "SOUTH splits 40 words"),
    ],
)
def test_hints_come_in_steps(salet, step: str, said: str) -> None:
    arguments = ("assist", "crane:bybbg", *ORIGINAL, "--hint", step)
    out = salet(*arguments).out
    assert said in out and ("SOUTH" in out) == (step == "4")
    fields = salet(*arguments, "--json").json
    assert fields["remaining"] == 40
    assert fields.get("guess") == ("south" if step == "4" else None)


def test_an_idea_is_rated(salet) -> None:
    arguments = ("assist", "crane:bybbg", *ORIGINAL, "--hard", "--rate", "horse")
    out = salet(*arguments).out.replace("\n", " ")
    assert "HORSE is fine: 0.07 guesses behind the best; among the best 14 of 469" in out
    fields = salet(*arguments, "--json").json
    assert (fields["guess"], fields["verdict"], fields["proven"]) == ("horse", "fine", True)
    assert salet("assist", *ORIGINAL, "--rate", "salet").out.count("SALET is best: no guess") == 1


def test_likelihood_says_what_it_changed(salet, tmp_path: Path) -> None:
    arguments = ("assist", "crane:bybbg", *ORIGINAL, "--likely")
    fields = salet(*arguments, "--json").json
    assert fields["guess"] == "there" and fields["weights"] == "prior"
    assert fields["likelihood_change"].startswith("likelihood counts: THERE, not SOUTH; ")
    hint = salet(*arguments, "--hint", "2", "--json").json["likelihood_change"]
    assert "THERE" not in hint and "instead of 2.425" in hint
    assert "likelihood_change" not in salet(*arguments, "--hint", "1", "--json").json
    rated = salet(*arguments, "--rate", "south").out
    assert "· likelihood counts: costly instead of best" in rated
    past = tmp_path / "past.txt"
    past.write_text("2024-03-05 THERE\n2024-03-06 zzzzz\n")
    ran = salet(*arguments, "--past", str(past), "--json")
    assert ran.json["guess"] == "where"
    assert ran.err == "salet: --past: 1 not in original, ignored: zzzzz\n"


BAD_INPUT = {
    "two questions": (("--hint", "1", "--rate", "crane"), "ask one of them"),
    "step": (("--hint", "5"), "--hint", "5"),
    "idea": (("--rate", "crana"), "'crana'", "'crane'"),
    "illegal idea": (("crane:bybbg", "--rate", "slots", "--hard"), "'slots' is not allowed"),
    "two weights": (("--likely", "--weights", "w.txt", "--json"), "--likely contradicts"),
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

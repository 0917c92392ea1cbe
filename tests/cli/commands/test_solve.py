"""`salet solve` as users and scripts meet it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

KEYS = {
    *("game", "mode", "cap", "objective", "guess", "ties", "answers", "total", "mean", "worst"),
    *("losses", "histogram", "lower", "upper", "proven", "nodes", "seconds", "peak_mb", "version"),
    *("cpu_seconds", "commit"),
}
ORIGINAL = ("--game", "original")


@pytest.mark.parametrize("rows", [("crane:bybbg",), ("crane", "bybbg"), ("CRANE", "⬛🟨⬛⬛🟩")])
def test_rows_can_be_written_in_several_ways(salet, rows: tuple[str, ...]) -> None:
    fields = salet("solve", *rows, *ORIGINAL, "--json").json
    assert set(fields) == KEYS
    assert (fields["guess"], fields["total"], fields["answers"]) == ("south", 97, 40)


def test_text(salet) -> None:
    ran = salet("solve", "crane", "bybbg", "--top", "2", *ORIGINAL)
    first, second, *_, last = ran.out.splitlines()
    assert first == "original, normal mode, cap 6: 40 answers, objective mean"
    assert second == "south: 2.4250 more guesses, worst 4, proven best"
    assert "  south  97" in ran.out
    assert re.fullmatch(r"total 97, \d+ nodes, [\d.]+ m?s, \d+ MB", last)


def test_a_plan_is_saved(salet, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    ran = salet("solve", "--game", "mastermind:2x3", "--plan", str(plan))
    assert "total 21" in ran.out
    assert salet("verify", str(plan), "--json").json["total"] == 21


def test_a_cap_that_cannot_be_guaranteed(salet) -> None:
    ran = salet("solve", "--game", "mastermind:2x3", "--cap", "1")
    ran.assert_refused("no plan solves all 9 answers within the cap of 1", "--cap")
    ran = salet("solve", "--game", "mastermind:2x3", "--cap", "1", "--json")
    assert ran.code == 2 and ran.json["total"] is None


BAD_INPUT = {
    "no feedback": (("crane",), "'crane'", "has no feedback", "crane:bybbg"),
    "no guess": ((":bybbg",), "':bybbg'", "has no guess"),
    "half a row": (("crane:bybbg", "slate"), "row 2 'slate'", "has no feedback"),
    "too few tiles": (("crane:bybb",), "'crane:bybb'", "4 tiles"),
    "no tile": (("crane:bybbq",), "'crane:bybbq'", "'q'"),
    "unknown word": (("crnae:bybbg",), "'crnae'"),
    "contradiction": (("crane:ggggg", "slate:bbbbb"), "row 2"),
    "impossible": (("crane:ggggy",), "'crane:ggggy'"),
    "solved": (("crane:ggggg",), "'crane:ggggg'", "nothing left to solve"),
    "opener": (("--opener", "sallet"), "'sallet'"),
    "objective": (("--objective", "fast"), "'fast'", "mean"),
    "weights": (("--weights", "no/such"), "no/such"),
    "top": (("--top", "0"), "--top"),
    "plan": (("--plan", "no/plan.json"), "'no/plan.json'"),
    "memory": (("--memory", "much"), "--memory", "'much'"),
}


@pytest.mark.parametrize("fault", BAD_INPUT)
def test_bad_input(salet, fault: str) -> None:
    arguments, *said = BAD_INPUT[fault]
    salet("solve", *arguments).assert_refused(*said)

"""`salet verify` as users and scripts meet it."""

from __future__ import annotations

from pathlib import Path

import pytest

KEYS = [
    *("plan", "game", "mode", "cap", "opener", "answers", "total", "mean", "worst", "losses"),
    *("histogram", "legal", "certificate", "version", "commit"),
]


def test_a_shipped_plan_by_name(salet) -> None:
    fields = salet("verify", "original-normal", "--json").json
    assert list(fields) == KEYS
    assert (fields["plan"], fields["game"], fields["total"]) == (
        "original-normal",
        "original",
        7920,
    )
    assert fields["certificate"]["file"] == "original-normal.cert"
    assert fields["certificate"]["lower"] == 7920
    said = salet("verify", "nyt-2023-07-hard").out
    assert said.endswith("no stored certificate says that no plan has a lower total\n")
    first = salet("verify", "original-hard").out.splitlines()[0]
    assert first == "original-hard on original, hard mode, cap 6, opener salet"


def test_a_plan_names_its_own_game(salet, tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    game = ("--game", "mastermind:2x3", "--cap", "4")
    assert salet("solve", *game, "--plan", f"{plan}.json").code == 0
    Path(f"{plan}.json").rename(plan)
    fields = salet("verify", str(plan), "--json").json
    assert (fields["game"], fields["cap"], fields["total"]) == ("mastermind:2x3", 4, 21)


def test_a_file_is_preferred_to_a_shipped_plan(
    salet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("original-normal").write_text("nonsense")
    salet("verify", "original-normal").assert_refused("original-normal")


def test_unknown_names_are_corrected_or_listed(salet) -> None:
    salet("verify", "orignal-normal").assert_refused(
        "'orignal-normal'", "did you mean 'original-normal'"
    )
    said = ("'zzz'", "original-normal", "original-hard", "nyt-2023-07-normal")
    salet("verify", "zzz").assert_refused(*said)


def test_bad_input(salet, tmp_path: Path) -> None:
    salet("verify", "no/plan.json").assert_refused("'no/plan.json'")
    salet("verify", str(tmp_path)).assert_refused(repr(str(tmp_path)))
    salet("verify", "original-normal", "--game", "nyt").assert_refused(
        "'original'", "'nyt-2023-07'"
    )
    salet("verify", "original-normal", "--cap", "x").assert_refused("'x'")

"""Shipped plans are valid, proven and complete."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from salet import Game, simulate, verify
from salet.errors import UnknownNameError
from salet.search.shipped import FOLDER, shipped_plan, shipped_plan_path

PLANS = sorted(FOLDER.glob("*.json"))
RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"


def test_there_are_shipped_plans() -> None:
    assert "original-normal.json" in {path.name for path in PLANS}


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_a_shipped_plan_has_its_proven_total(path: Path) -> None:
    name, _, mode = path.stem.rpartition("-")
    game = Game.named(name, mode=mode)
    plan = shipped_plan(game)
    assert plan is not None
    assert verify(path, game).total == plan.facts["total"]
    proof = json.loads((RESULTS / plan.facts["proof"]).read_text())["figures"]
    assert proof["proven"] is True
    assert (proof["best"], proof["total"]) == (plan.root.guess, plan.facts["total"])


def test_a_shipped_plan_is_found_by_its_name() -> None:
    assert shipped_plan_path("original-normal") == FOLDER / "original-normal.json"


@pytest.mark.parametrize("name", ["plan.json", "./original-normal", "plans/tree", "plan.tree"])
def test_the_name_of_a_file_is_not_a_shipped_plan(name: str) -> None:
    assert shipped_plan_path(name) is None


def test_an_unknown_plan_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'original-normal'"):
        shipped_plan_path("orignal-normal")
    with pytest.raises(UnknownNameError, match=r"known: nyt-2023-07-hard, .*original-normal"):
        shipped_plan_path("zzz")


def test_checksums() -> None:
    listed = [line.split() for line in (FOLDER / "SHA256SUMS").read_text().splitlines()]
    files = sorted([*PLANS, *FOLDER.glob("*.csv")])
    found = [[hashlib.sha256(path.read_bytes()).hexdigest(), path.name] for path in files]
    assert listed == found


def test_other_caps_and_words_have_none() -> None:
    assert shipped_plan(Game.named("original", cap=7)) is None
    assert shipped_plan(Game.named("original:first=100")) is None


def test_exact_play_starts_from_a_shipped_plan() -> None:
    assert simulate(Game.named("original"), "exact").total == 7920

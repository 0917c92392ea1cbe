"""`salet search` as users and scripts meet it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

GAME = ("--game", "mastermind:2x3")
KEYS = {
    "game", "mode", "cap", "method", "picker", "seed", "iterations", "guess", "lower", "upper",
    "total", "proven", "policy", "seconds", "peak_mb", "curve",
}  # fmt: skip


def test_json(salet) -> None:
    ran = salet("search", *GAME, "--json")
    found = ran.json
    assert ran.code == 0
    assert set(found) >= KEYS
    assert (found["lower"], found["upper"], found["total"], found["proven"]) == (21, 21, 21, True)
    assert found["curve"][-1]["upper"] == pytest.approx(21 / 9)
    assert sum(row["optimal"] for row in found["policy"]) == pytest.approx(1)


def test_text_says_what_is_proven(salet) -> None:
    ran = salet("search", *GAME)
    assert ran.out.startswith("mcts on mastermind:2x3, normal mode, no cap\n")
    assert "total 21, proven best" in ran.out
    ran = salet("search", "--game", "original:first=60", "--iterations", "1")
    assert ran.code == 0
    assert "no plan needs fewer than" in ran.out


def test_plan_curve_and_plot(salet, tmp_path: Path) -> None:
    plan, curve, plot = tmp_path / "plan.json", tmp_path / "curve.csv", tmp_path / "curve.svg"
    files = ("--plan", str(plan), "--curve", str(curve), "--plot", str(plot))
    assert salet("search", *GAME, *files).code == 0
    assert salet("simulate", *GAME, "--strategy", f"plan:{plan}", "--json").json["total"] == 21
    assert salet("verify", str(plan), *GAME, "--json").json["total"] == 21
    rows = list(csv.DictReader(curve.read_text().splitlines()))
    assert float(rows[-1]["upper"]) == pytest.approx(21 / 9, abs=1e-6)
    assert "<svg" in plot.read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--picker", "tomson"), "unknown picker 'tomson'; did you mean 'thompson'?"),
        (("--picker", "puct:d=1"), "parameter of picker 'puct'"),
        (("--predictor", "magic"), "unknown predictor 'magic'"),
        (("--method", "magic"), "unknown method 'magic'"),
        (("--iterations", "0"), "a budget of 0 iterations: give at least 1"),
        (("--seconds", "0"), "a budget of 0 seconds: give more than 0"),
        (("--threads", "0"), "--threads"),
        (("--memory", "0.0001"), "too small for the tables of mastermind:2x3"),
        (("--faithful", "--top-k", "2"), "one guess at a time"),
        (("--faithful", "--cap", "3"), "--faithful plays without a cap"),
        (("--method", "mcdp", "--picker", "no"), "--picker goes with --method mcts"),
        (("--cap", "1"), "no plan solves all 9 answers within the cap of 1 (proven)"),
    ],
)
def test_bad_input_leaves_no_file(
    salet, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    plan = tmp_path / "plan.json"
    salet("search", *GAME, *options, "--plan", str(plan)).assert_refused(said)
    assert list(tmp_path.iterdir()) == []


def test_a_seed_gives_the_same_result(salet) -> None:
    def run(seed: str) -> dict[str, Any]:
        options = ("--iterations", "4", "--seed", seed, "--dp-threshold", "4")
        found = salet("search", "--game", "original:first=60", *options, "--json").json
        return {key: found[key] for key in ("guess", "lower", "upper", "policy")}

    assert run("5") == run("5")


def test_ctrl_c_keeps_the_best_plan(salet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from salet.search.mcts.search import TreeSearch

    whole = TreeSearch.iterate

    def iterate(self: TreeSearch) -> None:
        if self.iteration == 1:
            raise KeyboardInterrupt
        whole(self)

    monkeypatch.setattr(TreeSearch, "iterate", iterate)
    plan = tmp_path / "plan.json"
    options = ("--game", "original:first=100", "--cap", "none", "--dp-threshold", "2", "--json")
    ran = salet("search", *options, "--plan", str(plan))
    assert (ran.code, ran.json["stopped"], ran.json["iterations"]) == (0, "interrupted", 1)
    verified = salet("verify", str(plan), *options[:4], "--json")
    assert verified.json["total"] == ran.json["upper"]

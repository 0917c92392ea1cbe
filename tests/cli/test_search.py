"""`salet search` and `salet compare-pickers` as users and scripts meet them."""

from __future__ import annotations

import csv
import json

import pytest

from salet.cli import main

GAME = ("--game", "mastermind:2x3")
KEYS = {
    "game", "mode", "cap", "method", "picker", "seed", "iterations", "guess", "lower", "upper",
    "total", "proven", "policy", "seconds", "peak_mb", "curve",
}  # fmt: skip


@pytest.fixture
def salet(capsys):
    def run(*arguments):
        capsys.readouterr()
        code = main(arguments)
        return code, *capsys.readouterr()

    return run


def test_json(salet):
    code, out, _ = salet("search", *GAME, "--json")
    found = json.loads(out)
    assert code == 0
    assert set(found) >= KEYS
    assert (found["lower"], found["upper"], found["total"], found["proven"]) == (21, 21, 21, True)
    assert found["curve"][-1]["upper"] == pytest.approx(21 / 9)
    assert sum(row["optimal"] for row in found["policy"]) == pytest.approx(1)


def test_people_are_told_what_is_proven(salet):
    code, out, _ = salet("search", *GAME)
    assert code == 0
    assert "total 21, proven best" in out
    code, out, _ = salet("search", "--game", "original:first=60", "--iterations", "1")
    assert code == 0
    assert "no plan takes fewer than" in out


def test_plan_curve_and_plot(salet, tmp_path):
    plan, curve, plot = tmp_path / "plan.json", tmp_path / "curve.csv", tmp_path / "curve.svg"
    files = ("--plan", str(plan), "--curve", str(curve), "--plot", str(plot))
    code, _, _ = salet("search", *GAME, *files)
    assert code == 0
    code, out, _ = salet("simulate", *GAME, "--strategy", f"plan:{plan}", "--json")
    assert (code, json.loads(out)["total"]) == (0, 21)
    code, out, _ = salet("verify", str(plan), *GAME, "--json")
    assert (code, json.loads(out)["total"]) == (0, 21)
    rows = list(csv.DictReader(curve.read_text().splitlines()))
    assert float(rows[-1]["upper"]) == pytest.approx(21 / 9, abs=1e-6)
    assert "<svg" in plot.read_text()


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--picker", "tomson"), "unknown picker 'tomson'; did you mean 'thompson'?"),
        (("--picker", "puct:d=1"), "parameter of picker 'puct'"),
        (("--predictor", "magic"), "unknown predictor 'magic'"),
        (("--method", "magic"), "unknown method 'magic'"),
        (("--iterations", "0"), "a budget of 0 iterations: give at least 1"),
        (("--seconds", "0"), "a budget of 0 seconds: give more than 0"),
        (("--memory", "0.0001"), "too small for the root of mastermind:2x3"),
        (("--faithful", "--top-k", "2"), "one guess at a time"),
        (("--faithful", "--cap", "3"), "--faithful knows no cap"),
        (("--method", "mcdp", "--picker", "no"), "--picker goes with --method mcts"),
        (("--cap", "1"), "no plan solves all 9 answers within the cap of 1 (proven)"),
    ],
)
def test_wrong_input_is_one_line_and_leaves_no_file(salet, tmp_path, options, fault):
    plan = tmp_path / "plan.json"
    code, _, err = salet("search", *GAME, *options, "--plan", str(plan))
    assert code == 2
    assert err.startswith("salet: ")
    assert fault in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_written_are_refused_first(salet, tmp_path):
    code, _, err = salet("search", *GAME, "--plan", str(tmp_path / "no" / "plan.json"))
    assert code == 2
    assert "there is no directory" in err
    code, _, err = salet("search", *GAME, "--plot", str(tmp_path / "curve.doc"))
    assert code == 2
    assert "must end in" in err


def test_a_seed_gives_the_same_result(salet):
    def run(seed):
        options = ("--iterations", "4", "--seed", seed, "--dp-threshold", "4")
        found = json.loads(salet("search", "--game", "original:first=60", *options, "--json")[1])
        return {key: found[key] for key in ("guess", "lower", "upper", "policy")}

    assert run("5") == run("5")


def test_ctrl_c_keeps_the_best_plan(salet, tmp_path, monkeypatch):
    from salet.search.mcts.search import TreeSearch

    whole = TreeSearch.iterate

    def iterate(self):
        if self.iteration == 1:
            raise KeyboardInterrupt
        whole(self)

    monkeypatch.setattr(TreeSearch, "iterate", iterate)
    plan = tmp_path / "plan.json"
    options = ("--game", "original:first=100", "--cap", "none", "--dp-threshold", "2", "--json")
    code, out, _ = salet("search", *options, "--plan", str(plan))
    found = json.loads(out)
    assert (code, found["stopped"], found["iterations"]) == (0, "interrupted", 1)
    code, out, _ = salet("verify", str(plan), *options[:4], "--json")
    assert (code, json.loads(out)["total"]) == (0, found["upper"])


def test_compare_pickers(salet, tmp_path):
    curve, plot = tmp_path / "curve.csv", tmp_path / "curve.svg"
    options = ("--picker", "thompson", "--picker", "laplace:delta=0.2", "--seeds", "2")
    files = ("--curve", str(curve), "--plot", str(plot))
    code, out, _ = salet("compare-pickers", *GAME, *options, *files, "--json")
    assert code == 0
    runs = json.loads(out)["runs"]
    assert [(run["picker"], run["seed"]) for run in runs] == [
        ("thompson", 0), ("thompson", 1), ("laplace:delta=0.2", 0), ("laplace:delta=0.2", 1),
    ]  # fmt: skip
    assert {run["upper"] for run in runs} == {21}
    assert (
        len(
            {(row["picker"], row["seed"]) for row in csv.DictReader(curve.read_text().splitlines())}
        )
        == 4
    )
    assert "laplace:delta=0.2" in plot.read_text() or plot.stat().st_size > 1000
    code, out, _ = salet(
        "compare-pickers", "--game", "mastermind:3x3", "--faithful", "--seconds", "1.5", "--picker",
        "thompson", "--json",
    )  # fmt: skip
    assert json.loads(out)["runs"][0]["stopped"] == "seconds"
    code, out, _ = salet("compare-pickers", *GAME, "--iterations", "5")
    assert code == 0
    assert all(name in out for name in ("thompson", "puct", "hoeffding", "epsilon-greedy"))


def test_compare_pickers_refuses_what_search_refuses(salet):
    for options in (("--picker", "no"), ("--iterations", "0"), ("--seeds", "0")):
        code, _, err = salet("compare-pickers", *GAME, *options)
        assert code == 2
        assert err.startswith("salet: ")

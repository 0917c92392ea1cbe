"""`salet compare-pickers` as users and scripts meet it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

GAME = ("--game", "mastermind:2x3")


def test_json_curve_and_plot(salet, tmp_path: Path) -> None:
    curve, plot = tmp_path / "curve.csv", tmp_path / "curve.svg"
    options = ("--picker", "thompson", "--picker", "laplace:delta=0.2", "--seeds", "2")
    files = ("--curve", str(curve), "--plot", str(plot))
    ran = salet("compare-pickers", *GAME, *options, *files, "--json")
    assert ran.code == 0
    runs = [("thompson", 0), ("thompson", 1), ("laplace:delta=0.2", 0), ("laplace:delta=0.2", 1)]
    assert [(run["picker"], run["seed"]) for run in ran.json["runs"]] == runs
    assert {run["upper"] for run in ran.json["runs"]} == {21}
    rows = csv.DictReader(curve.read_text().splitlines())
    assert {(row["picker"], int(row["seed"])) for row in rows} == set(runs)
    assert plot.stat().st_size > 1000


def test_every_run_has_its_budget(salet) -> None:
    game = ("--game", "mastermind:3x3")
    options = ("--faithful", "--seconds", "1.5", "--picker", "thompson", "--json")
    ran = salet("compare-pickers", *game, *options)
    assert ran.json["runs"][0]["stopped"] == "seconds"


def test_text(salet) -> None:
    ran = salet("compare-pickers", *GAME, "--iterations", "5")
    assert ran.out.startswith("mastermind:2x3, normal mode, no cap\n")
    assert all(name in ran.out for name in ("thompson", "puct", "hoeffding", "epsilon-greedy"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--picker", "no"), "'no'"),
        (("--iterations", "0"), "0 iterations"),
        (("--seeds", "0"), "--seeds"),
        (("--curve", "no/such.csv"), "'no/such.csv'"),
    ],
)
def test_bad_input(salet, options: tuple[str, ...], said: str) -> None:
    salet("compare-pickers", *GAME, *options).assert_refused(said)

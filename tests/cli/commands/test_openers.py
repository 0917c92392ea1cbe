"""`salet openers` as users and scripts meet it."""

from __future__ import annotations

import csv

import pytest

ORIGINAL = ("openers", "--game", "original")


def test_the_best_openers(salet) -> None:
    ran = salet(*ORIGINAL, "--top", "3")
    assert (ran.code, ran.err) == (0, "")
    title, head, first, *others = ran.out.splitlines()
    assert title == "original: 2315 answers, 6 guesses, normal mode"
    assert head.split() == ["rank", "opener", "total", "mean", "worst", "groups", "largest"]
    assert first.split() == ["1", "salet", "7920", "3.4212", "5", "148", "221"]
    assert len(others) == 2


def test_json_of_given_words_and_of_common_ones(salet) -> None:
    ran = salet(*ORIGINAL, "salet", "crane", "--json")
    rows = ran.json["openers"]
    assert [(row["guess"], row["total"], row["mean"]) for row in rows] == [
        ("salet", 7920, 3.4212),
        ("crane", 7930, 3.4255),
    ]
    ran = salet(*ORIGINAL, "salet", "crane", "--common", "--json")
    assert [row["guess"] for row in ran.json["openers"]] == ["crane"]


def test_csv_has_every_opener(salet, tmp_path) -> None:
    path = tmp_path / "openers.csv"
    assert salet(*ORIGINAL, "--csv", str(path)).code == 0
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12972
    assert (rows[0]["guess"], rows[0]["total"], rows[0]["rank"]) == ("salet", "7920", "1")


def test_a_game_without_a_table_is_searched(salet) -> None:
    ran = salet("openers", "--game", "mastermind:2x3", "--seconds", "60", "--json", "--top", "9")
    rows = ran.json["openers"]
    assert min(row["total"] for row in rows) == 21
    assert all(row["keeps_cap"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["zzzzz"], "'zzzzz'"),
        (["--top", "0"], "top 0: original has 12972 openers; give 1 to 12972"),
        (["--top", "99999"], "top 99999: original has 12972 openers"),
        (["--seconds", "0"], "seconds 0.0: give more than 0"),
        (["--memory", "0"], "memory 0.0: give some gigabytes"),
        (["salet", "--common"], "none of salet can be an answer"),
        (["--csv", "nowhere/x.csv"], "there is no directory 'nowhere'"),
    ],
)
def test_bad_input_is_one_line(salet, arguments, message: str) -> None:
    ran = salet(*ORIGINAL, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1

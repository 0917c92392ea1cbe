"""`salet analyse` as users and scripts meet it."""

from __future__ import annotations

import io

import pytest

GRID = "Wordle 1,234 3/6*\n\n⬛🟨⬛⬛⬛\n🟨⬛⬛🟨🟨\n🟩🟩🟩🟩🟩\n"
NORMAL_GRID = GRID.replace("*", "")
ORIGINAL = ("--game", "original", "--seconds", "600")
WORDS = ("salet", "acorn", "grand")


def test_a_won_game(salet) -> None:
    fields = salet("analyse", *WORDS, *ORIGINAL, "--json").json
    assert fields["won"] and fields["proven"] and fields["lost_games"] == 0
    first, second, third = fields["turns"]
    assert (first["lost"], second["best"], third["remaining_after"]) == (0, "brond", 0)
    start = first["expected_before"]
    assert start == pytest.approx(7920 / 2315)
    assert start + fields["lost"] - fields["luck"] == pytest.approx(3)
    assert salet("analyze", *WORDS, *ORIGINAL, "--json").json == fields
    ran = salet("analyse", *WORDS, *ORIGINAL, "--what-if", "2:round")
    assert f"score {fields['score']} of 99 ({fields['formula']})" in ran.out
    assert "what if 2 round" in ran.out
    assert fields["summary"] in ran.out


def test_a_lost_game(salet) -> None:
    words = ("crane", "match", "latch", "hatch", "batch", "patch")
    fields = salet("analyse", *words, "--answer", "watch", *ORIGINAL, "--json").json
    assert (fields["won"], fields["over"]) == (False, True)
    assert fields["lost_games"] == pytest.approx(1 / 3)
    start = fields["turns"][0]
    assert start["expected_before"] + fields["lost"] - fields["luck"] == pytest.approx(6)
    assert start["losses_before"] + fields["lost_games"] - fields["luck_games"] == pytest.approx(1)
    assert "X/6" in fields["summary"]


def test_a_grid_alone(salet) -> None:
    fields = salet("analyse", "--game", "original", "--grid", GRID, "--json").json
    assert fields["mode"] == "hard" and len(fields["rows"]) == 3
    assert [row["word"] for row in fields["rows"][2]] == [row["word"] for row in fields["answers"]]
    ran = salet("analyse", "--game", "original", "--grid", GRID)
    assert ran.out.startswith("original: 2315 answers, 6 guesses, hard mode\n1 BYBBB  ")
    assert "are possible)" in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        (*WORDS, "--grid", "-"),
        (*WORDS, *NORMAL_GRID.split("\n")[2:5]),
        (*WORDS, "bybbb", "YBBYY", "ggggg"),
        ("salet:bybbb", "acorn:ybbyy", "grand:22222"),
        ("salet", "bybbb", "acorn", "ybbyy", "grand", "ggggg"),
    ],
)
def test_feedback_can_be_given_in_several_ways(
    salet, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(NORMAL_GRID))
    assert salet("analyse", *arguments, *ORIGINAL, "--json").json["score"] == 95


def test_a_game_of_pegs(salet) -> None:
    game = ("--game", "mastermind:2x3")
    fields = salet("analyse", "12", "33", *game, "--json").json
    assert (fields["won"], fields["turns"][0]["feedback"]) == (True, "0,0")
    assert "skill" in salet("analyse", "12", "33", *game).out


BAD_INPUT = {
    "nothing": ((), "words of a game"),
    "unknown word": (("salet", "acorm", "grand"), "row 2", "'acorm'"),
    "too many rows": (("salet", "grand", "--grid", GRID), "3 rows", "2 words"),
    "other colours": (
        ("salet", "adorn", "grand", "--grid", NORMAL_GRID),
        "row 2: 'adorn' does not fit",
        "YYBYY",
    ),
    "mixed lengths": (("salet", "grands"), "'grands' has 6 letters"),
    "wrong colours of a row": (("salet:bybbb", "acorn:bbbbb", "grand:ggggg"), "row 2", "YBBYY"),
    "a huge paste": (("--grid", "⬛🟨⬛⬛⬛\n" * 5000), "30,000 characters"),
    "what-if": (("salet", "--game", "original", "--what-if", "x"), "'x'", "2:crane"),
    "no answer": (("salet", "--grid", "⬛🟨⬛⬛⬛"), "--answer"),
    "not hard": (("salet", "crony", "grand", "--hard"), "row 2", "must contain A"),
    "palette": (
        ("salet", "acorn", "grand", "--palette", "drak", "--seconds", "1"), "'drak'", "'dark'",
    ),
    "seconds": (("salet", "--seconds", "x"), "--seconds", "'x'"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD_INPUT)
def test_bad_input(salet, fault: str) -> None:
    arguments, *said = BAD_INPUT[fault]
    salet("analyse", *arguments).assert_refused(*said)

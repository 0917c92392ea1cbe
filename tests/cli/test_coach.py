"""`salet assist` and `salet analyse` as users and scripts meet them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from salet.cli.session import Session
from salet.coach.coach import Coach
from salet.coach.suggest import Wishes
from salet.game.game import Game

ASSIST_KEYS = {
    *("game", "mode", "cap", "remaining", "words", "guess", "expected", "lower", "upper"),
    *("proven", "explanation", "suggestions"),
}
SUGGESTION_KEYS = {
    *("guess", "expected", "lower", "upper", "proven", "groups", "largest", "win", "worst"),
}
GRID = "Wordle 1,234 3/6*\n\n⬛🟨⬛⬛⬛\n🟨⬛⬛🟨🟨\n🟩🟩🟩🟩🟩\n"
ORIGINAL = ("--game", "original", "--seconds", "600")


def assert_one_line(ran, *said: str) -> None:
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("salet: ") and ran.err.count("\n") == 1
    for text in said:
        assert text in ran.err


@pytest.mark.parametrize("game", ["nyt", "original"])
@pytest.mark.parametrize("mode", [(), ("--hard",)])
def test_the_opener_as_json(salet, game: str, mode: tuple[str, ...]) -> None:
    ran = salet("assist", "--game", game, *mode, "--seconds", "1", "--json")
    fields = ran.json
    assert set(fields) >= ASSIST_KEYS
    assert fields["game"] == {"nyt": "nyt-2023-07", "original": "original"}[game]
    assert fields["mode"] == ("hard" if mode else "normal")
    assert len(fields["suggestions"]) >= 10
    assert all(set(row) >= SUGGESTION_KEYS for row in fields["suggestions"])
    assert fields["guess"] == fields["suggestions"][0]["guess"]
    assert len(fields["words"]) == fields["remaining"]


def test_assist_after_rows(salet) -> None:
    for rows in (["crane:bybbg"], ["crane", "bybbg"], ["CRANE:⬛🟨⬛⬛🟩"]):
        fields = salet("assist", *rows, *ORIGINAL, "--json").json
        assert (fields["guess"], fields["proven"]) == ("south", True)
        assert fields["expected"] == fields["lower"] == fields["upper"] == pytest.approx(97 / 40)
    ran = salet("assist", "crane:bybbg", *ORIGINAL)
    assert "original: 2315 answers, 6 guesses, normal mode" in ran.out
    assert "SOUTH splits 40 words into 24 groups" in ran.out.replace("\n", " ")


def test_nyt_is_the_game_if_none_is_named(salet) -> None:
    assert "nyt-2023-07: 3158 answers" in salet("assist", "--seconds", "1").out


def test_past_answers_go_down_and_stay_in(salet, tmp_path: Path) -> None:
    past = tmp_path / "past.txt"
    past.write_text("there\nwhere\n")
    arguments = ("assist", "crane:bybbg", "--game", "original", "--seconds", "1", "--json")
    before = salet(*arguments).json["words"]
    after = salet(*arguments, "--past", str(past)).json["words"]
    assert before[0] == "there" and after[0] == "three"
    assert sorted(before) == sorted(after)


BAD = {
    "row": (("assist", "crane:bybb"), "row 1 'crane:bybb'", "4 tiles"),
    "word": (("assist", "crnae:bybbg"), "'crnae'", "did you mean"),
    "half": (("assist", "crane"), "row 1", "has no feedback"),
    "game": (("assist", "--game", "orignal", "--json"), "'orignal'", "'original'"),
    "objective": (("assist", "--objective", "fast", "--json"), "'fast'", "mean"),
    "opener": (("assist", "--opener", "qqqqq", "--json"), "'qqqqq'"),
    "past": (("assist", "--past", "no/such", "--json"), "'no/such'"),
    "weights": (("assist", "--weights", "no/such", "--json"), "no/such"),
    "nothing": (("analyse",), "words of a game"),
    "unknown": (("analyse", "salet", "acorm", "grand"), "row 2", "'acorm'"),
    "grid": (("analyse", "salet", "grand", "--grid", GRID), "3 rows", "2 words"),
    "colours": (
        ("analyse", "salet", "adorn", "grand", "--grid", GRID.replace("*", "")),
        "row 2: 'adorn' does not fit",
        "YYBYY",
    ),
    "mixed": (("analyse", "salet", "grands"), "'grands' has 6 letters"),
    "row and colours": (("analyse", "salet:bybbb", "acorn:bbbbb", "grand:ggggg"), "row 2", "YBBYY"),
    "paste": (("analyse", "--grid", "⬛🟨⬛⬛⬛\n" * 5000), "30,000 characters"),
    "what-if": (("analyse", "salet", "--game", "original", "--what-if", "x"), "2:crane"),
    "lost": (("analyse", "salet", "--grid", "⬛🟨⬛⬛⬛"), "--answer"),
    "not hard": (("analyse", "salet", "crony", "grand", "--hard"), "row 2", "must contain A"),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_input(salet, fault: str) -> None:
    arguments, *said = BAD[fault]
    assert_one_line(salet(*arguments), *said)


def test_analyse(salet) -> None:
    fields = salet("analyse", "salet", "acorn", "grand", *ORIGINAL, "--json").json
    assert fields["won"] and fields["proven"] and fields["lost_games"] == 0
    first, second, third = fields["turns"]
    assert (first["lost"], second["best"], third["remaining_after"]) == (0, "brond", 0)
    start = first["expected_before"]
    assert start == pytest.approx(7920 / 2315)
    assert start + fields["lost"] - fields["luck"] == pytest.approx(3)
    assert salet("analyze", "salet", "acorn", "grand", *ORIGINAL, "--json").json == fields
    ran = salet("analyse", "salet", "acorn", "grand", *ORIGINAL, "--what-if", "2:round")
    assert f"score {fields['score']} of 99 ({fields['formula']})" in ran.out
    assert "what if 2 round" in ran.out
    assert fields["summary"] in ran.out


def test_a_grid_alone_and_a_grid_with_words(salet, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = salet("analyse", "--game", "original", "--grid", GRID, "--json").json
    assert fields["mode"] == "hard" and len(fields["rows"]) == 3
    assert [row["word"] for row in fields["rows"][2]] == [row["word"] for row in fields["answers"]]
    monkeypatch.setattr("sys.stdin", io.StringIO(GRID.replace("*", "")))
    words = ("salet", "acorn", "grand")
    assert salet("analyse", *words, "--grid", "-", *ORIGINAL, "--json").json["score"] == 95
    for grid in (GRID.split("\n")[2:5], ["bybbb", "YBBYY", "ggggg"]):
        assert salet("analyse", *words, *grid, *ORIGINAL, "--json").json["score"] == 95
    rows = ("salet:bybbb", "acorn:ybbyy", "grand:22222")
    assert salet("analyse", *rows, *ORIGINAL, "--json").json["score"] == 95


def test_a_lost_game(salet) -> None:
    words = ("crane", "match", "latch", "hatch", "batch", "patch")
    fields = salet("analyse", *words, "--answer", "watch", *ORIGINAL, "--json").json
    assert (fields["won"], fields["over"]) == (False, True)
    assert fields["lost_games"] == pytest.approx(1 / 3)
    start = fields["turns"][0]
    assert start["expected_before"] + fields["lost"] - fields["luck"] == pytest.approx(6)
    assert start["losses_before"] + fields["lost_games"] - fields["luck_games"] == pytest.approx(1)
    assert "X/6" in fields["summary"]


def talk(monkeypatch: pytest.MonkeyPatch, capsys, *typed: str) -> str:
    lines = iter([*typed, "quit"])
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: next(lines))
    game = Game.named("original:first=400")
    Session(Coach(game), Wishes(seconds=5)).run()
    return capsys.readouterr().out


def test_a_conversation(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    out = talk(
        monkeypatch, capsys, "crane", "bybbg", "hard", "slots bbbbb", "opener verse", "undo",
        "1 crane bybby", "9", "blah", "words", "worst", "more", "?", "new", "undo", "",
    )  # fmt: skip
    assert "original:first=400: 400 answers, 6 guesses, normal mode" in out
    assert "hard mode" in out
    assert "'slots' is not allowed: hard mode" in out
    assert "there is no row 9" in out
    assert "'blah' has 4 letters; words of this game have 5" in out
    assert "take back the last change" in out
    assert out.count(" C (R) A  N [E]") >= 3 and " C (R) A  N (E)" in out


def test_a_row_can_be_edited_and_a_game_found(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    out = talk(monkeypatch, capsys, "crane bybbg", "1", "crane ggggg", "undo", "undo", "undo")
    assert "Found in 1" in out
    assert "there is nothing to undo" in out


def test_without_any_cache_the_opener_needs_no_compiling(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "salet", "assist", "--game", "original", "--json"],
        env={**os.environ, "SALET_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["proven"]
    assert not list(tmp_path.rglob("*.nbc")) and not (tmp_path / "tables").exists()

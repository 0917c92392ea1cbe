"""`salet history` as users and scripts meet it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("own_data")

ROWS = "⬛🟨⬛⬛⬛\n🟨⬛⬛🟨🟨\n🟩🟩🟩🟩🟩\n"
TEXT = f"Wordle 990 3/6\n\n{ROWS}\nWordle 991 X/6*\n\n" + "⬛🟨⬛⬛⬛\n" * 6


@pytest.fixture
def texts(tmp_path: Path) -> str:
    path = tmp_path / "results.txt"
    path.write_text(TEXT)
    return str(path)


def test_an_empty_history_says_how_to_begin(salet) -> None:
    ran = salet("history")
    assert ran.code == 0 and "There are no games yet" in ran.out
    assert salet("history", "--json").json["summary"]["averages"]["games"] == 0


def test_import_list_and_export(salet, texts: str, own_data: Path, tmp_path: Path) -> None:
    path = own_data / "history.jsonl"
    assert salet("history", "import", texts).out == f"2 added, 0 already known: {path}\n"
    assert "0 added, 2 already known" in salet("history", "import", texts).out
    ran = salet("history")
    assert ran.out.startswith("2 games; 1 won in 3.00 guesses; 1 lost (50 %); streak 0 days")
    assert "Wordle 991" in ran.out and "X/6*" in ran.out
    target = tmp_path / "games.jsonl"
    assert salet("history", "export", str(target)).code == 0
    assert salet("history", "export", "-").out == target.read_text()
    other = tmp_path / "other.jsonl"
    fields = salet("history", "--file", str(other), "import", str(target), "--json").json
    assert (fields["added"], fields["known"], fields["refused"]) == (2, 0, [])
    assert other.read_text() == target.read_text()
    assert salet("history", "export", "-", "--file", str(other)).out == target.read_text()


def test_stdin_can_be_imported(salet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert "2 added" in salet("history", "import", "-").out


def test_analysed_games_bring_skill_and_openers(salet, own_data: Path) -> None:
    words = ("salet", "acorn", "grand", "--game", "original", "--seconds", "600")
    ran = salet("analyse", *words, "--keep", "--date", "2024-03-05", "--json")
    assert ran.err == f"saved to {own_data / 'history.jsonl'}\n"
    assert "already in" in salet("analyse", *words, "--keep", "--date", "2024-03-05").err
    fields = salet("history", "--json").json
    (game,) = fields["games"]
    assert (game["score"], game["words"][0], game["date"]) == (95, "salet", "2024-03-05")
    (opener,) = fields["summary"]["openers"]
    assert opener["expected"] == pytest.approx(7920 / 2315) and opener["rank"] == 1
    out = salet("history").out
    assert "skill █  95 of 99 on average" in out and "salet" in out


def test_a_grid_with_a_number_says_the_day(salet, texts: str) -> None:
    grid = f"Wordle 990 3/6\n\n{ROWS}"
    salet("analyse", "salet", "acorn", "grand", "--grid", grid, "--keep", "--seconds", "2")
    (game,) = salet("history", "--json").json["games"]
    assert (game["id"], game["date"], game["number"]) == ("wordle-990", "2024-03-05", 990)
    assert "1 added, 1 already known" in salet("history", "import", texts).out


def test_played_games_can_be_analysed_later(salet, type_lines) -> None:
    type_lines("salet", "acorn", "grand")
    salet("play", "--answer", "grand", "--game", "original")
    assert salet("history", "--json").json["summary"]["analysed"] == 0
    assert salet("history", "analyse").out.startswith("1 of 1 analysed")
    (game,) = salet("history", "--json").json["games"]
    assert (game["score"], game["source"]) == (95, "play")
    assert salet("history", "analyse").out.startswith("0 of 0 analysed")


def test_damage_is_reported_and_the_rest_shown(salet, texts: str, own_data: Path) -> None:
    salet("history", "import", texts)
    path = own_data / "history.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + lines[1][:30])
    ran = salet("history")
    assert ran.code == 0 and ran.out.startswith("1 game; ")
    assert ran.err.count("\n") == 1 and f"{path} line 2" in ran.err and "not JSON" in ran.err
    (damaged,) = salet("history", "--json").json["damaged"]
    assert damaged["line"] == 2
    salet("history", "import", texts)
    assert path.read_text().splitlines()[1] == lines[1][:30]
    assert json.loads(path.read_text().splitlines()[2])["id"] == "wordle-991"


def test_refused_texts_are_one_line_each(salet, tmp_path: Path) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(f"{TEXT}\nAbsurdle 3/6\n{ROWS}\nWordle 9999 3/6\n")
    ran = salet("history", "import", str(path))
    assert "2 added, 0 already known, 2 refused" in ran.out
    assert [line.partition("line ")[2][:2] for line in ran.err.splitlines()] == ["16", "21"]


def test_bad_input(salet, tmp_path: Path) -> None:
    salet("history", "import", "nothing.txt").assert_refused("'nothing.txt'", "no such file")
    empty = tmp_path / "empty.txt"
    empty.write_text("hello")
    refused = "contains no result such as 'Wordle 1,234"
    salet("history", "import", str(empty)).assert_refused(refused)
    empty.write_bytes(b"\xff\xfe\x00W")
    salet("history", "import", str(empty)).assert_refused("not UTF-8")
    salet("history", "--file", str(tmp_path)).assert_refused("is a directory")
    salet("history", "import", str(empty), "--game", "nit").assert_refused("'nit'")
    words = ("salet", "grand", "--game", "original")
    salet("analyse", *words, "--keep", "--date", "2024-02-30").assert_refused("does not exist")
    salet("analyse", *words, "--keep", "--date", "2999-02-03").assert_refused("is in the future")
    salet("analyse", *words, "--date", "2024-02-03").assert_refused("give --keep as well")
    salet("analyse", "salet", "--answer", "grand", "--keep", "--game", "original", "--seconds",
          "1").assert_refused("the game is not over")  # fmt: skip

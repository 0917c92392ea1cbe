"""The history file: append-only, nothing in it is lost, and damage is reported."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from salet import Game
from salet.coach.coach import Coach
from salet.coach.game_history import (
    SavedGame,
    add_games,
    daily_date,
    daily_number,
    format_line,
    game_from_analysis,
    game_id,
    parse_date,
    parse_history,
    parse_line,
    read_history,
)
from salet.errors import InputError


def kept(number: int, /, **changes) -> SavedGame:
    day = daily_date(number).isoformat()
    fields = {
        "id": f"wordle-{number}", "date": day, "game": "nyt", "cap": 6, "number": number,
        "won": True, "used": 2, "rows": ["BYBBG", "GGGGG"],
    }  # fmt: skip
    return SavedGame(**{**fields, **changes})


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "history.jsonl"
    games = [kept(5), kept(3), kept(4, won=False, used=6, rows=[], score=40, luck=-0.5)]
    assert add_games(path, games) == games
    found = read_history(path)
    assert found.games == [games[1], games[2], games[0]] and found.damaged == []
    assert read_history(tmp_path / "none").games == []


def test_the_documented_fields_are_those_of_a_line() -> None:
    fields = json.loads(format_line(kept(5)))
    assert fields["salet_history"] == 1 and list(fields)[:4] == [
        "salet_history", "id", "date", "game",
    ]  # fmt: skip
    page = (Path(__file__).parents[2] / "docs" / "coach.md").read_text()
    for name in fields:
        assert f"`{name}`" in page, f"docs/coach.md does not say what {name} is"


def test_a_game_is_added_again_only_if_more_is_known_of_it(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    bare = kept(7, rows=[])
    analysed = kept(7, words=["crane", "caper"], score=90)
    assert add_games(path, [bare, bare]) == [bare]
    assert add_games(path, [bare]) == []
    assert add_games(path, [kept(7), analysed]) == [kept(7), analysed]
    assert add_games(path, [kept(7)]) == []
    assert read_history(path).games == [analysed]
    assert path.read_text().count("\n") == 3


def test_the_same_colours_on_the_same_day_are_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    own = kept(7, id="abc", number=None, words=["crane", "caper"], score=90)
    assert add_games(path, [own]) == [own]
    assert add_games(path, [kept(7)]) == []
    other = tmp_path / "other.jsonl"
    add_games(other, [kept(7)])
    (again,) = add_games(other, [own])
    assert (again.id, again.number) == ("wordle-7", 7) and len(read_history(other).games) == 1
    others = [{"words": ["crony", "caper"]}, {"mode": "hard"}, {"game": "original"}]
    for number, change in enumerate(others):
        fields = {"id": f"x{number}", "number": None, "words": ["crane", "caper"], **change}
        assert len(add_games(path, [kept(7, **fields)])) == 1


DAMAGE = {
    b'{"salet_history": 1, "id": "x"': "it is not JSON",
    b"\xff\xfe\x00": "it is not JSON",
    b"[]": "no version salet_history",
    b'{"id": "x"}': "no version salet_history",
    b'{"salet_history": 2, "id": "x"}': "a newer salet wrote it (version 2; this one knows 1)",
    b'{"salet_history": 1, "id": "x"}': "object missing required field `date`",
    format_line(kept(5, date="2024-02-30")): "date '2024-02-30' does not exist",
    format_line(kept(5, date="30.2.2024")): "write it as 2026-11-18",
    format_line(kept(5, used=3)): "it has 2 rows for 3 guesses",
    format_line(kept(5, used=0, rows=[])): "0 guesses: a game has 1 to 1000",
    format_line(kept(5, rows=["BYBBG", "GGGGQ"])): "row 'GGGGQ' is not feedback",
    format_line(kept(5, score=100)): "score 100 is not from 0 to 99",
    format_line(kept(5)).replace(b"true", b'"yes"'): "expected `bool`, got `str`",
}


@pytest.mark.parametrize("line", DAMAGE)
def test_damaged_lines_are_reported_and_stay(line: bytes, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        parse_line(line.strip())
    assert DAMAGE[line] in str(error.value)
    path = tmp_path / "history.jsonl"
    path.write_bytes(format_line(kept(1)) + b"\n" + line)
    (damaged,) = read_history(path).damaged
    assert (damaged.line, damaged.reason) == (3, str(error.value))
    assert str(damaged).startswith("line 3 ")
    assert add_games(path, [kept(1), kept(2)]) == [kept(2)]
    found = read_history(path)
    assert [game.number for game in found.games] == [1, 2]
    assert found.damaged == [damaged]
    assert line.strip() in path.read_bytes()


WRITER = """
import sys
from pathlib import Path
from salet.coach.game_history import add_games, parse_line
for line in sys.stdin:
    add_games(Path(sys.argv[1]), [parse_line(line)])
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE)
        for _ in range(3)
    ]
    for start, writer in enumerate(writers):
        assert writer.stdin is not None
        lines = [format_line(kept(number)) for number in range(100 * start, 100 * start + 25)]
        writer.stdin.write(b"".join(lines))
        writer.stdin.close()
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    found = read_history(path)
    assert not found.damaged and len(found.games) == 75


def test_unknown_fields_of_this_version_do_no_harm() -> None:
    fields = {**msgspec.to_builtins(kept(9)), "mood": "good"}
    assert parse_history(json.dumps(fields).encode()).games == [kept(9)]


def test_an_analysed_game() -> None:
    coach = Coach(Game(["apple", "angle", "ankle"], cap=6, name="tiny"))
    found = coach.analyse(["apple", "angle"], seconds=60)
    game = game_from_analysis(found, datetime.date(2024, 3, 5))
    assert (game.won, game.used, game.score, game.words) == (True, 2, found.score,
                                                             ["apple", "angle"])  # fmt: skip
    assert game.lost == pytest.approx(1 / 3) and parse_line(format_line(game)) == game
    assert game.id == game_id("2024-03-05", "tiny", game.rows, game.words, None)
    with pytest.raises(InputError, match="not over"):
        game_from_analysis(coach.analyse(["apple"], answer="angle"), datetime.date(2024, 3, 5))


def test_days_and_numbers() -> None:
    assert daily_date(0) == datetime.date(2021, 6, 19)
    assert daily_date(1000) == datetime.date(2024, 3, 15)
    assert daily_number(datetime.date(2024, 3, 15)) == 1000
    for text in ("2024-13-01", "2023-02-29", "2024-3-5", "today"):
        with pytest.raises(InputError, match=r"does not exist|write it as"):
            parse_date(text)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        read_history(tmp_path)
    with pytest.raises(InputError, match="cannot write history"):
        add_games(tmp_path, [kept(1)])
    with pytest.raises(InputError, match="cannot write history"):
        (tmp_path / "file").write_text("")
        add_games(tmp_path / "file" / "history.jsonl", [kept(1)])

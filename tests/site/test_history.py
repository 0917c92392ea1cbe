"""The player's history: read from texts and files, merged, counted, kept, taken along."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from needs import needs
from salet.site.bundle import bundle
from salet.site.files import STATIC

SHARES = """My friend wrote: well done!
Wordle 1,234 3/6*

⬛🟨⬛⬛⬛
🟨⬛🟨⬛🟨
🟩🟩🟩🟩🟩

Wordle 1.235 X/6

⬜⬜🟦⬜⬜
⬜⬜🟦⬜⬜
⬜⬜🟦⬜⬜
⬜⬜🟦⬜⬜
⬜⬜🟦⬜⬜
🟧⬜⬜⬜⬜
Wordle 1236 2/6
⬛🟨⬛⬛⬛
salet original 1/6

🟩🟩🟩🟩🟩
"""


def in_node(code: str) -> Any:
    """What a module of the page makes of it; `code` sets `told`."""
    needs(shutil.which("node") is not None, "node")
    head = (
        "globalThis.addEventListener = () => {};\n"
        "const kept = new Map();\n"
        "globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null,"
        " setItem: (name, text) => kept.set(name, text),"
        " removeItem: (name) => kept.delete(name) };\n"
    )
    head_of_main = 'import * as history from "./history.js";\nlet told;\n'
    main = f"{head_of_main}{code}\nconsole.log(JSON.stringify(told));\n"
    script = bundle("main.js", lambda path: main if path == "main.js" else _read(path))
    ran = subprocess.run(["node", "-e", head + script], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def _read(path: str) -> str:
    return (STATIC / path).read_text("utf-8")


def test_share_texts_in_bulk() -> None:
    told = in_node(f"told = history.readShares({json.dumps(SHARES)});")
    assert [(one["date"], one["game"], one["mode"], one["won"]) for one in told["found"]][:2] == [
        ("2024-11-04", "nyt", "hard", True),
        ("2024-11-05", "nyt", "normal", False),
    ]
    assert told["found"][0]["rows"] == ["BYBBB", "YBYBY", "GGGGG"]
    assert told["found"][1]["rows"][5] == "GBBBB"
    assert told["found"][2]["game"] == "original"
    assert [one["id"] for one in told["found"]][:2] == ["wordle-1234", "wordle-1235"]
    assert told["wrong"] == ["Wordle 1236 2/6: it says 2/6 but has 1 rows"]
    bare = in_node("told = history.readShares('Wordle 1,300 4/6\\nI am 2/3 through\\n');")
    assert [(one["used"], one["won"], one["rows"]) for one in bare["found"]] == [(4, True, [])]


def test_a_file_is_read_back_and_damage_is_named() -> None:
    told = in_node(
        f"const {{ found }} = history.readShares({json.dumps(SHARES)});"
        "const file = history.asFile(found);"
        "told = { same: history.readGames(file), found,"
        ' broken: history.readFile(file + "{\\"date\\": 5}\\n{nonsense\\n") };'
    )
    assert told["same"] == {"found": told["found"], "wrong": []}
    assert told["broken"]["found"] == told["found"]
    assert told["broken"]["wrong"] == ["line 4 is not a kept game", "line 5 is not JSON"]


def test_a_game_counts_once_and_is_completed() -> None:
    told = in_node(
        "const game = { date: '2026-01-02', game: 'nyt', mode: 'normal', won: true,"
        " rows: ['BYBBB', 'GGGGG'] };"
        "const first = history.add(game);"
        "const again = history.add({ ...game, score: 90, luck: 0.5, words: ['salet', 'crane'] });"
        "history.add({ ...game, date: '2026-01-01', won: false });"
        "const numbered = { ...game, date: '2026-01-03', puzzle: 7 };"
        "history.add(numbered, { ...numbered });"
        "const games = history.games();"
        "told = { first, again, games, summary: history.summary(games) };"
    )
    assert (told["first"]["added"], told["again"]["added"]) == (1, 0)
    assert [one["date"] for one in told["games"]] == ["2026-01-01", "2026-01-02", "2026-01-03"]
    assert told["games"][1]["score"] == 90
    found = told["summary"]
    assert (found["played"], found["won"], found["streak"], found["best"]) == (3, 2, 2, 2)
    assert (found["mean"], found["score"], found["counts"]) == (2, 90, {"2": 2})
    assert found["openers"] == [{"word": "salet", "played": 1, "lost": 0, "mean": 2, "score": 90}]


def test_damaged_storage_is_left_out_and_kept_aside() -> None:
    told = in_node(
        "localStorage.setItem('salet.history', JSON.stringify([5, { date: 'never' },"
        " { salet_history: 1, id: 'a', date: '2026-01-02', game: 'nyt', won: true, used: 1 }]));"
        "const games = history.games();"
        "told = { games, aside: JSON.parse(localStorage.getItem('salet.history.damaged')) };"
    )
    assert len(told["games"]) == 1
    assert len(told["aside"]) == 3


@pytest.mark.slow
def test_the_tab(open_page, tmp_path: Path) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/history", "text=No games yet")
    page.get_by_label("Share texts").fill("nothing of a game")
    page.get_by_role("button", name="Import").click()
    page.locator(".problem", has_text="There is no grid in it").wait_for()
    page.get_by_label("Share texts").fill(SHARES)
    page.get_by_role("button", name="Import").click()
    page.get_by_text("3 games added").wait_for()
    assert "Wordle 1236 2/6" in page.locator(".problem").inner_text()
    assert page.locator(".played li").count() == 3
    assert "67 %" in page.get_by_role("region", name="Overview").inner_text()
    assert opened.serious() == []
    page.reload()
    page.locator(".played li").nth(2).wait_for()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / "history.jsonl"
    saving.value.save_as(file)
    assert len(file.read_text("utf-8").splitlines()) == 3
    page.get_by_role("button", name="Delete all").click()
    page.get_by_role("button", name="Delete 3 games").click()
    page.get_by_text("No games yet").wait_for()
    page.locator("form[aria-label=Import] input[type=file]").set_input_files(file)
    page.locator(".played li").nth(2).wait_for()
    binary = tmp_path / "picture.txt"
    binary.write_bytes(bytes(range(256)))
    page.locator("form[aria-label=Import] input[type=file]").set_input_files(binary)
    page.locator(".problem", has_text="is not text in UTF-8").wait_for()
    assert page.locator(".played li").count() == 3

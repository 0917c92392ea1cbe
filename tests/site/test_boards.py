"""Several boards, equations and the adversary in the page: the engine against Python, and games
played in a browser."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import salet.site
from needs import needs
from salet.coach.coach import AdviceOptions, Coach
from salet.errors import InputError
from salet.game.game import Game
from salet.game.hosts import adversary_pattern
from salet.game.joint_state import draw_tuples
from salet.search.joint_estimate import JointEstimate
from salet.strategies.registry import strategy_named
from site_pages import DESK, PHONE

pytestmark = pytest.mark.slow

ROWS = {
    2: "salet:bybbb/bbbby crony:bbbbb/bbybb",
    4: "crane:bybbg/bbbyb/bbbbb/ggggg slate:bbbbg/bbbyb/bbbbb/-",
    8: "raise:bbbbb/bybbb/ybbbb/bbybb/bbbby/bbbbg/bgbbb/gbbbb",
}


@pytest.fixture(scope="module")
def ask(files, tmp_path_factory):
    """Asks the engine in Node a list of questions."""
    needs(shutil.which("node") is not None, "node")
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(Path(salet.site.__file__).parent / "static" / "engine", site / "engine")
    (site / "package.json").write_text('{"type": "module"}')
    for name, content in files.items():
        if name.startswith("data/"):
            path = site / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def run(questions):
        given = "\n".join(json.dumps(question) for question in questions)
        command = ["node", str(Path(__file__).with_name("boards.mjs")), str(site)]
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def as_rows(text):
    return [
        {"guess": guess, "feedback": feedback}
        for guess, feedback in (row.split(":") for row in text.split())
    ]


def test_boards_are_those_of_python(ask):
    """Draws of answers, what remains, and the estimate of every guess."""
    questions, expected = [], []
    guesses = list(range(0, 12972, 11))
    for boards, text in ROWS.items():
        game = Game.named(f"original:boards={boards}")
        state = game.joint_state(text)
        rows = as_rows(text)
        misses = JointEstimate(game.one_board, boards).misses(state.open_boards)
        questions += [
            ["draw", "original", boards, 2026],
            ["remaining", "original", boards, rows],
            ["estimates", "original", boards, rows, guesses],
        ]
        expected += [
            draw_tuples(game, 1, 2026)[0].tolist(),
            [len(board.candidates) for board in state.boards],
            misses[guesses],
        ]
    for found, right in zip(ask(questions), expected, strict=True):
        assert np.allclose(found["result"], right, rtol=0, atol=1e-9)


def test_rows_are_refused_as_in_python(ask):
    wrong = [
        "crane:bybbg/bbbyb",
        "crane:bybbg",
        "crane:bybbg/bbbyb/-/bbbbb",
        "crane:bybbg/bbbyb/ggggg/ggggg",
        "crane:bybbg/bbbyb/ggggg/bbbbb slate:bybbg/bbbyb/bbbbb/bbbbb",
        "crane:bybbg/bbbyb/bbbbb/bbbbb crane:ggggg/bbbyb/bbbbb/bbbbb",
        "crane:bybbg/bbbyb/bb/bbbbb",
    ]
    game = Game.named("original:boards=4")
    answers = ask([["remaining", "original", 4, as_rows(text)] for text in wrong])
    for text, found in zip(wrong, answers, strict=True):
        with pytest.raises(InputError) as error:
            game.joint_state(text)
        assert found == {"problem": str(error.value)}
    for boards in (0, 1, 33):
        [found] = ask([["remaining", "original", boards, []]])
        assert "give a number from 2 to 32" in found["problem"]


def test_lists_of_numbers_are_those_of_python(ask):
    names = ("nerdle:6", "nerdle:8", "primel")
    for name, found in zip(names, ask([["words", name] for name in names]), strict=True):
        assert found["result"].split() == list(Game.named(name).guesses)


def test_the_adversary_answers_as_in_python(ask):
    rng = random.Random(3)
    questions, expected = [], []
    for name in ("original", "nerdle:6", "mastermind:4x6"):
        game = Game.named(name)
        for _ in range(4):
            guesses = rng.sample(game.guesses, 4)
            state, shown = game.start(), []
            for guess in guesses:
                index = game.index(guess)
                pattern = adversary_pattern(state, index)
                shown.append(game.show(pattern))
                state = state.after(index, pattern)
            questions.append(["adversary", name, guesses])
            expected.append(shown)
    assert [found["result"] for found in ask(questions)] == expected


# ---- in a browser


def type_guesses(page, *words):
    for word in words:
        before = page.locator(".boards .tile:is(.right, .near, .absent)").count()
        page.keyboard.type(word)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "before => document.querySelectorAll('.boards .tile:is(.right, .near, .absent)')"
            ".length != before || document.querySelector('.ending')",
            arg=before,
        )


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_four_boards_are_played_to_the_end(open_page, size):
    game = Game.named("original:boards=4")
    answers = [game.answers[answer] for answer in draw_tuples(game, 1, 5)[0]]
    opened = open_page(size)
    page = opened.page
    opened.go("#/play?game=original&boards=4&n=5", ".boards ol")
    page.keyboard.type("zzzzz")
    page.keyboard.press("Enter")
    page.locator(".problem", has_text="'zzzzz'").wait_for()
    for _ in range(5):
        page.keyboard.press("Backspace")
    type_guesses(page, "slate", *answers[:2])
    assert page.locator(".boards ol.solved").count() == 2
    assert opened.serious() == []
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
    page.reload()  # the game is kept
    page.locator(".boards ol.solved").first.wait_for()
    type_guesses(page, *answers[2:])
    page.locator(".ending", has_text="All 4 boards in 5").wait_for()
    assert opened.serious() == []


def test_a_game_on_boards_is_not_left_by_accident(open_page):
    opened = open_page()
    page = opened.page
    opened.go("#/play?game=original&mode=hard&n=5", ".board")
    page.locator("label", has_text=re.compile("^4$")).click()
    page.locator(".boards ol").first.wait_for()
    type_guesses(page, "slate")
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="New words").click()
    dialog.get_by_role("button", name="Stay").click()
    dialog.wait_for(state="hidden")
    assert "g=slate" in page.url
    page.locator("label", has_text=re.compile("^1$")).click()
    dialog.get_by_role("button", name="Play one board").click()
    page.wait_for_url(re.compile("mode=hard&n=5$"))  # the game that was left for the boards
    page.go_back()
    page.locator(".boards .tile.absent, .boards .tile.near").first.wait_for()
    assert "g=slate" in page.url


def test_eight_boards_get_advice_on_a_phone(open_page):
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/assist?game=original&boards=8", "#boards-guess")
    page.fill("#boards-guess", "raise bybbb/bbbbb")
    page.keyboard.press("Enter")
    page.locator(".problem", has_text="2 fields of colours for 8 boards").wait_for()
    game = Game.named("original:boards=8")
    secrets = draw_tuples(game, 1, 9)[0].tolist()
    state = game.joint_start()
    for guess in (game.index("raise"), secrets[2]):
        state = state.after(guess, state.patterns(guess, secrets))
        page.fill("#boards-guess", " ".join(state.turns[-1]))
        page.keyboard.press("Enter")
        count = len(state.open)
        page.locator(".best", has_text=f"{count} boards are open").wait_for()
    assert count == 7
    third = page.get_by_role("group", name="Board 3")
    assert "Board 3, solved" in third.inner_text()
    assert opened.serious() == []


def test_a_tile_of_one_board_is_coloured(open_page):
    opened = open_page(DESK)
    page = opened.page
    opened.go("#/assist?game=original&boards=2", "#boards-guess")
    page.fill("#boards-guess", "crane")
    page.keyboard.press("Enter")
    second = page.get_by_role("group", name="Board 2")
    second.get_by_role("button", name="C, no colour yet").click()
    second.get_by_role("button", name="C, not in the word").click()
    second.get_by_role("button", name="C, elsewhere").wait_for()
    page.get_by_role("button", name="Board 1: the rest grey").click()
    page.get_by_role("button", name="Board 2: the rest grey").click()
    page.locator(".best", has_text="2 boards are open").wait_for()
    words = len(Game.named("original:boards=2").joint_state("crane:bbbbb/ybbbb").boards[1].words)
    assert f"Board 2: {words} words" in second.inner_text()


def test_the_first_guess_of_a_large_game_keeps_to_time(ask):
    """6,661 equations: without time there is one guess, with the bounds that Python finds."""
    coach = Coach(Game.named("nerdle:7"))
    *_, advice = coach.suggest("", AdviceOptions(seconds=0))
    [found] = ask([["last", "nerdle:7", 0]])
    assert found["result"] == [advice.guess, advice.expected, advice.lower, 1]
    assert len(advice.suggestions) == 1


def test_a_game_named_as_on_the_command_line_has_its_boards(open_page):
    opened = open_page(DESK)
    page = opened.page
    opened.go("#/play?game=original:boards=4,first=99&n=5", ".boards ol")
    assert page.locator(".boards ol").count() == 4
    page.get_by_text("4 different answers").wait_for()
    opened.go("#/assist?game=original:boards=2", "#boards-guess")
    page.get_by_role("heading", name="2 boards").wait_for()
    opened.go("#/play?game=original:boards=40", ".problem")
    assert "boards=40 is not a number from 2 to 32" in page.locator(".problem").first.inner_text()


def test_the_adversary_is_played_and_forced(open_page):
    """The shortest way that Python proves ends the page's game too, and not a guess earlier."""
    opened = open_page()
    page = opened.page
    opened.go("#/play?game=original:first=60&n=5", ".board")
    page.get_by_text("An adversary", exact=True).click()
    page.locator("text=It has no word in mind").wait_for()
    game = Game.named("original:first=60", host="adversary")
    player, state = strategy_named("forcing"), game.start()
    while not state.won:
        assert page.locator(".ending").count() == 0
        guess = state.check(player.choose(state))
        state = state.after(guess, adversary_pattern(state, guess))
        page.keyboard.type(game.guesses[guess])
        page.keyboard.press("Enter")
        page.locator(".board .tile:is(.right, .near, .absent)").nth(5 * state.turn - 1).wait_for()
    page.locator(".ending strong").wait_for()
    assert "host=adversary" in page.url
    assert "Played\n0" in page.locator("[aria-label=Statistics]").inner_text()


def test_equations_have_a_keyboard(open_page):
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/play?game=nerdle:6&n=3", ".board")
    keys = page.locator(".key").all_inner_texts()
    assert keys[:10] == list("1234567890")
    for sign in "3*4=12":
        page.locator(".key", has_text=sign).first.click()
    page.keyboard.press("Enter")
    page.locator(".board .tile:is(.right, .near, .absent)").nth(5).wait_for()
    assert opened.serious() == []

"""Play in a browser: letters belong to the board, a game is kept, nothing is given away unasked."""

from __future__ import annotations

import re

import pytest

from site_pages import DESK, LANDSCAPE, PHONE

pytestmark = pytest.mark.slow

GAME = "#/play?game=original&n=7"
SECRET = "vapor"
"""the word of number 7"""


def letters(page, row: int = 0) -> str:
    """What stands on a row of the board."""
    return "".join(page.locator(".board li").nth(row).locator(".tile").all_inner_texts()).lower()


def make(page, *words: str) -> None:
    """Type guesses, and wait until each is coloured."""
    for word in words:
        before = page.locator(".board .tile:is(.right, .near, .absent)").count()
        page.keyboard.type(word)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "count => document.querySelectorAll('.board .tile:is(.right, .near, .absent)').length"
            " > count",
            arg=before,
        )


def test_a_game_by_keyboard_alone(open_page) -> None:
    opened = open_page()
    page, keys = opened.page, opened.page.keyboard
    opened.go(GAME, ".board")
    keys.type("xyzzy")
    keys.press("Enter")
    page.locator(".problem", has_text="'xyzzy'").wait_for()
    assert letters(page) == "xyzzy"  # nothing that was typed is lost
    for _ in range(5):
        keys.press("Backspace")
    keys.type("cra")
    keys.press("Enter")
    page.locator(".problem", has_text="3 letters").wait_for()
    keys.type("ne")
    keys.press("Enter")
    keys.type(SECRET)  # without waiting: fast fingers lose nothing
    keys.press("Enter")
    page.locator(".ending", has_text="Two").wait_for()
    labels = page.locator(".board .tile").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert labels[5:10] == [f"{letter.upper()}, right place" for letter in SECRET]
    stats = page.locator("[aria-label=Statistics]")
    assert "100 %" in stats.inner_text()
    page.locator(".verdicts li").nth(1).wait_for()
    page.get_by_role("group", name="Perfect play against the same answer").wait_for()
    page.reload()
    page.locator(".ending").wait_for()
    assert stats.locator("dd").first.inner_text() == "1"  # it counts once
    keys.press("Tab")
    keys.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_letters_belong_to_the_board(open_page) -> None:
    opened = open_page()
    page, keys = opened.page, opened.page.keyboard
    opened.go(GAME, ".board")
    page.get_by_role("button", name="New word").click()
    page.wait_for_url(re.compile(r"n=(?!7\b)\d+"))
    here = page.url
    page.locator(".board").wait_for()
    keys.type("cr")
    page.locator(".key", has_text="A").first.click()
    page.get_by_role("combobox", name="Game").focus()  # a menu swallows no letters
    chosen = page.get_by_role("combobox", name="Game").input_value()
    keys.type("ne")
    assert letters(page) == "crane"
    assert page.get_by_role("combobox", name="Game").input_value() == chosen
    page.get_by_role("button", name="New word").focus()  # nor does Enter draw another word
    keys.press("Enter")
    page.locator(".board .tile:is(.right, .near, .absent)").first.wait_for()
    assert page.url.split("&g=")[0] == here.split("&g=")[0]
    page.get_by_role("radio", name="Strict").focus()
    keys.type("st")
    assert letters(page, 1) == "st"
    assert page.get_by_role("radio", name="Normal").is_checked()


def test_the_game_is_kept_and_cannot_be_undone(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/play", ".board")
    make(page, "crane", "sloth")
    rows = [letters(page, row) for row in range(2)]
    page.goto("about:blank")
    opened.go("#/play", ".board .tile:is(.right, .near, .absent)")  # opened again, without a link
    assert [letters(page, row) for row in range(2)] == rows == ["crane", "sloth"]
    page.get_by_role("button", name="Give up").click()
    page.get_by_text("Lose this game?").wait_for()
    page.get_by_role("button", name="Play on").click()
    assert page.locator(".ending").count() == 0
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Give up").click()
    page.locator(".ending", has_text="The answer was").wait_for()
    page.goto("about:blank")
    opened.go("#/play", ".ending")
    stats = page.locator("[aria-label=Statistics]")
    assert stats.locator("dd").all_inner_texts()[:2] == ["1", "0 %"]


def test_giving_up_fits_a_phone_and_its_analysis_says_so(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go(GAME, ".board")
    make(page, "crane")
    page.get_by_role("button", name="Give up").click()
    stay, keys = page.get_by_role("button", name="Play on"), page.locator(".keyboard")
    assert stay.bounding_box()["y"] + stay.bounding_box()["height"] <= keys.bounding_box()["y"]
    assert (
        page.get_by_text("Lose this game?").bounding_box()["y"]
        >= (page.locator(".told").bounding_box()["y"])
    )
    page.get_by_role("button", name="Give up").click()
    page.locator(".ending").get_by_role("link", name="Analyse").click()
    result = page.get_by_role("region", name="Result")
    result.get_by_text("The game was given up and counts as lost").wait_for()
    assert "Given up\n1 of 6" in result.inner_text()


def test_a_change_of_mode_asks_first(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go(GAME, ".board")
    page.get_by_text("Hard", exact=True).click()
    page.wait_for_url(re.compile("mode=hard"))  # nothing was begun: nothing to ask
    assert "n=7" in page.url
    page.get_by_text("Normal", exact=True).click()
    page.wait_for_url(re.compile("mode=normal"))
    page.locator(".board").wait_for()
    make(page, "crane")
    page.get_by_text("Hard", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Stay").click()
    assert page.get_by_role("radio", name="Normal").is_checked()
    assert letters(page) == "crane"
    page.get_by_text("Hard", exact=True).click()
    dialog.get_by_role("button", name="Start a new word in hard mode").click()
    page.wait_for_url(re.compile("mode=hard"))
    page.go_back()
    page.locator(".board .tile:is(.right, .near, .absent)").first.wait_for()
    assert letters(page) == "crane"


def test_help_in_steps(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go(GAME, ".board")
    make(page, "salet")
    assert "82" not in page.locator("main").inner_text()  # nothing unasked
    page.get_by_role("button", name="Help").click()
    help_ = page.get_by_role("region", name="Help")
    help_.get_by_role("button", name="How many words fit?").click()
    help_.get_by_text("82 words").wait_for()
    help_.get_by_role("button", name="Is my idea any good?").click()
    help_.get_by_label("Your idea").fill("xyzzy")
    page.keyboard.press("Enter")
    help_.locator(".problem", has_text="'xyzzy'").wait_for()
    help_.get_by_label("Your idea").fill("crony")
    page.keyboard.press("Enter")
    help_.locator(".verdict", has_text="Fine").wait_for()
    assert "CORNY" not in help_.inner_text()  # the best guess is not given away
    help_.get_by_role("button", name="Which letters").click()
    help_.locator(".lettershares li").nth(4).wait_for()
    help_.get_by_role("button", name="Reveal the best guess").click()
    help_.get_by_role("button", name="Put on the board").click()
    assert letters(page, 1) == "corny"


def test_a_slow_page_leaves_the_player_in_the_field(open_page) -> None:
    opened = open_page()
    page = opened.page
    page.add_init_script(
        "const real = requestAnimationFrame;"
        " window.requestAnimationFrame = (then) => real(() => setTimeout(then, 300));"
    )
    opened.go(GAME, ".board")
    make(page, "salet")
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="Is my idea any good?").click()
    field = page.get_by_label("Your idea")
    field.focus()
    page.wait_for_timeout(600)
    assert field.evaluate("(field) => field === document.activeElement")


def test_play_with_the_keys_on_the_screen_in_another_game(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/play?game=mastermind:4x6&n=1", ".keyboard")
    assert page.locator("input[type=radio][disabled]").count() == 1  # no hard mode for pegs
    for key in ("1", "1", "2", "3", "Enter"):
        page.locator(".key", has_text=key).click()
    page.locator(".board .pegs").wait_for()
    assert re.match(
        r"\d right, \d in another place", page.locator(".pegs").get_attribute("aria-label")
    )


def test_share_and_invite_on_a_phone(open_page) -> None:
    opened = open_page(PHONE, has_touch=True, is_mobile=True)
    page = opened.page
    page.add_init_script("navigator.share = async ({ text }) => { window.shared = text; };")
    opened.go(GAME, ".board")
    page.get_by_role("button", name="Invite").click()
    page.wait_for_function("window.shared")
    assert "#/play?game=original&mode=normal&n=7" in page.evaluate("window.shared")
    make(page, SECRET)
    page.locator(".ending").get_by_role("button", name="Share").click()
    page.wait_for_function("window.shared.includes('1/6')")
    assert "🟩🟩🟩🟩🟩" in page.evaluate("window.shared")


def test_text_to_copy_where_pages_may_not(open_page) -> None:
    opened = open_page()
    page = opened.page
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'));")
    opened.go(GAME, ".board")
    make(page, SECRET)
    page.locator(".ending").get_by_role("button", name="Share").click()
    field = page.get_by_label("Text to copy")
    field.wait_for()
    assert "🟩🟩🟩🟩🟩" in field.input_value()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Invite").click()  # this page is on this machine only
    page.get_by_text("only on your own device").wait_for()


def test_keys_do_not_move_and_fingers_can_hit_them(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go(GAME, ".keyboard")
    place = page.locator(".keyboard").bounding_box()
    page.keyboard.type("abc")
    page.keyboard.press("Enter")
    page.locator(".problem").wait_for()
    assert page.locator(".keyboard").bounding_box() == place
    page.keyboard.type("de")
    page.keyboard.press("Enter")
    page.locator(".problem", has_text="'abcde'").wait_for()
    assert page.locator(".keyboard").bounding_box() == place
    for _ in range(5):
        page.keyboard.press("Backspace")
    make(page, "crane")
    assert page.locator(".keyboard").bounding_box() == place
    page.get_by_role("button", name="Give up").click()
    assert page.locator(".keyboard").bounding_box() == place
    nav = page.locator(".nav").bounding_box()
    assert place["y"] + place["height"] <= nav["y"]
    for control in page.locator(".key, main .button, main .segments label, .nav a").all():
        box = control.bounding_box()
        if box:
            assert box["height"] >= 44, control.inner_text()


def test_a_phone_on_its_side_shows_board_and_keys(open_page) -> None:
    opened = open_page(LANDSCAPE)
    page = opened.page
    opened.go(GAME, ".keyboard")
    for part in (".board", ".keyboard"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= LANDSCAPE["height"]
        assert box["x"] >= 0 and box["x"] + box["width"] <= LANDSCAPE["width"]


@pytest.mark.parametrize(
    ("locale", "row"), [("en-GB", "QWERTYUIOP"), ("de-DE", "QWERTZUIOP"), ("fr-FR", "AZERTYUIOP")]
)
def test_keys_stand_where_the_player_has_them(open_page, locale: str, row: str) -> None:
    opened = open_page(DESK, locale=locale)
    page = opened.page
    opened.go(GAME, ".keyboard")
    first = page.locator(".keyboard > div").first.locator(".key")
    assert "".join(first.all_inner_texts()) == row
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("AZERTY", exact=True).click()
    page.keyboard.press("Escape")
    assert "".join(first.all_inner_texts()) == "AZERTYUIOP"


def test_two_tabs_play_the_same_game(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go(GAME, ".board")
    other = page.context.new_page()
    other.goto(opened.address + GAME)
    other.locator(".board").wait_for()
    make(page, "crane")
    other.locator(".board .tile:is(.right, .near, .absent)").first.wait_for()
    assert letters(other) == "crane"
    make(other, SECRET)
    page.locator(".ending").wait_for()
    assert page.locator("[aria-label=Statistics] dd").first.inner_text() == "1"


@pytest.mark.parametrize("kind", ["full", "forbidden"])
def test_without_storage_the_game_goes_on(open_page, kind: str) -> None:
    opened = open_page()
    page = opened.page
    refuse = "throw new DOMException('no', 'QuotaExceededError')"
    page.add_init_script(
        f"Storage.prototype.setItem = () => {{ {refuse}; }};"
        if kind == "full"
        else f"Object.defineProperty(window, 'localStorage', {{ get() {{ {refuse}; }} }});"
    )
    opened.go(GAME, ".board")
    make(page, "crane", SECRET)
    page.locator(".ending").wait_for()
    page.locator("nav a", has_text="History").click()
    page.get_by_text("storage is full or forbidden").wait_for()
    assert page.locator(".played li").count() == 1


@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=["phone", "landscape"])
def test_help_that_was_asked_for_is_in_sight(open_page, viewport) -> None:
    opened = open_page(viewport, reduced_motion="reduce")
    page = opened.page
    opened.go(GAME, ".board")
    make(page, "salet")
    page.get_by_role("button", name="Help").click()
    first = page.get_by_role("button", name="How many words fit?")
    first.wait_for()
    # a fixed bar of tabs stands at the bottom of a phone
    page.wait_for_function(
        "button => { const { left, top, height } = button.getBoundingClientRect();"
        " return top >= 0 && button.contains("
        "document.elementFromPoint(left + 20, top + height / 2)); }",
        arg=first.element_handle(),
    )


def test_help_by_keyboard_goes_on_in_the_help(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go(GAME, ".board")
    make(page, "salet")
    page.get_by_role("button", name="Help").focus()
    page.keyboard.press("Enter")
    page.get_by_role("region", name="Help").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText").startswith("How many words fit?")


def test_the_best_guess_is_valued_once(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go(GAME, ".board")
    make(page, "salet")
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="Reveal the best guess").click()
    told = page.locator(".stepbody p", has_text="proven best")
    told.wait_for()
    assert told.inner_text().count("on average") == 1


def test_keys_stay_where_tries_have_no_limit(open_page) -> None:
    opened = open_page(PHONE, reduced_motion="reduce")
    page = opened.page
    opened.go("#/play?game=mastermind:4x6&n=1", ".keyboard")
    place = page.locator(".keyboard").bounding_box()
    for turn, code in enumerate(("1111", "2222", "3333", "4444", "5555", "6666", "1212"), 1):
        page.keyboard.type(code)
        page.keyboard.press("Enter")
        page.locator(".board .pegs").nth(turn - 1).wait_for()
        assert page.locator(".keyboard").bounding_box() == place
    board = page.locator(".board").bounding_box()
    typed = page.locator(".board li").last.bounding_box()  # in sight though the board is full
    assert typed["y"] + typed["height"] <= board["y"] + board["height"] + 1


def test_what_to_do_after_a_game_is_one_row_on_a_phone(open_page) -> None:
    opened = open_page({"width": 390, "height": 844})
    page = opened.page
    opened.go(GAME, ".board")
    make(page, SECRET)
    page.locator(".ending").wait_for()
    row = page.locator(".ending .row.center > .button")
    assert row.count() == 3
    assert len({round(button.bounding_box()["y"]) for button in row.all()}) == 1


def test_a_small_cost_is_not_shown_as_none(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go(GAME, ".board")
    make(page, "crane", SECRET)
    page.locator(".verdicts li").nth(1).wait_for()
    page.locator(".reviewed[aria-busy=false]").wait_for()
    said = page.locator(".verdicts li").first.inner_text()
    assert "less than 0.01 more guesses on average" in said


def test_a_new_word_begins_at_the_board(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go(GAME, ".board")
    page.get_by_role("button", name="New word").click()  # far below on a phone
    page.wait_for_url(re.compile(r"n=\d{4,}"))
    page.locator(".board").wait_for()
    assert page.evaluate("scrollY") == 0


def test_keys_on_the_screen_are_one_stop_of_the_tab_key(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go(GAME, ".keyboard")
    keys = page.locator(".keyboard button")
    assert page.locator(".keyboard button[tabindex='0']").count() == 1
    keys.first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.ariaLabel") == "W"
    page.keyboard.press("Enter")  # the key is pressed
    page.locator(".board .tile[aria-label=W]").wait_for()
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.closest('.keyboard')")
    page.locator(".keyboard button[tabindex='0']").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.ariaLabel") == "Erase"

"""Assist in a browser: rows wait for their colours, what is wrong is said, focus stays at hand."""

from __future__ import annotations

import re

import pytest

from site_pages import PHONE

pytestmark = pytest.mark.slow

FOCUS = "document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.innerText"


def focused(page, name: str | None) -> None:
    """Wait until what has the focus is called so."""
    page.wait_for_function(f"name => ({FOCUS}) === name", arg=name)


def add(page, text: str) -> None:
    """Type into the field for the next guess."""
    page.get_by_label("Next guess").fill(text)
    page.keyboard.press("Enter")


def test_a_row_waits_for_its_colours(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/assist?game=original", ".best .tile")
    add(page, "salet")
    row = page.locator(".rows li").first
    page.get_by_text("Give every tile of the new row its colour").wait_for()
    assert row.locator(".tile.typed").count() == 5  # no colour is made up
    assert (
        page.locator(".problem, .spin").count() == 0
    )  # and nothing is searched or said to be wrong
    assert "rows=salet-xxxxx" in page.url
    focused(page, "S, no colour yet. Change")
    for key in "bybyb":
        page.keyboard.press(key)
    page.locator(".best .tile[aria-label=B]").wait_for()
    assert "rows=salet-BYBYB" in page.url
    focused(page, "Next guess")
    assert "83 words" in page.locator("[aria-label='Words that remain']").inner_text()
    add(page, "taste")  # T and S are known to be grey, the others are not known here
    second = page.locator(".rows li").nth(1)
    labels = second.locator("button.tile").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert [label.split(", ")[1].split(".")[0] for label in labels] == [
        "not in the word",
        "no colour yet",
        "not in the word",
        "not in the word",
        "no colour yet",
    ]
    second.get_by_role("button", name="All green").click()
    assert "taste-GGGGG" in page.url


def test_colours_by_tapping(open_page) -> None:
    opened = open_page(PHONE, has_touch=True)
    page = opened.page
    opened.go("#/assist?game=original", ".best .tile")
    add(page, "salet")
    row = page.locator(".rows li").first
    row.locator("button.tile").nth(1).tap()
    row.locator("button.tile").nth(1).tap()  # grey, then yellow
    row.locator("button.tile").nth(3).tap()
    row.locator("button.tile").nth(3).tap()
    row.get_by_role("button", name="The rest grey").tap()
    page.locator(".best .tile[aria-label=B]").wait_for()
    assert "rows=salet-BYBYB" in page.url
    assert "proven best" in page.locator(".best").inner_text()
    page.locator("[aria-label='Other guesses'] tbody tr").nth(9).wait_for()


def test_what_is_wrong_stays_and_is_said(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/assist?game=original&rows=salet-BYBYB", ".best .tile")
    for text, said in [
        ("cran", "4 letters"),
        ("crane bybbx", "G, Y and B"),
        ("a b c", "One guess"),
    ]:
        add(page, text)
        page.locator(".problem", has_text=said).wait_for()
        assert page.get_by_label("Next guess").input_value() == text
    add(page, "zzzzz ggggg")  # green, but no word
    wrong = page.locator(".rows li.wrong")
    wrong.locator(".problem", has_text="'zzzzz'").wait_for()
    assert page.get_by_text("Found in").count() == 0
    page.get_by_role("button", name="Remove zzzzz").click()
    page.locator(".rows li.wrong").wait_for(state="detached")
    focused(page, "Remove salet")
    add(page, "sassy ggggg")  # green, but S is grey in the row above
    page.locator(".rows li.wrong .problem").wait_for()
    assert page.get_by_text("Found in").count() == 0


def test_focus_stays_at_hand(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/assist?game=original&rows=salet-BYBYB.beard-BYGYB", ".best .tile")
    page.get_by_role("button", name="Edit beard").click()
    page.keyboard.press("Escape")
    focused(page, "Edit beard")
    page.get_by_role("button", name="Edit beard").click()
    page.get_by_label("Row 2").fill("board")
    page.keyboard.press("Enter")
    focused(page, "Edit board")
    assert "board-BxGYB" in page.url  # the new letter has no colour
    page.get_by_role("button", name="Remove board").click()
    focused(page, "Remove salet")
    page.keyboard.press("Enter")
    page.locator(".rows li").wait_for(state="detached")
    focused(page, "Next guess")


def test_many_words_are_one_stop_of_the_tab_key(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/assist?game=original&rows=salet-BBBBB", ".words button")
    words = page.locator(".words button")
    assert words.count() > 100
    assert page.locator(".words button[tabindex='0']").count() == 1
    words.first.focus()
    page.keyboard.press("ArrowRight")
    focused(page, words.nth(1).get_attribute("aria-label"))
    page.keyboard.press("End")
    focused(page, words.last.get_attribute("aria-label"))


def test_traps_only_when_they_matter(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/assist?game=original&mode=hard", ".best .chip.good, .best .chip")
    assert "rap" not in page.locator(".best").inner_text().replace("wrap", "")
    opened.go("#/assist?game=original&mode=hard&rows=batch-BGGGG", ".best .note")
    traps = page.locator(".best .note").all_inner_texts()
    assert 1 <= len(traps) <= 2
    assert traps[0].startswith("Trap _ATCH")
    assert page.locator(".best").inner_text().count("_ATCH") == 1


def test_after_the_last_try_the_way_goes_on(open_page) -> None:
    opened = open_page()
    page = opened.page
    rows = ".".join(f"{word}-BGGGG" for word in ("batch", "catch", "hatch", "latch", "match"))
    opened.go(f"#/assist?game=original&rows={rows}.patch-BGGGG", "text=All 6 tries are used")
    assert page.locator(".problem").count() == 0
    page.get_by_role("link", name="Analyse this game").click()
    page.locator(".turns li").nth(5).wait_for()
    assert page.locator(".turns .tile.right").count() == 24  # the colours came along
    assert "Lost" in page.locator("[aria-label=Result]").inner_text()


def test_analyse_this_game_takes_the_colours_along(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/assist?game=original&rows=salet-BYBBB.crony-BGBGB.grand-GGGGG", "text=Found in 3")
    page.get_by_role("link", name="Analyse this game").click()
    page.wait_for_url(re.compile("rows=salet-BYBBB"))
    page.locator(".turns li").nth(2).wait_for()
    assert "salet BYBBB" in page.locator("textarea").input_value()


def test_likelihood_says_what_it_changes(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/assist?game=original&rows=salet-BYBYB", ".best .chip.good")
    page.locator(".gamebar summary").click()
    page.get_by_text("By familiarity").click()
    page.wait_for_url(re.compile("w=prior"))
    page.locator(".note.calm", has_text="all answers alike").wait_for()
    assert "familiar words count more" in page.locator("[aria-label='Other guesses']").inner_text()
    page.get_by_text("Past answers count a tenth").click()
    page.get_by_label("Words that were answers before").fill("2026-01-01 beard, 2026-01-02 HEARD")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_text("2 past answers kept").wait_for()


def test_pegs_fit_a_phone(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/assist?game=mastermind:4x6&rows=1122-1_1", ".best .tile")
    row = page.locator(".rows li").first
    peg = row.locator("i.filled").bounding_box()
    assert peg["width"] == peg["height"]  # a circle
    assert opened.serious() == []
    row.get_by_label("right place").select_option("2")
    page.wait_for_url(re.compile("1122-2_1"))
    tiles, tools = row.locator(".tiles").bounding_box(), row.locator(".tools").bounding_box()
    assert tools["y"] < tiles["y"] + tiles["height"]  # beside the code
    add(page, "1313")
    page.get_by_text("Set both numbers of the new row").wait_for()


def test_the_chance_of_losing_is_in_sight_on_a_phone(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go(
        "#/assist?game=original&mode=hard&rows=batch-BGGGG", "[aria-label='Other guesses'] td"
    )
    head = page.get_by_role("columnheader", name="Lost").bounding_box()
    assert head["x"] + head["width"] <= PHONE["width"]
    page.get_by_text("6 guesses are not enough for every word any more").wait_for()


def test_a_word_that_was_picked_takes_the_focus_to_its_tiles(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/assist?game=original", "[aria-label='Other guesses'] .wordlink")
    page.locator(".wordlink[aria-label='Play crate']").focus()
    page.keyboard.press("Enter")
    focused(page, "C, no colour yet. Change")
    tile = page.locator(".rows button.tile").first.bounding_box()
    assert 0 <= tile["y"] < PHONE["height"]


def test_more_time_is_offered_only_where_it_ran_out(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/assist?game=romanian", ".best .tile")
    page.locator(".best[aria-busy=false]").wait_for()
    button = page.get_by_role("button", name="Think longer")
    note = page.get_by_text("Too many words are left to prove")
    assert button.count() + note.count() == 1
    opened.go("#/assist?game=original&rows=salet-BYBYB", ".best .chip.good")
    assert button.count() + note.count() == 0

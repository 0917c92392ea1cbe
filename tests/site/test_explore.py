"""Explore and About in a browser: a plan to walk through, openers, a race."""

from __future__ import annotations

import pytest

from site_pages import PHONE

pytestmark = pytest.mark.slow


def test_a_plan_and_openers(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/explore?game=original&mode=normal", ".branches a")
    assert page.locator(".node .here").inner_text() == "SALET"
    page.locator(".branches a").first.click()
    page.locator(".node .here", has_text="COURD").wait_for()
    assert "at=BBBBB" in page.url
    assert "221" in page.locator(".node .figures").inner_text()
    page.get_by_role("link", name="Back", exact=True).click()
    page.locator(".node .here", has_text="SALET").wait_for()
    page.get_by_label("An answer").fill("crane")
    page.keyboard.press("Enter")
    page.locator(".found li").nth(3).wait_for()
    page.get_by_label("First opener").fill("salet")
    page.get_by_label("Second opener").fill("crane")
    page.keyboard.press("Enter")
    page.locator("[aria-label='Compare openers'] td", has_text="3.4212").wait_for()
    assert page.locator(".skyline").count() == 2
    page.get_by_label("An answer").fill("xyzzy")
    page.keyboard.press("Enter")
    page.locator(".problem", has_text="'xyzzy'").wait_for()


def test_openers_are_familiar_unless_asked(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/explore?game=original&mode=normal", "[aria-label=Openers] tbody tr")
    table = page.get_by_role("region", name="Openers by worth")
    assert table.locator("tbody th").first.inner_text() == "CRATE"
    page.get_by_label("familiar words only").uncheck()
    assert table.locator("tbody th").first.inner_text() == "SALET"
    page.get_by_label("Your opener").fill("crane")
    page.get_by_role("button", name="How good is it?").click()
    page.get_by_text("guesses on average, exactly").wait_for()
    assert "3.4255" in page.get_by_role("region", name="Openers", exact=True).inner_text()


def test_a_race(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/about", "[aria-label='A race']")
    race = page.get_by_role("region", name="A race")
    race.get_by_label("The word to find").fill("xyzzy")
    race.get_by_role("button", name="Go").click()
    race.locator(".problem", has_text="'xyzzy'").wait_for()
    race.get_by_label("The word to find").fill("crane")
    race.get_by_role("button", name="Go").click()
    race.get_by_text("4 guesses").wait_for()
    race.get_by_text("3 guesses").wait_for()
    assert race.locator(".lane").first.locator(".tile.right").count() >= 5


def test_a_step_from_far_down_begins_at_the_top(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/explore?game=nyt&mode=normal", ".branches a")
    # the short name of the newest list is understood, and so is its mode
    assert page.get_by_role("radio", name="nyt-2023-07").is_checked()
    assert page.get_by_role("radio", name="Normal").is_checked()
    last = page.locator(".branches a").last
    last.scroll_into_view_if_needed()
    last.click()
    page.locator(".path a").first.wait_for()
    page.wait_for_function("() => document.querySelector('.node').getBoundingClientRect().top >= 0")
    page.locator("nav a", has_text="About").click()
    page.locator("[aria-label='What this is']").wait_for()
    assert page.evaluate("scrollY") == 0


def test_without_familiar_openers_the_others_are_at_hand(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/explore?game=nyt-2023-07&mode=hard", "[aria-label=Openers] h2")
    openers = page.get_by_role("region", name="Openers", exact=True)
    openers.get_by_role("button", name="Show them all the same").click()
    openers.locator("tbody tr").first.wait_for()

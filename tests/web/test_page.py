"""The page in a browser: every tab, small and large, by keyboard, for screen readers, offline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.slow

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
PHONE, DESK = {"width": 360, "height": 680}, {"width": 1280, "height": 860}
TABS = {
    "play": "#/play?game=original&n=7&g=crane",
    "assist": "#/assist?game=original&rows=salet-BYBYB.beard-BYGYB",
    "analyse": "#/analyse?game=original&words=salet+beard+crane",
    "explore": "#/explore?game=original&mode=normal&at=BYBYB&word=crane",
    "lab": "#/lab",
}
READY = {
    "play": ".board .tile.near, .board .tile.absent",
    "assist": ".best .tile",
    "analyse": ".turns li",
    "explore": ".found .tile",
    "lab": "svg.chart path",
}


class Opened:
    """A page, and what happened on it."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.address = address
        self.errors: list[str] = []
        self.origins: set[str] = set()
        page.set_default_timeout(90_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._told)
        page.on("request", lambda request: self.origins.add(_origin(request.url)))

    def _told(self, message: Any) -> None:
        refused = "status of 4" in message.text  # the browser notes every answer of 4xx itself
        if message.type == "error" and not refused:
            self.errors.append(message.text)

    def go(self, fragment: str, ready: str) -> None:
        """Open a state, and wait until it is shown."""
        self.page.goto(self.address + fragment)
        self.page.locator(ready).first.wait_for()

    def settle(self) -> None:
        """Wait until nothing turns or refines any more."""
        self.page.locator(".spin").first.wait_for(state="detached")

    def serious(self) -> list[str]:
        """What axe finds that keeps people out."""
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {node['target']} {node['failureSummary']}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]


def _origin(url: str) -> str:
    return "/".join(url.split("/")[:3])


@pytest.fixture
def open_page(browser, server) -> Iterator[Callable[..., Opened]]:
    """Opens a page in a browser that knows nothing yet; afterwards it must be without errors and
    have asked nobody but its own server."""
    contexts, pages = [], []

    def make(viewport: dict[str, int] = DESK, look: str = "", **options: Any) -> Opened:
        context = browser.new_context(viewport=viewport, **options)
        context.add_init_script(path=AXE)
        if look:
            context.add_init_script(f"localStorage.setItem('salet.look', '{look}')")
        contexts.append(context)
        pages.append(Opened(context.new_page(), server))
        return pages[-1]

    yield make
    for context in contexts:
        context.close()
    for opened in pages:
        assert opened.errors == []
        assert opened.origins <= {server.rstrip("/"), "data:"}


@pytest.mark.parametrize(
    ("viewport", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"]
)
def test_every_tab(open_page, viewport, scheme: str) -> None:
    opened = open_page(viewport, color_scheme=scheme, reduced_motion="reduce")
    page = opened.page
    for tab, fragment in TABS.items():
        opened.go(fragment, READY[tab])
        assert page.locator("nav a[aria-current=page]").inner_text().lower() == tab
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1], f"{tab} is wider than the window"
        assert "not affiliated with The New York Times" in page.locator("footer").inner_text()
        assert opened.serious() == [], tab


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_high_contrast_shows_signs(open_page, scheme: str) -> None:
    look = '{"theme":"auto","palette":"contrast","symbols":true}'
    opened = open_page(PHONE, look, color_scheme=scheme, reduced_motion="reduce")
    opened.go(TABS["assist"], READY["assist"])
    marks = opened.page.locator(".rows .tile .mark")
    assert marks.count() == 10
    assert all(marks.nth(place).is_visible() for place in range(10))
    assert opened.serious() == []


def test_a_game_by_keyboard_alone(open_page, server) -> None:
    asked = {"game": "original", "number": 7, "give_up": True}
    secret = httpx.post(f"{server}api/play", json=asked, timeout=60).json()["answer"]
    opened = open_page()
    page, keys = opened.page, opened.page.keyboard
    opened.go("#/play?game=original&n=7", ".board")
    keys.type("xyzzy")
    keys.press("Enter")
    page.locator(".problem", has_text="'xyzzy'").wait_for()
    tiles = page.locator(".board li").first.locator(".tile")
    assert tiles.all_inner_texts() == list("XYZZY")  # nothing that was typed is lost
    for _ in range(5):
        keys.press("Backspace")
    keys.type("cra")
    keys.press("Enter")
    page.locator(".problem", has_text="3 letters").wait_for()
    keys.type("ne")
    keys.press("Enter")
    keys.type(secret)  # without waiting: fast fingers lose nothing
    keys.press("Enter")
    page.locator(".ending").wait_for()
    labels = page.locator(".board .tile").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert labels[5:10] == [f"{letter.upper()}, right place" for letter in secret]
    assert re.search(r"n=7&g=crane\.", page.url)
    stats = page.locator("[aria-label=Statistics]")
    assert "100%" in stats.inner_text()
    page.reload()
    page.locator(".ending").wait_for()  # the link holds the whole game
    assert stats.locator("dd").first.inner_text() == "1"  # which counts once
    keys.press("Tab")
    keys.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    for _ in range(40):  # to a tab of the page, and through it
        keys.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == "Game":
            break
    page.locator("nav a", has_text="Lab").focus()
    keys.press("Enter")
    page.locator("svg.chart").first.wait_for()


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
    page.get_by_role("button", name="Show me the answer").click()
    page.locator(".ending", has_text="The answer was").wait_for()
    page.get_by_role("button", name="New word").click()
    page.locator(".board .pegs").wait_for(state="detached")


def test_assist(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    opened.go("#/assist?game=original", ".best .tile")
    page.get_by_label("Next guess").fill("salet")
    page.keyboard.press("Enter")
    row = page.locator(".rows li").first
    row.locator("button.tile").nth(1).click()
    row.locator("button.tile").nth(3).focus()
    page.keyboard.press("y")
    page.locator(".best .tile[aria-label=B]").wait_for()
    assert "rows=salet-BYBYB" in page.url
    assert "proven best" in page.locator(".best").inner_text()
    page.locator("[aria-label='Other guesses'] tbody tr").nth(9).wait_for()
    assert "83 words" in page.locator("[aria-label='Words that remain']").inner_text()
    page.get_by_role("button", name="Play it").click()
    page.locator(".rows li").nth(1).wait_for()
    page.get_by_role("button", name="Edit beard").click()
    page.get_by_label("Row 2").fill("xyzzy")
    page.keyboard.press("Enter")
    wrong = page.locator(".rows li.wrong")
    wrong.locator(".problem", has_text="'xyzzy'").wait_for()
    assert wrong.locator(".tile").count() == 5  # what was typed stays, to be mended
    page.get_by_role("button", name="Remove xyzzy").click()
    page.get_by_label("Next guess").fill("beard bygyb")
    page.keyboard.press("Enter")
    page.locator(".best .tile[aria-label=C]").first.wait_for()
    page.go_back()
    page.locator(".rows li").nth(1).wait_for(state="detached")
    for text, said in [
        ("cran", "4 letters"),
        ("crane bybbx", "G, Y and B"),
        ("a b c", "One guess"),
    ]:
        page.get_by_label("Next guess").fill(text)
        page.keyboard.press("Enter")
        page.locator(".problem", has_text=said).wait_for()
        assert page.get_by_label("Next guess").input_value() == text


def test_analyse(open_page) -> None:
    opened = open_page()
    page = opened.page
    opened.go("#/analyse?game=original", "textarea")
    field = page.locator("textarea")
    for text, said in [
        ("salet acorn\n⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩", "does not fit its colours"),
        ("salet acorns", "acorns"),
    ]:
        field.fill(text)
        page.get_by_role("button", name="Analyse").click()
        page.locator(".problem", has_text=said).wait_for()
        assert field.input_value() == text
    field.evaluate(
        "(field, text) => { const clipboardData = new DataTransfer();"
        " clipboardData.setData('text', text);"
        " const options = { clipboardData, bubbles: true, cancelable: true };"
        " field.dispatchEvent(new ClipboardEvent('paste', options)); }",
        "crane " * 1_700_000,
    )
    page.locator(".problem", has_text="10,200,000 characters").wait_for()
    assert field.input_value() == "salet acorns"  # what stood there stays
    long = "crane " * 4_000
    field.evaluate(
        "(field, text) => { field.value = text;"
        " field.dispatchEvent(new Event('input', { bubbles: true })); }",
        long,
    )
    page.get_by_role("button", name="Analyse").click()
    page.locator(".problem", has_text="24,000 characters").wait_for()
    assert field.input_value() == long
    field.fill("salet acorn grand")
    page.get_by_role("button", name="Analyse").click()
    page.locator(".turns li").nth(2).wait_for()
    assert page.locator(".score").get_attribute("aria-label") == "Score 95 of 99"
    assert page.locator("svg.chart circle").count() == 4
    second = page.locator(".turns li").nth(1)
    assert "BROND" in second.inner_text()
    second.get_by_role("textbox").fill("crony")
    page.keyboard.press("Enter")
    second.locator(".answer", has_text="CRONY would have lost 0.07").wait_for()
    second.get_by_role("link", name="Open this position in Assist").click()
    page.locator(".best .tile[aria-label=B]").first.wait_for()
    assert "rows=salet-BYBBB" in page.url


def test_explore(open_page) -> None:
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
    page.locator("td", has_text="3.4212").wait_for()
    assert page.locator(".skyline").count() == 2
    page.get_by_label("An answer").fill("xyzzy")
    page.keyboard.press("Enter")
    page.locator(".problem", has_text="'xyzzy'").wait_for()


def test_looks_are_kept_and_motion_can_be_reduced(open_page) -> None:
    opened = open_page(reduced_motion="reduce")
    page = opened.page
    opened.go("#/lab", "svg.chart path")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Night").check(force=True)
    page.get_by_label("High contrast").check(force=True)
    assert opened.serious() == []
    page.keyboard.press("Escape")
    page.reload()
    page.locator("svg.chart path").first.wait_for()
    assert page.evaluate("document.documentElement.dataset.symbols") == "on"
    assert (
        page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(0, 0, 0)" != paper
    )
    opened.go("#/play?game=original&n=7&g=crane", ".board .tile")
    page.locator(".board li").first.evaluate(
        "row => row.firstElementChild.classList.add('turning')"
    )
    seconds = page.locator(".tile").first.evaluate(
        "tile => getComputedStyle(tile).animationDuration"
    )
    assert float(seconds.removesuffix("s")) <= 0.001


def test_a_link_to_nothing_says_so(open_page) -> None:
    opened = open_page(PHONE)
    for tab in ("play", "assist", "analyse"):
        opened.go(f"#/{tab}?game=no-such-game", ".problem")
        assert "unknown game 'no-such-game'" in opened.page.locator(".problem").first.inner_text()
    opened.go("#/play?game=original&n=7&g=xyzzy", ".problem")
    opened.go("#/nothing", "nav a[aria-current=page]")
    assert opened.page.locator("nav a[aria-current=page]").inner_text() == "Play"

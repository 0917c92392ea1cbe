"""The whole page: every tab, every size, every way to open it, offline, and a new version."""

from __future__ import annotations

import http.server
import json
import re
import threading
from functools import partial
from pathlib import Path

import pytest

from salet.site.files import export, site_files
from site_pages import DESK, LANDSCAPE, PHONE, serving

pytestmark = pytest.mark.slow

TABS = {
    "play": ("#/play?game=original&n=7&g=crane", ".board .tile.near, .board .tile.absent"),
    "assist": ("#/assist?game=original&rows=salet-BYBYB.beard-BYGYB", ".best .tile"),
    "analyse": ("#/analyse?game=original&words=salet+beard+crane", ".turns li"),
    "explore": ("#/explore?game=original&mode=normal&at=BYBYB&word=crane", ".found .tile"),
    "history": ("#/history", "form[aria-label=Import]"),
    "about": ("#/about?word=crane", ".lane .tile"),
}


@pytest.mark.parametrize(
    ("viewport", "options"),
    [
        (PHONE, {"color_scheme": "light"}),
        (LANDSCAPE, {"color_scheme": "light"}),
        (DESK, {"color_scheme": "dark"}),
        (DESK, {"forced_colors": "active"}),
    ],
    ids=["phone", "landscape", "desk", "forced-colors"],
)
def test_every_tab(open_page, viewport, options) -> None:
    opened = open_page(viewport, reduced_motion="reduce", **options)
    page = opened.page
    for tab, (fragment, ready) in TABS.items():
        opened.go(fragment, ready)
        assert page.locator("nav a[aria-current=page]").inner_text().lower() == tab
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1], f"{tab} is wider than the window"
        assert "not affiliated with The New York Times" in page.locator("footer").inner_text()
        assert opened.serious() == [], tab


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_high_contrast_shows_signs(open_page, scheme: str) -> None:
    look = '{"theme":"auto","palette":"contrast","symbols":true}'
    opened = open_page(PHONE, look, color_scheme=scheme, reduced_motion="reduce")
    opened.go(*TABS["assist"])
    marks = opened.page.locator(".rows .tile .mark")
    assert marks.count() == 10
    assert all(marks.nth(place).is_visible() for place in range(10))
    assert opened.serious() == []


def test_looks_are_kept_and_motion_can_be_reduced(open_page) -> None:
    opened = open_page(reduced_motion="reduce")
    page = opened.page
    opened.go("#/about", "svg.chart path")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").wait_for()
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
    opened.go(*TABS["play"])
    page.locator(".board li").first.evaluate(
        "row => row.firstElementChild.classList.add('turning')"
    )
    seconds = page.locator(".tile").first.evaluate(
        "tile => getComputedStyle(tile).animationDuration"
    )
    assert float(seconds.removesuffix("s")) <= 0.001


def test_a_link_to_nothing_says_so(open_page) -> None:
    opened = open_page(PHONE)
    page = opened.page
    for tab in ("play", "assist", "analyse"):
        opened.go(f"#/{tab}?game=no-such-game", ".problem")
        assert "nknown game 'no-such-game'" in page.locator(".problem").first.inner_text()
    opened.go("#/play?game=original&n=7&g=xyzzy", ".problem")
    opened.go("#/assist?game=original&rows=crane-QQQQQ.%25-B&objective=nonsense", ".rows li")
    opened.go("#/lab", "nav a[aria-current=page]")  # a link of an earlier version
    assert page.locator("nav a[aria-current=page]").inner_text() == "About"
    opened.go("#/nothing", "nav a[aria-current=page]")
    assert page.locator("nav a[aria-current=page]").inner_text() == "Play"


def walk(opened) -> None:
    """A short way through the page: words, advice, a plan."""
    page = opened.page
    opened.go("#/play?game=original&n=7", ".board")
    page.keyboard.type("crane")
    page.keyboard.press("Enter")
    page.locator(".board .tile:is(.right, .near, .absent)").first.wait_for()
    opened.go("#/assist?game=original&rows=salet-BYBYB", ".best .chip.good")
    assert page.locator(".best .tile").all_inner_texts() == list("BEARD")
    opened.go("#/explore?game=original&mode=normal", ".branches a")


def test_opened_from_a_folder(open_page, tmp_path: Path) -> None:
    export(tmp_path / "site")
    opened = open_page(address=(tmp_path / "site" / "index.html").as_uri())
    walk(opened)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def test_on_another_host_below_a_path(open_page, tmp_path: Path) -> None:
    export(tmp_path / "deep" / "salet")
    handler = partial(_Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        thread = threading.Thread(target=host.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            walk(open_page(address=f"http://127.0.0.1:{host.server_port}/deep/salet/"))
        finally:
            host.shutdown()
            thread.join()


def installed(page) -> None:
    """Wait until the service worker has the whole site."""
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")


def test_offline_after_the_first_visit_and_a_killed_server(open_page) -> None:
    with serving(site_files()) as address:
        opened = open_page(address=address, workers="allow")
        page = opened.page
        opened.go("#/play?game=original&n=7", ".board")
        installed(page)
    # the server is gone
    page.keyboard.type("crane")
    page.keyboard.press("Enter")
    page.locator(".board .tile:is(.right, .near, .absent)").first.wait_for()
    page.context.set_offline(True)
    walk(opened)  # lists and plans that were never asked for before
    opened.go("#/play?game=nyt-2022-02&n=1", ".board")


def test_a_new_version_replaces_the_old_one(open_page) -> None:
    files = site_files()
    with serving(files) as address:
        opened = open_page(address=address, workers="allow")
        page = opened.page
        opened.go("#/play?game=original&n=7", ".board")
        installed(page)
        port = int(address.split(":")[2].strip("/"))
    newer = site_files(address="https://example.org/salet/")
    assert newer["sw.js"] != files["sw.js"]
    with serving(newer, port):
        page.reload()
        page.get_by_role("button", name="Change to it").click()
        page.wait_for_function("document.querySelector('meta[name=salet-address]')")
        page.locator(".board").wait_for()
        names = page.evaluate("caches.keys()")
        assert len(names) == 1  # nothing of the old one is left
        assert page.get_by_role("button", name="Change to it").count() == 0


NO_SIMD = "WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('no SIMD'));"


@pytest.mark.parametrize(
    ("lacking", "said"),
    [("delete globalThis.WebAssembly;", "has no WebAssembly"), (NO_SIMD, "vector instructions")],
    ids=["WebAssembly", "SIMD"],
)
def test_without_the_engine_play_plans_and_openers_work(open_page, lacking: str, said: str) -> None:
    opened = open_page()
    opened.page.add_init_script(lacking)
    # workers are not reached by init scripts: put it before the worker's text
    opened.page.add_init_script(
        "Object.defineProperty(globalThis, 'saletSite', { configurable: true, set(site) {"
        f" site.worker = {json.dumps(lacking)} + site.worker;"
        " Object.defineProperty(globalThis, 'saletSite', { value: site, writable: true }); } });"
    )
    page = opened.page
    opened.go("#/play?game=original&n=7", ".board")
    page.keyboard.type("crane")
    page.keyboard.press("Enter")
    page.locator(".board .tile:is(.right, .near, .absent)").first.wait_for()
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="Which letters").click()
    page.locator(".lettershares li").first.wait_for()  # help that needs no search
    opened.go("#/explore?game=original&mode=normal", ".branches a")
    page.get_by_role("region", name="Openers by worth").locator("tbody tr").first.wait_for()
    opened.go("#/assist?game=nyt", ".best .tile")  # stored openers
    opened.go("#/assist?game=nyt&rows=crane-BBBBB", ".problem")
    assert said in page.locator(".problem").first.inner_text()
    assert page.locator(".rows li").count() == 1  # nothing typed is lost


def test_every_state_has_a_link(open_page) -> None:
    """What is shown is in the address: a second page that opens it shows the same."""
    opened = open_page()
    page = opened.page
    steps = (
        ("#/assist?game=original", "[aria-label='Other guesses'] tbody tr", _coloured_row),
        ("#/explore?game=original&mode=normal", ".branches a", _into_the_plan),
        ("#/about", "[aria-label=Benchmark] .sort", _sorted_by_worst),
        ("#/analyse?game=original", "textarea", _typed_game),
    )
    for fragment, ready, walked in steps:
        opened.go(fragment, ready)
        shown = walked(page)
        other = page.context.new_page()
        other.goto(page.url)
        other.locator(shown).first.wait_for()
        other.close()


def _coloured_row(page) -> str:
    page.get_by_label("Next guess").fill("salet bybyb")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("rows=salet-BYBYB"))
    return ".best .tile[aria-label=B]"


def _into_the_plan(page) -> str:
    page.locator(".branches a").first.click()
    page.wait_for_url(re.compile("at=BBBBB"))
    return ".node .here:text('COURD')"


def _sorted_by_worst(page) -> str:
    page.locator(".sort", has_text="Worst").click()
    page.wait_for_url(re.compile("by=worst"))
    return "[aria-label=Benchmark] th[aria-sort=ascending]:has-text('Worst')"


def _typed_game(page) -> str:
    page.locator("textarea").fill("salet acorn grand")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url(re.compile("words=salet"))
    return ".turns li"


def test_first_advice_is_small(open_page, files) -> None:
    """What is transferred until the first advice on nyt, gzipped: 250 kB at most."""
    opened = open_page()
    page = opened.page
    sizes: dict[str, int] = {}

    def note(response) -> None:
        if response.url.startswith("http"):
            sizes[response.url] = int(response.headers.get("content-length", "0"))

    page.on("response", note)
    opened.go("#/assist?game=nyt", ".best .tile")
    total = sum(sizes.values())
    assert 100_000 < total <= 250_000, sizes

"""The page in Chromium: the first advice from nothing, and what its process holds.

`site.py` stores what this measures. Times are those of a clock, and a busy machine makes
them longer: the least of all visits says most about the page.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import Browser, sync_playwright

from salet.site.files import site_files
from site_pages import CHROMIUM, FLAGS, PHONE, serving

VISITS = 7
SHOWN = """
new MutationObserver((_, watch) => {
  if (!document.querySelector(".best .tile")) return;
  watch.disconnect();
  requestAnimationFrame(() => { window.shownAfter = performance.now(); });
}).observe(document, { childList: true, subtree: true });
"""
"""tells when the first advice is drawn, in milliseconds since the visit began"""
HEAVY = (
    "#/assist?game=nyt&rows=fuzzy-BBBBB",
    "#/assist?game=nyt&mode=hard&rows=fuzzy-BBBBB",
    "#/analyse?game=nyt&words=house+mouse+rouse",
    "#/analyse?game=nyt&mode=hard&words=house+mouse+rouse",
    "#/analyse?game=original&words=house+mouse+rouse",
)
"""questions that need much memory, one after the other"""
REST = 20
"""seconds after which the browser has given back what it does not need"""


def first_advice(browser: Browser, address: str, slower: int) -> dict[str, float]:
    """Milliseconds until the first advice on nyt is shown to a browser that knows nothing yet, with
    the processor `slower` times as slow."""
    times = []
    for _ in range(VISITS):
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        page.add_init_script(SHOWN)
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto(f"{address}#/assist?game=nyt")
        times.append(page.wait_for_function("() => window.shownAfter", timeout=60_000).json_value())
        context.close()
    return {"least": round(min(times)), "median": round(statistics.median(times))}


def memory(browser: Browser, address: str) -> dict[str, float]:
    """Megabytes of anonymous memory of the browser's process for a page on a phone: empty, with the
    page, after heavy questions, and at rest after them."""
    context = browser.new_context(viewport=PHONE, service_workers="block")
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto("about:blank")
    empty = _largest_process(browser)
    page.goto(f"{address}#/play")
    page.locator(".board").wait_for()
    idle = _largest_process(browser)
    for fragment in HEAVY:
        page.goto(address + fragment)
        page.locator(".best .tile, .turns li").first.wait_for()
        page.locator("[aria-busy=true]").first.wait_for(state="detached")
    full = _largest_process(browser)
    page.wait_for_timeout(1000 * REST)
    rested = _largest_process(browser)
    context.close()
    return {
        "empty_process": empty,
        "with_the_page": idle,
        "after_heavy_questions": full,
        f"after_{REST}_s_of_rest": rested,
    }


def _largest_process(browser: Browser) -> float:
    """Megabytes of anonymous memory of the browser's largest renderer."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    sizes = [_anonymous(one["id"]) for one in processes if one["type"] == "renderer"]
    return max(sizes)


def _anonymous(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    line = next(line for line in status.splitlines() if line.startswith("RssAnon"))
    return round(int(line.split()[1]) / 1024, 1)


def in_chromium() -> dict[str, Any]:
    """Times and memory of the page in Chromium."""
    with sync_playwright() as playwright, serving(site_files()) as address:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        found = {
            "version": browser.version,
            "first_advice_ms": first_advice(browser, address, 1),
            "first_advice_throttled_4x_ms": first_advice(browser, address, 4),
            "phone_memory_mb": memory(browser, address),
        }
        browser.close()
        return found

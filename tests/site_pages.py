"""A server of the built site and a page in a browser, for tests in `tests/site`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
"""Debian's Chromium without its windows: a page opens in it in half the time."""
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-quic"),
]
AXE = Path(__file__).parent / "site" / "vendor" / "axe.min.js"
PHONE, DESK = {"width": 360, "height": 680}, {"width": 1280, "height": 860}
LANDSCAPE = {"width": 740, "height": 360}


@contextmanager
def serving(files: dict[str, bytes], port: int = 0) -> Iterator[str]:
    """The address of a server of these files on this machine, while the block lasts."""
    from salet.site.server import SiteServer, listen

    place = listen(port=port)
    with SiteServer(place, files) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield place.address
        finally:
            server.shutdown()
            thread.join()


class Opened:
    """A page, and what happened on it."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.address = address
        self.errors: list[str] = []
        self.origins: set[str] = set()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._told)
        page.on("request", lambda request: self.origins.add(origin(request.url)))

    def _told(self, message: Any) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def go(self, fragment: str, ready: str) -> None:
        """Open a state, and wait until it is shown."""
        self.page.goto(self.address + fragment)
        self.page.locator(ready).first.wait_for()

    def serious(self) -> list[str]:
        """What axe finds once everything is drawn."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {node['target']} {node['failureSummary']}"
            for one in found["violations"]
            for node in one["nodes"]
        ]


def origin(url: str) -> str:
    return "/".join(url.split("/")[:3])

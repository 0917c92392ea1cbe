"""The built site under test: served by `salet web`'s own server, opened by Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from needs import needs
from site_pages import CHROMIUM, DESK, FLAGS, Opened, origin, serving


@pytest.fixture(scope="session")
def files() -> dict[str, bytes]:
    """The files of the site."""
    from salet.site.files import site_files

    return site_files(inline=True)


@pytest.fixture(scope="session")
def server(files) -> Iterator[str]:
    """The address of a server of the site."""
    with serving(files) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium. It ends with its module: Playwright's event loop runs in this thread, and
    other tests run loops of their own."""
    needs(CHROMIUM.exists(), "chromium-headless-shell")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser, server) -> Iterator[Callable[..., Opened]]:
    """Opens a page in a browser that knows nothing yet; afterwards it must be without errors and
    have asked nobody but its own server."""
    contexts, pages = [], []

    def make(
        viewport: dict[str, int] = DESK,
        look: str = "",
        address: str = server,
        workers: str = "block",
        **options: Any,
    ) -> Opened:
        context = browser.new_context(viewport=viewport, service_workers=workers, **options)
        if look:
            context.add_init_script(f"localStorage.setItem('salet.look', '{look}')")
        contexts.append(context)
        pages.append(Opened(context.new_page(), address))
        return pages[-1]

    yield make
    for context in contexts:
        context.close()
    for opened in pages:
        assert opened.errors == []
        own = origin(opened.address)
        assert {one for one in opened.origins if not one.startswith(("blob:", "data:"))} == {own}

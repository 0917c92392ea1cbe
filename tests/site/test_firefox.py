"""The page in Debian's Firefox: from a folder, from the server, and offline after it has ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firefox import FIREFOX, Firefox, launched
from needs import needs
from site_pages import serving

pytestmark = pytest.mark.slow

ENTER = "\ue007"
COLOURED = "document.querySelectorAll('.board .tile:is(.right, .near, .absent)').length"
ADVICE = "document.querySelector('.best .tile') && document.querySelector('.best').innerText"
SETTLED = "document.querySelector('.turns li') && !document.querySelector('[aria-busy=true]')"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory) -> Iterator[Firefox]:
    needs(FIREFOX.exists(), "firefox-esr")
    with launched(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


def test_firefox_opens_the_page_from_a_folder(firefox, files, tmp_path: Path) -> None:
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    page = (tmp_path / "index.html").as_uri()
    firefox.go(f"{page}#/assist?game=original&rows=crane-BYBBG")
    assert "proven best" in firefox.wait(f"({ADVICE} || '').includes('proven best') && {ADVICE}")
    firefox.go(f"{page}#/play?game=original&n=5")
    firefox.wait("document.querySelector('.board')")
    firefox.keys(f"zzzzz{ENTER}")
    assert "'zzzzz'" in firefox.wait("document.querySelector('.problem')?.innerText")
    firefox.keys("\ue003" * 5 + f"slate{ENTER}")
    assert firefox.wait(COLOURED) == 5


def test_firefox_keeps_a_game_and_the_page_without_its_server(firefox, files) -> None:
    with serving(files) as address:
        firefox.go(f"{address}#/play?game=original&n=5")
        firefox.wait("document.querySelector('.board')")
        firefox.keys(f"slate{ENTER}")
        assert firefox.wait(COLOURED) == 5
        firefox.wait("navigator.serviceWorker.controller !== null")
    firefox.go("about:blank")
    firefox.go(f"{address}#/play?game=original&n=5")
    assert firefox.wait(COLOURED) == 5
    firefox.go(f"{address}#/analyse?game=original&words=salet+acorn+grand")
    assert firefox.wait(SETTLED)
    assert "perfect play" in firefox.text().lower()

"""The engine of the page: bytes, speed beside native code, memory: `python benchmarks/site.py`.

Runs benchmarks/site.mjs in node: CPU milliseconds, and the same openers valued by native code in
this process. Runs the page in Chromium (site_browser.py): milliseconds of the clock.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from record import store
from site_browser import in_chromium

from salet import Game
from salet.search.value import Evaluator
from salet.site.files import site_files
from salet.site.wasm.build import ENGINE
from salet.site.wasm.data import data_files

ADVICE = ("data/games.json", "data/games/nyt-2023-07.json", "data/openers.json")
"""files that the first advice on nyt needs, besides the page itself"""
REPLIES = "data/replies/nyt-2023-07-normal.json"
PAGE = ("index.html", "style.css", "boot.js", "app.js", "engine.js")


def transferred() -> dict[str, Any]:
    """Gzipped bytes until the first advice on nyt is shown, and those of the engine alone."""
    files = site_files()

    def size(path: str) -> int:
        return len(gzip.compress(files[path], 9))

    page = {path: size(path) for path in PAGE if path in files}
    advice = {path: size(path) for path in ADVICE}
    fonts = sum(len(content) for path, content in files.items() if path.endswith("latin.woff2"))
    return {
        "page": page,
        "first advice": advice,
        "fonts": fonts,
        "kernels.wasm (second guess)": size("engine/kernels.wasm"),
        "replies (second guess after an opener of the book)": size(REPLIES),
        "kernels.wasm, not gzipped": len(files["engine/kernels.wasm"]),
        "sum until the first advice": sum(page.values()) + sum(advice.values()) + fonts,
        "sum with kernels": sum(page.values())
        + sum(advice.values())
        + fonts
        + size("engine/kernels.wasm"),
    }


def native(mode: str, words: tuple[str, ...]) -> dict[str, float]:
    """CPU milliseconds of native code for exact values of openers, the best of three."""
    game = Game.named("original", mode=mode)
    found = {}
    for word in words:
        times = []
        for _ in range(3):
            evaluator = Evaluator(game, megabytes=16)
            evaluator.warm_up()
            with evaluator.solver():
                pass
            begin = time.process_time()
            evaluator.total(game.start(), game.index(word))
            times.append(1000 * (time.process_time() - begin))
        found[f"{mode} {word}"] = round(min(times), 1)
    return found


def in_node() -> dict[str, Any]:
    """What benchmarks/site.mjs measures."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder)
        for path, content in data_files().items():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_bytes(content)
        (site / "engine").symlink_to(ENGINE)
        script = Path(__file__).with_suffix(".mjs")
        done = subprocess.run(
            ["node", "--expose-gc", script, site], capture_output=True, text=True, check=True
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


if __name__ == "__main__":
    figures = {"transferred_bytes": transferred(), "chromium": in_chromium(), **in_node()}
    direct = native("normal", ("salet", "raise", "crane"))
    direct |= native("hard", ("salet",))
    figures["native_ms"] = direct
    figures["slower_than_native"] = {
        name: round(figures["openers"][name]["best_ms"] / ms, 2) for name, ms in direct.items()
    }
    store("site-engine", "python benchmarks/site.py", figures)

"""The node signature: what the search does on a fixed suite, expanded state by expanded state.

A change of the search that is meant changes tests/golden/signature.json in the same commit (run
this file as a program to write it); one that is not meant is seen here.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from salet import Game
from salet.search.roots import root_of
from salet.search.value import Evaluator

GOLDEN = Path(__file__).parents[2] / "golden" / "signature.json"
SUITE = {
    "original:first=300 normal 6": ("original:first=300", "normal", 6, "salet"),
    "original:first=300 hard 6": ("original:first=300", "hard", 6, "salet"),
    "original:first=200 strict": ("original:first=200", "strict", None, None),
    "mastermind:3x5": ("mastermind:3x5", "normal", None, None),
    "original:first=200 weighted": ("original:first=200,guesses=answers", "normal", 6, None),
    "original:first=200 losses 3": ("original:first=200,guesses=answers", "hard", 3, None),
}


def signature() -> dict[str, list[int]]:
    """For every search: its total, states expanded, guesses tried."""
    found = {}
    for name, (game_name, mode, cap, opener) in SUITE.items():
        game = Game.named(game_name, mode=mode, cap=cap)
        if "weighted" in name:
            game = game.replace(weights=[1 + 7 * i % 5 for i in range(game.answer_count)])
        guess = None if opener is None else game.index(opener)
        with Evaluator(game).solver(losses="losses" in name) as solver:
            total = solver.value(root_of(game.start()), guess)
            found[name] = [total, solver.nodes, int(solver.stack.counters[0].guesses)]
    return found


def test_the_search_does_what_it_did() -> None:
    assert signature() == json.loads(GOLDEN.read_text("utf-8"))


if __name__ == "__main__":
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text(json.dumps(signature(), indent=2) + "\n", "utf-8")
    sys.stdout.write(GOLDEN.read_text("utf-8"))

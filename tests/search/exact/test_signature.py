"""The node signature: what the search does on a fixed suite, opened state by opened state.

A change of the search that is meant changes tests/golden/signature.json in the same commit (run
this file as a program to write it); one that is not meant is seen here.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from salet import Game
from salet.search.exact.model import BEGUN
from salet.search.exact.solver import Solver
from salet.search.terms import rules_of

GOLDEN = Path(__file__).parents[2] / "golden" / "signature.json"
SUITE = {
    "original:first=300 normal 6": ("original:first=300", "normal", 6, "salet"),
    "original:first=300 hard 6": ("original:first=300", "hard", 6, "salet"),
    "original:first=200 strict": ("original:first=200", "strict", None, None),
    "mastermind:3x5": ("mastermind:3x5", "normal", None, None),
}


def signature() -> dict[str, list[int]]:
    """For every search: its total, states opened, guesses begun."""
    found = {}
    for name, (game_name, mode, cap, opener) in SUITE.items():
        game = Game.named(game_name, mode=mode, cap=cap)
        solver = Solver(rules_of(game))
        total = solver.value((), None if opener is None else game.index(opener))
        found[name] = [total, solver.nodes, int(solver.stack.stats[BEGUN])]
    return found


def test_the_search_does_what_it_did() -> None:
    assert signature() == json.loads(GOLDEN.read_text("utf-8"))


if __name__ == "__main__":
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text(json.dumps(signature(), indent=2) + "\n", "utf-8")
    sys.stdout.write(GOLDEN.read_text("utf-8"))

"""Exact values of openers: `python benchmarks/exact.py [--peer PATH]`, minutes.

With --peer (a program of alex1770/wordle, built with -O3 -march=native) both value the same five
openers in turns, on one core each, in this run; ratios are peer / ours, the least time of three
turns on either side.
"""

from __future__ import annotations

import argparse
from typing import Any

import msgspec
from record import median_of, run_python, store

from salet import Game, solve
from salet.bench.peers import PEERS, duel
from salet.bench.suites import GameSpec

RACES = {
    "normal, cap 6": ("normal", 6, 20),
    "hard, cap 6": ("hard", 6, 10),
    "hard, cap 7": ("hard", 7, 10),
}
"""name: mode, cap, how many times faster we mean to be"""


def races(path: str) -> dict[str, Any]:
    found = {}
    for name, (mode, cap, wanted) in RACES.items():
        game = Game.named("original", mode=mode, cap=cap)
        spec = GameSpec(game="original", mode=mode, cap=str(cap))
        result = duel(PEERS["alex1770"], path, game, spec)
        found[name] = {"wanted": wanted, **msgspec.to_builtins(result)}
    return found


def first_words() -> dict[str, Any]:
    """What the hard-mode search of 2022 reported: opener salet, no cap, the first N answers."""
    found = {}
    for count in (1000, 1075, 1200, 1300, 1400):
        game = Game.named(f"original:first={count}", mode="hard", cap=None)
        solution = solve(game, opener="salet")
        found[str(count)] = {"total": solution.total, "seconds": solution.seconds}
    beam = solve(Game.named("original", mode="hard", cap=7), opener="salet", width=13)
    found["width 13, hard, cap 7"] = {"total": beam.total, "seconds": beam.seconds}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", metavar="PATH")
    path = parser.parse_args().peer
    command = ("salet", "solve", "--game", "original", "--opener", "salet", "--json")
    wall = median_of(5, lambda: run_python("-m", *command))
    figures: dict[str, Any] = {
        "salet solve --opener salet, wall seconds in all": round(wall, 3),
        "opener salet, hard, no cap, first N answers": first_words(),
    }
    if path:
        figures["against alex1770/wordle"] = races(path)
    store("exact", "python benchmarks/exact.py" + (" --peer PATH" if path else ""), figures)


if __name__ == "__main__":
    main()

"""Exact values of openers: `python benchmarks/exact.py [--peer PATH]`, minutes.

With --peer (a program of alex1770/wordle, built with -O3 -march=native) both value the same five
openers in turns, on one core each, in this run; ratios are peer / ours, the least time of three
turns on either side. With --random N instead, both value N openers drawn at random, once each; many
of these are bad ones, on which the peer may take minutes.
"""

from __future__ import annotations

import argparse
import random
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
SEED, PATIENCE = 18, 3600.0
"""Of the random openers, and seconds that the peer has for each."""


def races(path: str) -> dict[str, Any]:
    found = {}
    for name, (mode, cap, wanted) in RACES.items():
        game = Game.named("original", mode=mode, cap=cap)
        spec = GameSpec(game="original", mode=mode, cap=str(cap))
        result = duel(PEERS["alex1770"], path, game, spec)
        found[name] = {"wanted": wanted, **msgspec.to_builtins(result)}
    return found


def random_races(path: str, count: int) -> dict[str, Any]:
    """The same for openers drawn at random, in normal and in hard mode."""
    found = {}
    for mode in ("normal", "hard"):
        game = Game.named("original", mode=mode)
        spec = GameSpec(game="original", mode=mode, cap="6")
        words = random.Random(SEED).sample(game.guesses, count)
        result = duel(PEERS["alex1770"], path, game, spec, turns=1, timeout=PATIENCE, openers=words)
        slower = [t.opener for t in result.timings if t.ratio is not None and t.ratio < 1]
        found[mode] = {"wanted": 30, "slower": slower, **msgspec.to_builtins(result)}
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
    parser.add_argument("--random", type=int, default=0, metavar="N")
    asked = parser.parse_args()
    path = asked.peer
    if asked.random:
        command_line = f"python benchmarks/exact.py --peer PATH --random {asked.random}"
        store("exact-random", command_line, random_races(path, asked.random))
        return
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

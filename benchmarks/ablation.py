"""What each optimisation of the exact search is worth: `python benchmarks/ablation.py`, minutes.

Each is switched off alone, on the same openers, in one process; figures are ratios to the search as
it is. The table of docs/exact.md is written from the stored result by `benchmarks/publish.py`.
"""

from __future__ import annotations

import math
import time
from typing import Any

from record import store

from salet import Game, prove, solve
from salet.search.exact.model import (
    ALIKE,
    BOUND_HITS,
    CACHE,
    CANDIDATES,
    DEPTH_BOUND,
    EXACT_HITS,
    LIMIT,
    ORDER,
    PROBES,
    SMALL_FIRST,
)
from salet.search.exact.solver import Solver
from salet.search.terms import rules_of, warm_up

GAMES = {"normal, cap 6": ("normal", 6), "hard, cap 6": ("hard", 6), "hard, cap 7": ("hard", 7)}
OPENERS = ("salet", "crane", "tears")
SWITCHES = {
    "as it is": 0,
    "no table of bounds": CACHE,
    "large parts first": SMALL_FIRST,
    "no bound by candidates only": CANDIDATES,
    "no bound for one guess to tell apart": DEPTH_BOUND,
    "scans never left early": LIMIT,
    "guesses not ordered by squares": ORDER,
    "guesses that split alike left out": ALIKE,
}


def one(rules: Any, opener: int, without: int) -> dict[str, Any]:
    best = math.inf
    for _ in range(3):
        solver = Solver(rules, without=without)
        begin = time.process_time()
        total = solver.value((), opener)
        best = min(best, time.process_time() - begin)
    stats = solver.stack.stats
    hits = {"probes": PROBES, "exact hits": EXACT_HITS, "bounds that help": BOUND_HITS}
    counted = {name: int(stats[at]) for name, at in hits.items()}
    return {"total": total, "seconds": round(best, 3), "nodes": solver.nodes, **counted}


def mean(values: list[float]) -> float:
    return round(math.exp(sum(map(math.log, values)) / len(values)), 2)


def switches() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, (mode, cap) in GAMES.items():
        game = Game.named("original", mode=mode, cap=cap)
        rules = rules_of(game)
        warm_up(rules)
        runs = {
            switch: [one(rules, game.index(opener), without) for opener in OPENERS]
            for switch, without in SWITCHES.items()
        }
        base = runs["as it is"]
        for row in runs.values():
            assert [run["total"] for run in row] == [run["total"] for run in base]
        found[name] = {
            switch: {
                "time": mean([a["seconds"] / b["seconds"] for a, b in zip(row, base, strict=True)]),
                "nodes": mean([a["nodes"] / b["nodes"] for a, b in zip(row, base, strict=True)]),
                "runs": dict(zip(OPENERS, row, strict=True)),
            }
            for switch, row in runs.items()
        }
    return found


def threads() -> dict[str, Any]:
    """Parallel over openers (the proof of the whole game), and over the groups of one opener."""
    found: dict[str, Any] = {}
    game, hard = Game.named("original"), Game.named("original", mode="hard", cap=7)
    for name, times, work in (
        ("first level: openers", 1, lambda n: prove(game, threads=n).seconds),
        ("second level: groups of raise, hard, cap 7", 5,
         lambda n: solve(hard, opener="raise", threads=n).seconds),
    ):  # fmt: skip
        one_thread, two = (min(work(n) for _ in range(times)) for n in (1, 2))
        found[name] = {"1 thread": one_thread, "2 threads": two, "gain": round(one_thread / two, 2)}
    return found


if __name__ == "__main__":
    store("ablation", "python benchmarks/ablation.py", {**switches(), "threads": threads()})

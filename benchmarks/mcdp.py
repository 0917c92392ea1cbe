"""What each part of MCDP is worth: `python benchmarks/mcdp.py [SECTION …]`.

deviations  the three deviations from Monte-Carlo search switched off one by one and together,
            and dynamic programming alone
threshold   below which size dynamic programming takes over
narrowing   dropping guesses that split nothing or split alike
memos       memory and time of V*, transitions and scores: remembered, or made anew
updates     queued updates against a lock, by threads
proofs      games searched to the end, by the command
full        the whole original game for a minute

Each is stored as results/mcdp-SECTION.json. Seconds are processor seconds where one thread works,
so that other programs on the machine disturb them little; `wall` says where they are not.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from record import run_python, store

from salet import Game
from salet.search.anytime import Recorder, SearchConfig
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.game import GameSearch
from salet.search.value import INF

SEEDS = (0, 1, 2)
WORDS = "original:first=100"
LIMIT = 2.0
"""processor seconds for a search that may never end"""


def run(name: str, limit: float = LIMIT, **switches: Any) -> dict[str, Any]:
    """One search, to its end or for so many processor seconds."""
    game = Game.named(name)
    search = GameSearch(game.start(), McdpConfig(**switches))
    begin, wall = time.process_time(), time.perf_counter()
    best: list[tuple[float, int]] = []

    class Clock(Recorder):
        def note(self, iterations: int, guess: str | None, lower: int, upper: int | None) -> bool:
            spent = time.process_time() - begin
            if upper is not None and (not best or upper < best[-1][1]):
                best.append((spent, upper))
            return super().note(iterations, guess, lower, upper) and spent < limit

    search.run(Clock(SearchConfig(method="mcdp"), game.answer_count), None)
    root, tree = search.search.root, search.search.tree
    return {
        "lower": root.lower,
        "upper": root.upper if root.upper < INF else None,
        "proven": search.search.is_done,
        "episodes": search.search.episodes,
        "seconds": round(time.process_time() - begin, 3),
        "wall": round(time.perf_counter() - wall, 3),
        "seconds_to_upper": round(best[-1][0], 3) if best else None,
        "states": len(tree.table),
        "megabytes": round(tree.most_used / 1e6, 3),
    }


def seeded(name: str, limit: float = LIMIT, **switches: Any) -> dict[str, Any]:
    """The middle of several seeds, and how many were proven."""
    runs = [run(name, limit, seed=seed, **switches) for seed in SEEDS]
    middle = {
        key: statistics.median(row[key] for row in runs if row[key] is not None)
        for key in runs[0]
        if key != "proven" and any(row[key] is not None for row in runs)
    }
    return {**middle, "proven": sum(row["proven"] for row in runs), "seeds": len(SEEDS)}


def deviations() -> dict[str, Any]:
    off: dict[str, dict[str, Any]] = {
        "no off-policy choice": {"choice": "on-policy"},
        "no memoisation": {"memoise": False},
        "no dynamic programming": {"dp_threshold": 0},
    }
    # Rollouts are an addition of ours, and alone find good plans: without them the three deviations
    # are seen for what they are.
    base: dict[str, Any] = {"dp_threshold": 16, "rollout": False}
    plain: dict[str, Any] = dict(base)
    for switches in off.values():
        plain |= switches
    variants = {
        "mcdp with rollouts": {**base, "rollout": True},
        "mcdp": base,
        "mcdp, greedy": {**base, "choice": "greedy"},
        **{name: {**base, **switches} for name, switches in off.items()},
        "plain Monte-Carlo": plain,
        "dynamic programming alone": {"dp_threshold": 10**6, "plain": True},
        "dynamic programming alone, compiled": {"dp_threshold": 10**6},
    }
    return {
        "game": WORDS,
        "limit_seconds": LIMIT,
        **{name: seeded(WORDS, **switches) for name, switches in variants.items()},
    }


def threshold() -> dict[str, Any]:
    sizes = (0, 4, 8, 16, 32, 48, 64, 128, 10**6)
    games = ("original:first=200", "mastermind:4x6")
    return {
        name: {str(size): run(name, 120.0, dp_threshold=size) for size in sizes}
        if name.startswith("original")
        else {str(size): run(name, 120.0, dp_threshold=size) for size in sizes[2:-1]}
        for name in games
    }


def narrowing() -> dict[str, Any]:
    return {
        f"{name}, dp below {size}": {
            word: run(name, 60.0, dp_threshold=size, narrow=narrow)
            for word, narrow in (("on", True), ("off", False))
        }
        for name, size in (("original:first=200", 8), ("mastermind:4x6", 32), ("mastermind:4x5", 8))
    }


def memos() -> dict[str, Any]:
    variants: dict[str, dict[str, Any]] = {
        "all remembered": {},
        "V* made anew": {"keep_values": False},
        "transitions made anew": {"keep_transitions": False},
        "scores made anew": {"keep_scores": False},
    }
    return {
        name: {
            word: run(name, 60.0, dp_threshold=size, **switches)
            for word, switches in variants.items()
        }
        for name, size in ((WORDS, 4), ("mastermind:4x5", 8))
    }


def updates() -> dict[str, Any]:
    variants: dict[str, dict[str, Any]] = {
        "one thread": {"threads": 1},
        "two threads, queued": {"threads": 2, "updates": "queue"},
        "two threads, under a lock": {"threads": 2, "updates": "lock"},
    }
    return {
        name: run("original:first=200", 60.0, dp_threshold=16, **switches)
        for name, switches in variants.items()
    }


def proofs() -> dict[str, Any]:
    games = {
        "bulls-and-cows:3x6": 436,
        "mastermind:4x6": 5625,
        "original:first=200": None,
        "original:first=500": None,
        "original:first=1000": None,
    }
    figures: dict[str, Any] = {}
    for name, known in games.items():
        found = json.loads(
            run_python("-m", "salet", "search", "--method", "mcdp", "--game", name, "--json")
        )
        if known is None:
            proof = run_python("-m", "salet", "prove", "--game", name, "--json")
            known = json.loads(proof)["total"]
        keys = ("total", "lower", "proven", "stopped", "iterations", "seconds", "peak_mb")
        figures[name] = {**{key: found[key] for key in keys}, "optimum": known}
    return figures


def full() -> dict[str, Any]:
    options = ("--method", "mcdp", "--game", "original", "--seconds", "60", "--json")
    found = json.loads(run_python("-m", "salet", "search", *options))
    keys = ("guess", "lower", "upper", "iterations", "seconds", "peak_mb", "curve")
    return {key: found[key] for key in keys}


SECTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    section.__name__: section
    for section in (deviations, threshold, narrowing, memos, updates, proofs, full)
}

if __name__ == "__main__":
    for section in sys.argv[1:] or SECTIONS:
        store(f"mcdp-{section}", f"python benchmarks/mcdp.py {section}", SECTIONS[section]())

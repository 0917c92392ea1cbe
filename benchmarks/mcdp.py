"""What MCDP reaches, and what each part of it is worth: `python benchmarks/mcdp.py [SECTION …]`.

full       the whole original game, five seeds: what stands after 20 and 60 seconds
changes    the same, one seed, with one part switched off at a time
threads    how much of a run two threads can share
threshold  below which size dynamic programming takes over
proofs     games searched to the end

Each is stored as results/mcdp-SECTION.json. Seconds are processor seconds of one thread: they say
what a quiet machine would take, and were measured on a busy one.
"""

from __future__ import annotations

import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest import mock

from record import store

from salet import Game, prove
from salet.search import budget
from salet.search.anytime import SearchConfig, anytime_search
from salet.search.anytime_run import CurvePoint
from salet.search.mcdp import search as mcdp_search
from salet.search.mcdp.tree import Tree

SEEDS = range(5)
NOTE = "processor seconds of one thread, on a machine that was busy with other work"


@contextmanager
def processor_time() -> Iterator[None]:
    """Let clocks of searches count processor seconds."""
    clock = SimpleNamespace(perf_counter=time.process_time, process_time=time.process_time)
    with mock.patch.object(budget, "time", clock):
        yield


def run(name: str, **fields: Any) -> dict[str, Any]:
    """One search on one thread, with its curve."""
    config = SearchConfig(**{"method": "mcdp", "threads": 1, **fields})
    with processor_time():
        found = anytime_search(Game.named(name), config)
    keys = ("guess", "lower", "upper", "proven", "stopped", "iterations", "seconds")
    return {key: getattr(found, key) for key in keys} | {"curve": found.curve}


def stands_at(curve: list[CurvePoint], seconds: float, answers: int) -> dict[str, Any]:
    """What was known at a moment, as totals."""
    point = [point for point in curve if point.seconds <= seconds][-1]
    upper = None if point.upper is None else round(point.upper * answers)
    return {"lower": round(point.lower * answers), "upper": upper, "episodes": point.iteration}


def first_at(curve: list[CurvePoint], total: int, answers: int) -> float | None:
    """Seconds until the upper bound was that low."""
    for point in curve:
        if point.upper is not None and round(point.upper * answers) <= total:
            return point.seconds
    return None


def full() -> dict[str, Any]:
    runs = [run("original", seconds=20 if seed else 60, seed=seed) for seed in SEEDS]
    after_20 = [stands_at(row["curve"], 20, 2315) for row in runs]
    return {
        "note": NOTE,
        "seeds": len(runs),
        "upper_after_20": [row["upper"] for row in after_20],
        "median_upper_after_20": statistics.median(row["upper"] for row in after_20),
        "lower_after_20": [row["lower"] for row in after_20],
        "episodes_after_20": [row["episodes"] for row in after_20],
        "seconds_to_7930": [first_at(row["curve"], 7930, 2315) for row in runs],
        "seconds_to_7920": [first_at(row["curve"], 7920, 2315) for row in runs],
        "after_60_seed_0": stands_at(runs[0]["curve"], 60, 2315),
    }


def changes() -> dict[str, Any]:
    """Every part switched off by itself."""
    unlearnt = mock.patch.object(Tree, "_estimate", lambda *_: None)
    parts: dict[str, tuple[Any, ...]] = {
        "everything": (),
        "no sweeps: actions are followed one by one": (
            mock.patch.object(mcdp_search, "_BY_BOUND", 0.0),
        ),
        "a static choice: estimates never learn": (unlearnt,),
        "no dynamic programming": (),
        "temperature 1 instead of 0.005": (),
    }
    fields: dict[str, dict[str, Any]] = {
        "no dynamic programming": {"dp_threshold": 0},
        "temperature 1 instead of 0.005": {"temperature": 1.0},
    }
    figures: dict[str, Any] = {"note": NOTE, "seconds": 20}
    for name, patches in parts.items():
        with ExitStack() as stack:
            for patch in patches:
                stack.enter_context(patch)
            if "temperature" in name:
                stack.enter_context(mock.patch.object(mcdp_search, "_MAX_UNITS", 10**6))
            found = run("original", seconds=20, **fields.get(name, {}))
        figures[name] = {
            **{key: found[key] for key in ("guess", "lower", "upper", "iterations")},
            "seconds_to_7930": first_at(found["curve"], 7930, 2315),
        }
    return figures


def threads() -> dict[str, Any]:
    """The time that the selecting thread works alone, and the time that all evaluate."""
    evaluate = mcdp_search.McdpSearch._evaluate
    figures: dict[str, Any] = {
        "note": "processor seconds of each thread: speed-up = all / (alone + the busiest worker)"
    }
    for count in (1, 2):
        spent: dict[int, float] = {}

        def timed(self: Any, task: Any, spent: dict[int, float] = spent) -> Any:
            begin = time.thread_time()
            try:
                return evaluate(self, task)
            finally:
                key = threading.get_ident()
                spent[key] = spent.get(key, 0.0) + time.thread_time() - begin

        begin, alone = time.process_time(), time.thread_time()
        with mock.patch.object(mcdp_search.McdpSearch, "_evaluate", timed):
            found = run("original", iterations=1500, threads=count)
        everything, alone = time.process_time() - begin, time.thread_time() - alone
        alone -= spent.get(threading.get_ident(), 0.0)
        figures[f"{count} thread{'s' * (count > 1)}"] = {
            "lower": found["lower"],
            "upper": found["upper"],
            "all": round(everything, 2),
            "alone": round(alone, 2),
            "busiest_worker": round(max(spent.values()), 2),
            "speed_up": round(everything / (alone + max(spent.values())), 2),
        }
    return figures


def threshold() -> dict[str, Any]:
    games = {"original:first=200": (0, 8, 32, 128, 512), "mastermind:4x5": (8, 32, 128, 512)}
    keys = ("total_seconds", "iterations", "proven")
    figures: dict[str, Any] = {"note": NOTE}
    for name, sizes in games.items():
        rows = {size: run(name, dp_threshold=size, seconds=60) for size in sizes}
        figures[name] = {
            str(size): dict(zip(keys, (r["seconds"], r["iterations"], r["proven"]), strict=True))
            for size, r in rows.items()
        }
    return figures


def proofs() -> dict[str, Any]:
    """Searched to the end, beside what `salet prove` finds."""
    figures: dict[str, Any] = {"note": NOTE}
    for name in (
        "bulls-and-cows:3x6",
        "mastermind:4x6",
        "original:first=200",
        "original:first=500",
    ):
        found = run(name, seconds=300)
        keys = ("lower", "upper", "proven", "iterations", "seconds")
        figures[name] = {key: found[key] for key in keys}
        figures[name]["optimum"] = prove(Game.named(name), threads=1).total
    return figures


SECTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    section.__name__: section for section in (full, changes, threads, threshold, proofs)
}

if __name__ == "__main__":
    for section in sys.argv[1:] or SECTIONS:
        store(f"mcdp-{section}", f"python benchmarks/mcdp.py {section}", SECTIONS[section]())

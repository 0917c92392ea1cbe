"""How soon the coach answers: `python benchmarks/coach.py`, a minute on a quiet machine.

For every group that a well-known opener leaves, in each game and mode: seconds until the first
advice, until ten guesses are listed, and until the best is proven (or five seconds are over). And a
fresh process without any cache: seconds until the opener is printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from record import store

from salet import Game
from salet.coach.coach import AdviceOptions, Coach

GAMES = (("nyt", "normal"), ("nyt", "hard"), ("original", "normal"), ("original", "hard"))
LIMIT = 5.0


def answers(name: str, mode: str, every: int) -> dict[str, Any]:
    """Times over the groups of `crane`, the largest and every n-th of the others."""
    coach = Coach(Game.named(name, mode=mode))
    coach.warm_up()
    start = coach.game.start()
    groups = [group for group in start.groups(coach.game.index("crane")).values() if not group.won]
    groups.sort(key=lambda group: -len(group.candidates))
    first, listed, proven = [], [], 0
    for state in groups[::every]:
        begin = time.perf_counter()
        times: list[float] = []
        ten = 0.0
        for advice in coach.suggest(state, AdviceOptions(seconds=LIMIT)):
            times.append(time.perf_counter() - begin)
            ten = ten or (times[-1] if len(advice.suggestions) >= 10 else 0.0)
            if advice.proven and ten:
                break
        first.append(times[0])
        listed.append(ten)
        proven += advice.proven
    return {
        "positions": len(first),
        "first_max_s": round(max(first), 3),
        "first_mean_s": round(sum(first) / len(first), 3),
        "ten_listed_max_s": round(max(listed), 3),
        f"proven_within_{LIMIT:.0f}_s": proven,
    }


def opener_without_cache() -> float:
    """Seconds of a fresh process that prints the opener."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "salet", "assist", "--json"],
            env={**os.environ, "SALET_CACHE_DIR": folder},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return round(time.perf_counter() - begin, 3)


if __name__ == "__main__":
    figures: dict[str, Any] = {
        f"{name} {mode}": answers(name, mode, every=4) for name, mode in GAMES
    }
    figures["opener_without_cache_s"] = opener_without_cache()
    store("coach", "python benchmarks/coach.py", figures)

"""One worker against two where there is one opener: `python benchmarks/cluster.py`.

Every worker is a process with one thread on this machine. The ratio is that of the CPU seconds of
the only worker to those of the busier one of two: what two free cores gain, whatever else this
machine does. (Wall seconds are stored, too; kernels are loaded before the clocks start.)
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from distributed import LocalCluster
from record import store

from salet import Game, prove, solve
from salet.cluster import connected

JOBS = {
    "bulls-and-cows:4x7": None,
    "mastermind:4x6": "1123",
    "original": "qajaq",
}
"""game -> the opener to value, or None for a proof over all"""
MEMORY = 0.5


def measure(name: str, opener: str | None, workers: int) -> dict[str, Any]:
    """CPU seconds of each worker, wall seconds, and the total."""
    game = Game.named(name)
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
        ) as cluster,
        connected(cluster.scheduler_address, timeout=60) as there,
    ):
        tiny = Game.named(name.split(":")[0] + ":2x3") if ":" in name else game
        word = None if ":" in name else "salet"
        solve(tiny, opener=word, executor=there.executor(tiny, MEMORY))  # loads the kernels
        before, begin = there.cpu_seconds(), time.perf_counter()
        executor = there.executor(game, MEMORY)
        if opener is None:
            total = prove(game, executor=executor, memory=MEMORY).total
        else:
            total = solve(game, opener=opener, executor=executor, memory=MEMORY).total
        wall = time.perf_counter() - begin
        after = there.cpu_seconds()
    cpu = sorted(round(after[address] - before[address], 2) for address in after)
    return {"workers": workers, "total": total, "wall_seconds": round(wall, 1), "cpu_seconds": cpu}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=list(JOBS))
    games = parser.parse_args().games
    rows = []
    for name in games:
        one, two = (measure(name, JOBS[name], workers) for workers in (1, 2))
        assert one["total"] == two["total"]
        ratio = round(one["cpu_seconds"][-1] / two["cpu_seconds"][-1], 2)
        rows.append({"game": name, "opener": JOBS[name], "ratio": ratio, "runs": [one, two]})
        print(rows[-1], flush=True)
    store("cluster", "python benchmarks/cluster.py", {"games": rows})


if __name__ == "__main__":
    main()

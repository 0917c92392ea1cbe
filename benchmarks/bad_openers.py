"""CPU time of the exact value of bad openers, and of all: `python benchmarks/bad_openers.py`.

Bad openers leave a thousand answers or more in one part. Each is valued with an empty transposition
table on one thread; the random ones share theirs, as in `salet prove --ranking all`, and their mean
says how long a ranking of all openers takes.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from typing import Any

from record import store

from salet import Game, prove
from salet.search.exact.solver import Solver
from salet.search.roots import root_of
from salet.search.value import Evaluator

BAD = {
    ("original", "normal"): ("qajaq", "immix", "fuffy"),
    ("nyt-2023-07", "hard"): ("twirp", "plook", "butle"),
}
MEGABYTES = 256


def cpu_seconds(solver: Solver, game: Game, word: str) -> tuple[float, int]:
    """CPU seconds and total of an opener."""
    begin = time.process_time()
    total = solver.value(root_of(game.start()), game.index(word))
    return time.process_time() - begin, total


def bad_openers() -> list[dict[str, Any]]:
    rows = []
    for (name, mode), words in BAD.items():
        game = Game.named(name, mode=mode)
        for word in words:
            evaluator = Evaluator(game, megabytes=MEGABYTES)
            evaluator.warm_up()
            with evaluator.solver() as solver:
                seconds, total = cpu_seconds(solver, game, word)
                rows.append(
                    {
                        "game": name,
                        "mode": mode,
                        "opener": word,
                        "total": total,
                        "nodes": solver.nodes,
                        "cpu_seconds": round(seconds, 2),
                    }
                )
    return rows


def random_openers(count: int) -> dict[str, Any]:
    game = Game.named("original")
    evaluator = Evaluator(game, megabytes=MEGABYTES)
    evaluator.warm_up()
    words = random.Random(1).sample(game.guesses, count)
    with evaluator.solver() as solver:
        times = [cpu_seconds(solver, game, word)[0] for word in words]
    mean = statistics.fmean(times)
    return {
        "openers": count,
        "mean_cpu_seconds": round(mean, 3),
        "median_cpu_seconds": round(statistics.median(times), 3),
        "geometric_mean_cpu_seconds": round(statistics.geometric_mean(times), 3),
        "max_cpu_seconds": round(max(times), 2),
        "all_openers_minutes_on_two_cores": round(mean * len(game.guesses) / 120, 1),
    }


def whole_proof() -> dict[str, Any]:
    begin = time.process_time()
    proof = prove(Game.named("original"), threads=1)
    assert proof.proven
    seconds = time.process_time() - begin
    return {"best": proof.best, "total": proof.total, "cpu_seconds": round(seconds, 1)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--random", type=int, default=40, help="random openers to value")
    asked = parser.parse_args()
    figures: dict[str, Any] = {
        "bad openers": bad_openers(),
        "random openers of original, normal": random_openers(asked.random),
        "whole proof of original, normal": whole_proof(),
    }
    store("bad-openers", "python benchmarks/bad_openers.py", figures)

"""Equations and primes: bounds on their totals, by players and by `solve` within a time limit.

    python benchmarks/number_games.py --seconds 300

`nerdle:6` is solved. For the others the upper bound is the best plan of a player or of `solve`, and
the lower bound is that of `solve`: no first guess takes fewer guesses. Stored in
benchmarks/results/number-games.json.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from record import store

from salet import Game, simulate, solve
from salet.search.splits import splits

GAMES = ("nerdle:6", "primel", "nerdle:8")
PLAYERS = ("entropy", "parts")


def measured(name: str, seconds: float) -> dict[str, Any]:
    """Bounds of one game, with the CPU seconds that they took."""
    game = Game.named(name)
    started = time.process_time()
    found: dict[str, Any] = {"answers": game.answer_count}
    for player in PLAYERS:
        result = simulate(game, player)
        found[player] = {"total": result.total, "worst": result.worst, "losses": result.losses,
                         "opener": result.opener}  # fmt: skip
    best = solve(game, seconds=seconds)
    found["solve"] = {"opener": best.guess, "total": best.total, "lower": best.lower,
                      "worst": best.worst, "proven": best.proven, "nodes": best.nodes}  # fmt: skip
    found["guess_bound"] = int(splits(game.start()).guess_bounds.min())
    found["lower"] = max(best.lower, found["guess_bound"])
    found["upper"] = min(best.total, *(found[player]["total"] for player in PLAYERS))
    found["lower_mean"] = found["lower"] / game.answer_count
    found["upper_mean"] = found["upper"] / game.answer_count
    found["cpu_seconds"] = round(time.process_time() - started, 1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300, help="limit of `solve` on each game")
    options = parser.parse_args()
    figures = {}
    for name in GAMES:
        figures[name] = measured(name, options.seconds)
        print(name, figures[name], flush=True)
    command = f"python benchmarks/number_games.py --seconds {options.seconds:g}"
    store("number-games", command, figures)


if __name__ == "__main__":
    main()

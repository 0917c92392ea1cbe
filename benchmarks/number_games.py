"""Equations and primes: totals of players as upper bounds, and the lower bound of the first guess.

    python benchmarks/number_games.py

`nerdle:6` is solved. For the others no plan is better than the lower bound: the least, over first
guesses, of one guess each for the answers and the least that their groups take. Stored in
benchmarks/results/number-games.json.
"""

from __future__ import annotations

import time

from record import store

from salet import Game, simulate, solve
from salet.search.splits import splits

GAMES = ("nerdle:6", "primel", "nerdle:8")
PLAYERS = ("entropy", "parts")


def measured(name: str) -> dict:
    """Bounds of one game, with the CPU seconds that they took."""
    game = Game.named(name)
    started = time.process_time()
    found = {"answers": game.answer_count, "lower": int(splits(game.start()).guess_bounds.min())}
    for player in PLAYERS:
        result = simulate(game, player)
        found[player] = {"total": result.total, "worst": result.worst, "losses": result.losses,
                         "opener": result.opener}  # fmt: skip
    found["upper"] = min(found[player]["total"] for player in PLAYERS)
    if name == "nerdle:6":
        best = solve(game.start())
        found |= {"lower": best.total, "upper": best.total, "proven": best.proven}
    found["lower_mean"] = found["lower"] / game.answer_count
    found["upper_mean"] = found["upper"] / game.answer_count
    found["cpu_seconds"] = round(time.process_time() - started, 1)
    return found


if __name__ == "__main__":
    figures = {name: measured(name) for name in GAMES}
    store("number-games", "python benchmarks/number_games.py", figures)

"""How many games it takes to tell players apart: by their means, and by exact regret.

`python benchmarks/models.py` takes half a minute. Every player plays every answer of the original
list once; samples of games are then drawn from these. docs/evaluating-models.md shows the figures.
"""

from __future__ import annotations

import itertools
import math
import statistics
from typing import Any

import numpy as np
from record import store

from salet import Game
from salet.arena.outcomes import GameOutcome
from salet.arena.regret import losses_by_secret
from salet.search.regret import RegretEvaluator
from salet.strategies.simulate import simulate

PLAYERS = ("exact", "parts", "entropy", "statistical", "minimax", "random")
GAMES, SAMPLES = (20, 100), 20_000


def measure(game: Game, player: str, evaluator: RegretEvaluator) -> tuple[np.ndarray, np.ndarray]:
    """The guesses and the regret of every game."""
    played = simulate(game, player)
    outcomes = [
        GameOutcome(game.answers[answer], [game.guesses[g] for g in line], line[-1] == answer)
        for answer, line in enumerate(played.games)
    ]
    losses = losses_by_secret(game, outcomes, evaluator.value)
    return np.array(played.charges, float), np.array([losses[word] for word in game.answers])


def right_order(first: np.ndarray, second: np.ndarray, size: int, paired: bool) -> float:
    """How often a sample ranks two players as all games do; ties count a half."""
    generator = np.random.default_rng(0)
    shape = (SAMPLES, size)
    drawn = generator.integers(len(first), size=shape)
    other = drawn if paired else generator.integers(len(first), size=shape)
    gaps = second[other].mean(axis=1) - first[drawn].mean(axis=1)
    truth = math.copysign(1.0, second.mean() - first.mean())
    right = np.count_nonzero(gaps * truth > 1e-12) + 0.5 * np.count_nonzero(abs(gaps) <= 1e-12)
    return round(float(right) / SAMPLES, 3)


def main() -> None:
    game = Game.named("original")
    evaluator = RegretEvaluator(game)
    found = {player: measure(game, player, evaluator) for player in PLAYERS}
    rows: dict[str, Any] = {}
    for player, (guesses, losses) in found.items():
        rows[player] = {
            "mean": round(float(guesses.mean()), 4),
            "sd_of_guesses": round(statistics.stdev(guesses), 3),
            "regret": round(float(losses.mean()), 4),
            "sd_of_regret": round(statistics.stdev(losses), 3),
            "interval_of_mean_20": round(2.093 * statistics.stdev(guesses) / math.sqrt(20), 3),
            "interval_of_regret_20": round(2.093 * statistics.stdev(losses) / math.sqrt(20), 3),
        }
    pairs = []
    for better, worse in itertools.pairwise(PLAYERS):
        row: dict[str, Any] = {"players": [better, worse]}
        for size in GAMES:
            for name, index in (("guesses", 0), ("regret", 1)):
                for paired in (False, True):
                    key = f"{name}_{size}{'_paired' if paired else ''}"
                    row[key] = right_order(found[better][index], found[worse][index], size, paired)
        pairs.append(row)
    store("models", "python benchmarks/models.py", {"players": rows, "pairs": pairs})


if __name__ == "__main__":
    main()

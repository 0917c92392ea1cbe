"""Speed of the environment on one core. `python benchmarks/env.py`, half a minute.

4096 games of the original list in normal mode, classic-313, guesses at random. Only guesses count:
a step with which a game begins again does not.
"""

from __future__ import annotations

import time

import gymnasium
import numpy as np
from record import store

import salet.env  # noqa: F401  (registers the environment)

GAMES, STEPS, TIMES = 4096, 64, 9


def main() -> None:
    env = gymnasium.make_vec("salet/Wordle-v0", num_envs=GAMES, observation="classic-313")
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(12972, size=(STEPS, GAMES))
    by_clock, by_processor = [], []
    over = np.zeros(GAMES, bool)
    for _ in range(TIMES):
        guesses = 0
        clock, processor = time.perf_counter(), time.process_time()
        for row in actions:
            guesses += GAMES - int(np.count_nonzero(over))
            _, _, ended, cut, _ = env.step(row)
            over = ended | cut
        by_clock.append(guesses / (time.perf_counter() - clock))
        by_processor.append(guesses / (time.process_time() - processor))
    figures = {
        "games": GAMES,
        "steps_a_second": round(max(by_clock)),
        "steps_a_processor_second": round(max(by_processor)),
    }
    store("env", "python benchmarks/env.py", figures)


if __name__ == "__main__":
    main()

"""Speed of the environment on one core. `python benchmarks/env.py`, half a minute.

4096 games of the original list in normal mode, classic-313, guesses at random; and 1024 in hard
mode, guesses at random among the legal ones. Only guesses count: a step with which a game begins
again does not, nor does the time in which guesses are drawn.
"""

from __future__ import annotations

import time

import gymnasium
import numpy as np
from record import store

import salet.env  # noqa: F401  (registers the environment)

STEPS, TIMES = 64, 9


def speed(games: int, mode: str) -> dict[str, int]:
    """Guesses a second, by the clock and by the processor: the best of several times."""
    env = gymnasium.make_vec(
        "salet/Wordle-v0", num_envs=games, mode=mode, observation="classic-313"
    )
    _, info = env.reset(seed=0)
    generator = np.random.default_rng(0)
    random = generator.integers(12972, size=(STEPS, games))
    by_clock, by_processor = [], []
    over = np.zeros(games, bool)
    for _ in range(TIMES):
        guesses, clock, processor = 0, 0.0, 0.0
        for row in random:
            actions = row
            if mode != "normal":
                actions = (info["action_mask"] * generator.random(12972, np.float32)).argmax(1)
            guesses += games - int(np.count_nonzero(over))
            began, used = time.perf_counter(), time.process_time()
            _, _, ended, cut, info = env.step(actions)
            clock += time.perf_counter() - began
            processor += time.process_time() - used
            over = ended | cut
        by_clock.append(guesses / clock)
        by_processor.append(guesses / processor)
    return {
        "games": games,
        "steps_a_second": round(max(by_clock)),
        "steps_a_processor_second": round(max(by_processor)),
    }


if __name__ == "__main__":
    figures = {"normal": speed(4096, "normal"), "hard": speed(1024, "hard")}
    store("env", "python benchmarks/env.py", figures)

"""Speed of the environment on one core: `python benchmarks/env.py` takes half a minute.

4096 games of the original list in normal mode with classic-313 and random guesses, and 1024 in hard
mode with random legal guesses. Only guesses count: neither the steps that restart a game nor the
time to draw the guesses do.
"""

from __future__ import annotations

import time

import gymnasium
import numpy as np
from record import store

import salet.env  # noqa: F401  (registers the environment)

STEPS, REPEATS = 64, 9


def speed(games: int, mode: str) -> dict[str, int]:
    """Guesses per second, by wall clock and by processor time, the best of several repeats."""
    env = gymnasium.make_vec(
        "salet/Wordle-v0", num_envs=games, mode=mode, observation="classic-313"
    )
    _, info = env.reset(seed=0)
    generator = np.random.default_rng(0)
    random = generator.integers(12972, size=(STEPS, games))
    by_clock, by_processor = [], []
    over = np.zeros(games, bool)
    for _ in range(REPEATS):
        guesses, clock, processor = 0, 0.0, 0.0
        for row in random:
            actions = row
            if mode != "normal":
                actions = (info["action_mask"] * generator.random(12972, np.float32)).argmax(1)
            guesses += games - int(np.count_nonzero(over))
            began, used = time.perf_counter(), time.process_time()
            _, _, terminated, truncated, info = env.step(actions)
            clock += time.perf_counter() - began
            processor += time.process_time() - used
            over = terminated | truncated
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

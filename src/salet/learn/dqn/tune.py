"""Random search over settings: short runs on a small game."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np

from salet.errors import InputError, TrainingError
from salet.learn.common.metrics import read_metrics, write_csv
from salet.learn.common.run_directory import CHECKPOINT_FILE, METRICS_FILE
from salet.learn.dqn.config import DqnConfig
from salet.learn.dqn.learner import words_of
from salet.learn.dqn.metrics import DqnMetrics
from salet.learn.dqn.play import DqnScore
from salet.learn.dqn.train import train

SPACE: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "epsilon": (1.0, 0.3),
        "final_epsilon": (0.0, 0.02, 0.1),
        "alpha": (0.0, 0.4, 0.7),
        "updates": (1, 2, 4),
        "buffer": (2_000, 10_000, 50_000),
        "reward": ("guesses", "careful", "founding", "million"),
        "width": (128, 256, 512),
    }
)
"""the search space: exploration, priorities, gradient steps in a round, the replay buffer, rewards
and the width of the network"""

SMALL = DqnConfig(
    game="original:sample=200,seed=1",
    games=32,
    rounds=500,
    batch=128,
    epsilon_rounds=200,
    learning_rate=1e-3,
    final_learning_rate=1e-4,
    tau=5e-3,
    evaluate_every=100,
)
"""the default run, which every trial changes"""


class Trial(msgspec.Struct, frozen=True):
    """The settings of a run and its result."""

    number: int
    settings: dict[str, Any]
    answers: int
    wins: int
    mean: float
    seconds: float


def sample_settings(trials: int, seed: int) -> list[dict[str, Any]]:
    """Distinct settings from the space, all equally likely."""
    sizes = [len(values) for values in SPACE.values()]
    total = int(np.prod(sizes))
    if not 1 <= trials <= total:
        raise InputError(f"{trials} trials: the space has {total} settings; give 1 to {total}")
    drawn = np.random.default_rng(seed).permutation(total)[:trials]
    choices = zip(*np.unravel_index(drawn, sizes), strict=True)
    return [
        {name: values[k] for (name, values), k in zip(SPACE.items(), choice, strict=True)}
        for choice in choices
    ]


def tune(
    base: DqnConfig,
    directory: Path,
    *,
    trials: int,
    seed: int = 0,
    progress: Callable[[Trial, int], None] | None = None,
) -> list[Trial]:
    """Train with random settings and return the trials, best first; an interrupted search is
    resumed."""
    if base.stages:
        raise InputError("a search is over runs of one stage; leave out the stages")
    found: list[Trial] = []
    for number, settings in enumerate(sample_settings(trials, seed)):
        run = directory / f"{number:03}"
        score = _score(dataclasses.replace(base, **settings), run)
        rows = read_metrics(DqnMetrics, run / METRICS_FILE)
        seconds = rows[-1].seconds if rows else 0.0
        found.append(Trial(number, settings, score.answers, score.wins, score.mean, seconds))
        _write_trials(directory / "trials.csv", found)
        if progress is not None:
            progress(found[-1], trials)
    return sorted(found, key=lambda trial: trial.mean)


def _score(config: DqnConfig, directory: Path) -> DqnScore:
    """The test score of a run; a run that diverges counts as losing every game."""
    try:
        return train(config, directory, resume=(directory / CHECKPOINT_FILE).exists())[1]
    except TrainingError:
        return DqnScore(words_of(config).test.answer_count, 0, config.cap + 1.0)


def _write_trials(path: Path, trials: list[Trial]) -> None:
    columns = ["number", *SPACE, "answers", "wins", "mean", "seconds"]
    rows = []
    for t in trials:
        values = [t.settings[name] for name in SPACE]
        rows.append([t.number, *values, t.answers, t.wins, f"{t.mean:.4f}", t.seconds])
    write_csv(path, columns, rows)


def effects(trials: Sequence[Trial]) -> dict[str, dict[str, float]]:
    """The mean result of all trials with each value of each setting."""
    table: dict[str, dict[str, float]] = {}
    for name, values in SPACE.items():
        table[name] = {}
        for value in values:
            means = [trial.mean for trial in trials if trial.settings[name] == value]
            if means:
                table[name][str(value)] = round(float(np.mean(means)), 4)
    return table

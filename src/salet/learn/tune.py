"""Searching settings: short runs on a small game, drawn from a stated space."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np

from salet.errors import InputError, TrainingError
from salet.learn.agent import Score
from salet.learn.config import DqnConfig
from salet.learn.dqn import train
from salet.learn.lists import lists_of
from salet.storage import output

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
"""what is searched: exploration, priorities, the update interval (steps of learning in a round),
the memory, rewards and the width of the network"""

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
"""the run that every setting changes"""


class Trial(msgspec.Struct, frozen=True):
    """A setting and what it reached."""

    number: int
    settings: dict[str, Any]
    answers: int
    wins: int
    mean: float
    seconds: float


def draws(
    trials: int, seed: int, space: Mapping[str, Sequence[Any]] = SPACE
) -> list[dict[str, Any]]:
    """Different settings from the space, each value as likely as any other."""
    sizes = [len(values) for values in space.values()]
    most = int(np.prod(sizes))
    if not 1 <= trials <= most:
        raise InputError(f"{trials} trials: the space has {most} settings; give 1 to {most}")
    drawn = np.random.default_rng(seed).permutation(most)[:trials]
    places = zip(*np.unravel_index(drawn, sizes), strict=True)
    return [
        {name: values[k] for (name, values), k in zip(space.items(), place, strict=True)}
        for place in places
    ]


def tune(
    base: DqnConfig,
    directory: Path,
    *,
    trials: int,
    seed: int = 0,
    report: Callable[[Trial, int], None] | None = None,
) -> list[Trial]:
    """Train with each setting; best first. A search that was stopped goes on where it was."""
    from salet.learn.directory import CHECKPOINT_FILE, METRICS_FILE
    from salet.learn.metrics import read_rows

    if base.stages:
        raise InputError("a search is over runs of one stage; leave the stages out")
    found: list[Trial] = []
    for number, settings in enumerate(draws(trials, seed)):
        config = dataclasses.replace(base, **settings)
        place = directory / f"{number:03}"
        score = _score(config, place, resume=(place / CHECKPOINT_FILE).exists())
        rows = read_rows(place / METRICS_FILE)
        seconds = rows[-1].seconds if rows else 0.0
        found.append(Trial(number, settings, score.answers, score.wins, score.mean, seconds))
        _write(directory / "trials.csv", found)
        if report is not None:
            report(found[-1], trials)
    return sorted(found, key=lambda trial: trial.mean)


def _score(config: DqnConfig, place: Path, *, resume: bool) -> Score:
    """What a run reaches; with settings under which it diverges, every game is lost."""
    try:
        return train(config, place, resume=resume)[1]
    except TrainingError:
        return Score(lists_of(config).test.answer_count, 0, config.cap + 1.0)


def _write(path: Path, trials: list[Trial]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["number", *SPACE, "answers", "wins", "mean", "seconds"])
    for t in trials:
        values = [t.settings[name] for name in SPACE]
        writer.writerow([t.number, *values, t.answers, t.wins, f"{t.mean:.4f}", t.seconds])
    with output(path) as file:
        file.write(text.getvalue().encode())


def effects(trials: Sequence[Trial]) -> dict[str, dict[str, float]]:
    """The mean of all trials with each value of each setting: what matters, and which way."""
    table: dict[str, dict[str, float]] = {}
    for name, values in SPACE.items():
        table[name] = {}
        for value in values:
            means = [trial.mean for trial in trials if trial.settings[name] == value]
            if means:
                table[name][str(value)] = round(float(np.mean(means)), 4)
    return table

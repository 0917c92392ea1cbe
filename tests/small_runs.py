"""Configurations of training runs that take about a second, and what a run leaves behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from salet.learn.common.metrics import MetricsRow, read_metrics
from salet.learn.common.run_directory import METRICS_FILE
from salet.learn.dqn.config import DqnConfig, dqn_config_from
from salet.learn.policy.config import PolicyConfig

DQN = {
    "game": "original:first=12,guesses=answers",
    "width": 32,
    "games": 8,
    "rounds": 60,
    "warmup": 16,
    "updates": 2,
    "batch": 32,
    "epsilon_rounds": 20,
    "evaluate_every": 20,
    "buffer": 200,
    "learning_rate": 3e-3,
    "tau": 0.02,
}

POLICY = PolicyConfig(
    game="nerdle:5,first=60",
    pool=16,
    word=16,
    width=32,
    layers=1,
    query=16,
    candidate=4,
    lists=3,
    list_answers=30,
    openers=2,
    plays=3,
    play_widths=(4, 3),
    play_lists=2,
    steps=40,
    batch=32,
    others=20,
    learning_rate=3e-3,
    evaluate_every=1,
)


def dqn_config(**changes: Any) -> DqnConfig:
    """The small DQN run, with some keys changed."""
    return dqn_config_from({**DQN, **changes})


def timeless_rows(kind: type[MetricsRow], directory: Path) -> list[dict[str, Any]]:
    """The metrics of a run without the times."""
    rows = [msgspec.structs.asdict(row) for row in read_metrics(kind, directory / METRICS_FILE)]
    return [{**row, "seconds": 0} for row in rows]

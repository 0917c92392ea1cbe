"""The metrics of a DQN run: one row for each evaluation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from salet.array_types import Bools, Indices
from salet.learn.common.metrics import MetricsRow


class DqnMetrics(MetricsRow, frozen=True, kw_only=True):
    """The metrics of one evaluation."""

    games: int
    """training games played"""
    seconds: float
    """time spent on the run"""
    epsilon: float
    """probability of a random guess"""
    learning_rate: float
    loss: float
    """mean loss of the gradient steps since the last row; 0 before learning starts"""
    train_win_rate: float
    """fraction of the training games since the last row that were won"""
    train_mean: float
    """guesses per training game, random ones included; a loss counts cap + 1"""
    wins: int
    """validation words that greedy play wins"""
    mean: float
    """guesses per validation word; a loss counts cap + 1"""
    answers: int
    """number of validation words"""


@dataclass
class TrainingStatistics:
    """What happened since the last evaluation."""

    losses: list[float] = field(default_factory=list)
    """loss of each gradient step"""
    games: int = 0
    wins: int = 0
    guesses: int = 0

    def add_games(self, turns: Indices, won: Bools, cap: int) -> None:
        """Count a round's games."""
        self.games += len(turns)
        self.wins += int(won.sum())
        self.guesses += int(np.where(won, turns, cap + 1).sum())

    @property
    def mean_loss(self) -> float:
        """Mean loss of the gradient steps, 0 if there were none."""
        return float(np.mean(self.losses)) if self.losses else 0.0

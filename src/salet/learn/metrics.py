"""The figures of a run: one row for each evaluation."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from salet.array_types import Bools, Indices
from salet.learn.directory import Figures, rows_of

if TYPE_CHECKING:
    from salet.learn.agent import Score
    from salet.learn.learner import Learner


class Row(Figures, frozen=True):
    """The figures of one evaluation."""

    games: int
    """games played to learn from"""
    seconds: float
    epsilon: float
    learning_rate: float
    loss: float
    """mean over the steps since the last row; 0 before learning begins"""
    train_win_rate: float
    train_mean: float
    """of the games played to learn from, random guesses included; a loss counts cap + 1"""
    wins: int
    mean: float
    """of greedy play of the validation words"""
    answers: int


@dataclass
class Recent:
    """What happened since the last row."""

    losses: list[float] = field(default_factory=list)
    games: int = 0
    won: int = 0
    guesses: int = 0
    began: float = field(default_factory=time.monotonic)

    def add(self, turns: Indices, won: Bools, cap: int) -> None:
        """Count a round's games."""
        self.games += len(turns)
        self.won += int(won.sum())
        self.guesses += int(np.where(won, turns, cap + 1).sum())

    def row(self, learner: Learner, epsilon: float, score: Score) -> Row:
        """The figures since the last row; the time goes to the learner's account."""
        progress = learner.progress
        progress.seconds += time.monotonic() - self.began
        return Row(
            round=learner.rounds_done(),
            games=learner.games_done(),
            seconds=round(progress.seconds, 1),
            epsilon=epsilon,
            learning_rate=learner.optimizer.param_groups[0]["lr"],
            loss=float(np.mean(self.losses)) if self.losses else 0.0,
            train_win_rate=self.won / self.games,
            train_mean=self.guesses / self.games,
            wins=score.wins,
            mean=score.mean,
            answers=score.answers,
        )


def read_rows(path: Path) -> list[Row]:
    """The rows of a run's CSV file."""
    return rows_of(Row, path)

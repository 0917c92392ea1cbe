"""What changes while a network learns: everything that a checkpoint holds."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from salet.array_types import Floats, Indices
from salet.learn.agent import Score, Table
from salet.learn.config import DqnConfig
from salet.learn.files import Weights
from salet.learn.lists import Lists
from salet.learn.metrics import Row
from salet.learn.network import Network
from salet.learn.replay import Replay


@dataclass
class Progress:
    """How far the whole run is."""

    stage: int = 0
    rounds: int = 0
    """rounds of earlier stages"""
    games: int = 0
    """games of earlier stages"""
    best: tuple[int, float] | None = None
    """losses and mean of the best weights so far"""
    seconds: float = 0.0
    """time spent so far"""


@dataclass
class Learner:
    """One stage of a run."""

    whole: DqnConfig
    """the configuration of all stages"""
    config: DqnConfig
    """and of this one"""
    progress: Progress
    lists: Lists
    weights: Weights
    """its network is the target network: the agent"""
    online: Network
    optimizer: torch.optim.Adam
    replay: Replay
    table: Table
    judge: Table
    generator: np.random.Generator
    losses: Floats
    """losses[answer]: lost games of each training answer"""
    round: int = field(default=0)
    """rounds done in this stage"""

    @staticmethod
    def begin(whole: DqnConfig, progress: Progress, lists: Lists, weights: Weights) -> Learner:
        """A stage that starts with the given weights."""
        config = whole.stage(progress.stage)
        table = weights.table(lists.train)
        judge = table if lists.validate is lists.train else weights.table(lists.validate)
        online = copy.deepcopy(weights.network)
        online.freeze(config.freeze)
        learning = [parameter for parameter in online.parameters() if parameter.requires_grad]
        weights.network.requires_grad_(False)
        return Learner(
            whole,
            config,
            progress,
            lists,
            weights,
            online,
            torch.optim.Adam(learning, config.learning_rate, fused=True),
            Replay(config.buffer, table.book, config.alpha),
            table,
            judge,
            np.random.default_rng([config.seed, progress.stage]),
            np.zeros(lists.train.answer_count),
        )

    def answers(self) -> Indices:
        """Secrets for a round: evenly, or those lost before more often."""
        count = self.config.games
        if self.config.hard_answers == 0:
            drawn = self.generator.integers(len(self.losses), size=count)
        else:
            weights = (self.losses + 1e-5) ** self.config.hard_answers
            drawn = self.generator.choice(len(self.losses), count, p=weights / weights.sum())
        return drawn.astype(np.int32)

    def epsilon(self) -> float:
        """The chance of a random guess in this round: by a constant factor down to the final one
        (down a line where that is 0)."""
        config = self.config
        share = min(1.0, self.round / config.epsilon_rounds)
        if config.final_epsilon == 0 or config.epsilon == 0:
            return config.epsilon + (config.final_epsilon - config.epsilon) * share
        return float(config.epsilon * (config.final_epsilon / config.epsilon) ** share)

    def set_learning_rate(self) -> None:
        """From the first to the final rate along half a cosine."""
        first, last = self.config.learning_rate, self.config.final_learning_rate
        share = (1 + math.cos(math.pi * self.round / self.config.rounds)) / 2
        for group in self.optimizer.param_groups:
            group["lr"] = last + (first - last) * share

    def improves(self, score: Score) -> bool:
        """Is this the best score so far? Then it is remembered."""
        best = self.progress.best
        if best is not None and score.rank >= best:
            return False
        self.progress.best = score.rank
        return True

    def best_weights(self, row: Row) -> Weights:
        """The agent as it is now, with what it has reached."""
        now: dict[str, Any] = {
            "games": row.games,
            "answers": self.lists.validate.answer_count,
            "wins": row.wins,
            "mean": row.mean,
            "seconds": round(self.progress.seconds),
        }
        weights = self.weights
        return Weights(weights.network, self.whole, weights.alphabet, weights.vocabulary, now)

    def rounds_done(self) -> int:
        """Rounds of the whole run so far."""
        return self.progress.rounds + self.round

    def games_done(self) -> int:
        """Games of the whole run so far."""
        return self.progress.games + self.round * self.config.games

    def games_in_all(self) -> int:
        """Games of the whole run."""
        stages = [self.whole.stage(number) for number in range(self.whole.stage_count)]
        return sum(stage.rounds * stage.games for stage in stages)

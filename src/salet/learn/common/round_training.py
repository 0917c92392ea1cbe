"""Training in rounds, for agents that learn from examples: the run's state, and the loop.

A round gathers examples, takes some gradient steps on those in memory, and now and then lets the
network play alone. An agent derives its state from `RoundLearner` and passes its own functions to
`train_in_rounds`.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch

from salet.array_types import Ints
from salet.game.game import Game
from salet.game.table import Table
from salet.learn.common.metrics import MetricsFile, RoundMetrics
from salet.learn.common.run_directory import (
    WEIGHTS_FILE,
    check_same_words,
    create_run,
    divergence,
    read_checkpoint,
    unpacking_checkpoint,
    write_checkpoint,
)
from salet.learn.common.torch_utils import Arrays, load_training, training_arrays
from salet.learn.common.word_lists import words_digest


@dataclass(eq=False, kw_only=True)
class RoundLearner(ABC):
    """The state of a training run: everything that a checkpoint holds."""

    kind: ClassVar[str]
    parse_config: ClassVar[Callable[..., Any]]
    """makes a configuration from plain data"""

    config: Any
    game: Game
    table: Table
    """feedback of all words with all words"""
    network: Any
    optimizer: torch.optim.Optimizer
    round: int = 0
    """rounds done"""
    seconds: float = 0.0
    """time spent so far"""
    hindsight: float = 0.0
    """guesses per game in the latest self-play, with hindsight; 0 without self-play"""

    @classmethod
    @abstractmethod
    def initial(cls: type[Learner], config: Any) -> Learner:
        """A run before its first round, with random weights."""

    @classmethod
    def start(cls: type[Learner], config: Any, directory: Path) -> Learner:
        """Start a run in a new directory."""
        learner = cls.initial(config)
        create_run(directory)
        return learner

    @classmethod
    def resume(cls: type[Learner], config: Any, directory: Path) -> Learner:
        """The run in a directory as it was at its last checkpoint."""
        arrays, header = read_checkpoint(directory, cls.kind, config, cls.parse_config)
        with unpacking_checkpoint(directory):
            learner = cls.initial(config)
            check_same_words(words_digest(learner.game), header["words"], config.game, directory)
            load_training({"network": learner.network}, learner.optimizer, arrays)
            learner.restore(arrays)
            learner.round = int(header["round"])
            learner.seconds = float(header["seconds"])
            learner.hindsight = float(header.get("hindsight", 0))
        return learner

    def save_checkpoint(self, directory: Path) -> None:
        """Write everything that the rest of the run depends on."""
        arrays = training_arrays({"network": self.network}, self.optimizer) | self.arrays()
        header = {"round": self.round, "seconds": self.seconds, "hindsight": self.hindsight}
        digest = words_digest(self.game)
        write_checkpoint(directory, self.kind, self.config, digest, arrays, header)

    def generator(self) -> np.random.Generator:
        """The random generator of this round, the same in a resumed run."""
        return np.random.default_rng([self.config.seed, self.round])

    @abstractmethod
    def gather_examples(self, generator: np.random.Generator) -> None:
        """Add this round's examples to the memory."""

    @property
    @abstractmethod
    def example_count(self) -> int:
        """Number of examples in memory."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """The examples, as arrays of a checkpoint."""

    @abstractmethod
    def restore(self, arrays: Arrays) -> None:
        """Restore the examples saved by `arrays()`."""

    @abstractmethod
    def save_weights(self, path: Path, trained: dict[str, Any]) -> None:
        """Write the network with the length and the result of its training."""


Learner = TypeVar("Learner", bound=RoundLearner)
Report = Callable[[RoundMetrics, int], None]
"""called after each round with its metrics and the number of rounds of the run"""


def train_in_rounds(
    learner: Learner,
    directory: Path,
    *,
    gradient_steps: Callable[[Learner, np.random.Generator], list[float]],
    play: Callable[[Learner], Ints],
    progress: Report | None = None,
) -> None:
    """Run the remaining rounds.

    `gradient_steps` returns the losses of a round's gradient steps, and `play` the number of
    guesses for each answer that evaluates the network.
    """
    config = learner.config
    metrics = MetricsFile(RoundMetrics, directory, learner.round)
    while learner.round < config.rounds:
        began = time.monotonic()

        # 1. Gather examples.
        generator = learner.generator()
        learner.gather_examples(generator)

        # 2. Learn from the examples in memory.
        losses = gradient_steps(learner, generator)
        if not math.isfinite(losses[-1]):
            raise divergence(losses[-1], learner.round + 1, directory)
        learner.round += 1

        # 3. Evaluate the network alone.
        lost, mean = None, None
        if learner.round % config.evaluate_every == 0 or learner.round == config.rounds:
            taken = play(learner)
            lost, mean = int((taken > config.cap).sum()), float(taken.mean())
        learner.seconds += time.monotonic() - began

        # 4. Write the metrics, and after an evaluation the weights and a checkpoint. Metrics come
        # first: resuming drops surplus rows, but cannot make up missing ones.
        row = RoundMetrics(
            round=learner.round,
            seconds=round(learner.seconds, 1),
            examples=learner.example_count,
            loss=float(np.mean(losses)),
            hindsight=learner.hindsight or None,
            lost=lost,
            mean=mean,
            learning_rate=learner.optimizer.param_groups[0]["lr"],
        )
        metrics.append(row)
        if lost is not None:
            trained = {"rounds": row.round, "lost": lost, "mean": mean}
            trained["seconds"] = round(row.seconds)
            learner.save_weights(directory / WEIGHTS_FILE, trained)
            learner.save_checkpoint(directory)
        if progress is not None:
            progress(row, config.rounds)


def take_gradient_steps(
    learner: RoundLearner,
    count: int,
    loss_of: Callable[[], torch.Tensor],
    set_learning_rate: Callable[[int], None],
    clip: float | None = None,
) -> list[float]:
    """Take gradient steps; returns their losses, up to the first that is not finite.

    `loss_of` returns the loss of a random batch; `clip` is the maximum norm of a gradient.
    """
    losses: list[float] = []
    for step in range(count):
        set_learning_rate(step)
        loss = loss_of()
        losses.append(float(loss.detach()))
        if not math.isfinite(losses[-1]):
            break
        learner.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(learner.network.parameters(), clip)
        learner.optimizer.step()
    return losses

"""Training of the second agent, one loop to read from top to bottom."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from salet.learn.directory import WEIGHTS_FILE, Metrics, diverged, one_thread
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.files import PolicyWeights, go_on, save_checkpoint, start, weights_of
from salet.learn.policy.learner import Learner
from salet.learn.policy.metrics import Row
from salet.learn.policy.ownplay import played_alone
from salet.learn.policy.seat import Seat

Report = Callable[[Row, int], None]
"""called after each round with its figures and the number of rounds in all"""


def train(
    config: PolicyConfig,
    directory: Path,
    *,
    resume: bool = False,
    report: Report | None = None,
) -> PolicyWeights:
    """Train as the configuration says, with files in the directory; returns the last weights.

    The answers of the game judge the network and do not choose it: a best of many evaluations would
    be fitted to them.
    """
    with one_thread():
        return _train(config, directory, resume, report or (lambda *_: None))


def _train(config: PolicyConfig, directory: Path, resume: bool, report: Report) -> PolicyWeights:
    learner = go_on(config, directory) if resume else start(config, directory)
    metrics = Metrics(Row, directory, learner.round)
    while learner.round < config.rounds:
        began = time.monotonic()
        generator = learner.generator()
        learner.gather(generator)
        losses = learner.study(generator)
        if not math.isfinite(losses[-1]):
            raise diverged(losses[-1], learner.round + 1, directory)
        learner.round += 1
        lost, mean = None, None
        if learner.round % config.evaluate_every == 0 or learner.round == config.rounds:
            lost, mean = _evaluated(learner)
        learner.seconds += time.monotonic() - began
        row = Row(
            round=learner.round,
            seconds=round(learner.seconds, 1),
            lessons=sum(len(part) for parts in learner.memory.values() for part in parts),
            learning_rate=learner.optimizer.param_groups[0]["lr"],
            loss=float(np.mean(losses)),
            hindsight=learner.hindsight or None,
            lost=lost,
            mean=mean,
        )
        metrics.write(row)  # before the checkpoint: rows too many are dropped when resuming
        if lost is not None:
            weights_of(learner, _trained(row)).save(directory / WEIGHTS_FILE)
            save_checkpoint(learner, directory)
        report(row, config.rounds)
    return PolicyWeights.load(directory / WEIGHTS_FILE)


def _evaluated(learner: Learner) -> tuple[int, float]:
    """Lost games and mean of all answers of the game, played by the network alone."""
    game = learner.game
    seat = Seat(learner.network, game.lexicon.codes)
    charges = played_alone(seat, game.compiled, learner.config.cap)
    return int((charges > learner.config.cap).sum()), float(charges.mean())


def _trained(row: Row) -> dict[str, float | int | None]:
    return {
        "rounds": row.round,
        "lost": row.lost,
        "mean": row.mean,
        "seconds": round(row.seconds),
    }

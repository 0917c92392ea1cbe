"""Training of the policy network, one loop to read from top to bottom.

A round gathers examples, from a drawn list that is solved exactly or from self-play, and takes some
gradient steps on the examples in memory.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from salet.learn.common.greedy_play import play_greedily
from salet.learn.common.metrics import MetricsFile
from salet.learn.common.run_directory import WEIGHTS_FILE, divergence
from salet.learn.common.torch_utils import single_thread
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.examples import Examples
from salet.learn.policy.learner import PolicyLearner
from salet.learn.policy.loss import batch_loss
from salet.learn.policy.metrics import PolicyMetrics
from salet.learn.policy.weights import PolicyWeights

Report = Callable[[PolicyMetrics, int], None]
"""called after each round with its metrics and the number of rounds of the run"""


def train(
    config: PolicyConfig,
    directory: Path,
    *,
    resume: bool = False,
    progress: Report | None = None,
) -> PolicyWeights:
    """Train a policy network in `directory`; returns the last weights.

    The answers of the game evaluate the network and do not select it: the best of many evaluations
    would be fitted to them. An interrupted run is resumed with `resume`, and gives the same numbers
    as an unbroken one.
    """
    with single_thread():
        begin = PolicyLearner.resume if resume else PolicyLearner.start
        learner = begin(config, directory)
        metrics = MetricsFile(PolicyMetrics, directory, learner.round)
        while learner.round < config.rounds:
            began = time.monotonic()

            # 1. Gather examples: a solved list, or self-play.
            generator = learner.generator()
            learner.gather_examples(generator)

            # 2. Learn from all examples in memory.
            losses = gradient_steps(learner, generator)
            if not math.isfinite(losses[-1]):
                raise divergence(losses[-1], learner.round + 1, directory)
            learner.round += 1

            # 3. Evaluate the network alone.
            lost, mean = None, None
            if learner.round % config.evaluate_every == 0 or learner.round == config.rounds:
                lost, mean = _evaluate(learner)
            learner.seconds += time.monotonic() - began

            # 4. Write the metrics, and after an evaluation the weights and a checkpoint. Metrics
            # come first: resuming drops surplus rows, but cannot make up missing ones.
            row = _metrics_row(learner, losses, lost, mean)
            metrics.append(row)
            if lost is not None:
                _weights(learner, row).save(directory / WEIGHTS_FILE)
                learner.save_checkpoint(directory)
            if progress is not None:
                progress(row, config.rounds)
        return PolicyWeights.load(directory / WEIGHTS_FILE)


def gradient_steps(learner: PolicyLearner, generator: np.random.Generator) -> list[float]:
    """Take a round's gradient steps; returns their losses, up to the first that is not finite."""
    config, codes = learner.config, learner.game.lexicon.codes
    sources = [
        (examples, examples.cumulative_weights(by_size=by_size), count)
        for examples, by_size, count in learner.batch_sources()
    ]
    learner.network.train()
    losses = []
    for step in range(config.steps):
        learner.set_learning_rate(step)
        batch = Examples.concatenate(
            [each.sample(weights, count, generator) for each, weights, count in sources if count]
        )
        loss = batch_loss(learner.network, learner.marks, codes, batch, config, generator)
        losses.append(float(loss.detach()))
        if not math.isfinite(losses[-1]):
            break
        learner.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(learner.network.parameters(), config.clip)
        learner.optimizer.step()
    return losses


def _evaluate(learner: PolicyLearner) -> tuple[int, float]:
    """Lost games and guesses per game of the network alone, over all answers of the game."""
    cap = learner.config.cap
    player, game = learner.player(), learner.game
    answers = np.arange(game.answer_count, dtype=np.int32)
    taken = play_greedily(lambda sets, _: player.best(sets), game.compiled, answers, cap)
    return int((taken > cap).sum()), float(taken.mean())


def _metrics_row(
    learner: PolicyLearner, losses: list[float], lost: int | None, mean: float | None
) -> PolicyMetrics:
    return PolicyMetrics(
        round=learner.round,
        seconds=round(learner.seconds, 1),
        examples=sum(len(part) for parts in learner.memory.values() for part in parts),
        learning_rate=learner.optimizer.param_groups[0]["lr"],
        loss=float(np.mean(losses)),
        hindsight=learner.hindsight or None,
        lost=lost,
        mean=mean,
    )


def _weights(learner: PolicyLearner, row: PolicyMetrics) -> PolicyWeights:
    """The network as it is now, with what it has reached."""
    trained = {
        "rounds": row.round,
        "lost": row.lost,
        "mean": row.mean,
        "seconds": round(row.seconds),
    }
    alphabet = learner.game.lexicon.alphabet
    return PolicyWeights(learner.network, learner.config, alphabet, trained)

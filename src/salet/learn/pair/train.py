"""Training of the pair network, one loop to read from top to bottom.

A round draws lists from the training words, solves sets of their answers exactly, and takes some
gradient steps on all examples so far.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from salet.array_types import Indices, Ints
from salet.learn.common.greedy_play import play_greedily
from salet.learn.common.metrics import MetricsFile
from salet.learn.common.ragged import AnswerSets
from salet.learn.common.run_directory import WEIGHTS_FILE, divergence
from salet.learn.common.torch_utils import single_thread
from salet.learn.pair.config import PairConfig
from salet.learn.pair.learner import PairLearner
from salet.learn.pair.loss import score_loss, share_loss, value_loss
from salet.learn.pair.metrics import PairMetrics
from salet.learn.pair.weights import POOLED_RULES, PairWeights

Report = Callable[[PairMetrics, int], None]
"""called after each round with its metrics and the number of rounds of the run"""


def train(
    config: PairConfig,
    directory: Path,
    *,
    resume: bool = False,
    progress: Report | None = None,
) -> PairWeights:
    """Train a pair network in `directory`; returns the last weights.

    The validation list evaluates the network and does not select it. An interrupted run is resumed
    with `resume`, and gives the same numbers as an unbroken one.
    """
    with single_thread():
        begin = PairLearner.resume if resume else PairLearner.start
        learner = begin(config, directory)
        metrics = MetricsFile(PairMetrics, directory, learner.round)
        while learner.round < config.rounds:
            began = time.monotonic()

            # 1. Draw lists and solve sets of their answers.
            generator = learner.generator()
            learner.gather_examples(generator)

            # 2. Learn which answers look alike, or what sets are worth.
            step = _value_step if learner.learns_values else _tell_step
            steps = config.value_steps if learner.learns_values else config.tell_steps
            losses = _gradient_steps(learner, generator, step, steps)
            if not math.isfinite(losses[-1]):
                raise divergence(losses[-1], learner.round + 1, directory)
            learner.round += 1

            # 3. Evaluate the network alone.
            lost, mean = None, None
            if learner.round % config.evaluate_every == 0 or learner.round == config.rounds:
                taken = _play_alone(learner)
                lost, mean = int((taken > config.cap).sum()), float(taken.mean())
            learner.seconds += time.monotonic() - began

            # 4. Write the metrics, and after an evaluation the weights and a checkpoint. Metrics
            # come first: resuming drops surplus rows, but cannot make up missing ones.
            row = PairMetrics(
                round=learner.round,
                seconds=round(learner.seconds, 1),
                examples=0 if learner.examples is None else len(learner.examples),
                loss=float(np.mean(losses)),
                lost=lost,
                mean=mean,
            )
            metrics.append(row)
            if lost is not None:
                trained = {"rounds": row.round, "lost": lost, "mean": mean}
                trained["seconds"] = round(row.seconds)
                PairWeights(learner.network, config, trained).save(directory / WEIGHTS_FILE)
                learner.save_checkpoint(directory)
            if progress is not None:
                progress(row, config.rounds)
        return PairWeights.load(directory / WEIGHTS_FILE)


Step = Callable[[PairLearner, np.random.Generator], torch.Tensor]
"""the loss of a random batch"""


def _gradient_steps(
    learner: PairLearner, generator: np.random.Generator, step: Step, count: int
) -> list[float]:
    """Take gradient steps; returns their losses, up to the first that is not finite."""
    losses = []
    for number in range(count):
        learner.set_learning_rate(number)
        loss = step(learner, generator)
        losses.append(float(loss.detach()))
        if not math.isfinite(losses[-1]):
            break
        learner.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        learner.optimizer.step()
    return losses


def _tell_step(learner: PairLearner, generator: np.random.Generator) -> torch.Tensor:
    """Scores of guesses, of words and of made-up strings, and shares of sets."""
    examples = learner.examples
    assert examples is not None
    batch, network = learner.config.batch // 2, learner.network
    sets = generator.integers(len(examples), size=batch)
    loss = share_loss(network, examples.totals[sets], examples.sets.sizes[sets])
    words = (learner.game.rule.name, (learner.game.lexicon.codes, examples))
    for rule, (codes, source) in (words, *learner.made_up.items()):
        if len(source.scored):
            scored = generator.integers(len(source.scored), size=batch)
            pooled = rule in POOLED_RULES
            loss = loss + score_loss(network, codes, source, scored, pooled=pooled)
    return loss


def _value_step(learner: PairLearner, generator: np.random.Generator) -> torch.Tensor:
    """Values of sets, larger ones more often."""
    examples = learner.examples
    assert examples is not None
    sizes = examples.sets.sizes
    cumulative = np.cumsum(np.minimum(np.sqrt(sizes), 8))
    drawn = generator.random(learner.config.batch) * cumulative[-1]
    chosen = np.searchsorted(cumulative, drawn).clip(0, len(sizes) - 1)
    features = learner.features[torch.from_numpy(chosen)]
    return value_loss(learner.network, features, examples.totals[chosen], sizes[chosen])


def _play_alone(learner: PairLearner) -> Ints:
    """Guesses that the network takes for each answer of the validation list."""
    player = learner.player()

    def choose(sets: AnswerSets, left: int) -> Indices:
        return player.best(sets, left=np.full(len(sets), left))

    return play_greedily(choose, learner.table, learner.validation_list(), learner.config.cap)

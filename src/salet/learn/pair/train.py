"""Training of the pair network: its gradient steps and its evaluation.

A round draws lists from the training words, solves sets of their answers exactly, and takes some
gradient steps on all examples so far (`round_training.py` has the loop).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from salet.array_types import Indices, Ints
from salet.learn.common.greedy_play import play_greedily
from salet.learn.common.ragged import AnswerSets
from salet.learn.common.round_training import Report, take_gradient_steps, train_in_rounds
from salet.learn.common.run_directory import WEIGHTS_FILE
from salet.learn.common.torch_utils import fast_training
from salet.learn.pair.config import PairConfig
from salet.learn.pair.learner import PairLearner
from salet.learn.pair.loss import score_loss, share_loss, value_loss
from salet.learn.pair.weights import POOLED_RULES, PairWeights


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
    with fast_training():
        begin = PairLearner.resume if resume else PairLearner.start
        train_in_rounds(
            begin(config, directory),
            directory,
            gradient_steps=gradient_steps,
            play=_play_alone,
            progress=progress,
        )
    return PairWeights.load(directory / WEIGHTS_FILE)


def gradient_steps(learner: PairLearner, generator: np.random.Generator) -> list[float]:
    """Learn which answers look alike, or later what sets are worth; returns the losses."""
    config = learner.config
    loss, steps = _tell_loss, config.tell_steps
    if learner.learns_values:
        loss, steps = _value_loss, config.value_steps
    return take_gradient_steps(
        learner, steps, lambda: loss(learner, generator), learner.set_learning_rate
    )


def _tell_loss(learner: PairLearner, generator: np.random.Generator) -> torch.Tensor:
    """The loss of scores of guesses, of words and of made-up strings, and of shares of sets."""
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


def _value_loss(learner: PairLearner, generator: np.random.Generator) -> torch.Tensor:
    """The loss of values of sets, of which larger ones are sampled more often."""
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

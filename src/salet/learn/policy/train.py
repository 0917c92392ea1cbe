"""Training of the policy network: its gradient steps and its evaluation.

A round gathers examples, from a drawn list that is solved exactly or from self-play, and takes some
gradient steps on the examples in memory (`round_training.py` has the loop).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from salet.array_types import Ints
from salet.learn.common.greedy_play import play_greedily
from salet.learn.common.round_training import Report, take_gradient_steps, train_in_rounds
from salet.learn.common.run_directory import WEIGHTS_FILE
from salet.learn.common.torch_utils import fast_training
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.examples import Examples
from salet.learn.policy.learner import PolicyLearner
from salet.learn.policy.loss import batch_loss
from salet.learn.policy.weights import PolicyWeights


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
    with fast_training():
        begin = PolicyLearner.resume if resume else PolicyLearner.start
        train_in_rounds(
            begin(config, directory),
            directory,
            gradient_steps=gradient_steps,
            play=_play_alone,
            progress=progress,
        )
    return PolicyWeights.load(directory / WEIGHTS_FILE)


def gradient_steps(learner: PolicyLearner, generator: np.random.Generator) -> list[float]:
    """Take a round's gradient steps; returns their losses, up to the first that is not finite."""
    config, codes = learner.config, learner.game.lexicon.codes
    sources = [
        (examples, examples.cumulative_weights(by_size=by_size), count)
        for examples, by_size, count in learner.batch_sources()
    ]

    def loss() -> torch.Tensor:
        batch = Examples.concatenate(
            [each.sample(weights, count, generator) for each, weights, count in sources if count]
        )
        return batch_loss(learner.network, learner.word_features, codes, batch, config, generator)

    learner.network.train()
    return take_gradient_steps(
        learner, config.steps, loss, learner.set_learning_rate, clip=config.clip
    )


def _play_alone(learner: PolicyLearner) -> Ints:
    """Guesses that the network takes for each answer of the game."""
    player, game = learner.player(), learner.game
    answers = np.arange(game.answer_count, dtype=np.int32)
    return play_greedily(
        lambda sets, _: player.best(sets), game.compiled, answers, learner.config.cap
    )

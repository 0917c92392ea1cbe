"""Deep Q-learning, one loop to read from top to bottom.

A round plays some games in lockstep, stores them in a replay buffer, and takes a few gradient steps
on transitions sampled from it. The agent is the target network, a running mean of the online one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from salet.env.rewards import reward_named
from salet.learn.common.metrics import MetricsFile
from salet.learn.common.run_directory import WEIGHTS_FILE, divergence
from salet.learn.common.torch_utils import fast_training
from salet.learn.dqn.config import DqnConfig
from salet.learn.dqn.learner import DqnLearner
from salet.learn.dqn.metrics import DqnMetrics, TrainingStatistics
from salet.learn.dqn.network import soft_update
from salet.learn.dqn.play import DqnScore, EpsilonGreedy, evaluate, play_games
from salet.learn.dqn.weights import DqnWeights

Report = Callable[[DqnMetrics, int, int], None]
"""called after each evaluation with its metrics, the games done and the games of the whole run"""


def train(
    config: DqnConfig, directory: Path, *, resume: bool = False, progress: Report | None = None
) -> tuple[DqnWeights, DqnScore]:
    """Train a Q-network in `directory`; returns the best weights and their score on the test words.

    An interrupted run is resumed with `resume`, and gives the same numbers as an unbroken one.
    """
    with fast_training():
        begin = DqnLearner.resume if resume else DqnLearner.start
        learner = begin(config, directory)
        metrics = MetricsFile(DqnMetrics, directory, learner.rounds_done)
        _train_stage(learner, directory, metrics, progress)
        while not learner.is_last_stage:
            learner = learner.next_stage(directory)
            _train_stage(learner, directory, metrics, progress)
        best = DqnWeights.load(directory / WEIGHTS_FILE)
        return best, evaluate(best.adapter(learner.words.test), best.network)


def _train_stage(
    learner: DqnLearner,
    directory: Path,
    metrics: MetricsFile[DqnMetrics],
    progress: Report | None,
) -> None:
    """Run the remaining rounds of a stage."""
    config, training = learner.config, learner.training
    recent, began = TrainingStatistics(), time.monotonic()
    while learner.round < config.rounds:
        # 1. Play a batch of games with an epsilon-greedy policy.
        learner.set_learning_rate()
        epsilon = learner.epsilon()
        policy = EpsilonGreedy(epsilon, config.exploration, learner.generator)
        answers = learner.draw_answers()
        played = play_games(training, learner.online, answers, policy)

        # 2. Store them.
        won = training.won(played)
        learner.replay.add(played)
        np.add.at(learner.losses, answers[~won], 1)
        recent.add_games(played.turns, won, training.arrays.horizon)
        learner.round += 1

        # 3. Learn from the replay buffer.
        if learner.round * config.games > config.warmup:
            for _ in range(config.updates):
                loss = gradient_step(learner)
                if not math.isfinite(loss):
                    raise divergence(loss, learner.rounds_done, directory)
                recent.losses.append(loss)

        # 4. Evaluate the agent, keep it if it is the best so far, and write a checkpoint.
        if learner.round % config.evaluate_every == 0 or learner.round == config.rounds:
            score = evaluate(learner.validation, learner.weights.network)
            learner.progress.seconds += time.monotonic() - began
            row = _metrics_row(learner, epsilon, recent, score)
            recent, began = TrainingStatistics(), time.monotonic()
            if learner.improves(score):
                learner.best_weights(row).save(directory / WEIGHTS_FILE)
            metrics.append(row)
            learner.save_checkpoint(directory)
            if progress is not None:
                progress(row, learner.games_done, learner.total_games)


def gradient_step(learner: DqnLearner) -> float:
    """Take one gradient step on sampled transitions; returns the loss."""
    config, training, target = learner.config, learner.training, learner.weights.network
    head = training.head
    batch = learner.replay.sample(config.batch, reward_named(config.reward), config.steps,
                                  config.gamma, config.beta, learner.generator)  # fmt: skip

    # The target: the n-step return plus the value of the best guess afterwards.
    unfinished = np.flatnonzero(batch.discounts)
    after = batch.after.take(unfinished)
    inputs = training.inputs(after)
    with torch.no_grad():
        choosing = learner.online if config.double else target
        guesses, _ = head.best(choosing(inputs).numpy(), training.legal(after))
        later = head.network_values_of(target, inputs, torch.from_numpy(guesses).long())
        targets = torch.from_numpy(batch.returns)
        targets[unfinished] += torch.from_numpy(batch.discounts[unfinished]) * later

    # The prediction, and a step towards the target.
    inputs, made = training.inputs(batch.before), torch.from_numpy(batch.guesses)
    errors = targets - head.network_values_of(learner.online, inputs, made)
    loss = (torch.from_numpy(batch.weights) * errors.square()).mean()
    learner.optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(learner.online.parameters(), config.clip)
    learner.optimizer.step()

    learner.replay.update_priorities(batch.indices, errors.detach().numpy())
    soft_update(target, learner.online, config.tau)
    return float(loss.detach())


def _metrics_row(
    learner: DqnLearner, epsilon: float, recent: TrainingStatistics, score: DqnScore
) -> DqnMetrics:
    return DqnMetrics(
        round=learner.rounds_done,
        games=learner.games_done,
        seconds=round(learner.progress.seconds, 1),
        epsilon=epsilon,
        learning_rate=learner.optimizer.param_groups[0]["lr"],
        loss=recent.mean_loss,
        train_win_rate=recent.wins / recent.games,
        train_mean=recent.guesses / recent.games,
        wins=score.wins,
        mean=score.mean,
        answers=score.answers,
    )

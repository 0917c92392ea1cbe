"""Deep Q-learning, one loop to read from top to bottom.

A round plays some games in lock-step, remembers them, and takes a few steps of learning from what
is remembered. The agent is the target network, a running mean of the learning one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from salet.env.rewards import reward_named
from salet.learn.agent import Explorer, Score, evaluate, play, won_games
from salet.learn.checkpoint import go_on, next_stage, save_checkpoint, start
from salet.learn.config import DqnConfig
from salet.learn.directory import WEIGHTS_FILE, Metrics, diverged, one_thread
from salet.learn.files import Weights
from salet.learn.learner import Learner
from salet.learn.metrics import Recent, Row
from salet.learn.network import soft_update

Report = Callable[[Row, int, int], None]
"""called after each evaluation with its figures, and games done and games in all"""


def train(
    config: DqnConfig, directory: Path, *, resume: bool = False, report: Report | None = None
) -> tuple[Weights, Score]:
    """Train as the configuration says, with files in the directory; returns the best weights and
    how they play the test words."""
    with one_thread():
        return _train(config, directory, resume, report or (lambda *_: None))


def _train(
    config: DqnConfig, directory: Path, resume: bool, report: Report
) -> tuple[Weights, Score]:
    learner = go_on(config, directory) if resume else start(config, directory)
    metrics = Metrics(Row, directory, learner.rounds_done())
    while True:
        stage = learner.config
        recent = Recent()
        while learner.round < stage.rounds:
            learner.set_learning_rate()
            epsilon = learner.epsilon()
            explorer = Explorer(epsilon, stage.exploration, learner.generator)
            answers = learner.answers()
            played = play(learner.table, learner.online, answers, explorer)
            won = won_games(learner.table, played)
            learner.replay.add(played)
            np.add.at(learner.losses, answers[~won], 1)
            recent.add(played.turns, won, learner.table.book.horizon)
            learner.round += 1
            if learner.round * stage.games > stage.warmup:
                for _ in range(stage.updates):
                    recent.losses.append(_finite(learn(learner), learner, directory))
            if learner.round % stage.evaluate_every == 0 or learner.round == stage.rounds:
                score = evaluate(learner.judge, learner.weights.network)
                row = recent.row(learner, epsilon, score)
                recent = Recent()
                if learner.improves(score):
                    learner.best_weights(row).save(directory / WEIGHTS_FILE)
                metrics.write(row)
                save_checkpoint(learner, directory)
                report(row, learner.games_done(), learner.games_in_all())
        if learner.progress.stage + 1 == learner.whole.stage_count:
            best = Weights.load(directory / WEIGHTS_FILE)
            return best, evaluate(best.table(learner.lists.test), best.network)
        learner = next_stage(learner, directory)


def learn(learner: Learner) -> float:
    """One step: predict the values of remembered guesses, compare with what followed, adjust."""
    config, table, target = learner.config, learner.table, learner.weights.network
    batch = learner.replay.draw(config.batch, reward_named(config.reward), config.steps,
                                config.gamma, config.beta, learner.generator)  # fmt: skip
    goes_on = np.flatnonzero(batch.discounts)
    after = batch.after.rows(goes_on)
    seen = torch.from_numpy(table.seen.of(after))
    with torch.no_grad():
        outputs = target(seen)
        judged = learner.online(seen) if config.double else outputs
        guesses, _ = table.head.best(judged.numpy(), table.legal(after))
        later = table.head.of(outputs, torch.from_numpy(guesses).long())
        wanted = torch.from_numpy(batch.returns)
        wanted[goes_on] += torch.from_numpy(batch.discounts[goes_on]) * later

    before = torch.from_numpy(table.seen.of(batch.before))
    predicted = table.head.of(learner.online(before), torch.from_numpy(batch.guesses))
    errors = wanted - predicted
    loss = (torch.from_numpy(batch.weights) * errors.square()).mean()
    learner.optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(learner.online.parameters(), config.clip)
    learner.optimizer.step()

    learner.replay.update(batch.places, errors.detach().numpy())
    soft_update(target, learner.online, config.tau)
    return float(loss.detach())


def _finite(loss: float, learner: Learner, directory: Path) -> float:
    if math.isfinite(loss):
        return loss
    raise diverged(loss, learner.rounds_done(), directory)

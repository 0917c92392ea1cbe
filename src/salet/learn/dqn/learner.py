"""The state of a DQN run: everything that a checkpoint holds."""

from __future__ import annotations

import copy
import dataclasses
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from salet.array_types import Floats, Indices
from salet.env.rewards import reward_named
from salet.errors import InputError
from salet.game.game import Game
from salet.learn.common.run_directory import (
    WEIGHTS_FILE,
    check_same_words,
    create_run,
    read_checkpoint,
    unpacking_checkpoint,
    write_checkpoint,
)
from salet.learn.common.torch_utils import load_training, prefixed, training_arrays, unprefixed
from salet.learn.common.word_lists import SplitWords, split_words, union_game
from salet.learn.dqn.config import DqnConfig, dqn_config_from
from salet.learn.dqn.metrics import DqnMetrics
from salet.learn.dqn.network import QNetwork
from salet.learn.dqn.play import DqnScore, GameAdapter
from salet.learn.dqn.replay import ReplayBuffer
from salet.learn.dqn.weights import KIND, DqnWeights


@dataclass
class DqnProgress:
    """How far a run has come, over all its stages."""

    stage: int = 0
    """index of the current stage"""
    rounds: int = 0
    """rounds of earlier stages"""
    games: int = 0
    """games of earlier stages"""
    best: tuple[int, float] | None = None
    """losses and mean of the best weights so far"""
    seconds: float = 0.0
    """time spent so far"""


@dataclass
class DqnLearner:
    """One stage of a run."""

    run_config: DqnConfig
    """configuration of the whole run"""
    config: DqnConfig
    """configuration of this stage"""
    progress: DqnProgress
    words: SplitWords
    weights: DqnWeights
    """the agent: its network is the target network"""
    online: QNetwork
    """the network that learns"""
    optimizer: torch.optim.Adam
    replay: ReplayBuffer
    training: GameAdapter
    """the game to learn from"""
    validation: GameAdapter
    """the game that chooses the checkpoint"""
    generator: np.random.Generator
    losses: Floats
    """losses[answer]: lost games of each training answer"""
    round: int = 0
    """rounds done in this stage"""

    # ---- starting and resuming

    @staticmethod
    def start(config: DqnConfig, directory: Path) -> DqnLearner:
        """Start a run in a new directory; later stages are checked, too."""
        for stage in config.stage_configs:
            reward_named(stage.reward)
        words = words_of(config.stage_configs[0])
        learner = DqnLearner._of_stage(config, DqnProgress(), words, _starting_weights(config))
        create_run(directory)
        return learner

    @staticmethod
    def _of_stage(
        run: DqnConfig, progress: DqnProgress, words: SplitWords, weights: DqnWeights
    ) -> DqnLearner:
        """A stage that starts with the given weights."""
        config = run.stage_configs[progress.stage]
        training = weights.adapter(words.train)
        is_same = words.validation is words.train
        online = copy.deepcopy(weights.network)
        online.freeze(config.freeze)
        trainable = [parameter for parameter in online.parameters() if parameter.requires_grad]
        weights.network.requires_grad_(False)
        return DqnLearner(
            run,
            config,
            progress,
            words,
            weights,
            online,
            torch.optim.Adam(trainable, config.learning_rate, fused=True),
            ReplayBuffer(config.buffer, training.arrays, config.alpha),
            training,
            training if is_same else weights.adapter(words.validation),
            np.random.default_rng([config.seed, progress.stage]),
            np.zeros(words.train.answer_count),
        )

    def next_stage(self, directory: Path) -> DqnLearner:
        """The stage after this one, which starts with the best weights so far."""
        before, stage = self.words.validation, self.progress.stage + 1
        words = words_of(self.run_config.stage_configs[stage])
        now = words.validation
        is_same = (now.guesses, now.answers) == (before.guesses, before.answers)
        best = self.progress.best if is_same else None
        progress = DqnProgress(
            stage, self.rounds_done, self.games_done, best, self.progress.seconds
        )
        weights = DqnWeights.load(directory / WEIGHTS_FILE)
        learner = DqnLearner._of_stage(self.run_config, progress, words, weights)
        learner.save_checkpoint(directory)  # before the file of the best weights is overwritten
        return learner

    @staticmethod
    def resume(config: DqnConfig, directory: Path) -> DqnLearner:
        """The run in a directory as it was at its last checkpoint."""
        arrays, header = read_checkpoint(directory, KIND, config, dqn_config_from)
        with unpacking_checkpoint(directory):
            progress = DqnProgress(**header["progress"])
            if progress.best is not None:
                progress.best = (int(progress.best[0]), float(progress.best[1]))
            words = words_of(config.stage_configs[progress.stage])
            check_same_words(words.digest(), header["words"], config.game, directory)
            learner = DqnLearner._of_stage(config, progress, words, _random_weights(config))
            load_training(learner._modules(), learner.optimizer, arrays)
            stored, max_priority = int(header["stored"]), float(header["highest"])
            learner.replay.restore(unprefixed("replay", arrays), stored, max_priority)
            learner.losses = np.array(arrays["losses"], np.float64)
            learner.generator.bit_generator.state = header["generator"]
            learner.round = int(header["round"])
        return learner

    def _modules(self) -> dict[str, nn.Module]:
        return {"online": self.online, "target": self.weights.network}

    def save_checkpoint(self, directory: Path) -> None:
        """Write everything that the rest of the run depends on."""
        arrays = {
            **training_arrays(self._modules(), self.optimizer),
            **prefixed("replay", self.replay.arrays()),
            "losses": self.losses,
        }
        header = {
            "progress": dataclasses.asdict(self.progress),
            "round": self.round,
            "generator": self.generator.bit_generator.state,
            "stored": self.replay.stored,
            "highest": self.replay.max_priority,
        }
        write_checkpoint(directory, KIND, self.run_config, self.words.digest(), arrays, header)

    # ---- the schedule

    def draw_answers(self) -> Indices:
        """Secrets for a round: uniformly, or those lost before more often."""
        count = self.config.games
        if self.config.hard_answers == 0:
            drawn = self.generator.integers(len(self.losses), size=count)
        else:
            weights = (self.losses + 1e-5) ** self.config.hard_answers
            drawn = self.generator.choice(len(self.losses), count, p=weights / weights.sum())
        return drawn.astype(np.int32)

    def epsilon(self) -> float:
        """The probability of a random guess in this round: exponential decay to the final one
        (linear if either end is 0)."""
        config = self.config
        share = min(1.0, self.round / config.epsilon_rounds)
        if config.final_epsilon == 0 or config.epsilon == 0:
            return config.epsilon + (config.final_epsilon - config.epsilon) * share
        return float(config.epsilon * (config.final_epsilon / config.epsilon) ** share)

    def set_learning_rate(self) -> None:
        """Set the rate of this round: half a cosine from the first to the final one."""
        first, last = self.config.learning_rate, self.config.final_learning_rate
        share = (1 + math.cos(math.pi * self.round / self.config.rounds)) / 2
        for group in self.optimizer.param_groups:
            group["lr"] = last + (first - last) * share

    # ---- progress

    def improves(self, score: DqnScore) -> bool:
        """Whether this is the best score so far; if so, it is recorded."""
        best = self.progress.best
        if best is not None and score.rank >= best:
            return False
        self.progress.best = score.rank
        return True

    def best_weights(self, row: DqnMetrics) -> DqnWeights:
        """The agent as it is now, with what it has reached."""
        trained = {
            "games": row.games,
            "answers": row.answers,
            "wins": row.wins,
            "mean": row.mean,
            "seconds": round(self.progress.seconds),
        }
        return dataclasses.replace(self.weights, config=self.run_config, trained=trained)

    @property
    def rounds_done(self) -> int:
        """Rounds of the whole run so far."""
        return self.progress.rounds + self.round

    @property
    def games_done(self) -> int:
        """Games of the whole run so far."""
        return self.progress.games + self.round * self.config.games

    @property
    def total_games(self) -> int:
        """Games of the whole run."""
        return sum(stage.rounds * stage.games for stage in self.run_config.stage_configs)

    @property
    def is_last_stage(self) -> bool:
        """Whether no stage follows."""
        return self.progress.stage + 1 == len(self.run_config.stage_configs)


def words_of(config: DqnConfig) -> SplitWords:
    """The words that one stage is trained, validated and tested on."""
    return split_words(
        Game.named(config.game, mode=config.mode, cap=config.cap),
        source=config.source,
        holdout=config.holdout,
        hidden=config.hidden,
        validation=config.validation,
        words=config.words,
        augment=config.augment,
        augmented=config.augmented,
        seed=config.seed,
    )


def _starting_weights(config: DqnConfig) -> DqnWeights:
    """Random weights, or those of the file to start from."""
    random = _random_weights(config)
    if not config.start:
        return random
    given = DqnWeights.load(Path(config.start))
    wanted = random.network.shape
    for name, here, there in zip(wanted._fields, wanted, given.network.shape, strict=True):
        if here != there:
            raise InputError(
                f"start = {config.start!r} has {name} = {there}, this configuration has {here}"
            )
    if (given.alphabet, given.vocabulary) != (random.alphabet, random.vocabulary):
        raise InputError(
            f"start = {config.start!r} has outputs for other letters or words than {config.game}"
        )
    return dataclasses.replace(given, config=config)


def _random_weights(config: DqnConfig) -> DqnWeights:
    """Random weights, with outputs for the words of all stages."""
    all_words = dataclasses.replace(config, stages=(), words=0)
    lists = [words_of(each) for each in (all_words, *config.stage_configs)]
    return DqnWeights.initial(union_game(lists), config)

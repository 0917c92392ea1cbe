"""The state of a run of the pair network: everything that a checkpoint holds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

from salet.array_types import Codes, Floats, Indices
from salet.errors import InputError
from salet.game.feedback import rule_named
from salet.game.game import Game
from salet.game.table import Table, build_table
from salet.learn.common.run_directory import (
    check_same_words,
    create_run,
    read_checkpoint,
    unpacking_checkpoint,
    write_checkpoint,
)
from salet.learn.common.torch_utils import (
    load_training,
    prefixed,
    seeded,
    training_arrays,
    unprefixed,
)
from salet.learn.common.word_lists import is_held_out, words_digest
from salet.learn.pair.config import PairConfig, pair_config_from
from salet.learn.pair.examples import MAX_SCORED, Gatherer, PairExamples, made_up_examples
from salet.learn.pair.network import PairNetwork, PairNetworkShape, set_features
from salet.learn.pair.player import PairPlayer
from salet.learn.pair.weights import KIND, POOLED_RULES

MADE_UP = 4000
"""scored guesses of made-up strings in each round"""


@dataclass(eq=False)
class PairLearner:
    """A training run."""

    config: PairConfig
    game: Game
    """the game whose guesses are the words"""
    table: Table
    """feedback of all words with all words"""
    words: Indices
    """words that may be answers of a drawn list, ascending"""
    network: PairNetwork
    optimizer: torch.optim.Adam
    examples: PairExamples | None = None
    """the examples of all rounds so far"""
    made_up: dict[str, tuple[Codes, PairExamples]] = field(default_factory=dict)
    """this round's made-up examples and their letters, by feedback rule"""
    features: torch.Tensor = field(default_factory=lambda: torch.empty(0))
    """features of the first sets of `examples`, computed when values are learned"""
    round: int = 0
    """rounds done"""
    seconds: float = 0.0
    """time spent so far"""

    # ---- starting and resuming

    @staticmethod
    def start(config: PairConfig, directory: Path) -> PairLearner:
        """Start a run in a new directory."""
        learner = PairLearner.initial(config)
        create_run(directory)
        return learner

    @staticmethod
    def initial(config: PairConfig) -> PairLearner:
        """A run before its first round, with random weights."""
        game = Game.named(config.game, cap=config.cap)
        kept = [i for i, word in enumerate(game.guesses) if not is_held_out(word)]
        words = np.array(kept, np.int32)
        for name in ("list_answers", "min_answers"):
            if getattr(config, name) > len(words):
                raise InputError(
                    f"{name} = {getattr(config, name)}: {game.name} has {len(words)} words that "
                    "are not held out"
                )
        shape = PairNetworkShape(config.depth, config.similar, config.width)
        network = seeded(lambda: PairNetwork(shape), config.seed)
        lexicon = game.lexicon
        table = build_table(lexicon, len(lexicon), game.rule)
        return PairLearner(
            config, game, table, words, network, torch.optim.Adam(network.parameters())
        )

    @staticmethod
    def resume(config: PairConfig, directory: Path) -> PairLearner:
        """The run in a directory as it was at its last checkpoint."""
        arrays, header = read_checkpoint(directory, KIND, config, pair_config_from)
        with unpacking_checkpoint(directory):
            learner = PairLearner.initial(config)
            check_same_words(words_digest(learner.game), header["words"], config.game, directory)
            load_training({"network": learner.network}, learner.optimizer, arrays)
            learner.examples = PairExamples.from_arrays(unprefixed("examples", arrays))
            learner.round = int(header["round"])
            learner.seconds = float(header["seconds"])
        return learner

    def save_checkpoint(self, directory: Path) -> None:
        """Write everything that the rest of the run depends on."""
        arrays = training_arrays({"network": self.network}, self.optimizer)
        if self.examples is not None:
            arrays |= prefixed("examples", self.examples.arrays())
        header = {"round": self.round, "seconds": self.seconds}
        write_checkpoint(directory, KIND, self.config, words_digest(self.game), arrays, header)

    def generator(self) -> np.random.Generator:
        """The randomness of this round, the same in a run that is resumed."""
        return np.random.default_rng([self.config.seed, self.round])

    @property
    def learns_values(self) -> bool:
        """Is this a round of learning values?"""
        return self.round >= self.config.tell_rounds

    # ---- examples

    def gather_examples(self, generator: np.random.Generator) -> None:
        """Add the examples of this round's lists."""
        parts = [] if self.examples is None else [self.examples]
        for _ in range(self.config.lists):
            answers = self._draw_answers(generator)
            gatherer = Gatherer(self.game, self.table, answers, self.config, generator)
            parts.append(gatherer.gather())
        self.examples = PairExamples.concatenate(parts)
        if not len(self.examples):
            raise InputError(
                f"no set of a drawn list has 3 to {self.config.max_answers} answers that can be "
                f"won in cap = {self.config.cap} guesses; give more"
            )
        if self.learns_values:
            self._compute_features()
        else:
            totals = self._mean_totals()
            self.made_up = {
                rule: made_up_examples(
                    self.game.length, rule_named(rule), totals, MADE_UP, generator
                )
                for rule in (self.game.rule.name, *POOLED_RULES)
            }

    def _draw_answers(self, generator: np.random.Generator) -> Indices:
        """The answers of a list: training words that are not exactly the answers of the game."""
        config = self.config
        count = config.list_answers
        if generator.random() > 0.6:
            most = min(2 * config.list_answers, len(self.words))
            low, high = math.log(config.min_answers), math.log(max(most, config.min_answers))
            count = round(math.exp(generator.uniform(low, high)))
        return np.sort(generator.choice(self.words, count, replace=False)).astype(np.int32)

    def validation_list(self) -> Indices:
        """A list of training words to evaluate on, of a seed that no round has."""
        generator = np.random.default_rng([self.config.seed, 0, 1])
        count = self.config.list_answers
        return np.sort(generator.choice(self.words, count, replace=False)).astype(np.int32)

    def _mean_totals(self) -> Floats:
        """The mean total of sets of n answers, by n."""
        assert self.examples is not None
        sizes, totals = self.examples.sets.sizes, self.examples.totals
        counts = np.bincount(sizes, minlength=MAX_SCORED + 1)[: MAX_SCORED + 1]
        sums = np.bincount(sizes, totals, MAX_SCORED + 1)[: MAX_SCORED + 1]
        known = [0, 1, 2, *(n for n in range(3, MAX_SCORED + 1) if counts[n])]
        values = [0.0, 1.0, 3.0, *(sums[n] / counts[n] for n in known[3:])]
        means: Floats = np.interp(np.arange(known[-1] + 1), known, values)
        return means

    def _compute_features(self) -> None:
        """Compute the features of the sets that have none; the network's eyes are fixed by now."""
        assert self.examples is not None
        done = len(self.features)
        sets = self.examples.sets.take(np.arange(done, len(self.examples)))
        new = set_features(self.game.lexicon.codes, sets, self.network.learned())
        self.features = (
            torch.cat([self.features, torch.from_numpy(new)]) if done else (torch.from_numpy(new))
        )

    # ---- learning

    def player(self) -> PairPlayer:
        """The network as it is now, as a player of the game's words."""
        return PairPlayer(self.network, self.game.lexicon.codes)

    def set_learning_rate(self, step: int) -> None:
        """Set the rate of a gradient step: half a cosine from the first rate to nearly zero, for
        each of the two phases."""
        config = self.config
        if self.learns_values:
            done = (self.round - config.tell_rounds) * config.value_steps + step
            share = done / (config.value_rounds * config.value_steps)
            rate = config.learning_rate
        else:
            share = (self.round * config.tell_steps + step) / (
                config.tell_rounds * config.tell_steps
            )
            rate = 10 * config.learning_rate
        for group in self.optimizer.param_groups:
            group["lr"] = rate * (0.01 + 0.99 * (1 + math.cos(math.pi * share)) / 2)

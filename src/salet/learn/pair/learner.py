"""The state of a run of the pair network: everything that a checkpoint holds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from salet.array_types import Codes, Floats, Indices
from salet.errors import InputError
from salet.game.feedback import rule_named
from salet.game.game import Game
from salet.game.table import build_table
from salet.learn.common.round_training import RoundLearner
from salet.learn.common.torch_utils import Arrays, prefixed, seeded, unprefixed
from salet.learn.common.word_lists import is_held_out
from salet.learn.pair.config import PairConfig, pair_config_from
from salet.learn.pair.examples import MAX_SCORED, Gatherer, PairExamples, made_up_examples
from salet.learn.pair.network import PairNetwork, PairNetworkShape, set_features
from salet.learn.pair.player import PairPlayer
from salet.learn.pair.weights import KIND, POOLED_RULES, PairWeights

MADE_UP = 4000
"""scored guesses of made-up strings in each round"""


@dataclass(eq=False, kw_only=True)
class PairLearner(RoundLearner):
    """A training run; the game's guesses are the words."""

    kind = KIND
    parse_config = staticmethod(pair_config_from)

    config: PairConfig
    network: PairNetwork
    words: Indices
    """words that may be answers of a drawn list, ascending"""
    examples: PairExamples | None = None
    """the examples of all rounds so far"""
    made_up: dict[str, tuple[Codes, PairExamples]] = field(default_factory=dict)
    """this round's made-up examples and their letters, by feedback rule"""
    features: torch.Tensor = field(default_factory=lambda: torch.empty(0))
    """features of the first sets of `examples`, computed when values are learned"""

    # ---- starting and resuming

    @classmethod
    def initial(cls, config: PairConfig) -> PairLearner:
        """A run before its first round, with random weights."""
        game = Game.named(config.game, cap=config.cap)
        allowed = [i for i, word in enumerate(game.guesses) if not is_held_out(word)]
        words = np.array(allowed, np.int32)
        for name in ("list_answers", "min_answers"):
            if getattr(config, name) > len(words):
                raise InputError(
                    f"{name} = {getattr(config, name)}: {game.name} has {len(words)} words that "
                    "are not held out"
                )
        if config.list_answers == len(words):
            raise InputError(
                f"list_answers = {len(words)}: these are all words of {game.name} that are not "
                "held out, so that every drawn list would be a part of the validation list; give "
                "fewer"
            )
        shape = PairNetworkShape(config.depth, config.similar, config.width)
        network = seeded(lambda: PairNetwork(shape), config.seed)
        lexicon = game.lexicon
        return cls(
            config=config,
            game=game,
            table=build_table(lexicon, len(lexicon), game.rule),
            words=words,
            network=network,
            optimizer=torch.optim.Adam(network.parameters()),
        )

    def arrays(self) -> Arrays:
        """The examples, as arrays of a checkpoint."""
        return {} if self.examples is None else prefixed("examples", self.examples.arrays())

    def restore(self, arrays: Arrays) -> None:
        """Restore the examples saved by `arrays()`."""
        self.examples = PairExamples.from_arrays(unprefixed("examples", arrays))

    def save_weights(self, path: Path, trained: dict[str, Any]) -> None:
        """Write the network with the length and the result of its training."""
        PairWeights(self.network, self.config, trained).save(path)

    @property
    def learns_values(self) -> bool:
        """Whether this is a round of learning values."""
        return self.round >= self.config.tell_rounds

    # ---- examples

    @property
    def example_count(self) -> int:
        """Number of examples in memory."""
        return 0 if self.examples is None else len(self.examples)

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
        """The answers of a list: never a part of the validation list, nor, if there are other
        training words, of the game's answers. What is solved for a part holds for the whole, too.
        """
        config = self.config
        count = config.list_answers
        if generator.random() > 0.6:
            max_count = min(2 * config.list_answers, len(self.words))
            low, high = math.log(config.min_answers), math.log(max(max_count, config.min_answers))
            count = round(math.exp(generator.uniform(low, high)))
        measured = [self.validation_list()]
        if self.words[-1] >= self.game.answer_count:
            measured.append(np.arange(self.game.answer_count, dtype=np.int32))
        while True:
            drawn = np.sort(generator.choice(self.words, count, replace=False)).astype(np.int32)
            if not any(np.isin(drawn, answers).all() for answers in measured):
                return drawn

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
        """Compute the features of the sets that have none; the relations' places are fixed by
        now."""
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

"""The state of a policy run: everything that a checkpoint holds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from salet.array_types import Indices
from salet.errors import InputError
from salet.game.game import Game
from salet.game.table import build_table
from salet.learn.common.round_training import RoundLearner
from salet.learn.common.torch_utils import Arrays, prefixed, seeded, unprefixed
from salet.learn.common.word_lists import draw_other_answers
from salet.learn.policy.config import PolicyConfig, policy_config_from
from salet.learn.policy.examples import Examples
from salet.learn.policy.network import PolicyNetwork, PolicyNetworkShape, word_features
from salet.learn.policy.player import PolicyPlayer
from salet.learn.policy.self_play import EARLY_TURNS, explore, self_play_examples
from salet.learn.policy.teacher import Teacher, draw_openers
from salet.learn.policy.weights import KIND, PolicyWeights

MEMORIES = ("lists", "early", "own", "own-lists")
"""examples of drawn lists; of self-play of the game, the best of the first turns of all plays and
the later turns of the latest; of self-play of drawn lists"""


@dataclass(eq=False, kw_only=True)
class PolicyLearner(RoundLearner):
    """A training run; any word of the game may be an answer of a drawn list."""

    kind = KIND
    parse_config = staticmethod(policy_config_from)

    config: PolicyConfig
    network: PolicyNetwork
    word_features: torch.Tensor
    """features of all words"""
    memory: dict[str, list[Examples]] = field(
        default_factory=lambda: {name: [] for name in MEMORIES}
    )
    """the examples of each of MEMORIES, the latest last"""

    # ---- starting and resuming

    @classmethod
    def initial(cls, config: PolicyConfig) -> PolicyLearner:
        """A run before its first round, with random weights."""
        game = Game.named(config.game, cap=config.cap)
        lexicon = game.lexicon
        for name in ("list_answers", "openers"):
            if getattr(config, name) > len(lexicon):
                raise InputError(
                    f"{name} = {getattr(config, name)}: {game.name} has {len(lexicon)} words"
                )
        draw_other_answers(game, config.list_answers, np.random.default_rng(0))  # or refuse
        sizes = (config.pool, config.word, config.width, config.layers, config.query)
        shape = PolicyNetworkShape(game.length, len(lexicon.alphabet), *sizes, config.candidate)
        network = seeded(lambda: PolicyNetwork(shape), config.seed)
        return cls(
            config=config,
            game=game,
            table=build_table(lexicon, len(lexicon), game.rule),
            network=network,
            optimizer=torch.optim.AdamW(
                network.parameters(), config.learning_rate, weight_decay=config.decay
            ),
            word_features=torch.from_numpy(word_features(lexicon.codes, len(lexicon.alphabet))),
        )

    def arrays(self) -> Arrays:
        """The memory, as arrays of a checkpoint."""
        arrays: Arrays = {}
        for kind, parts in self.memory.items():
            for number, examples in enumerate(parts):
                arrays |= prefixed(f"memory.{kind}.{number:04}", examples.arrays())
        return arrays

    def restore(self, arrays: Arrays) -> None:
        """Restore the memory saved by `arrays()`."""
        stored = unprefixed("memory", arrays)
        for kind in self.memory:
            parts: dict[str, Arrays] = {}
            for key, array in unprefixed(kind, stored).items():
                number, _, name = key.partition(".")
                parts.setdefault(number, {})[name] = array
            self.memory[kind] = [Examples.from_arrays(parts[number]) for number in sorted(parts)]

    def save_weights(self, path: Path, trained: dict[str, Any]) -> None:
        """Write the network with the length and the result of its training."""
        PolicyWeights(self.network, self.config, self.game.lexicon.alphabet, trained).save(path)

    def player(self) -> PolicyPlayer:
        """The network as it is now, as a player of the game."""
        return PolicyPlayer(self.network, self.game.lexicon.codes)

    # ---- examples

    @property
    def example_count(self) -> int:
        """Number of examples in memory."""
        return sum(len(part) for parts in self.memory.values() for part in parts)

    def gather_examples(self, generator: np.random.Generator) -> None:
        """Add this round's examples to the memory and drop the oldest."""
        config = self.config
        if self.round < config.lists:
            self._remember("lists", self._solve_list(generator), config.list_memory)
            return
        answers = np.arange(self.game.answer_count, dtype=np.int32)
        examples, total = self._self_play(answers, self._best_guesses(), generator)
        self.hindsight = total / self.game.answer_count
        is_early = examples.sets.turns < EARLY_TURNS
        early = Examples.concatenate(
            [*self.memory["early"], examples.take(np.flatnonzero(is_early))]
        )
        self.memory["early"] = [early.best_of_each_set(config.early_memory)]
        self._remember("own", examples.take(np.flatnonzero(~is_early)), config.play_memory)
        if config.play_lists and (self.round - config.lists) % config.play_lists == 0:
            drawn = draw_other_answers(self.game, config.list_answers, generator)
            examples, _ = self._self_play(drawn, {}, generator)
            self._remember("own-lists", examples, config.play_memory)

    def _remember(self, kind: str, examples: Examples, limit: int) -> None:
        self.memory[kind] = [*self.memory[kind], examples][-limit:]

    def _solve_list(self, generator: np.random.Generator) -> Examples:
        """The examples of a newly drawn list."""
        config = self.config
        answers = draw_other_answers(self.game, config.list_answers, generator)
        openers = draw_openers(self.table, answers, config.openers, generator)
        return Teacher(self.game, self.table, answers, config.cap, generator).teach(openers)

    def _best_guesses(self) -> dict[bytes, int]:
        """The best known guess of every remembered set of the game.

        Self-play proposes them again, so that its result hardly ever gets worse.
        """
        parts = [*self.memory["own"], *self.memory["early"]]
        if not parts:
            return {}
        examples = Examples.concatenate(parts)
        return examples.best_of_each_set(len(examples)).best_guesses()

    def _self_play(
        self, answers: Indices, remembered: dict[bytes, int], generator: np.random.Generator
    ) -> tuple[Examples, int]:
        levels = explore(self.player(), self.table, answers, self.config, remembered, generator)
        return self_play_examples(levels, generator)

    def batch_sources(self) -> list[tuple[Examples, bool, int]]:
        """Where a batch comes from: examples, whether to sample by size, and how many.

        Without self-play these are drawn lists alone.
        """
        config, memory = self.config, self.memory
        lists = Examples.concatenate(memory["lists"])
        if not len(lists):
            raise InputError(
                f"no set of a drawn list can be won in cap = {config.cap} guesses; give more"
            )
        if not memory["own"]:
            return [(lists, False, config.batch)]
        early_count = round(config.early_share * config.batch)
        own_count = round(config.own_share * config.batch)
        return [
            (lists, False, config.batch - early_count - own_count),
            (Examples.concatenate(memory["early"]), True, early_count),
            (Examples.concatenate([*memory["own"], *memory["own-lists"]]), False, own_count),
        ]

    def set_learning_rate(self, step: int) -> None:
        """Set the rate of a gradient step: half a cosine from the first to the final rate, after a
        short linear warm-up."""
        config = self.config
        done = self.round * config.steps + step
        share = (1 + math.cos(math.pi * done / (config.rounds * config.steps))) / 2
        rate = config.final_learning_rate
        rate += (config.learning_rate - rate) * share
        for group in self.optimizer.param_groups:
            group["lr"] = rate * min(1.0, (done + 1) / 200)

"""What changes while the second agent learns: everything that a checkpoint holds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import torch

from salet.array_types import Indices
from salet.errors import InputError
from salet.game.game import Game
from salet.game.table import Table, build_table
from salet.learn.network import seeded
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.kernels import count_parts
from salet.learn.policy.learning import draw, drawing, loss_of
from salet.learn.policy.lessons import Lessons
from salet.learn.policy.network import Network, Shape, word_features
from salet.learn.policy.ownplay import EARLY, explore, own_lessons
from salet.learn.policy.seat import Seat
from salet.learn.policy.teacher import Teacher, drawn_list


@dataclass(eq=False)
class Learner:
    """A run."""

    config: PolicyConfig
    game: Game
    table: Table
    """of all words with all words: drawn lists have any of them as answers"""
    network: Network
    optimizer: torch.optim.AdamW
    marks: torch.Tensor
    memory: dict[str, list[Lessons]] = field(
        default_factory=lambda: {"lists": [], "early": [], "own": [], "own-lists": []}
    )
    """lessons of drawn lists; of own play of the game, the best of the first turns of all plays and
    the latest plays; and of own play of drawn lists"""
    round: int = 0
    """rounds done"""
    hindsight: float = 0.0
    """mean of the latest own play of the game, with hindsight"""
    seconds: float = 0.0

    @staticmethod
    def begin(config: PolicyConfig) -> Learner:
        """The start of a run, with random weights."""
        game = Game.named(config.game, cap=config.cap)
        lexicon = game.lexicon
        for name in ("list_answers", "openers"):
            if getattr(config, name) > len(lexicon):
                raise InputError(
                    f"{name} = {getattr(config, name)}: {game.name} has {len(lexicon)} words"
                )
        if config.list_answers == len(lexicon) == game.answer_count:
            raise InputError(
                f"list_answers = {config.list_answers}: that is the game itself, which is never "
                "solved; give fewer"
            )
        network = seeded(lambda: Network(shape_of(config, game)), config.seed)
        return Learner(
            config,
            game,
            build_table(lexicon, len(lexicon), game.rule),
            network,
            torch.optim.AdamW(
                network.parameters(), config.learning_rate, weight_decay=config.decay
            ),
            torch.from_numpy(word_features(game.lexicon.codes, len(lexicon.alphabet))),
        )

    def generator(self) -> np.random.Generator:
        """Randomness of this round: the same in a run that was interrupted."""
        return np.random.default_rng([self.config.seed, self.round])

    @property
    def is_playing(self) -> bool:
        """Have the rounds of own play begun?"""
        return self.round >= self.config.lists

    def gather(self, generator: np.random.Generator) -> None:
        """New lessons for this round; the oldest are forgotten."""
        config = self.config
        if not self.is_playing:
            self._remember("lists", self._taught(generator), config.list_memory)
            return
        answers = np.arange(self.game.answer_count, dtype=np.int32)
        own, total = self._played(answers, self._known(), generator)
        self.hindsight = total / self.game.answer_count
        is_early = own.sets.turns < EARLY
        early = Lessons.joined([*self.memory["early"], own.take(np.flatnonzero(is_early))])
        self.memory["early"] = [early.least(config.early_memory)]
        self._remember("own", own.take(np.flatnonzero(~is_early)), config.play_memory)
        if config.play_lists and (self.round - config.lists) % config.play_lists == 0:
            played, _ = self._played(self._drawn(generator), {}, generator)
            self._remember("own-lists", played, config.play_memory)

    def _remember(self, kind: str, lessons: Lessons, most: int) -> None:
        self.memory[kind] = [*self.memory[kind], lessons][-most:]

    def _drawn(self, generator: np.random.Generator) -> Indices:
        """Answers of another list: never those of the game itself."""
        while True:
            drawn = drawn_list(self.game.lexicon.codes, self.config.list_answers, generator)
            if not np.array_equal(drawn, np.arange(self.game.answer_count)):
                return drawn

    def _taught(self, generator: np.random.Generator) -> Lessons:
        answers = self._drawn(generator)
        openers = likely_openers(self.table, answers, self.config.openers, generator)
        return Teacher(self.table, answers, self.config.cap, generator).teach(openers)

    def _known(self) -> dict[bytes, int]:
        """The best guess of every set of the game that is remembered: what was once found is not
        lost, so that hindsight hardly ever gets worse from play to play."""
        plays = [*self.memory["own"], *self.memory["early"]]
        if not plays:
            return {}
        lessons = Lessons.joined(plays)
        return lessons.least(len(lessons)).best_guesses()

    def _played(
        self, answers: Indices, known: dict[bytes, int], generator: np.random.Generator
    ) -> tuple[Lessons, int]:
        seat = Seat(self.network, self.game.lexicon.codes)
        config = self.config
        levels = explore(
            seat,
            self.table,
            answers,
            config.cap,
            config.play_widths,
            config.play_ahead,
            known,
            generator,
        )
        return own_lessons(levels, generator)

    def study(self, generator: np.random.Generator) -> list[float]:
        """The round's steps of learning; returns their losses."""
        config = self.config
        parts = [Lessons.joined(self.memory["lists"])]
        if not len(parts[0]):
            raise InputError(
                f"no set of a drawn list can be won in cap = {config.cap} guesses; give more"
            )
        summed = [drawing(parts[0])]
        shares = [config.batch]
        if self.memory["own"]:
            early = Lessons.joined(self.memory["early"])
            later = Lessons.joined([*self.memory["own"], *self.memory["own-lists"]])
            parts += [early, later]
            summed += [drawing(early, by_size=True), drawing(later)]
            mine = [round(share * config.batch) for share in (config.early_share, config.own_share)]
            shares = [config.batch - sum(mine), *mine]
        self.network.train()
        codes, losses = self.game.lexicon.codes, []
        for step in range(config.steps):
            self._set_learning_rate(step)
            batch = Lessons.joined(
                [draw(part, sums, share, generator)
                 for part, sums, share in zip(parts, summed, shares, strict=True) if share]
            )  # fmt: skip
            loss = loss_of(self.network, self.marks, codes, batch, config, generator)
            losses.append(float(loss.detach()))
            if not math.isfinite(losses[-1]):
                break
            self.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.clip)
            self.optimizer.step()
        return losses

    def _set_learning_rate(self, step: int) -> None:
        """From the first to the final rate along half a cosine, after a short rise."""
        config = self.config
        done = self.round * config.steps + step
        share = (1 + math.cos(math.pi * done / (config.rounds * config.steps))) / 2
        rate = config.final_learning_rate
        rate += (config.learning_rate - rate) * share
        for group in self.optimizer.param_groups:
            group["lr"] = rate * min(1.0, (done + 1) / 200)


def shape_of(config: PolicyConfig, game: Game) -> Shape:
    """The network of a configuration."""
    return Shape(
        game.length,
        len(game.lexicon.alphabet),
        config.pool,
        config.word,
        config.width,
        config.layers,
        config.query,
        config.candidate,
    )


def likely_openers(
    table: Table, answers: Indices, count: int, generator: np.random.Generator
) -> Indices:
    """First guesses to walk a list through: of those that split a sample of it into most groups,
    and one of all."""
    parts = np.empty(len(table.ids), np.int64)
    sample = np.sort(generator.choice(answers, min(len(answers), 120), replace=False))
    count_parts(table.by_answer, sample, parts)
    best = np.argsort(-parts, kind="stable")[: 40 * count]
    drawn = generator.choice(best, count, replace=False)
    drawn[0] = generator.integers(len(parts))
    return np.unique(drawn).astype(np.int32)

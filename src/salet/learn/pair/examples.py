"""Training examples: sets of answers of drawn lists with their exact totals, and scored guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from salet.array_types import Codes, Floats, Indices, Ints
from salet.game.feedback import Rule
from salet.game.game import Game
from salet.game.lexicon import encode
from salet.game.table import Table, build_table
from salet.learn.common.drawn_list import DrawnList
from salet.learn.common.ragged import AnswerSets, run_starts
from salet.learn.common.splitting import count_groups
from salet.learn.common.torch_utils import Arrays
from salet.learn.pair.config import PairConfig
from salet.search.value import INF

MAX_SCORED = 16
"""largest set whose guesses are scored"""
SCORED = 3
"""guesses scored in a set, besides one random word"""


@dataclass(frozen=True, eq=False)
class PairExamples:
    """Sets with exact totals, and exact totals after guesses in small sets."""

    sets: AnswerSets
    totals: Ints
    """guesses to come in each set"""
    scored: Ints
    """the set of each scored guess"""
    guesses: Indices
    scores: Floats
    """guesses to come after each of them, summed over the answers of its set"""

    @staticmethod
    def concatenate(parts: Sequence[PairExamples]) -> PairExamples:
        """All examples of several."""
        offsets = run_starts(np.array([len(part.totals) for part in parts], np.int64))
        sizes = [part.sets.sizes for part in parts]
        return PairExamples(
            AnswerSets(
                np.concatenate([part.sets.words for part in parts]),
                run_starts(np.concatenate(sizes)),
                np.concatenate([part.sets.turns for part in parts]),
            ),
            np.concatenate([part.totals for part in parts]),
            np.concatenate(
                [part.scored + offset for part, offset in zip(parts, offsets[:-1], strict=True)]
            ),
            np.concatenate([part.guesses for part in parts]),
            np.concatenate([part.scores for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.totals)

    def arrays(self) -> Arrays:
        """The arrays of a checkpoint."""
        return {
            "words": self.sets.words,
            "starts": self.sets.starts,
            "turns": self.sets.turns,
            "totals": self.totals,
            "scored": self.scored,
            "guesses": self.guesses,
            "scores": self.scores,
        }

    @staticmethod
    def from_arrays(arrays: Arrays) -> PairExamples:
        """Restore the examples saved by `arrays()`."""
        rest = (arrays[name] for name in ("totals", "scored", "guesses", "scores"))
        return PairExamples(AnswerSets(arrays["words"], arrays["starts"], arrays["turns"]), *rest)


def made_up_examples(
    length: int, rule: Rule, totals: Floats, count: int, generator: np.random.Generator
) -> tuple[Codes, PairExamples]:
    """Random strings of few letters with `count` scored guesses, and their letters.

    Words repeat letters too seldom to learn from them what repeated letters look like. `totals[n]`
    is the mean total of sets of n answers; it values the groups of a guess.
    """
    letters = "abcdef"[: int(generator.integers(2, 7))]
    strings = {"".join(generator.choice([*letters], length)) for _ in range(200)}
    lexicon = encode(sorted(strings))
    table = build_table(lexicon, len(lexicon), rule)
    max_size = min(MAX_SCORED, len(lexicon), len(totals) - 1)
    sets = [
        np.sort(generator.choice(len(lexicon), generator.integers(2, max_size + 1), replace=False))
        for _ in range(count)
    ]
    guesses = generator.integers(len(lexicon), size=count).astype(np.int32)
    scores = np.empty(count, np.float64)
    for i, (words, guess) in enumerate(zip(sets, guesses, strict=True)):
        sizes = np.bincount(table.ids[guess, words], minlength=table.patterns)[: table.win]
        scores[i] = len(words) + totals[sizes].sum()
    answer_sets = AnswerSets.of([words.astype(np.int32) for words in sets], [0] * count)
    none = np.zeros(count, np.int64)
    return lexicon.codes, PairExamples(answer_sets, none, np.arange(count), guesses, scores)


class Gatherer:
    """Plays through the game of a drawn list and records what the sets it meets are worth."""

    def __init__(
        self,
        words: Game,
        table: Table,
        answers: Indices,
        config: PairConfig,
        generator: np.random.Generator,
    ) -> None:
        """`table` has the feedback of all `words` with all words."""
        self.table, self.answers, self.config, self.generator = table, answers, config, generator
        self._list = DrawnList(words, table, answers, config.cap)
        self._totals: dict[bytes, int] = {}
        self._sets: list[tuple[Indices, int, int]] = []
        self._scored: list[tuple[int, int, int]] = []

    def gather(self) -> PairExamples:
        """The examples of this list."""
        sample = self.answers
        if len(sample) > self.config.max_answers:
            chosen = self.generator.choice(sample, self.config.max_answers, replace=False)
            sample = np.sort(chosen)
        for opener in self._promising(sample, self.config.openers, noise=2.0):
            for group in self._groups(self.answers, int(opener)):
                if 3 <= len(group) <= self.config.max_answers:
                    self._follow(group)
        words, turns, totals = zip(*self._sets, strict=True) if self._sets else ((), (), ())
        scored = np.array(self._scored, np.int64).reshape(-1, 3)
        return PairExamples(
            AnswerSets.of(words, turns),
            np.array(totals, np.int64),
            scored[:, 0],
            scored[:, 1].astype(np.int32),
            scored[:, 2].astype(np.float64),
        )

    def _follow(self, group: Indices) -> None:
        """Record a group of the first guess, and those of promising second guesses."""
        self._record(group, 1)
        noise = 0.5 if len(group) < 30 else 1.0
        for guess in self._promising(group, self.config.guesses, noise):
            for below in self._groups(group, int(guess)):
                if len(below) > 1:
                    self._record(below, 2)

    def _record(self, words: Indices, turn: int) -> None:
        """Record the total of a set that is new, and of some guesses in it if it is small."""
        if words.tobytes() in self._totals:
            return
        total = self._total(words, turn)
        if total >= INF:
            return
        if len(words) > 2:
            self._sets.append((words, turn, total))
        if 2 < len(words) <= MAX_SCORED:
            good = self._promising(words, SCORED, noise=2.0)
            for guess in [*good, self.generator.integers(len(self.table.ids))]:
                below = [self._total(s, turn + 1) for s in self._groups(words, int(guess))]
                score = len(words) + sum(below)
                if score < INF:
                    self._scored.append((len(self._sets) - 1, int(guess), score))

    def _total(self, words: Indices, turn: int) -> int:
        """The exact total of a set."""
        if len(words) <= 2 and turn <= self.config.cap - 2:
            return 2 * len(words) - 1
        key = words.tobytes()
        if key not in self._totals:
            self._totals[key] = self._list.total(words, turn)
        return self._totals[key]

    def _promising(self, words: Indices, count: int, noise: float) -> Indices:
        """Guesses that make many groups, by noisy counts."""
        groups = np.empty(len(self.table.ids), np.int64)
        count_groups(self.table.by_answer, words, groups)
        scores = groups + noise * self.generator.gumbel(size=len(groups))
        scores[words] += 0.7
        return np.argsort(-scores)[:count].astype(np.int32)

    def _groups(self, words: Indices, guess: int) -> list[Indices]:
        """The groups into which a guess splits a set, without the win."""
        row = self.table.ids[guess, words]
        return [words[row == pattern] for pattern in np.unique(row) if pattern != self.table.win]

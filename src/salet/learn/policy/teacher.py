"""Examples from other word lists: answers drawn at random, and solved exactly.

Such a list has other answers, so what is proven about it says nothing about the game that the agent
is measured on; docs/learned.md explains which lists and words are kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from salet.array_types import Indices
from salet.game.game import Game
from salet.game.table import Table
from salet.learn.common.drawn_list import DrawnList
from salet.learn.common.splitting import count_groups
from salet.learn.policy.examples import Example, Examples
from salet.search.value import INF

SLACK = 4
"""maximum loss of the guesses in an example"""
MAX_GUESSES = 24
"""maximum number of guesses in an example: of hundreds of equally good ones, a few suffice"""
MAX_ANSWERS = 250
"""largest set that is solved: the time is better spent on many small ones"""
MAX_TURN = 5
"""last turn whose sets are solved"""
SMALL_SET_SHARE = 0.1
"""share of the sets of one or two answers that become examples: they teach little"""


@dataclass
class Teacher:
    """Walks through the game of a word list and records what is best in the sets it meets."""

    words: Game
    """its guesses are the words"""
    table: Table
    """feedback of all words with all words"""
    answers: Indices
    """answers of the list, ascending"""
    cap: int
    generator: np.random.Generator
    examples: list[Example] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._list = DrawnList(self.words, self.table, self.answers, self.cap)
        self._met: set[bytes] = set()

    def teach(self, openers: Indices) -> Examples:
        """Examples of everything met from these openers, and of the openers themselves."""
        totals = np.array([self._after(self.answers, 0, int(o)) for o in openers], np.float64)
        solved = np.isfinite(totals)
        if solved.any():
            best = int(totals[solved].min())
            losses = (totals[solved] - best).astype(np.int32)
            self.examples.append(Example(self.answers, 0, best, openers[solved], losses))
        return Examples.of(self.examples)

    def _after(self, words: Indices, turn: int, guess: int) -> float:
        """Visit every group of a guess; returns the guess's total, inf if one was not solved."""
        row = self.table.ids[guess, words]
        total = float(len(words))
        for pattern in np.unique(row):
            if pattern != self.table.win:
                total += self._visit(words[row == pattern], turn + 1)
        return total

    def _visit(self, words: Indices, turn: int) -> float:
        """Record what is best in a set and continue from it; returns its total, inf if unsolved."""
        count = len(words)
        if count > MAX_ANSWERS or turn > MAX_TURN:
            return np.inf
        total = self._list.total(words, turn)
        if total >= INF:
            return np.inf
        key = words.tobytes()
        if key in self._met:
            return total
        self._met.add(key)
        if count <= 2 and self.generator.random() > SMALL_SET_SHARE:
            return total
        guesses, losses = self._good_guesses(words, turn, total)
        self.examples.append(Example(words, turn, total, guesses, losses))
        if count > 2 and turn < MAX_TURN:
            self._after(words, turn, self._next_guess(words, guesses, losses))
        return total

    def _good_guesses(self, words: Indices, turn: int, total: int) -> tuple[Indices, Indices]:
        """Guesses that lose at most SLACK against the best, and what they lose."""
        count = len(words)
        if count <= 2:
            return words, np.zeros(count, np.int32)
        groups = np.empty(len(self.table.ids), np.int64)
        count_groups(self.table.by_answer, words, groups)
        is_answer = np.zeros(len(groups), bool)
        is_answer[words] = True
        # A guess with k groups takes at least n + (n - [it is an answer]) + (n - k), and exactly
        # that if no group has more than two answers.
        bound = 3 * count - groups - is_answer
        all_single = groups == count
        one_pair = (groups == count - 1) & is_answer
        found = {int(g): int(bound[g]) - total for g in np.flatnonzero(all_single | one_pair)}
        if total > 2 * count or count > 6:
            tried = 16 if count <= 60 else 10 if count <= 120 else 6
            noise = self.generator.random(len(groups))
            for guess in np.argsort(bound + noise)[:tried].tolist():
                if guess not in found and bound[guess] <= total + SLACK:
                    after = self._list.total(words, turn, guess, beta=total + SLACK + 1)
                    found[guess] = after - total
        if not any(loss == 0 for loss in found.values()):
            found |= dict.fromkeys(self._list.best_guesses(words, turn, 4).tolist(), 0)
        pairs = [(guess, loss) for guess, loss in found.items() if loss <= SLACK]
        guesses, losses = np.array(pairs, np.int32).T
        return keep_best(guesses, losses, MAX_GUESSES, self.generator)

    def _next_guess(self, words: Indices, guesses: Indices, losses: Indices) -> int:
        """Mostly a good guess; sometimes any, so that the agent learns to recover from bad ones."""
        random = self.generator.random()
        if random < 0.5:
            return int(self.generator.choice(guesses[losses == 0]))
        if random < 0.8:
            return int(self.generator.choice(guesses))
        if random < 0.9:
            return int(self.generator.choice(words))
        return int(self.generator.integers(len(self.table.ids)))


def draw_openers(
    table: Table, answers: Indices, count: int, generator: np.random.Generator
) -> Indices:
    """Up to `count` first guesses for a list: one of all words, the others among those that split
    a sample of the list into the most groups."""
    groups = np.empty(len(table.ids), np.int64)
    sample = np.sort(generator.choice(answers, min(len(answers), 120), replace=False))
    count_groups(table.by_answer, sample, groups)
    best = np.argsort(-groups, kind="stable")[: 40 * count]
    drawn = generator.choice(best, count, replace=False)
    drawn[0] = generator.integers(len(groups))
    return np.unique(drawn).astype(np.int32)


def keep_best(
    guesses: Indices, losses: Indices, limit: int, generator: np.random.Generator
) -> tuple[Indices, Indices]:
    """At most `limit` guesses, those with the smallest losses; random ones among equals."""
    if len(guesses) <= limit:
        return guesses, losses
    order = generator.permutation(len(guesses))
    order = order[np.argsort(losses[order], kind="stable")][:limit]
    return guesses[order], losses[order]

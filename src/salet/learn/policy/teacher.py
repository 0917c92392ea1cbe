"""Lessons from other word lists: answers drawn at random, and solved exactly.

Such a list has answers of its own, so what is proven of it is no plan of the game that the agent
will be measured on: see docs/learned.md for what is held apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from salet.array_types import Codes, Indices, Patterns
from salet.game.table import Table
from salet.learn.policy.kernels import count_parts
from salet.learn.policy.lessons import MOST_GUESSES, Lesson, Lessons, chosen
from salet.search.exact.model import INF
from salet.search.exact.solver import Hint, Rules, Solver

SLACK = 4
"""guesses that take so many more than the best are still told of"""
LARGEST = 250
"""sets with more answers are not solved: the time goes into many small ones"""
DEEPEST = 5
"""sets met later are not told of"""
FEW = 0.1
"""share of the sets of one or two answers that are told of: there is little to learn"""


def drawn_list(codes: Codes, answers: int, generator: np.random.Generator) -> Indices:
    """Answers at random. Half of the lists are like those that people make: they avoid words with
    the commonest last letter, which in English are plurals."""
    last = codes[:, -1]
    weights = np.ones(len(codes))
    if generator.random() < 0.5:
        weights[last == np.bincount(last).argmax()] = generator.uniform(0.02, 0.3)
    drawn = generator.choice(len(codes), answers, replace=False, p=weights / weights.sum())
    return np.sort(drawn).astype(np.int32)


@dataclass
class Teacher:
    """Walks through a list's game and tells what is best in the sets it meets."""

    table: Table
    """of all words with all words"""
    answers: Indices
    cap: int
    generator: np.random.Generator
    lessons: list[Lesson] = field(default_factory=list)

    def __post_init__(self) -> None:
        count = len(self.table.ids)
        others = np.setdiff1d(np.arange(count), self.answers)
        self._order = np.concatenate([self.answers, others]).astype(np.int32)
        self._place = np.empty(count, np.int32)
        self._place[self._order] = np.arange(count)
        rows: Patterns = self.table.ids[self._order]
        ids = np.ascontiguousarray(rows[:, self.answers])
        self._solver = Solver(Rules(ids, self.table.patterns, cap=self.cap), megabytes=64)
        self._met: set[bytes] = set()

    def teach(self, openers: Indices) -> Lessons:
        """Lessons on everything met from these openers, and on the openers themselves."""
        totals = np.array([self._after(self.answers, (), int(o)) for o in openers], np.float64)
        known = np.isfinite(totals)
        if known.any():
            best = int(totals[known].min())
            losses = (totals[known] - best).astype(np.int32)
            self.lessons.append(Lesson(self.answers, 0, best, openers[known], losses))
        return Lessons.of(self.lessons)

    def _after(self, words: Indices, history: tuple[Hint, ...], guess: int) -> float:
        """Visit every group of a guess; the guess's total, where all of them were solved."""
        row = self.table.ids[guess, words]
        total = float(len(words))
        for pattern in np.unique(row):
            if pattern != self.table.win:
                hint = (int(self._place[guess]), int(pattern))
                total += self._visit(words[row == pattern], (*history, hint))
        return total

    def _visit(self, words: Indices, history: tuple[Hint, ...]) -> float:
        """Tell what is best in a set, then go on from it; its total, infinite if not solved."""
        count, turn = len(words), len(history)
        if count > LARGEST or turn > DEEPEST:
            return np.inf
        total = self._solver.value(history)
        if total >= INF:
            return np.inf
        key = words.tobytes()
        if key in self._met:
            return total
        self._met.add(key)
        if count <= 2 and self.generator.random() > FEW:
            return total
        guesses, losses = self._judged(words, history, total)
        self.lessons.append(Lesson(words, turn, total, guesses, losses))
        if count > 2 and turn < DEEPEST:
            self._after(words, history, self._next(words, guesses, losses))
        return total

    def _judged(
        self, words: Indices, history: tuple[Hint, ...], total: int
    ) -> tuple[Indices, Indices]:
        """Guesses that take at most SLACK more than the best, with what they lose."""
        count = len(words)
        if count <= 2:
            return words, np.zeros(count, np.int32)
        parts = np.empty(len(self.table.ids), np.int64)
        count_parts(self.table.by_answer, words, parts)
        is_answer = np.zeros(len(parts), bool)
        is_answer[words] = True
        # A guess with k groups takes n + (n - [it is an answer]) + (n - k) at least, and just that
        # if no group has more than two answers.
        least = 3 * count - parts - is_answer
        largest_is_one = parts == count
        one_pair = (parts == count - 1) & is_answer
        told = {int(g): int(least[g]) - total for g in np.flatnonzero(largest_is_one | one_pair)}
        if total > 2 * count or count > 6:
            tried = 16 if count <= 60 else 10 if count <= 120 else 6
            noise = self.generator.random(len(parts))
            for guess in np.argsort(least + noise)[:tried].tolist():
                if guess not in told and least[guess] <= total + SLACK:
                    place = int(self._place[guess])
                    value = self._solver.value(history, place, total + SLACK + 1)
                    told[guess] = value - total
        if not any(loss == 0 for loss in told.values()):
            for place in self._solver.equal(history, total, 4):
                told[int(self._order[place])] = 0
        pairs = [(guess, loss) for guess, loss in told.items() if loss <= SLACK]
        guesses, losses = np.array(pairs, np.int32).T
        return chosen(guesses, losses, MOST_GUESSES, self.generator)

    def _next(self, words: Indices, guesses: Indices, losses: Indices) -> int:
        """Mostly a good guess; now and then any, so that the agent learns to make up for one."""
        luck = self.generator.random()
        if luck < 0.5:
            return int(self.generator.choice(guesses[losses == 0]))
        if luck < 0.8:
            return int(self.generator.choice(guesses))
        if luck < 0.9:
            return int(self.generator.choice(words))
        return int(self.generator.integers(len(self.table.ids)))

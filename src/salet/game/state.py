"""What is known in a game: the possible answers, the legal guesses and the history."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from salet.array_types import Indices
from salet.errors import IllegalGuessError
from salet.game.game import Game
from salet.game.modes import narrow, objection


@dataclass(frozen=True, eq=False)
class State:
    """An immutable position of a game; `after` and `groups` make the ones that follow.

    >>> state = Game(["apple", "angle", "ankle"]).start().after("apple", "gbbgg")
    >>> state.words, state.turn
    (('angle', 'ankle'), 1)
    """

    game: Game
    candidates: Indices
    """indices of the answers still possible, ascending"""
    history: tuple[tuple[int, int], ...] = ()
    """(guess index, pattern code) of every turn so far"""
    previous: State | None = None
    """state one guess earlier"""

    def __repr__(self) -> str:
        turns = "".join(f"{guess}:{feedback}, " for guess, feedback in self.turns)
        count = len(self.candidates)
        return f"State({self.game.name}, {turns}{count} answer{'s' * (count != 1)})"

    @staticmethod
    def start(game: Game) -> State:
        """The state before the first guess."""
        return State(game, np.arange(game.answer_count, dtype=np.int32))

    @property
    def turn(self) -> int:
        """Number of guesses made."""
        return len(self.history)

    @property
    def guesses(self) -> tuple[int, ...]:
        """The guesses so far, by index."""
        return tuple(guess for guess, _ in self.history)

    @property
    def guesses_left(self) -> int | None:
        """Number of guesses that the cap still allows; None without a cap."""
        return None if self.game.cap is None else self.game.cap - self.turn

    @functools.cached_property
    def weight(self) -> int:
        """Total weight of the possible answers: their number if the game has no weights."""
        weights = self.game.weights
        return len(self.candidates) if weights is None else int(weights[self.candidates].sum())

    @functools.cached_property
    def max_weight(self) -> int:
        """Weight of the heaviest possible answer; 0 if none remains."""
        weights = self.game.weights
        if weights is None or not len(self.candidates):
            return min(len(self.candidates), 1)
        return int(weights[self.candidates].max())

    @property
    def heaviest(self) -> int:
        """Index of the heaviest possible answer, the first of equals."""
        weights = self.game.weights
        first = 0 if weights is None else np.argmax(weights[self.candidates])
        return int(self.candidates[first])

    @property
    def size_bound(self) -> int:
        """A lower bound on the total of any plan: one answer can be found with the first guess,
        all others need at least two."""
        return 0 if self.guesses_left == 0 else 2 * self.weight - self.max_weight

    @property
    def won(self) -> bool:
        """Whether the last guess was the answer."""
        return bool(self.history) and self.history[-1][1] == self.game.compiled.code(self.game.win)

    @property
    def words(self) -> tuple[str, ...]:
        """The answers still possible."""
        return tuple(self.game.guesses[index] for index in self.candidates)

    @property
    def turns(self) -> tuple[tuple[str, str], ...]:
        """The history as text: (guess, feedback) of every turn."""
        game = self.game
        return tuple(
            (game.guesses[guess], game.rule.notation.format(code, game.length))
            for guess, code in self.history
        )

    @functools.cached_property
    def legal(self) -> Indices:
        """Indices of the guesses that the mode allows, ascending."""
        game = self.game
        if game.mode == "normal" or self.previous is None:
            return _all_indices(len(game.lexicon))
        guess, code = self.history[-1]
        return narrow(game.lexicon, game.rule, game.mode, self.previous.legal, guess, code)

    def check(self, guess: str | int) -> int:
        """The index of a guess; raises an error if the mode forbids it."""
        game = self.game
        index = game.index(guess)
        reason = objection(game.lexicon, game.rule, game.mode, self.history, index)
        if reason is not None:
            raise IllegalGuessError(f"{game.guesses[index]!r} is not allowed: {reason}")
        return index

    def after(self, guess: str | int, pattern: str | int) -> State:
        """The state after a guess and its feedback (text, or a pattern id of the table)."""
        index = self.check(guess)
        code = self.game.code(pattern)
        id_ = self.game.compiled.pattern(code)
        row = self.game.table[index, self.candidates]
        remaining = self.candidates[:0] if id_ is None else self.candidates[row == id_]
        return State(self.game, remaining, (*self.history, (index, code)), self)

    def groups(self, guess: int) -> dict[int, State]:
        """The states that can follow a legal guess, by pattern id in ascending order."""
        row = self.game.table[guess, self.candidates]
        order = row.argsort(kind="stable")
        ids = row[order].tolist()
        ordered = self.candidates[order]
        starts = [i for i, id_ in enumerate(ids) if i == 0 or id_ != ids[i - 1]]
        code = self.game.compiled.code
        return {
            ids[start]: State(
                self.game, ordered[start:end], (*self.history, (guess, code(ids[start]))), self
            )
            for start, end in zip(starts, [*starts[1:], len(ids)], strict=True)
        }


@functools.lru_cache(maxsize=8)
def _all_indices(count: int) -> Indices:
    indices = np.arange(count, dtype=np.int32)
    indices.setflags(write=False)
    return indices

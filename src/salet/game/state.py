"""Where a game stands: what can still be the answer, what may be guessed, and how it came so."""

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
    """A position. `after` is the only way forward.

    >>> state = Game(["apple", "angle", "ankle"]).start().after("apple", "gbbgg")
    >>> state.words, state.turn
    (('angle', 'ankle'), 1)
    """

    game: Game
    candidates: Indices
    """the answers still possible, as places in the order of guesses, ascending"""
    history: tuple[tuple[int, int], ...] = ()
    """(guess, pattern code) of every turn so far"""
    previous: State | None = None
    """the state one guess earlier"""

    @staticmethod
    def start(game: Game) -> State:
        return State(game, np.arange(game.answer_count, dtype=np.int32))

    @property
    def turn(self) -> int:
        """Guesses made."""
        return len(self.history)

    @property
    def guesses_left(self) -> int | None:
        """Guesses that the cap still allows; None where there is no cap."""
        return None if self.game.cap is None else self.game.cap - self.turn

    @functools.cached_property
    def weight(self) -> int:
        """The weight of the remaining answers: their number where the game has no weights."""
        weights = self.game.weights
        return len(self.candidates) if weights is None else int(weights[self.candidates].sum())

    @functools.cached_property
    def max_weight(self) -> int:
        """The weight of the heaviest remaining answer; 0 where none remains."""
        weights = self.game.weights
        if weights is None or not len(self.candidates):
            return min(len(self.candidates), 1)
        return int(weights[self.candidates].max())

    @property
    def size_bound(self) -> int:
        """No plan takes fewer guesses over all answers: one answer is found at once, all others
        take two guesses or more."""
        return 0 if self.guesses_left == 0 else 2 * self.weight - self.max_weight

    @property
    def won(self) -> bool:
        """Was the last guess the answer?"""
        return bool(self.history) and self.history[-1][1] == self.game.compiled.code(self.game.win)

    @property
    def words(self) -> tuple[str, ...]:
        """The answers still possible."""
        return tuple(self.game.guesses[place] for place in self.candidates)

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
        """The guesses that the mode allows now, in guess order."""
        game = self.game
        if game.mode == "normal" or self.previous is None:
            return _everything(len(game.lexicon))
        guess, code = self.history[-1]
        return narrow(game.lexicon, game.rule, game.mode, self.previous.legal, guess, code)

    def check(self, guess: str | int) -> int:
        """The guess as a place in the order of guesses; refuses it where the mode forbids it."""
        place = self.game.index(guess)
        game = self.game
        why = objection(game.lexicon, game.rule, game.mode, self.history, place)
        if why is not None:
            raise IllegalGuessError(f"{game.guesses[place]!r} is not allowed: {why}")
        return place

    def after(self, guess: str | int, pattern: str | int) -> State:
        """The state after a guess and its feedback (text, or a pattern id of the table)."""
        place = self.check(guess)
        code = self.game.code(pattern)
        found = self.game.compiled.pattern(code)
        row = self.game.table[place, self.candidates]
        kept = self.candidates[:0] if found is None else self.candidates[row == found]
        return State(self.game, kept, (*self.history, (place, code)), self)

    def groups(self, guess: int) -> dict[int, State]:
        """Every state that can follow a legal guess, by pattern id, in the order of ids."""
        row = self.game.table[guess, self.candidates]
        order = row.argsort(kind="stable")
        ids = row[order].tolist()
        ordered = self.candidates[order]
        starts = [place for place, id_ in enumerate(ids) if place == 0 or id_ != ids[place - 1]]
        code = self.game.compiled.code
        return {
            ids[start]: State(
                self.game, ordered[start:end], (*self.history, (guess, code(ids[start]))), self
            )
            for start, end in zip(starts, [*starts[1:], len(ids)], strict=True)
        }


@functools.lru_cache(maxsize=8)
def _everything(count: int) -> Indices:
    everything = np.arange(count, dtype=np.int32)
    everything.setflags(write=False)
    return everything

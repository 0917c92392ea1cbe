"""A game of guess and feedback: words, weights, rule, mode and cap, compiled to a table."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from salet.array_types import Ints, Patterns
from salet.errors import InputError
from salet.game.feedback import Rule, rule_named
from salet.game.lexicon import Lexicon, encode, key
from salet.game.modes import check_mode
from salet.game.table import Table, table_of

if TYPE_CHECKING:
    from salet.game.state import State
    from salet.game.symmetry import Symmetry


MOST_WEIGHT = 10**12
"""totals of weighted games stay far below 2**63"""


class Game:
    """Guesses, answers, answer weights, feedback rule, legality rule (mode) and cap on guesses.

    The guesses are ordered answers first, so that guess `i` is answer `i` for every
    `i < game.answer_count`; this order decides ties. Words may be given in any case.

    >>> game = Game(["apple", "angle", "ankle"], ["angle", "ankle", "apple", "maple"])
    >>> game.guesses
    ('apple', 'angle', 'ankle', 'maple')
    >>> game.feedback("maple", "ankle")
    'BYBGG'
    """

    def __init__(
        self,
        answers: Sequence[str],
        guesses: Sequence[str] | None = None,
        *,
        rule: str = "standard",
        mode: str = "normal",
        cap: int | None = None,
        weights: Sequence[int] | None = None,
        name: str = "custom",
    ) -> None:
        """Without `guesses` the answers are the only legal guesses."""
        if isinstance(answers, str) or isinstance(guesses, str):
            raise InputError("words are given as a list, not as one string")
        self.name = name
        self.rule: Rule = rule_named(rule)
        self.mode = mode
        check_mode(mode, self.rule)
        if cap is not None and not (isinstance(cap, int) and cap >= 1):
            raise InputError(f"a cap of {cap} allows no guess; give at least 1, or none")
        if not len(answers):
            raise InputError("the list of answers is empty; a game needs at least one")
        self.cap = cap
        self.answer_count = len(answers)
        self.lexicon: Lexicon = encode(_answers_first(answers, guesses))
        self.weights: Ints | None = None
        if weights is not None:
            self.weights = self._checked(weights)

    @staticmethod
    def named(name: str = "original", **options: Any) -> Game:
        """A game by its name: see `salet games`. Options: rule, mode, cap, weights.

        >>> Game.named("original", mode="hard")
        Game(original, 2315 answers, 12972 guesses, standard, hard, cap 6)
        """
        from salet.game.named import named_game

        return named_game(name, **options)

    def _checked(self, weights: Sequence[int]) -> Ints:
        if len(weights) != self.answer_count:
            raise InputError(
                f"there are {len(weights)} weights for {self.answer_count} answers; give one each"
            )
        for word, weight in zip(self.answers, weights, strict=True):
            if not isinstance(weight, int | np.integer) or not 1 <= weight <= MOST_WEIGHT:
                raise InputError(
                    f"weight {weight!r} of {word!r}: weights are whole numbers from 1"
                    f" to {MOST_WEIGHT}"
                )
        return np.array(weights, np.int64)

    @property
    def guesses(self) -> tuple[str, ...]:
        """Every legal word, answers first."""
        return self.lexicon.words

    @property
    def answers(self) -> tuple[str, ...]:
        """The words that can be the secret."""
        return self.lexicon.words[: self.answer_count]

    @property
    def length(self) -> int:
        """Letters in a word."""
        return self.lexicon.length

    @functools.cached_property
    def compiled(self) -> Table:
        """The table of patterns and what its ids mean."""
        return table_of(self.lexicon, self.answer_count, self.rule)

    @functools.cached_property
    def symmetry(self) -> Symmetry:
        """Which letters and places can be exchanged: Mastermind has such, a language has none."""
        from salet.game.symmetry import Symmetry

        return Symmetry(self)

    @property
    def table(self) -> Patterns:
        """table[guess, answer] -> pattern id; the greatest id is the win."""
        return self.compiled.ids

    @property
    def win(self) -> int:
        """The pattern id of a right guess."""
        return self.compiled.win

    def index(self, guess: str | int) -> int:
        """The place of a guess in the order of guesses."""
        if isinstance(guess, str):
            return self.lexicon.find(guess, "word")
        try:
            place = operator.index(guess)
        except TypeError:
            raise InputError(f"{guess!r} is no guess; give a word or its place") from None
        if not 0 <= place < len(self.lexicon):
            raise InputError(f"guess number {place} is not in 0 to {len(self.lexicon) - 1}")
        return place

    def answer_index(self, answer: str) -> int:
        """The place of an answer, or an error that says why it is none."""
        place = self.lexicon.find(answer, "answer")
        if place >= self.answer_count:
            raise InputError(f"{answer!r} is a guess of {self.name} but not one of its answers")
        return place

    def code(self, pattern: str | int) -> int:
        """The rule's code of a pattern, given as text or as an id of the table."""
        if isinstance(pattern, str):
            return self.rule.notation.parse(pattern, self.length)
        if not 0 <= pattern < self.compiled.patterns:
            raise InputError(f"pattern {pattern} is not in 0 to {self.compiled.patterns - 1}")
        return self.compiled.code(int(pattern))

    def show(self, pattern: int) -> str:
        """A pattern id as text."""
        return self.rule.notation.format(self.compiled.code(pattern), self.length)

    def feedback(self, guess: str, answer: str) -> str:
        """The feedback to a guess, as text."""
        return self.show(int(self.table[self.index(guess), self.answer_index(answer)]))

    def start(self) -> State:
        """The state before the first guess."""
        from salet.game.state import State

        return State.start(self)

    def state(self, rows: str | Sequence[str] = "") -> State:
        """The state after rows of guess and feedback.

        >>> Game(["apple", "angle", "ankle"]).state("apple:gbbgg").words
        ('angle', 'ankle')
        """
        from salet.game.rows import parse_rows, replay

        return replay(self, parse_rows(rows))

    def with_(self, **changes: Any) -> Game:
        """The same words with another rule, mode, cap, weights or name."""
        kept = {name: getattr(self, name) for name in ("mode", "cap", "name")}
        if self.weights is not None:
            kept["weights"] = self.weights.tolist()
        options = {"rule": self.rule.name, **kept, **changes}
        return Game(self.answers, self.guesses, **options)

    def __repr__(self) -> str:
        limit = "no cap" if self.cap is None else f"cap {self.cap}"
        return (
            f"Game({self.name}, {self.answer_count} answers, {len(self.lexicon)} guesses, "
            f"{self.rule.name}, {self.mode}, {limit})"
        )


def _answers_first(answers: Sequence[str], guesses: Sequence[str] | None) -> list[str]:
    """Answers in their order, then the other guesses in theirs; every answer must be a guess."""
    if guesses is None:
        return list(answers)
    known = {key(word) for word in answers}
    legal = {key(word) for word in guesses}
    for word in answers:
        if key(word) not in legal:
            raise InputError(
                f"answer {word!r} is no legal guess; the list of guesses must contain every answer"
            )
    if len(legal) < len(guesses):
        encode(guesses)  # says which word stands twice
    return [*answers, *(word for word in guesses if key(word) not in known)]

"""A game of guess and feedback: words, weights, rule, mode and cap, compiled into a table."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from salet.array_types import Ints, Patterns
from salet.errors import InputError
from salet.game.feedback import Rule, rule_named
from salet.game.hosts import check_host
from salet.game.lexicon import Lexicon, encode, key
from salet.game.modes import check_mode
from salet.game.numbers import commuted_key, equation_objection, prime_objection
from salet.game.table import Table, table_of, with_wins

if TYPE_CHECKING:
    from salet.game.joint_state import JointState
    from salet.game.rows import Rows
    from salet.game.state import State
    from salet.game.symmetry import Symmetry


MAX_WEIGHT = 10**12
"""Largest weight of an answer: totals stay far below 2**63."""
MIN_BOARDS, MAX_BOARDS = 2, 32
"""Boards of a game that has several."""
_OBJECTIONS = {"nerdle": equation_objection, "primel": prime_objection}
"""By name of a generated game: a function that says why a text is not one of its words."""


class Game:
    """Guesses, answers, answer weights, a feedback rule, a mode and a cap on guesses.

    The guesses are ordered answers first, so that guess `i` is answer `i` for every
    `i < game.answer_count`; this order breaks ties. Words may be given in any case.

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
        boards: int = 1,
        host: str = "secret",
        commuted: bool = False,
    ) -> None:
        """Without `guesses` the answers are the only legal guesses.

        With `boards` > 1 every guess is scored on that many boards, which have different answers.
        `host` is one of salet.game.hosts.HOSTS. `commuted`: equations win in any order.
        """
        if isinstance(answers, str) or isinstance(guesses, str):
            raise InputError("give the words as a list, not as one string")
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
        self.host = check_host(host)
        self.commuted = commuted
        if commuted and host == "adversary":
            raise InputError(
                "commuted=win against host 'adversary': the largest group might be a win; leave "
                "one of the two out"
            )
        self.boards = self._checked_boards(boards, weights is not None)
        self.lexicon: Lexicon = encode(_answers_first(answers, guesses))
        self.weights: Ints | None = None
        if weights is not None:
            if self.host != "secret":
                raise InputError(f"host {self.host!r} counts words and knows no weights")
            self.weights = self._checked_weights(weights)

    @staticmethod
    def named(
        name: str,
        *,
        rule: str | None = None,
        mode: str = "normal",
        cap: int | str | None = "default",
        weights: Sequence[int] | None = None,
        host: str = "secret",
    ) -> Game:
        """The game of that name; `salet games` lists them.

        The rule is the named game's own unless given. `cap` is a number, None (no cap) or
        "default" (the named game's own).

        >>> Game.named("original", mode="hard")
        Game(original, 2315 answers, 12972 guesses, standard, hard, cap 6)
        """
        from salet.game.named import named_game

        return named_game(name, rule=rule, mode=mode, cap=cap, weights=weights, host=host)

    def _checked_boards(self, boards: int, has_weights: bool) -> int:
        """The number of boards; refuses what several boards cannot have."""
        if boards == 1:
            return 1
        if not MIN_BOARDS <= boards <= MAX_BOARDS:
            raise InputError(
                f"{boards} boards: give {MIN_BOARDS} to {MAX_BOARDS}, or 1 for the usual game"
            )
        if boards > self.answer_count:
            raise InputError(
                f"{boards} boards need {boards} different answers; there are {self.answer_count}"
            )
        if self.mode != "normal":
            raise InputError(
                f"mode {self.mode!r} on {boards} boards: what one board reveals need not fit "
                "another; use 'normal'"
            )
        if self.host != "secret":
            raise InputError(f"host {self.host!r} plays on one board; {boards} were asked for")
        for name, given in (("weights are", has_weights), ("commuted=win is", self.commuted)):
            if given:
                raise InputError(f"{name} for one board; {boards} were asked for")
        return boards

    def _checked_weights(self, weights: Sequence[int]) -> Ints:
        if len(weights) != self.answer_count:
            raise InputError(
                f"there are {len(weights)} weights for {self.answer_count} answers; give one each"
            )
        for word, weight in zip(self.answers, weights, strict=True):
            if not isinstance(weight, int | np.integer) or not 1 <= weight <= MAX_WEIGHT:
                raise InputError(
                    f"weight {weight!r} of {word!r}: give a whole number from 1 to {MAX_WEIGHT}"
                )
        return np.array(weights, np.int64)

    @property
    def guesses(self) -> tuple[str, ...]:
        """The words that may be guessed, answers first."""
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
        """The table of patterns, with the meaning of its ids."""
        table = table_of(self.lexicon, self.answer_count, self.rule)
        return with_wins(table, [*map(commuted_key, self.guesses)]) if self.commuted else table

    @functools.cached_property
    def symmetry(self) -> Symmetry:
        """The letters and positions that can be exchanged: Mastermind has some, languages none."""
        from salet.game.symmetry import Symmetry

        return Symmetry(self)

    @property
    def table(self) -> Patterns:
        """table[guess, answer] -> pattern id; the largest id is the win."""
        return self.compiled.ids

    @property
    def win(self) -> int:
        """The pattern id of a correct guess."""
        return self.compiled.win

    def index(self, guess: str | int) -> int:
        """The index of a guess, given as a word or as an index."""
        if isinstance(guess, str):
            return self._find(guess, "word", len(self.lexicon))
        try:
            index = operator.index(guess)
        except TypeError:
            raise InputError(f"{guess!r} is not a guess; give a word or its index") from None
        if not 0 <= index < len(self.lexicon):
            raise InputError(f"guess number {index} is not in 0 to {len(self.lexicon) - 1}")
        return index

    def answer_index(self, answer: str) -> int:
        """The index of an answer; raises an error if the word is not an answer."""
        index = self._find(answer, "answer", self.answer_count)
        if index >= self.answer_count:
            raise InputError(f"{answer!r} is a guess of {self.name} but not one of its answers")
        return index

    def _find(self, word: str, kind: str, count: int) -> int:
        """The index of a word; if it is unknown, the error suggests some of the first `count`."""
        index = self.lexicon.indices.get(key(word.strip()))
        if index is None:
            reason = self.form_objection(word)
            if reason is not None:
                raise InputError(f"{word!r} {reason}")
            raise self.lexicon.unknown(word, kind, self.frequencies, count)
        return index

    def form_objection(self, word: str) -> str | None:
        """Why a text cannot be a word of a game whose words are made by rules; None if it can, or
        if the words are a list."""
        objection = _OBJECTIONS.get(self.name.partition(":")[0])
        return None if objection is None else objection(word.strip(), self.length)

    @property
    def frequencies(self) -> Mapping[str, int]:
        """The number of occurrences of words in running text, by key; empty if unknown."""
        from salet.game.packs import store

        pack = self.name.partition(":")[0].partition("+")[0]
        return store.frequencies(pack) if pack in store.shipped_names() else {}

    def code(self, pattern: str | int) -> int:
        """The rule's code of a pattern, given as text or as a pattern id of the table."""
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
        """The state of the one board before the first guess."""
        from salet.game.state import State

        self.check_one_board()
        return State.start(self)

    def check_one_board(self) -> None:
        """Raise an error if the game has several boards."""
        if self.boards > 1:
            raise InputError(
                f"{self.name} has {self.boards} boards, and this is for one; play, assist, "
                "analyse, simulate and arena take several"
            )

    def joint_start(self) -> JointState:
        """The state of all boards before the first guess."""
        from salet.game.joint_state import JointState

        return JointState.start(self)

    @functools.cached_property
    def one_board(self) -> Game:
        """The same game with one board and no cap: what each of several boards is."""
        board = self.replace(boards=1, cap=None)
        board.__dict__["compiled"] = self.compiled  # the table is the same
        return board

    def state(self, rows: Rows = "") -> State:
        """The state after rows of guess and feedback: text, or pairs.

        >>> Game(["apple", "angle", "ankle"]).state("apple:gbbgg").words
        ('angle', 'ankle')
        """
        from salet.game.rows import parse_rows, replay

        return replay(self, parse_rows(rows))

    def joint_state(self, rows: Rows = "") -> JointState:
        """The state of all boards after rows with a field of feedback for each.

        >>> game = Game(["apple", "angle", "ankle"], boards=2)
        >>> [board.words for board in game.joint_state("apple:gbbgg/ggggg").boards]
        [('angle', 'ankle'), ('apple',)]
        """
        from salet.game.rows import parse_rows, replay_joint

        return replay_joint(self, parse_rows(rows))

    def replace(self, **changes: Any) -> Game:
        """The same words with another rule, mode, cap, weights or name."""
        options = {
            "rule": self.rule.name,
            "mode": self.mode,
            "cap": self.cap,
            "weights": None if self.weights is None else self.weights.tolist(),
            "name": self.name,
            "boards": self.boards,
            "host": self.host,
            "commuted": self.commuted,
        }
        return Game(self.answers, self.guesses, **{**options, **changes})

    def __repr__(self) -> str:
        limit = "no cap" if self.cap is None else f"cap {self.cap}"
        return (
            f"Game({self.name}, {self.answer_count} answers, {len(self.lexicon)} guesses, "
            f"{self.rule.name}, {self.mode}, {limit})"
        )


def _answers_first(answers: Sequence[str], guesses: Sequence[str] | None) -> list[str]:
    """The answers in their order, then the other guesses in theirs."""
    if guesses is None:
        return list(answers)
    known = {key(word) for word in answers}
    legal = {key(word) for word in guesses}
    for word in answers:
        if key(word) not in legal:
            raise InputError(
                f"answer {word!r} is not a guess; the list of guesses must contain every answer"
            )
    if len(legal) < len(guesses):
        encode(guesses)  # raises an error that names the duplicate
    return [*answers, *(word for word in guesses if key(word) not in known)]

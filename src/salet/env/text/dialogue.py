"""One game as a dialogue: the umpire that reads words and answers in sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from salet.env.game_arrays import MAX_EPISODE_STEPS
from salet.env.text import wording
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.lexicon import key
from salet.game.modes import objection
from salet.game.state import State

ILLEGAL = ("retry", "turn", "forfeit")
"""The cost of a word that is malformed, not listed or forbidden: nothing (the player may try
again), a turn, or the game."""


class ReplyStatus(Enum):
    """The result of a reply."""

    PLAYED = "played"
    ILLEGAL = "illegal"
    LATE = "late"
    """the game was over"""


@dataclass
class Dialogue:
    """A secret, the state of play, and the messages so far.

    >>> dialogue = Dialogue(Game(["apple", "angle", "ankle"], cap=3), secret=2)
    >>> print(dialogue.guess("angle"))
    a n g l e
    G G B G G
    2 guesses left.
    """

    game: Game
    secret: int
    """index of any legal guess"""
    illegal: str = "retry"
    """one of `ILLEGAL`"""
    max_illegal: int = 10
    """illegal words that lose the game"""
    state: State = field(init=False)
    wasted: int = field(init=False, default=0)
    """turns used up by illegal words"""
    illegal_count: int = field(init=False, default=0)
    forfeited: bool = field(init=False, default=False)
    status: ReplyStatus = field(init=False, default=ReplyStatus.PLAYED)
    """result of the last word"""

    def __post_init__(self) -> None:
        if self.illegal not in ILLEGAL:
            raise UnknownNameError("cost of an illegal guess:", str(self.illegal), ILLEGAL)
        if not 0 <= self.secret < len(self.game.guesses):
            raise InputError(f"secret {self.secret} is not one of the words")
        if not isinstance(self.max_illegal, int) or self.max_illegal < 1:
            raise InputError(f"max_illegal = {self.max_illegal!r}: give a whole number from 1 on")
        self.state = self.game.start()

    def rules(self) -> str:
        """The rules, as first shown to the player."""
        return wording.rules_text(self.game, self.illegal)

    @property
    def used(self) -> int:
        """Turns used, wasted ones included."""
        return self.state.turn + self.wasted

    @property
    def guesses_left(self) -> int | None:
        """Turns left; None without a cap."""
        return None if self.game.cap is None else self.game.cap - self.used

    @property
    def won(self) -> bool:
        """Whether the last guess was the secret."""
        return self.state.won

    @property
    def over(self) -> bool:
        """Whether the game is won or lost. Without a cap it ends after 32 guesses."""
        limit = MAX_EPISODE_STEPS if self.game.cap is None else self.game.cap
        return self.won or self.forfeited or self.used >= limit

    def guess(self, word: str | None, reply: str = "") -> str:
        """Make a guess and return the message that answers it.

        `word` is None if the player's `reply` had no guess in it.
        """
        if self.over:
            self.status = ReplyStatus.LATE
            return wording.OVER
        refusal, index = self._refusal(word, reply)
        if refusal is not None:
            return self._refuse(refusal)
        self.status = ReplyStatus.PLAYED
        game = self.game
        words = (key(game.guesses[index]), key(game.guesses[self.secret]))
        pattern = game.rule.notation.format(game.rule.code(*words), game.length)
        self.state = self.state.after(index, pattern)
        if self.won:
            return wording.won_text(self.used)
        if self.over:
            return wording.LOST
        return wording.feedback_text(game, game.guesses[index], pattern, self.guesses_left)

    def _refusal(self, word: str | None, reply: str) -> tuple[str | None, int]:
        """Why a word is not allowed (None if it is), and its index."""
        game = self.game
        if word is None:
            return wording.malformed_text(reply), -1
        if not isinstance(word, str):
            return f"{word!r} is not a word; give one as text.", -1
        bare = word.strip()[:64]
        index = game.lexicon.indices.get(key(bare))
        if index is None:
            return wording.unlisted_text(game, bare), -1
        reason = objection(game.lexicon, game.rule, game.mode, self.state.history, index)
        if reason is not None:
            return f"{game.guesses[index]!r} is not allowed: {reason}.", index
        return None, index

    def _refuse(self, refusal: str) -> str:
        self.status = ReplyStatus.ILLEGAL
        self.illegal_count += 1
        self.wasted += self.illegal == "turn"
        self.forfeited = self.illegal == "forfeit" or self.illegal_count >= self.max_illegal
        if self.forfeited:
            return f"{refusal}\n{wording.FORFEITED}"
        if self.over:
            return f"{refusal}\n{wording.LOST}"
        return f"{refusal}\n{wording.left_text(self.guesses_left)}"

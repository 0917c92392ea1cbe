"""One game as a dialogue: the umpire that reads words and answers in sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from salet.env.game_arrays import MAX_EPISODE_STEPS
from salet.env.text import wording
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.joint_state import JointState
from salet.game.lexicon import key
from salet.game.modes import objection
from salet.game.round import secrets_text
from salet.game.state import State

ILLEGAL = ("retry", "turn", "forfeit")
"""The cost of a guess that is malformed, not listed or forbidden: nothing (the player may try
again), a turn, or the game."""


class ReplyStatus(Enum):
    """The result of a reply."""

    PLAYED = "played"
    ILLEGAL = "illegal"
    LATE = "late"
    """the game was over"""


@dataclass
class Dialogue:
    """The secret of each board, and the state of play.

    >>> dialogue = Dialogue(Game(["apple", "angle", "ankle"], cap=3), (2,))
    >>> print(dialogue.guess("angle"))
    a n g l e
    G G B G G
    2 guesses left.
    """

    game: Game
    secrets: tuple[int, ...]
    """index of the secret of each board; with one board any legal guess can be it"""
    illegal: str = "retry"
    """one of `ILLEGAL`"""
    max_illegal: int = 10
    """illegal guesses that lose the game"""
    state: State | JointState = field(init=False)
    wasted: int = field(init=False, default=0)
    """turns used up by illegal guesses"""
    illegal_count: int = field(init=False, default=0)
    forfeited: bool = field(init=False, default=False)
    status: ReplyStatus = field(init=False, default=ReplyStatus.PLAYED)
    """result of the last guess"""

    def __post_init__(self) -> None:
        if self.illegal not in ILLEGAL:
            raise UnknownNameError("cost of an illegal guess:", str(self.illegal), ILLEGAL)
        game = self.game
        allowed = len(game.guesses) if game.boards == 1 else game.answer_count
        is_possible = all(0 <= secret < allowed for secret in self.secrets)
        if len(set(self.secrets)) != game.boards or not is_possible:
            raise InputError(f"secrets {self.secrets} are not different words of {game.name}")
        if not isinstance(self.max_illegal, int) or self.max_illegal < 1:
            raise InputError(f"max_illegal = {self.max_illegal!r}: give a whole number from 1 on")
        self.state = game.start() if game.boards == 1 else game.joint_start()

    def rules(self) -> str:
        """The rules, as first shown to the player."""
        return wording.rules_text(self.game, self.illegal)

    @property
    def answer(self) -> str:
        """The secret; those of several boards are joined by `/`."""
        return secrets_text(self.game, self.secrets)

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
        """Whether every secret was guessed."""
        return self.state.won

    @property
    def over(self) -> bool:
        """Whether the game is won or lost. Without a cap it ends after 32 guesses, and one more for
        each further board."""
        limit = self.game.cap
        if limit is None:
            limit = MAX_EPISODE_STEPS + self.game.boards - 1
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
        self._play(index)
        if self.won:
            return wording.won_text(self.used, self.game.boards)
        if self.over:
            return wording.LOST
        made, pattern = self.state.turns[-1]
        patterns = pattern.split("/")
        return wording.feedback_text(self.game, made, patterns, self.guesses_left, self.boards_left)

    @property
    def boards_left(self) -> int:
        """Boards that are not solved."""
        if isinstance(self.state, JointState):
            return len(self.state.open)
        return int(not self.won)

    def _play(self, index: int) -> None:
        """Make a guess on every board that is not solved."""
        game, state = self.game, self.state
        if isinstance(state, JointState):
            self.state = state.after(index, state.patterns(index, self.secrets))
            return
        secret = self.secrets[0]
        if secret < game.answer_count:
            self.state = state.after(index, int(game.table[index, secret]))
        else:
            words = (key(game.guesses[index]), key(game.guesses[secret]))
            code = game.rule.code(*words)
            self.state = state.after(index, game.rule.notation.format(code, game.length))

    def _refusal(self, word: str | None, reply: str) -> tuple[str | None, int]:
        """Why a word is not allowed (None if it is), and its index."""
        game = self.game
        if word is None:
            return wording.malformed_text(reply), -1
        if not isinstance(word, str):
            return f"{repr(word)[:64]} is not a word; give one as text.", -1
        bare = word.strip()[:64]
        index = game.lexicon.indices.get(key(bare))
        if index is None:
            return wording.unlisted_text(game, bare), -1
        if isinstance(self.state, State):
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
            at_once = self.illegal == "forfeit"
            end = wording.FORFEITED_AT_ONCE if at_once else wording.FORFEITED
            return f"{refusal}\n{end}"
        if self.over:
            return f"{refusal}\n{wording.LOST}"
        return f"{refusal}\n{wording.left_text(self.guesses_left, self.boards_left)}"

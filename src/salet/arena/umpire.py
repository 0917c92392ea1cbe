"""What is played in the arena: a game, the secrets, and the umpire who judges every guess."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from salet.array_types import Patterns
from salet.errors import InputError
from salet.game.game import Game
from salet.game.lexicon import key
from salet.game.modes import objection
from salet.game.packs.files import read_word_file

MOST_GUESSES = 1000
"""in a game without a cap; a player that needs more is at fault"""
_REMEMBERED = 1 << 18


@dataclass(frozen=True, eq=False)
class Contest:
    """A game and the secrets that every player is given, in this order."""

    game: Game
    secrets: tuple[int, ...]
    """places in the order of guesses: any legal guess can be a secret"""

    @property
    def words(self) -> list[str]:
        """The secrets as words."""
        return [self.game.guesses[secret] for secret in self.secrets]


def contest_of(
    game: Game, answers_from: Path | None = None, sample: int | None = None, seed: int = 0
) -> Contest:
    """All answers of the game or the words of a file, or a sample of these in their order."""
    secrets = list(range(game.answer_count))
    if answers_from is not None:
        kind = f"answer in {str(answers_from)!r}:"
        secrets = [game.lexicon.find(word, kind) for word in read_word_file(answers_from)]
    if sample is not None:
        if not 1 <= sample <= len(secrets):
            raise InputError(f"a sample of {sample}: give a number from 1 to {len(secrets)}")
        drawn = np.random.default_rng(seed).choice(len(secrets), sample, replace=False)
        secrets = [secrets[place] for place in sorted(drawn)]
    return Contest(game, tuple(secrets))


class Umpire:
    """Knows the words, the feedback to them and what the mode allows; remembers what it was asked.

    Secrets that are answers are read off the game's table, others are scored when they come up.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._ids: Patterns = np.asarray(game.table)
        self._dense = game.compiled.dense_codes
        self._objections: dict[tuple[tuple[tuple[int, int], ...], int], str | None] = {}
        self.winning = game.compiled.code(game.win)

    def find(self, word: str) -> int | None:
        """The place of a word in the order of guesses; None if it is not in the list."""
        return self.game.lexicon.places.get(key(word))

    def column(self, secret: int) -> Patterns:
        """column[guess] = pattern code of each guess against this secret."""
        game = self.game
        if secret < game.answer_count:
            ids: Patterns = self._ids[:, secret]
            return ids if self._dense is None else self._dense[ids]
        one = slice(secret, secret + 1)
        lexicon = game.lexicon
        out = np.zeros((len(lexicon), 1), np.uint32)
        answers = np.ascontiguousarray(lexicon.by_position[:, one])
        game.rule.fill(lexicon.codes, answers, np.ascontiguousarray(lexicon.counts[:, one]), out)
        codes: Patterns = out[:, 0]
        return codes

    def text(self, code: int) -> str:
        """A pattern code as it is written."""
        return self.game.rule.notation.format(code, self.game.length)

    def objection(self, history: list[tuple[int, int]], guess: int) -> str | None:
        """Why the mode forbids the guess after this history; None if it does not."""
        game = self.game
        if game.mode == "normal" or not history:
            return None
        asked = tuple(history), guess
        if asked not in self._objections:
            if len(self._objections) >= _REMEMBERED:
                self._objections.clear()
            why = objection(game.lexicon, game.rule, game.mode, history, guess)
            self._objections[asked] = why
        return self._objections[asked]

    def is_over(self, guesses: list[int] | tuple[int, ...], secret: int) -> bool:
        """Won, out of guesses, or without a cap a guess made twice."""
        if guesses[-1] == secret:
            return True
        if self.game.cap is not None:
            return len(guesses) >= self.game.cap
        return guesses[-1] in guesses[:-1]

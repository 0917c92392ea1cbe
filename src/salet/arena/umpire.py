"""A contest (a game and its secrets), and the umpire that judges every guess."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from salet.array_types import Patterns
from salet.env.text.tasks import SPLITS, split_answers, split_of
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.joint_state import SOLVED, draw_tuples
from salet.game.lexicon import key
from salet.game.modes import objection
from salet.game.packs.files import read_word_file
from salet.game.round import secrets_text
from salet.strategies.joint_simulate import DEFAULT_SAMPLE

MAX_GUESSES = 1000
"""Limit in a game without a cap; a player that needs more is at fault."""
_MAX_CACHED_OBJECTIONS = 1 << 18


@dataclass(frozen=True, eq=False)
class Contest:
    """A game and the secrets that every player is given, in this order."""

    game: Game
    secrets: tuple[int, ...]
    """Indices of guesses: any legal guess can be a secret. With several boards: indices of
    `tuples`."""
    tuples: tuple[tuple[int, ...], ...] = ()
    """The answers of several boards, by index of guesses."""

    def answers(self, secret: int) -> tuple[int, ...]:
        """The answer of each board, by index of guesses."""
        return self.tuples[secret] if self.tuples else (secret,)

    def text(self, secret: int) -> str:
        """The secret as a word, or as the words of all boards: `crane/slate`."""
        return secrets_text(self.game, self.answers(secret))

    @property
    def words(self) -> list[str]:
        """The secrets as text."""
        return [self.text(secret) for secret in self.secrets]


def make_contest(
    game: Game,
    answers_from: Path | None = None,
    sample: int | None = None,
    seed: int = 0,
    split: str = "all",
) -> Contest:
    """A contest over all answers of the game, or over the words of a file.

    With `split`, only over the answers of that split (salet.env.text.tasks). With `sample`, over a
    random sample of that size, in the order of the whole list. With several boards, over a sample
    of tuples of answers (salet.game.joint_state.draw_tuples).
    """
    if split not in (*SPLITS, "all"):
        raise UnknownNameError("split", split, (*SPLITS, "all"))
    if game.boards > 1:
        return _joint_contest(game, answers_from, sample, seed, split)
    secrets = split_answers(game, split)
    if answers_from is not None:
        kind = f"answer in {str(answers_from)!r}:"
        secrets = [game.lexicon.find(word, kind) for word in read_word_file(answers_from)]
        secrets = [s for s in secrets if split in ("all", split_of(game.guesses[s]))]
    if not secrets:
        raise InputError(f"no word is in the split {split!r}; choose another, or 'all'")
    if sample is not None:
        if not 1 <= sample <= len(secrets):
            raise InputError(f"a sample of {sample}: give a number from 1 to {len(secrets)}")
        drawn = np.random.default_rng(seed).choice(len(secrets), sample, replace=False)
        secrets = [secrets[index] for index in sorted(drawn)]
    return Contest(game, tuple(secrets))


def _joint_contest(
    game: Game, answers_from: Path | None, sample: int | None, seed: int, split: str
) -> Contest:
    """A contest over tuples of answers; drawn twice, one is played once and counts twice."""
    if answers_from is not None:
        raise InputError(
            f"{game.name} has {game.boards} boards: their answers are drawn by --sample and "
            "--seed; words of a file are for one board"
        )
    sample = DEFAULT_SAMPLE if sample is None else sample
    if sample < 1:
        raise InputError(f"a sample of {sample}: give at least 1 game")
    among = None if split == "all" else split_answers(game, split)
    drawn = [tuple(row) for row in draw_tuples(game, sample, seed, among).tolist()]
    places = {answers: place for place, answers in enumerate(dict.fromkeys(drawn))}
    return Contest(game, tuple(places[answers] for answers in drawn), tuple(places))


class Umpire:
    """Looks up words, scores guesses and decides what the mode allows.

    Secrets that are answers are read off the game's table; others are scored when they come up.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._ids: Patterns = np.asarray(game.table)
        self._dense = game.compiled.dense_codes
        self._objections: dict[tuple[tuple[tuple[int, int], ...], int], str | None] = {}
        self.winning_code = game.compiled.code(game.win)
        self.winning = self.format_boards((self.winning_code,) * game.boards)
        """The feedback of a game that is won: all green on every board."""

    def find(self, word: str) -> int | None:
        """The index of a word among the guesses; None if it is not listed."""
        return self.game.lexicon.indices.get(key(word))

    def column(self, secret: int) -> Patterns:
        """The pattern codes of all guesses against this secret."""
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

    def format(self, code: int) -> str:
        """A pattern code in the notation of the game."""
        return self.game.rule.notation.format(code, self.game.length)

    def format_boards(self, codes: tuple[int | None, ...]) -> str:
        """A field for each board; None is one that was solved before."""
        return "/".join(SOLVED if code is None else self.format(code) for code in codes)

    def objection(self, history: list[tuple[int, int]], guess: int) -> str | None:
        """Why the mode forbids the guess after this history; None if it is legal."""
        game = self.game
        if game.mode == "normal" or not history:
            return None
        cache_key = tuple(history), guess
        if cache_key not in self._objections:
            if len(self._objections) >= _MAX_CACHED_OBJECTIONS:
                self._objections.clear()
            reason = objection(game.lexicon, game.rule, game.mode, history, guess)
            self._objections[cache_key] = reason
        return self._objections[cache_key]

    def is_over(self, guesses: list[int] | tuple[int, ...], secret: int) -> bool:
        """Whether the last guess won, was the last one allowed, or repeated an earlier
        one in a game without a cap."""
        return guesses[-1] == secret or self.is_used_up(guesses)

    def is_used_up(self, guesses: list[int] | tuple[int, ...]) -> bool:
        """Whether no guess is left, or one was repeated in a game without a cap."""
        if self.game.cap is not None:
            return len(guesses) >= self.game.cap
        return guesses[-1] in guesses[:-1]

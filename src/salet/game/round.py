"""One game against a secret, for people and programs alike."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

import numpy as np

from salet.errors import InputError
from salet.game.game import Game
from salet.game.notation import GREEN, TILES, YELLOW, tiles
from salet.game.state import State

_SQUARES = {GREEN: "🟩", YELLOW: "🟨"}


@dataclass
class Round:
    """A secret, and the state of play against it.

    >>> game = Round(Game(["apple", "angle", "ankle"]), secret=2)
    >>> game.guess("angle"), game.guess("ankle"), game.won
    ('GGBGG', 'GGGGG', True)
    """

    game: Game
    secret: int
    """index of the answer"""
    state: State = field(init=False)

    def __post_init__(self) -> None:
        if not 0 <= self.secret < self.game.answer_count:
            raise InputError(f"secret {self.secret} is not one of the answers")
        self.state = self.game.start()

    def guess(self, word: str | int) -> str:
        """Make a guess and return the feedback; raises an error for an illegal guess."""
        if self.over:
            raise InputError(f"the game is over; {word!r} is one guess too many")
        index = self.state.check(word)
        self.state = self.state.after(index, int(self.game.table[index, self.secret]))
        return self.state.turns[-1][1]

    @property
    def won(self) -> bool:
        return self.state.won

    @property
    def over(self) -> bool:
        """Whether the game is won or out of guesses.

        Without a cap a repeated guess ends it too: such a game might never end.
        """
        return self.won or self.state.guesses_left == 0 or (self.game.cap is None and self.repeats)

    @property
    def repeats(self) -> bool:
        """Whether a guess was made twice."""
        made = [guess for guess, _ in self.state.history]
        return len(set(made)) < len(made)

    def share(self) -> str:
        """The grid that people share, with `*` for hard mode; peg counts if there are no tiles."""
        game = self.game
        used = str(self.state.turn) if self.won else "X"
        limit = "" if game.cap is None else f"/{game.cap}"
        rows = [f"salet {game.name} {used}{limit}{'*' if game.mode == 'hard' else ''}", ""]
        for _, code in self.state.history:
            if game.rule.notation is TILES:
                rows.append("".join(_SQUARES.get(c, "⬛") for c in tiles(code, game.length)))
            else:
                rows.append(game.rule.notation.format(code, game.length))
        return "\n".join(rows)


def draw_secret(game: Game, seed: int | None = None) -> int:
    """The index of a random answer; a seed makes it reproducible."""
    if seed is None:
        return secrets.randbelow(game.answer_count)
    return int(np.random.default_rng(seed).integers(game.answer_count))

"""One game in progress against a host."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from salet.errors import InputError
from salet.game.game import Game
from salet.game.hosts import adversary_pattern
from salet.game.joint_state import JointState, draw_tuples
from salet.game.lexicon import key
from salet.game.notation import GREEN, TILES, YELLOW, tiles
from salet.game.state import State

_SQUARES = {GREEN: "🟩", YELLOW: "🟨"}


@dataclass
class Round:
    """A secret, and the state of play against it; against the adversary there is no secret.

    >>> game = Round(Game(["apple", "angle", "ankle"]), secret=2)
    >>> game.guess("angle"), game.guess("ankle"), game.won
    ('GGBGG', 'GGGGG', True)
    """

    game: Game
    secret: int | None = None
    """index of the answer; None against the adversary"""
    state: State = field(init=False)

    def __post_init__(self) -> None:
        if (self.secret is None) != (self.game.host == "adversary"):
            raise InputError("a secret is given unless the host is the adversary, who has none")
        if self.secret is not None and not 0 <= self.secret < self.game.answer_count:
            raise InputError(f"secret {self.secret} is not one of the answers")
        self.state = self.game.start()

    def guess(self, word: str | int) -> str:
        """Make a guess and return the feedback; raises an error for an illegal guess."""
        if self.over:
            raise InputError(f"the game is over; {word!r} is one guess too many")
        index = self.state.check(word)
        if self.secret is None:
            pattern = adversary_pattern(self.state, index)
        else:
            pattern = int(self.game.table[index, self.secret])
        self.state = self.state.after(index, pattern)
        return self.state.turns[-1][1]

    @property
    def answer(self) -> str:
        """The secret; against the adversary the first answer that is still possible."""
        first = int(self.state.candidates[0]) if self.secret is None else self.secret
        return self.game.guesses[first]

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


@dataclass
class JointRound:
    """The secrets of several boards, and the state of play against them.

    >>> game = JointRound(Game(["apple", "angle", "ankle"], boards=2), (2, 0))
    >>> game.guess("angle"), game.guess("ankle"), game.guess("apple"), game.state.won
    ('GGBGG/GBBGG', 'GGGGG/GBBGG', '-/GGGGG', True)
    """

    game: Game
    secrets: tuple[int, ...]
    """indices of the answers, one for each board"""
    state: JointState = field(init=False)

    def __post_init__(self) -> None:
        game = self.game
        if len(self.secrets) != game.boards or len(set(self.secrets)) < game.boards:
            raise InputError(f"{game.name} needs {game.boards} different answers")
        if not all(0 <= secret < game.answer_count for secret in self.secrets):
            raise InputError(f"secrets {self.secrets} are not all answers of {game.name}")
        self.state = game.joint_start()

    def guess(self, word: str | int) -> str:
        """Make a guess and return the feedback of all boards."""
        if self.state.over:
            raise InputError(f"the game is over; {word!r} is one guess too many")
        index = self.state.check(word)
        self.state = self.state.after(index, self.state.patterns(index, self.secrets))
        return self.state.turns[-1][1]

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.state.over

    @property
    def answers(self) -> list[str]:
        """The secrets as words."""
        return [self.game.guesses[secret] for secret in self.secrets]

    def share(self) -> str:
        """The guess that solved each board, four boards a line; X where it is not solved."""
        game, state = self.game, self.state
        limit = "" if game.cap is None else f"/{game.cap}"
        used = str(state.turn) if state.won else "X"
        solved = [str(turn) if turn else "X" for turn in state.solved_in]
        rows = [
            " ".join(f"{turn:>2}" for turn in solved[i : i + 4]) for i in range(0, len(solved), 4)
        ]
        return "\n".join([f"salet {game.name} {used}{limit}", "", *rows])


def draw_secret(game: Game, seed: int | None = None) -> int:
    """The index of a random answer; a seed makes it reproducible."""
    if seed is None:
        return secrets.randbelow(game.answer_count)
    return int(np.random.default_rng(seed).integers(game.answer_count))


def draw_secrets(game: Game, seed: int | None = None) -> tuple[int, ...]:
    """The indices of random answers, one for each board; a seed makes them reproducible."""
    if game.boards == 1:
        return (draw_secret(game, seed),)
    drawn = draw_tuples(game, 1, secrets.randbits(64) if seed is None else seed)[0]
    return tuple(map(int, drawn))


def named_secrets(game: Game, answer: str) -> tuple[int, ...]:
    """The indices of the answers named by a text, as `secrets_text` writes it."""
    if game.boards == 1:
        return (game.answer_index(answer),)
    separator = _separator(game)
    words = answer.split(separator)
    if len(set(map(key, words))) != len(words) or len(words) != game.boards:
        example = separator.join(game.answers[:2])
        raise InputError(
            f"answer {answer!r}: {game.name} needs {game.boards} different answers, joined by "
            f"{separator!r} as in {example}"
        )
    return tuple(game.answer_index(word) for word in words)


def secrets_text(game: Game, chosen: Iterable[int]) -> str:
    """The secrets of all boards as a text: `crane`, or `crane/slate` for two boards."""
    return _separator(game).join(game.guesses[secret] for secret in chosen)


def _separator(game: Game) -> str:
    """What stands between answers; in equations `/` is a sign."""
    return " " if "/" in game.lexicon.alphabet else "/"

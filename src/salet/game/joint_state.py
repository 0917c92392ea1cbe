"""What is known in a game with several boards.

Boards have different answers, and one guess is scored on every board that is not solved yet. Two
facts make the knowledge of all boards the knowledge of each:

- Boards whose feedback ever differed have no possible answer in common: the pattern of that guess
  tells them apart. In particular an answer found on one board is possible on no other.
- Boards whose feedback was always the same have the same possible answers. k of them can have any k
  different ones of these in any order, so each of the answers is possible on each board as long as
  there are at least k.

So the possible answers of a board are those that fit its own feedback, exactly, and a joint state
is contradictory only if a board has none left, or k boards of one history have fewer than k.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from salet.array_types import Indices
from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State

SOLVED = "-"
"""The field of a board that was solved by an earlier guess."""
Feedback = str | Sequence[str | int | None]
"""`bybbg/-/ggggg`, or a pattern (text or id) for each board, None for a solved one"""


@dataclass(frozen=True, eq=False)
class JointState:
    """An immutable position of a game with several boards.

    >>> state = Game(["apple", "angle", "ankle"], boards=2).joint_start()
    >>> state = state.after("apple", "gbbgg/ggggg").after("angle", "ggbgg/-")
    >>> state.turns, state.open, state.boards[0].words
    ((('apple', 'GBBGG/GGGGG'), ('angle', 'GGBGG/-')), (0,), ('ankle',))
    """

    game: Game
    boards: tuple[State, ...]
    """a state of `game.one_board` for each board; that of a solved board stays as it was"""
    guesses: tuple[int, ...] = ()
    """the guesses so far, by index"""
    solved_in: tuple[int, ...] = field(default=())
    """the turn that solved each board, 0 for open ones"""

    @staticmethod
    def start(game: Game) -> JointState:
        """The state before the first guess."""
        board = State.start(game.one_board)
        return JointState(game, (board,) * game.boards, (), (0,) * game.boards)

    @property
    def turn(self) -> int:
        """Number of guesses made."""
        return len(self.guesses)

    @property
    def guesses_left(self) -> int | None:
        """Number of guesses that the cap still allows; None without a cap."""
        return None if self.game.cap is None else self.game.cap - self.turn

    @functools.cached_property
    def open(self) -> tuple[int, ...]:
        """The boards that are not solved, by index."""
        return tuple(board for board, turn in enumerate(self.solved_in) if turn == 0)

    @functools.cached_property
    def open_boards(self) -> tuple[State, ...]:
        """The states of the boards that are not solved."""
        return tuple(self.boards[board] for board in self.open)

    @property
    def remaining(self) -> list[int]:
        """The number of possible answers of every board; 0 for a solved one."""
        return [
            0 if turn else len(board.candidates)
            for turn, board in zip(self.solved_in, self.boards, strict=True)
        ]

    @property
    def won(self) -> bool:
        """Whether every board is solved."""
        return not self.open

    @property
    def over(self) -> bool:
        """Whether the game is won, out of guesses, or (without a cap) a guess was repeated."""
        if self.won or self.guesses_left == 0:
            return True
        return self.game.cap is None and len(set(self.guesses)) < len(self.guesses)

    @property
    def unwinnable(self) -> bool:
        """Whether the cap leaves fewer guesses than boards are open."""
        left = self.guesses_left
        return left is not None and left < len(self.open)

    @functools.cached_property
    def boards_by_history(self) -> tuple[tuple[int, ...], ...]:
        """The open boards, grouped by equal feedback so far."""
        groups: dict[tuple[tuple[int, int], ...], list[int]] = {}
        for board in self.open:
            groups.setdefault(self.boards[board].history, []).append(board)
        return tuple(tuple(group) for group in groups.values())

    @functools.cached_property
    def tuple_count(self) -> int:
        """Number of tuples of answers that the open boards can have."""
        return math.prod(
            math.perm(len(self.boards[group[0]].candidates), len(group))
            for group in self.boards_by_history
        )

    @property
    def legal(self) -> Indices:
        """Indices of the guesses that may be made: all of them."""
        return self.boards[0].legal

    @property
    def turns(self) -> tuple[tuple[str, str], ...]:
        """The history as text: (guess, feedback of all boards) of every turn."""
        return tuple(
            (self.game.guesses[guess], "/".join(self._field(board, turn) for board in self.boards))
            for turn, guess in enumerate(self.guesses)
        )

    def _field(self, board: State, turn: int) -> str:
        if turn >= board.turn:
            return SOLVED
        return self.game.rule.notation.format(board.history[turn][1], self.game.length)

    def check(self, guess: str | int) -> int:
        """The index of a guess."""
        return self.game.index(guess)

    def after(self, guess: str | int, feedback: Feedback) -> JointState:
        """The state after a guess and its feedback; raises an error that names a board if the
        feedback contradicts what is known of it."""
        index = self.game.index(guess)
        boards, solved = list(self.boards), list(self.solved_in)
        for number, given in enumerate(self._fields(feedback)):
            if solved[number]:
                self._check_solved(number, given)
                continue
            if given is None or given == SOLVED:
                raise InputError(f"board {number + 1} is not solved yet; give its feedback")
            try:
                boards[number] = boards[number].after(index, given)
            except InputError as error:
                raise InputError(f"board {number + 1}: {error}") from None
            if not len(boards[number].candidates):
                raise InputError(f"board {number + 1}: no answer of {self.game.name} fits this")
            if boards[number].won:
                solved[number] = self.turn + 1
        below = JointState(self.game, tuple(boards), (*self.guesses, index), tuple(solved))
        below._check_distinct()
        return below

    def _fields(self, feedback: Feedback) -> Sequence[str | int | None]:
        fields = feedback.split("/") if isinstance(feedback, str) else feedback
        if len(fields) != len(self.boards):
            given = "there is 1 field" if len(fields) == 1 else f"there are {len(fields)} fields"
            raise InputError(
                f"{given} of feedback for {len(self.boards)} boards; write one for each, as in "
                f"{'/'.join(self._example())!r}"
            )
        return fields

    def _example(self) -> list[str]:
        grey = self.game.rule.notation.format(0, self.game.length).lower()
        return [SOLVED if turn else grey for turn in self.solved_in]

    def _check_solved(self, number: int, given: str | int | None) -> None:
        if given is None or given == SOLVED:
            return
        if self.game.code(given) != self.game.compiled.code(self.game.win):
            raise InputError(
                f"board {number + 1} was solved by guess {self.solved_in[number]}; write '-' "
                f"for it, not {given!r}"
            )

    def _check_distinct(self) -> None:
        """Refuse boards that would have to have the same answer."""
        last = [board for board, turn in enumerate(self.solved_in) if turn == self.turn]
        groups = [group for group in self.boards_by_history if len(group) > 1]
        for group in [*groups, *([tuple(last)] if len(last) > 1 else [])]:
            answers = self.boards[group[0]].words
            if len(answers) < len(group):
                named = " and ".join(str(board + 1) for board in group)
                raise InputError(
                    f"boards {named} would have to share the answer{'s' * (len(answers) > 1)} "
                    f"{' '.join(map(repr, answers))}; boards have different answers"
                )

    def patterns(self, guess: int, secrets: Sequence[int]) -> list[int | None]:
        """The feedback of every board to a guess, as ids, if the boards have these answers."""
        column = self.game.table[guess]
        return [
            None if turn else int(column[secret])
            for turn, secret in zip(self.solved_in, secrets, strict=True)
        ]


_MASK = (1 << 64) - 1


class SplitMix64:
    """The generator of `draw_tuples`: 64 random bits a call, easy to repeat in any language."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK
        return bits ^ (bits >> 31)


def draw_tuples(game: Game, count: int, seed: int, among: Sequence[int] | None = None) -> Indices:
    """[tuple, board]: the answers of `count` games.

    SplitMix64, started with the seed, gives numbers of 64 bits. An answer is the next number modulo
    the number of answers (or of those `among` which they are drawn), and is drawn again while it
    stands on an earlier board of its tuple.

    >>> draw_tuples(Game.named("original:boards=4"), 2, seed=1).tolist()
    [[1650, 1354, 770, 1095], [1851, 268, 1975, 2103]]
    """
    generator = SplitMix64(seed)
    answers = range(game.answer_count) if among is None else among
    if len(answers) < game.boards:
        raise InputError(
            f"{game.boards} boards need as many answers to draw; {len(answers)} are given"
        )
    drawn = np.empty((count, game.boards), np.int32)
    for row in drawn:
        chosen: list[int] = []
        while len(chosen) < game.boards:
            answer = answers[generator.next() % len(answers)]
            if answer not in chosen:
                chosen.append(answer)
        row[:] = chosen
    return drawn

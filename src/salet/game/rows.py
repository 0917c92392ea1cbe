"""Rows as people type them: a guess and its feedback, `crane:bybbg` or `crane bybbg`.

With several boards the feedback has a field for each, `crane:bybbg/bbbyb/-/ggggg`, with `-` for a
board that is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from salet.errors import InputError, RowError

if TYPE_CHECKING:
    from salet.game.game import Game
    from salet.game.joint_state import JointState
    from salet.game.state import State

Row = tuple[str, str]
"""guess and feedback"""

_EXAMPLE = "write guess and feedback as 'crane:bybbg' or 'crane bybbg' (b grey, y yellow, g green)"


Rows = str | Sequence[str | Row]
"""rows as text, as the arguments of a command, or as pairs"""


def parse_rows(rows: Rows) -> list[Row]:
    """Parse rows into pairs of guess and feedback.

    >>> parse_rows("crane:bybbg slate bbgby")
    [('crane', 'bybbg'), ('slate', 'bbgby')]
    """
    texts = [rows] if isinstance(rows, str) else rows
    fields = " ".join(text if isinstance(text, str) else ":".join(text) for text in texts).split()
    parsed: list[Row] = []
    while fields:
        number, field = len(parsed) + 1, fields.pop(0)
        guess, mark, feedback = field.partition(":")
        if not mark and fields and ":" not in fields[0]:
            feedback = fields.pop(0)
        if not guess or not feedback:
            missing = "feedback" if guess else "guess"
            raise RowError(number, f"row {number} {field!r} has no {missing}; {_EXAMPLE}")
        parsed.append((guess, feedback))
    return parsed


def replay(game: Game, rows: Sequence[Row], *, allow_unlisted: bool = False) -> State:
    """The state after these rows; raises a RowError at the first impossible row.

    With `allow_unlisted` rows that no answer fits are accepted: the secret may be unlisted.
    """

    def check(state: State) -> None:
        if not len(state.candidates) and not allow_unlisted:
            raise InputError(f"no answer of {game.name} fits this feedback")

    return _replay(game.start(), rows, "found the answer", check)


def replay_joint(game: Game, rows: Sequence[Row]) -> JointState:
    """The state of all boards after these rows; raises a RowError at the first impossible row."""
    return _replay(game.joint_start(), rows, "solved the last board")


S = TypeVar("S", "State", "JointState")


def _replay(
    state: S, rows: Sequence[Row], won: str, check: Callable[[S], None] = lambda _: None
) -> S:
    """The state after the rows; `won` says what a row behind the last possible one comes after."""
    for number, (guess, feedback) in enumerate(rows, 1):
        shown = f"row {number} '{guess}:{feedback}'"
        if state.won:
            raise RowError(number, f"{shown}: row {number - 1} already {won}")
        if state.guesses_left == 0:
            raise RowError(number, f"{shown} exceeds the cap of {state.game.cap} guesses")
        try:
            _check_fields(state.game, feedback)
            state = state.after(guess, feedback)
            check(state)
        except InputError as error:
            raise RowError(number, f"{shown}: {error}") from None
    return state


def _check_fields(game: Game, feedback: str) -> None:
    """Refuse feedback of several boards in a game with one."""
    fields = feedback.count("/") + 1
    if game.boards == 1 < fields:
        raise InputError(
            f"there are {fields} fields of feedback, and {game.name} has one board; several are "
            f"{game.name}{',' if ':' in game.name else ':'}boards={fields}"
        )

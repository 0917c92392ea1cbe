"""Rows as people type them: a guess and its feedback, `crane:bybbg` or `crane bybbg`.

With several boards the feedback has a field for each, `crane:bybbg/bbbyb/-/ggggg`, with `-` for a
board that is solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from salet.errors import InputError, RowError

if TYPE_CHECKING:
    from salet.game.game import Game
    from salet.game.joint_state import JointState
    from salet.game.state import State

Row = tuple[str, str]
"""guess and feedback"""

_EXAMPLE = "write guess and feedback as 'crane:bybbg' or 'crane bybbg' (b grey, y yellow, g green)"


def parse_rows(rows: str | Sequence[str]) -> list[Row]:
    """Parse text, or the arguments of a command, into pairs of guess and feedback.

    >>> parse_rows("crane:bybbg slate bbgby")
    [('crane', 'bybbg'), ('slate', 'bbgby')]
    """
    fields = (rows if isinstance(rows, str) else " ".join(rows)).split()
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
    state = game.start()
    for number, (guess, feedback) in enumerate(rows, 1):
        shown = f"row {number} '{guess}:{feedback}'"
        if state.won:
            raise RowError(number, f"{shown}: row {number - 1} already found the answer")
        if state.guesses_left == 0:
            raise RowError(number, f"{shown} exceeds the cap of {game.cap} guesses")
        try:
            state = state.after(guess, feedback)
        except InputError as error:
            raise RowError(number, f"{shown}: {error}") from None
        if not len(state.candidates) and not allow_unlisted:
            raise RowError(number, f"{shown}: no answer of {game.name} fits this feedback")
    return state


def replay_joint(game: Game, rows: Sequence[Row]) -> JointState:
    """The state of all boards after these rows; raises a RowError at the first impossible row."""
    state = game.joint_start()
    for number, (guess, feedback) in enumerate(rows, 1):
        shown = f"row {number} '{guess}:{feedback}'"
        if state.won:
            raise RowError(number, f"{shown}: row {number - 1} already solved the last board")
        if state.guesses_left == 0:
            raise RowError(number, f"{shown} exceeds the cap of {game.cap} guesses")
        try:
            state = state.after(guess, feedback)
        except InputError as error:
            raise RowError(number, f"{shown}: {error}") from None
    return state

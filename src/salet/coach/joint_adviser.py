"""Advise on several boards: the guesses with the fewest expected guesses to come.

1. Estimate every guess, and list the best at once.
2. If few answers are left, prove the best guess by joint search, and value the others.
3. Otherwise replace the estimates of the listed guesses by rollouts, in growing numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from salet.array_types import Indices
from salet.coach.hints import left_text
from salet.coach.verdicts import percent
from salet.errors import InputError
from salet.game.joint_state import JointState
from salet.search.budget import Budget, Clock
from salet.search.joint_estimate import LOST, JointEstimate, draw_consistent
from salet.search.joint_exact import LOSS, JointSearch, JointValue, min_guesses

_ROUNDS = (64, 256, 512, 1024)
"""Rollouts of each listed guess, round by round."""
POOL = 24
"""Guesses with the lowest estimates that rollouts may make besides possible answers."""
_LISTED = 24
"""Number of guesses compared by rollouts."""
MAX_EXACT_TUPLES = 400
"""Maximum number of tuples of answers for joint search."""


class JointSuggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A guess and its expected number of guesses."""

    guess: str
    expected: float
    """guesses to come, including this one; an estimate unless proven. A lost game counts one more
    than the cap"""
    losses: float | None
    """chance of losing; an estimate unless proven, None before it is known"""
    proven: bool
    """whether these are exact"""
    solves: float
    """chance that it solves a board now"""
    boards: list[int]
    """the boards whose answer it can be, from 1"""


class JointAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """Everything known about a position on several boards; the fields of `salet assist --json`."""

    game: str
    mode: str
    cap: int | None
    boards: int
    turn: int
    remaining: list[int]
    """possible answers of every board; 0 for a solved one"""
    words: list[list[str]]
    """the possible answers of every board; empty for a solved one"""
    tuples: int
    """number of tuples of answers that the open boards can have"""
    guess: str
    expected: float
    losses: float | None
    """as in the best suggestion"""
    lower: float
    """lower bound on the expectation of any play"""
    proven: bool
    """whether no guess is better: none loses less often, or as often with fewer guesses"""
    explanation: str
    notes: list[str]
    suggestions: list[JointSuggestion]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields


@dataclass
class _Row:
    """What is known of a listed guess."""

    guess: int
    expected: float
    losses: float | None = None
    proven: bool = False
    is_best: bool = False
    """whether it is proven that no guess is better"""

    @property
    def rank(self) -> tuple[bool, float, int]:
        """The order in which guesses are listed."""
        price = LOSS if self.proven else LOST
        return not self.is_best, self.expected + price * (self.losses or 0), self.guess


class JointAdviser:
    """Advises on games with several boards; caches what it computes for the next question."""

    def __init__(self, estimate: JointEstimate, search: JointSearch) -> None:
        self.estimate, self.search = estimate, search

    def advise(
        self,
        state: JointState,
        *,
        seconds: float = 5.0,
        count: int = 11,
        consider: tuple[str, ...] = (),
        cancel: Callable[[], bool] | None = None,
    ) -> Iterator[JointAdvice]:
        """Yield advice at once, then better, until it is proven, time is up, or after the last
        round of rollouts."""
        check_open(state)
        clock = Budget(seconds, cancel=cancel).start()
        misses, prices = self.estimate.misses(state.open_boards), self.estimate.prices(state)
        order = np.argsort(prices, kind="stable").astype(np.int32)
        asked = [state.check(word) for word in consider]
        listed = dict.fromkeys([*order[: max(_LISTED, count)].tolist(), *asked])
        rows = [
            _Row(
                guess,
                float(misses[guess]) + len(state.open),
                float(prices[guess] - misses[guess]) / LOST or None,
            )
            for guess in listed
        ]
        improved = itertools.chain(
            [None], self._proven(state, rows, clock), self._rolled(state, rows, order, clock)
        )
        for _ in improved:
            rows.sort(key=lambda row: row.rank)
            kept = [row for place, row in enumerate(rows) if place < count or row.guess in asked]
            yield _advice(state, kept, clock.seconds)

    def _proven(self, state: JointState, rows: list[_Row], clock: Clock) -> Iterator[None]:
        """Where few tuples are left: prove the best guess, then value the others."""
        if state.tuple_count > MAX_EXACT_TUPLES:
            return
        found = self.search.value(state, clock)
        if found is None:
            return
        if found.guess not in (row.guess for row in rows):
            rows.append(_Row(found.guess, 0.0))
        rows.sort(key=lambda row: row.guess != found.guess)
        for row in rows[1:]:
            row.expected = max(row.expected, float(found.guesses))
        rows[0].is_best = True
        _set_value(rows[0], found)
        yield
        for row in rows[1:]:
            if clock.expired():
                return
            value = self.search.value_of(state, row.guess, clock)
            if value is not None:
                _set_value(row, value)
        yield

    def _rolled(
        self, state: JointState, rows: list[_Row], order: Indices, clock: Clock
    ) -> Iterator[None]:
        """Compare the guesses by rollouts, in ever larger rounds, unless the best is proven."""
        if any(row.is_best for row in rows):
            return
        rng = np.random.default_rng(0)
        sums = {row.guess: np.zeros(2) for row in rows}
        draws = 0
        for size in _ROUNDS:
            secrets = draw_consistent(state, size, rng)
            for guess, total in sums.items():
                if clock.expired():
                    return
                one = np.array([guess], np.int32)
                rolled = self.estimate.rollouts(state, one, order[:POOL], secrets)
                total += size * np.array([rolled.misses[0], rolled.lost[0]])
            draws += size
            for row in rows:
                misses, lost = (sums[row.guess] / draws).tolist()
                row.expected, row.losses = misses + len(state.open), lost
            yield


def _set_value(row: _Row, value: JointValue) -> None:
    row.expected, row.losses, row.proven = float(value.guesses), float(value.lost), True


def _advice(state: JointState, rows: list[_Row], seconds: float) -> JointAdvice:
    game = state.game
    suggestions = [_suggestion(state, row) for row in rows]
    best, proven = suggestions[0], rows[0].is_best
    return JointAdvice(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        boards=game.boards,
        turn=state.turn,
        remaining=state.remaining,
        words=[
            [] if turn else list(board.words)
            for turn, board in zip(state.solved_in, state.boards, strict=True)
        ],
        tuples=state.tuple_count,
        guess=best.guess,
        expected=best.expected,
        losses=best.losses,
        lower=best.expected if proven else float(min_guesses(state)),
        proven=proven,
        explanation=_why(state, best),
        notes=_notes(state, best),
        suggestions=suggestions,
        seconds=round(seconds, 3),
    )


def _suggestion(state: JointState, row: _Row) -> JointSuggestion:
    sizes = {
        board + 1: len(state.boards[board].candidates)
        for board in state.open
        if row.guess in state.boards[board].candidates
    }
    return JointSuggestion(
        guess=state.game.guesses[row.guess],
        expected=row.expected,
        losses=row.losses,
        proven=row.proven,
        solves=float(sum(1 / size for size in sizes.values())),
        boards=list(sizes),
    )


def _notes(state: JointState, best: JointSuggestion) -> list[str]:
    notes = [] if best.proven else ["expected guesses are estimates, not proven"]
    if state.unwinnable:
        notes.append(
            f"{_boards_open(state)}, but only {left_text(state.guesses_left or 0)}: advice is as "
            "if there were no cap"
        )
    elif best.losses and best.proven:
        notes.append(f"no play wins for sure: this one loses {percent(best.losses)}")
    elif best.losses:
        notes.append(f"this play loses about {percent(best.losses)}")
    return notes


def _why(state: JointState, best: JointSuggestion) -> str:
    """What the guess does, in words."""
    spare = best.expected - len(state.open)
    return (
        f"{best.guess.upper()} {what_it_solves(best)}; {_boards_open(state)}, {spare:.2f} misses "
        "expected"
    )


def what_it_solves(row: JointSuggestion) -> str:
    """`solves board 2 with a chance of 12.5 %`."""
    if not row.boards:
        return "solves no board now, but tells about all"
    named = f"board {' or '.join(map(str, row.boards))}" if len(row.boards) < 4 else "a board"
    if row.solves > 1 - 1e-9:
        return f"solves {named} for sure"
    return f"solves {named} with a chance of {percent(row.solves)}"


def _boards_open(state: JointState) -> str:
    count = len(state.open)
    return "1 board is open" if count == 1 else f"{count} boards are open"


def check_open(state: JointState) -> None:
    """Refuse positions in which nothing is left to guess."""
    if state.won:
        raise InputError("all boards are solved; nothing is left to guess")
    if state.guesses_left == 0:
        raise InputError(f"the cap of {state.game.cap} guesses is used up")

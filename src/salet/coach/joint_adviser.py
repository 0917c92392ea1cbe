"""Advise on several boards: the guesses with the fewest expected guesses to come.

1. Estimate every guess, and list the best at once.
2. If few answers are left, prove the best guess by joint search.
3. Otherwise replace the estimates of the listed guesses by rollouts, in growing numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np

from salet.array_types import Floats, Indices
from salet.errors import InputError
from salet.game.joint_state import JointState
from salet.search.budget import Budget
from salet.search.joint_estimate import JointEstimate, draw_consistent
from salet.search.joint_exact import JointSearch

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
    """guesses to come, including this one; an estimate unless proven"""
    proven: bool
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
    lower: float
    """lower bound on the expectation of any play"""
    proven: bool
    explanation: str
    notes: list[str]
    suggestions: list[JointSuggestion]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields


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
        _check(state)
        clock = Budget(seconds, cancel=cancel).start()
        boards = len(state.open)
        misses = self.estimate.misses(state.open_boards)
        order = np.argsort(misses, kind="stable").astype(np.int32)
        asked = np.array([state.check(word) for word in consider], np.int32)
        listed: Indices = np.array(
            list(dict.fromkeys([*order[: max(_LISTED, count)], *asked])), np.int32
        )
        means: Floats = misses[listed] + boards
        yield self._advice(state, listed, means, None, count, asked, clock.seconds)
        proven: int | None = None
        if state.tuple_count <= MAX_EXACT_TUPLES:
            found = self.search.value(state, clock)
            if found is not None:
                proven = found.guess
                if proven not in listed:
                    listed, means = np.append(listed, np.int32(proven)), np.append(means, 0.0)
                means[listed == proven] = float(found.guesses)
                means = np.where(listed == proven, means, np.maximum(means, float(found.guesses)))
                yield self._advice(state, listed, means, proven, count, asked, clock.seconds)
        if proven is not None:
            return
        rng = np.random.default_rng(0)
        total, draws = np.zeros(len(listed)), 0
        for size in _ROUNDS:
            secrets = draw_consistent(state, size, rng)
            for index in range(len(listed)):
                if clock.expired():
                    return
                one = listed[index : index + 1]
                total[index] += size * self.estimate.rollouts(state, one, order[:POOL], secrets)[0]
            draws += size
            means = total / draws + boards
            yield self._advice(state, listed, means, None, count, asked, clock.seconds)

    def _advice(
        self,
        state: JointState,
        listed: Indices,
        means: Floats,
        proven: int | None,
        count: int,
        asked: Indices,
        seconds: float,
    ) -> JointAdvice:
        game = state.game
        order = sorted(
            range(len(listed)), key=lambda i: (means[i], listed[i] != proven, int(listed[i]))
        )
        shown = [i for rank, i in enumerate(order) if rank < count or listed[i] in asked]
        rows = [self._suggestion(state, int(listed[i]), float(means[i]), proven) for i in shown]
        best = rows[0]
        lower = best.expected if best.proven else float(len(state.open))
        notes = [] if proven is not None else ["expected guesses are estimates, not proven"]
        if state.unwinnable:
            left = state.guesses_left
            notes.append(f"{len(state.open)} boards are open, but only {left} guesses are left")
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
            lower=lower,
            proven=best.proven,
            explanation=_why(state, best),
            notes=notes,
            suggestions=rows,
            seconds=round(seconds, 3),
        )

    def _suggestion(
        self, state: JointState, guess: int, expected: float, proven: int | None
    ) -> JointSuggestion:
        sizes = {
            board + 1: len(state.boards[board].candidates)
            for board in state.open
            if guess in state.boards[board].candidates
        }
        return JointSuggestion(
            guess=state.game.guesses[guess],
            expected=expected,
            proven=guess == proven,
            solves=float(sum(1 / size for size in sizes.values())),
            boards=list(sizes),
        )


def _why(state: JointState, best: JointSuggestion) -> str:
    """What the guess does, in plain words."""
    if best.solves > 1 - 1e-9:
        fact = f"solves board {best.boards[0]} for sure" if len(best.boards) == 1 else "solves one"
    elif best.boards:
        names = " or ".join(map(str, best.boards))
        fact = f"solves board {names} with chance {best.solves:.1%}"
    else:
        fact = "solves no board now, and tells most about all"
    spare = best.expected - len(state.open)
    return f"{best.guess} {fact}; {len(state.open)} boards are open, {spare:.2f} misses expected"


def _check(state: JointState) -> None:
    if state.won:
        raise InputError("all boards are solved; nothing is left to guess")
    if state.guesses_left == 0:
        raise InputError(f"the cap of {state.game.cap} guesses is used up")

"""What to guess next: at once, then ever better known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from salet.coach.advice import Advice
from salet.coach.coach import Coach
from salet.coach.position import Position
from salet.coach.question import Appraisal, Question
from salet.coach.worst_case import WorstCase
from salet.coach.worth import Clock, never
from salet.errors import InputError, UnknownNameError
from salet.game.state import State

OBJECTIVES: Mapping[str, str] = MappingProxyType(
    {
        "mean": "fewest guesses in the mean, every answer within the cap where that can be",
        "worst": "fewest guesses in the worst case, then in the mean",
        "win": "fewest answers lost, then fewest guesses",
    }
)


@dataclass(frozen=True)
class Wishes:
    """What is asked for."""

    objective: str = "mean"
    """one of OBJECTIVES"""
    seconds: float = 5.0
    """how long to search at most"""
    count: int = 11
    """guesses to list"""
    consider: tuple[str, ...] = ()
    """guesses to list whatever they are worth"""


def suggest(
    position: Position | State, wishes: Wishes | None = None, stop: Callable[[], bool] = never
) -> Iterator[Advice]:
    """Advice at once, then ever tighter. The last piece is the best that could be had.

    `stop` is asked every few milliseconds: a caller who has gone costs nothing. Closing the
    generator ends it as well.

    >>> from salet import Game
    >>> state = Game(["apple", "angle", "ankle"]).start()
    >>> *_, advice = suggest(state)
    >>> advice.guess, advice.proven
    ('angle', True)
    """
    wishes = wishes or Wishes()
    if isinstance(position, State):
        position = Position(Coach(position.game), position)
    state = position.state
    if wishes.objective not in OBJECTIVES:
        raise UnknownNameError("objective", wishes.objective, OBJECTIVES)
    if state.won:
        raise InputError(f"{state.turns[-1][0]!r} has found the answer; nothing is left to guess")
    if state.guesses_left == 0:
        raise InputError(f"the cap of {state.game.cap} guesses is used up")
    for word in wishes.consider:
        state.check(word)
    kind = WorstCase if wishes.objective == "worst" else Question
    yield from kind(position, wishes, Clock(wishes.seconds, stop)).answer()


def appraise(position: Position, guess: int | None, clock: Clock) -> Appraisal:
    """Find the worth of a position and of a guess in it, as well as the clock allows."""
    words = position.state.game.guesses
    asked = () if guess is None else (words[guess],)
    question = Question(position, Wishes(count=2, consider=asked), clock)
    for _ in question.answer():
        if question.is_settled():
            break
    return question.appraisal()

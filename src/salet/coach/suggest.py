"""What to guess next, ever better known."""

from __future__ import annotations
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from salet.coach.advice import Advice
from salet.coach.position import Position

OBJECTIVES = {"mean": "", "worst": "", "win": ""}


@dataclass(frozen=True)
class Wishes:
    """What is asked for."""

    objective: str = "mean"
    seconds: float = 5.0
    """how long to tighten bounds at most"""
    count: int = 11
    """how many guesses to list"""
    consider: tuple[str, ...] = ()
    """guesses to list whatever they are worth"""


def suggest(
    position: Position, wishes: Wishes = Wishes(), stop: Callable[[], bool] = lambda: False
) -> Iterator[Advice]:
    """Advice at once, then ever tighter until proven, out of time, or `stop()` says so (it is asked every few milliseconds, so that a caller who has gone costs nothing). Closing the generator stops it as well."""
    raise NotImplementedError

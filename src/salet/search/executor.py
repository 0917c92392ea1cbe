"""The interface to other processes that search in place of this one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from salet.array_types import Ints
from salet.game.state import State
from salet.search.opener_search import OnDecided, OpenerSearch

History = tuple[tuple[int, int], ...]
"""`State.history`"""
BoundTask = tuple[int | None, int]
"""(guess, or None for the whole state; a lower bound to prove)"""


class Executor(Protocol):
    """Other processes that search, with the same results as this one."""

    @property
    def nodes(self) -> int:
        """States expanded so far."""

    def decide(
        self,
        search: OpenerSearch,
        on_decided: OnDecided = ...,
        progress: Callable[[], None] = ...,
    ) -> None:
        """Decide the openers that are not decided yet; report each, and call `progress`
        periodically."""

    def choices(self, states: Sequence[State], depth: int | None) -> dict[History, int]:
        """The guesses of optimal plans, for these states and all that follow them.

        `depth` is the maximum number of guesses, if below what the cap leaves.
        """

    def prove_bounds(
        self,
        state: State,
        losses: bool,
        tasks: Sequence[BoundTask],
        progress: Callable[[int, int], None],
    ) -> list[list[Ints]]:
        """The logs of a certificate that proves these lower bounds (`search/certify.py`), ordered
        so that each fact follows from those before it."""

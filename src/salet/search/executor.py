"""Who does the work of a search: this process, or others that an `Executor` stands for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from salet.array_types import Ints
from salet.game.state import State
from salet.search.opener_search import OnDecided, OpenerSearch

History = tuple[tuple[int, int], ...]
"""`State.history`"""
BoundTask = tuple[int | None, int]
"""(guess, or None for the whole state; a lower bound of it)"""


class Executor(Protocol):
    """Work done by other processes, with the results of a single one."""

    @property
    def nodes(self) -> int:
        """States expanded so far."""

    def decide(
        self,
        search: OpenerSearch,
        on_decided: OnDecided = ...,
        progress: Callable[[], None] = ...,
    ) -> None:
        """Decide the openers that are not decided yet; report each, and call `progress` now and
        then."""

    def choices(self, states: Sequence[State], depth: int | None) -> dict[History, int]:
        """The best guess of each of these states and of all that follow them in a plan. `depth`
        limits the guesses left, if fewer than the cap leaves."""

    def prove_bounds(
        self,
        state: State,
        losses: bool,
        tasks: Sequence[BoundTask],
        progress: Callable[[int, int], None],
    ) -> list[list[Ints]]:
        """The logs of a certificate in which these lower bounds are proven (`search/certify.py`),
        in an order in which each fact follows from those before it."""

"""When a search must end: a budget of time and nodes, and the clock that counts it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """When a search must end."""

    seconds: float = math.inf
    nodes: float = math.inf
    """states expanded"""
    cancel: Callable[[], bool] | None = None
    """asked every few milliseconds; True ends the search"""

    def start(self) -> Clock:
        return Clock(self)


UNLIMITED = Budget()


class Clock:
    """A budget that is being spent."""

    def __init__(self, budget: Budget = UNLIMITED) -> None:
        self.budget = budget
        self.started = time.perf_counter()
        self.nodes = 0

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self.started

    @property
    def limited(self) -> bool:
        """Whether it can expire."""
        return self.budget != UNLIMITED

    def expired(self) -> bool:
        budget = self.budget
        return (
            self.nodes >= budget.nodes
            or self.seconds >= budget.seconds
            or (budget.cancel is not None and budget.cancel())
        )

    def spend(self, nodes: int) -> bool:
        """Count expanded states; says whether the budget is used up."""
        self.nodes += nodes
        return self.expired()

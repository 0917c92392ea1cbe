"""Limits of a search (time, nodes, cancellation), and the clock that enforces them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """Limits of a search."""

    seconds: float = math.inf
    nodes: float = math.inf
    """states expanded"""
    cancel: Callable[[], bool] | None = None
    """polled every few milliseconds; True ends the search"""

    def start(self) -> Clock:
        """A clock that starts now."""
        return Clock(self)


UNLIMITED = Budget()


class Clock:
    """A budget that is being spent."""

    def __init__(self, budget: Budget = UNLIMITED) -> None:
        self.budget = budget
        self.started = time.perf_counter()
        self._cpu_started = time.process_time()
        self.nodes = 0

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self.started

    @property
    def cpu_seconds(self) -> float:
        """Processor time of this process since the start, over all threads."""
        return time.process_time() - self._cpu_started

    @property
    def limited(self) -> bool:
        """Whether it can expire."""
        return self.budget != UNLIMITED

    def expired(self) -> bool:
        """Whether a limit is reached."""
        budget = self.budget
        return (
            self.nodes >= budget.nodes
            or self.seconds >= budget.seconds
            or (budget.cancel is not None and budget.cancel())
        )

    def spend(self, nodes: int) -> bool:
        """Count expanded states; returns whether a limit is reached."""
        self.nodes += nodes
        return self.expired()

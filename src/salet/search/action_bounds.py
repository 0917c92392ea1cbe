"""Lower the upper bounds of all actions of a state, step by step.

The upper bound of a state is the maximum over its actions, so to lower it every action must be
bounded again, the most promising first. A *sweep* bounds the outcomes of some actions, but only
down to an *aim* between the state's upper bound and the value of the best known policy. The bound
thus falls in a few passes over all actions, each a little more expensive than the last.
"""

from __future__ import annotations

import math
import time
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats
from salet.search.process import DecisionProcess, StateT

_SMALLEST = 1 / 8
"""Once the gap has shrunk to this fraction of the initial one, a pass goes down to the limit."""
_AT_A_TIME = 16
"""Number of actions after which the aim is recomputed."""
_WIDE = 0.6
"""While the gap is wider than this fraction of the initial one, a pass closes a quarter of it,
later half: cheap passes come first."""


def aim_of(high: float, limit: float, first_high: float) -> float:
    """The value down to which the next sweep bounds actions.

    `high` is the state's upper bound, `first_high` its initial one, and `limit` the value of the
    best known policy.
    """
    gap, first = high - limit, first_high - limit
    if not math.isfinite(gap) or not gap > _SMALLEST * first:
        return limit
    return high - gap * (0.25 if gap > _WIDE * first else 0.5)


def top_indices(values: Floats, indices: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """Up to `count` of the indices, largest value first; ties in the order given."""
    if len(indices) > count:
        found = values[indices]
        indices = indices[found >= -np.partition(-found, count)[count]]
    top: NDArray[np.intp] = indices[np.argsort(-values[indices], kind="stable")][:count]
    return top


class ActionBounds(Generic[StateT]):
    """Upper bounds of all actions of one state. For one thread at a time."""

    def __init__(self, process: DecisionProcess[StateT, Any], state: StateT) -> None:
        self._process, self._state = process, state
        table = process.expand(state)
        self._actions, self._highs = table.actions, table.highs.copy()
        self._is_final = np.zeros(len(self._highs), bool)
        self._first_high = self.high

    @property
    def high(self) -> float:
        """The upper bound of the state."""
        return float(self._highs.max(initial=-math.inf))

    def sweep(self, limit: float, seconds: float) -> None:
        """Lower the bounds of the most promising actions for some seconds, at most to `limit`."""
        end = time.perf_counter() + seconds
        while True:
            aim = aim_of(self.high, limit, self._first_high)
            promising = np.flatnonzero((self._highs > aim) & ~self._is_final)
            for index in top_indices(self._highs, promising, _AT_A_TIME):
                found = self._process.bounded_outcomes(self._state, self._actions[index], aim)
                self._highs[index] = min(self._highs[index], found.high)
                self._is_final[index] = found.open is not None
                if time.perf_counter() >= end:
                    return
            if not len(promising):
                return

"""Upper bounds of all actions of a state, lowered step by step: what holds up a state's own bound.

A state is worth no more than its best action could be. To lower its bound, every action has to be
shown to be worth less, the most hopeful first. A *sweep* takes some of those and bounds what
follows them, but not further than to an *aim* between the bound of the state and the policy known:
so the bound falls in a few passes over all actions, each a little more costly than the last.
"""

from __future__ import annotations

import math
import time
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats
from salet.search.process import DecisionProcess, State

_SMALLEST = 1 / 8
"""Once the gap has shrunk to this share of what it was at first, a pass goes down to the limit."""
_AT_A_TIME = 16
"""Number of actions after which the aim is set anew."""
_WIDE = 0.6
"""While it is wider than this share, a pass takes a quarter of it away, later half of it: cheap
passes first."""


def aim_of(high: float, limit: float, first_high: float) -> float:
    """How far the next sweep lowers the bounds of actions, in a state of bound `high` (at first
    `first_high`) of which a policy of value `limit` is known."""
    gap, first = high - limit, first_high - limit
    if not math.isfinite(gap) or not gap > _SMALLEST * first:
        return limit
    return high - gap * (0.25 if gap > _WIDE * first else 0.5)


def greatest(values: Floats, indices: NDArray[np.intp], count: int) -> list[int]:
    """Up to `count` of the indices, by value, greatest first."""
    if len(indices) > count:
        indices = indices[np.argpartition(-values[indices], count)[:count]]
    return [int(i) for i in indices[np.argsort(-values[indices], kind="stable")]]


class ActionBounds(Generic[State]):
    """Upper bounds of all actions of one state. For one thread at a time."""

    def __init__(self, process: DecisionProcess[State, Any], state: State) -> None:
        self._process, self._state = process, state
        table = process.expand(state)
        self._actions, self._highs = table.actions, table.highs.copy()
        self._is_final = np.zeros(len(self._highs), bool)
        self._first_high = self.high

    @property
    def high(self) -> float:
        """The state is worth no more."""
        return float(self._highs.max(initial=-math.inf))

    def sweep(self, limit: float, seconds: float) -> None:
        """Lower the bounds of the most hopeful actions for a while. A policy of value `limit` is
        known: it need not be shown that an action is worth less than that."""
        end = time.perf_counter() + seconds
        while True:
            aim = aim_of(self.high, limit, self._first_high)
            hopeful = np.flatnonzero((self._highs > aim) & ~self._is_final)
            for index in greatest(self._highs, hopeful, _AT_A_TIME):
                found = self._process.bounded_outcomes(self._state, self._actions[index], aim)
                self._highs[index] = min(self._highs[index], found.high)
                self._is_final[index] = found.open is not None
                if time.perf_counter() >= end:
                    return
            if not len(hopeful):
                return

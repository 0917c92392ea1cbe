"""Dynamic programming in plain Python: exact values of any decision process that ends.

Branch and bound with a memo. It visits every state that bounds do not rule out, so it is meant for
states from which few others can be reached.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from salet.search.process import (
    ActionT,
    DecisionProcess,
    StateT,
    ValueBounds,
    bounds_of,
    tolerance_of,
)

Memo = dict[Any, ValueBounds]
"""Bounds of the states visited so far."""


def value_of(
    process: DecisionProcess[StateT, ActionT],
    state: StateT,
    above: float = -math.inf,
    memo: Memo | None = None,
) -> float:
    """The value of a state: exact if it exceeds `above`, otherwise an upper bound <= `above`."""
    memo = {} if memo is None else memo
    known = memo.get(state)
    if known is None:
        known = bounds_of(process, state)
    if known.high <= above or known.high - tolerance_of(process, state) <= known.low:
        return known.high
    value, _ = best_action(process, state, above, memo)
    value = min(value, known.high)
    memo[state] = ValueBounds(value if value > above else known.low, value)
    return value


def best_action(
    process: DecisionProcess[StateT, ActionT], state: StateT, above: float, memo: Memo
) -> tuple[float, ActionT | None]:
    """The value of a state and an optimal action; (`above`, None) if the value is not above it."""
    table = process.expand(state)
    best, chosen = above, None
    for index in np.argsort(-table.highs, kind="stable"):
        if table.highs[index] <= best:
            break
        action: ActionT = table.actions[index]
        value = _action_value(process, state, action, best, memo)
        if value > best:
            best, chosen = value, action
    return best, chosen


def _action_value(
    process: DecisionProcess[StateT, ActionT],
    state: StateT,
    action: ActionT,
    above: float,
    memo: Memo,
) -> float:
    """The value of an action: exact if it exceeds `above`, otherwise an upper bound <= `above`."""
    followed = process.bounded_outcomes(state, action, above)
    total = followed.high
    if followed.open is None:
        return min(total, above)
    terms = [probability * high for probability, _, high in followed.open]
    for index, (probability, below, _) in enumerate(followed.open):
        if total <= above:
            break
        others = followed.settled + sum(terms[:index]) + sum(terms[index + 1 :])
        value = value_of(process, below, (above - others) / probability, memo)
        if value == -math.inf:
            return -math.inf
        terms[index] = probability * value
        total = others + terms[index]
    return total

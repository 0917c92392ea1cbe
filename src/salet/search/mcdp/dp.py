"""Dynamic programming in plain Python: exact values of any problem, by branch and bound.

Contract: the value of a state if it is below beta, otherwise at least beta (the infinite cost where
nothing can be done). Every state is valued once for a window that is as wide or narrower; bounds
that were found stay known in `memo`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from salet.search.mcdp.problem import Number, Problem, Span, State

Memo = dict[Hashable, Span]


def solve(problem: Problem[State], state: State, beta: Number, memo: Memo) -> Number:
    """The value of a state; `memo` is filled with the bounds of all states met."""
    key = problem.key(state)
    known = memo.get(key)
    if known is None:
        known = problem.bounds(state)
    if known.lower >= beta or known.lower + problem.tolerance >= known.upper:
        return known.lower
    value, _ = best(problem, state, beta, memo)
    upper = value if value < beta else known.upper
    memo[key] = Span(max(known.lower, value), max(known.lower, upper))
    return max(known.lower, value)


def best(
    problem: Problem[State], state: State, beta: Number, memo: Memo
) -> tuple[Number, Any | None]:
    """The value below beta and an action that reaches it; or a bound from beta on, and None."""
    actions = problem.expand(state, None)
    limit, chosen = beta, None
    for place in np.argsort(actions.lowers, kind="stable"):
        if actions.lowers[place] >= limit:
            break
        action = actions.ids[place].item()
        value = _value(problem, state, action, limit, memo)
        if value < limit:
            limit, chosen = value, action
    return min(limit, problem.infinite), chosen


def _value(problem: Problem[State], state: State, action: Any, limit: Number, memo: Memo) -> Number:
    """What an action costs, if less than the limit; otherwise the limit or more."""
    steps = problem.follow(state, action, 0)
    lowers = []
    for weight, child, lower in steps.children:
        known = memo.get(problem.key(child))
        lowers.append(weight * (lower if known is None else max(lower, known.lower)))
    total = steps.cost + sum(lowers) if steps.cost < problem.infinite else problem.infinite
    for place in sorted(range(len(lowers)), key=lambda i: problem.size(steps.children[i][1])):
        if total >= limit:
            break
        weight, child, _ = steps.children[place]
        if lowers[place] == -problem.infinite:  # nothing is known yet, and inf - inf is no number
            others = steps.cost + sum(lowers[:place] + lowers[place + 1 :])
        else:
            others = total - lowers[place]
        spare = limit - others
        value = solve(problem, child, spare if weight == 1 else spare / weight, memo)
        lowers[place] = weight * value
        total = others + lowers[place] if value < problem.infinite else problem.infinite
    return total

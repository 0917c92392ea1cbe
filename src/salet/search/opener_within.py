"""Bound an opener within a tolerance, which takes less time than its exact total.

Most of the time of an exact total goes into the proof that no guess is better in the largest
groups. That no guess is *much* better is shown sooner, and one or two promising guesses, valued
exactly, make a plan that is nearly optimal.
"""

from __future__ import annotations

import numpy as np

from salet.game.state import State
from salet.search.budget import Clock
from salet.search.splits import splits
from salet.search.value import INF, Evaluator, SearchInterruptedError

MAX_EXACT = 100
"""Largest group that is always valued exactly."""
_PLANS = 2
"""Guesses whose exact total is compared for a plan of a group."""
_MAX_TRIED = 400
"""Guesses that are tried for these, since in hard mode many keep no cap."""


def opener_within(
    evaluator: Evaluator, state: State, opener: int, tolerance: float, clock: Clock | None = None
) -> tuple[int, int]:
    """Bounds on the total of an opener that finds every answer: lower <= total <= upper.

    `upper` is the total of a plan, and at most `1 + tolerance` times `lower`; both are INF if no
    plan keeps within the cap. Raises SearchInterruptedError when the clock expires.
    """
    groups = state.groups(opener)
    groups.pop(state.game.win, None)
    # 1. Small groups exactly: where the cap cannot be kept, that shows it soonest. For each large
    #    one the total of a plan.
    settled, large = state.weight, []
    for group in sorted(groups.values(), key=lambda group: len(group.candidates)):
        if clock is not None and clock.expired():
            raise SearchInterruptedError
        if len(group.candidates) <= MAX_EXACT:
            total = evaluator.total(group, clock=clock)
            settled += total
        else:
            total = _plan_total(evaluator, group, clock)
            large.append((group, total))
        if total >= INF:
            return INF, INF
    # 2. Show that no plan is much better. The largest groups take longest, so they get most of the
    #    tolerance, and what the others leave of theirs.
    lower = upper = settled
    rate = tolerance / (1 + tolerance)
    slack = rate * (settled + sum(total for _, total in large))
    shares = np.array([float(len(group.candidates)) ** 2 for group, _ in large])
    for at, (group, total) in enumerate(large):
        beta = total - int(slack * shares[at] / shares[at:].sum())
        found = evaluator.total(group, beta=beta, clock=clock)
        low, high = (found, found) if found < beta else (min(found, total), total)
        lower, upper = lower + low, upper + high
        slack -= high - low + rate * (total - high)
    return lower, upper


def _plan_total(evaluator: Evaluator, state: State, clock: Clock | None) -> int:
    """The total of a good plan of a state; INF if no plan keeps within the cap."""
    shape = splits(state)
    best, found = INF, 0
    for at in np.lexsort((shape.squares, shape.guess_bounds))[:_MAX_TRIED]:
        guess = int(shape.guesses[at])
        best = min(best, evaluator.total(state, guess, beta=best, clock=clock))
        found += best < INF
        if found == _PLANS:
            return best
    return best if found else evaluator.total(state, clock=clock)

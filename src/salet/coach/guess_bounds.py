"""Groups and a lower bound of every legal guess of a state, before any search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from salet.array_types import Indices, Ints
from salet.game.state import State
from salet.search.splits import splits
from salet.search.value import Cost


@dataclass(frozen=True, eq=False)
class GuessBounds:
    """Arrays over the legal guesses, most promising first."""

    guesses: Indices
    groups: Ints
    largest: Ints
    own_weights: Ints
    """the weight of the guess itself, if it can be the answer"""
    losses: Ints
    totals: Ints
    """(losses, totals) is a lower bound on the cost of each guess"""
    exact: bool
    """whether the bound is the cost itself, as with at most two guesses left"""
    index: Indices
    """[guess]: its position in these arrays, for legal guesses"""
    informative: Indices
    """the guesses, most information first"""

    def lower(self, guess: int) -> Cost:
        """The lower bound on the cost of any plan that begins with this guess."""
        at = self.index[guess]
        return Cost(int(self.losses[at]), int(self.totals[at]))

    def below(self, cost: Cost | None) -> list[int]:
        """The guesses that may cost less than `cost`; all of them if it is None."""
        if cost is None:
            return [int(guess) for guess in self.guesses]
        fewer = (self.losses == cost.losses) & (self.totals < cost.guesses)
        return [int(guess) for guess in self.guesses[fewer | (self.losses < cost.losses)]]

    @property
    def min_lower(self) -> Cost:
        """The lower bound on the cost of any plan."""
        best = np.lexsort((self.totals, self.losses))[0]
        return Cost(int(self.losses[best]), int(self.totals[best]))


def bound_guesses(state: State, likelihood: Ints) -> GuessBounds:
    """Bound every legal guess of a state; `likelihood` breaks ties in the order.

    Let W be the weight of the answers, w that of the guess (0 if it cannot be the answer) and m the
    sum over its groups of the largest weight in each. With three or more guesses left, the guess
    costs at least 3W - w - m; with two, it takes 2W - w guesses and loses W - m; with one, it takes
    W and loses W - w [exact/bounds.py, guess bound and two guesses left].
    """
    found = splits(state)
    weight, left = state.weight, state.guesses_left
    losses = np.zeros(len(found.guesses), np.int64)
    if left is None or left > 2:
        totals = found.guess_bounds
    elif left == 2:
        losses, totals = weight - found.max_weights, 2 * weight - found.own_weights
    else:
        losses, totals = weight - found.own_weights, losses + weight
    # Of equal bounds, more even groups are more promising: they have a smaller sum of squares.
    looks = totals * found.answers + 2 * found.squares * weight // found.answers
    order = np.lexsort(
        (found.guesses, -likelihood[found.guesses], ~found.is_candidate, looks, losses)
    )
    guesses = found.guesses[order]
    index = np.zeros(guesses.max() + 1, np.int32)
    index[guesses] = np.arange(len(guesses))
    return GuessBounds(
        guesses=guesses,
        groups=found.parts[order],
        largest=found.largest[order],
        own_weights=found.own_weights[order],
        losses=losses[order],
        totals=totals[order],
        exact=left is not None and left <= 2,
        index=index,
        informative=found.guesses[np.argsort(found.n_log_n, kind="stable")],
    )

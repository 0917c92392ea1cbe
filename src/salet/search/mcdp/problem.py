"""What MCDP asks of a problem: costs to be made as small as possible, with bounds.

The value of a state is the least cost from it to the end. An action costs something at once and
leads to states with weights; its value is

    cost + sum over next states of weight * value

In a guess game the cost of a guess is the number (weight) of answers still possible, the weights
are 1 and values are totals over answers: whole numbers, so bounds meet exactly. In a decision
process weights are probabilities.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats

State = TypeVar("State")

Number = Any
"""int in guess games, float in other processes"""


class Span(NamedTuple):
    """lower <= value <= upper, both proven; the upper by a plan that the problem can name."""

    lower: Number
    upper: Number


@dataclass
class Actions:
    """What can be done in a state, by score, best first."""

    ids: NDArray[Any]
    scores: Floats | None
    """how promising an action looks; never changes, so it can be made again where it is not
    remembered"""
    lowers: NDArray[Any]
    """no plan that begins with the action costs less; only ever rises"""
    inherit: NDArray[Any] | None = None
    """the actions that the states below need to look at; None: all"""

    @property
    def nbytes(self) -> int:
        arrays = (self.ids, self.scores, self.lowers, self.inherit)
        return sum(array.nbytes for array in arrays if array is not None)

    def keep(self, mask: NDArray[np.bool_]) -> None:
        """Forget all others."""
        self.ids, self.lowers = self.ids[mask], self.lowers[mask]
        if self.scores is not None:
            self.scores = self.scores[mask]

    def find(self, action: Any, lower: Number) -> int:
        """The place of an action, which is added if it was left out."""
        places = np.flatnonzero(self.ids == action)
        if len(places):
            return int(places[0])
        self.ids = np.append(self.ids, np.array([action], self.ids.dtype))
        self.lowers = np.append(self.lowers, np.array([lower], self.lowers.dtype))
        if self.scores is not None:
            self.scores = np.append(self.scores, 0.0)
        return len(self.ids) - 1


class Steps(NamedTuple):
    """What follows an action: `cost` at once, and the states that still have to be valued."""

    cost: Number
    """with the values of next states that need no search"""
    children: list[tuple[Number, Any, Number]]
    """(weight, state, lower bound of its value)"""


class Problem(Protocol[State]):
    """A problem as MCDP sees it. Everything is a pure function of its arguments, and threads ask at
    once."""

    infinite: Number
    """the cost of what cannot be done"""
    tolerance: float
    """values this close are equal: 0 for whole numbers"""
    nbytes: int
    """memory that the problem itself needs"""

    def start(self) -> State: ...

    def key(self, state: State) -> Hashable:
        """States of equal keys have the same future."""

    def size(self, state: State) -> int:
        """How many answers it has: how likely a game is to come here."""

    def footprint(self, state: State) -> int:
        """Bytes that remembering the state takes."""

    def bounds(self, state: State) -> Span:
        """What can be said at once."""

    def reach(self, state: State) -> Number:
        """A finite guess at the open gap where `bounds` leaves it infinite."""

    def look(self, state: State) -> Span:
        """Better bounds for one look at all actions."""

    def is_small(self, state: State, threshold: int) -> bool:
        """Is it to be solved by dynamic programming?"""

    def solve(self, state: State, beta: Number) -> Span:
        """Dynamic programming: the value if that is below beta, otherwise (beta, infinite)."""

    def expand(self, state: State, among: NDArray[Any] | None) -> Actions:
        """All actions worth a try, at least one in every state that has one; `among`: what the
        state before passed on."""

    def follow(self, state: State, action: Any, limit: Number) -> Steps:
        """What follows an action. Good lower bounds are worth some effort as long as those of the
        children do not bring the action to the limit."""

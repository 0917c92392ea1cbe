"""The bounds on guesses that one question to the coach has found so far, and their ranking."""

from __future__ import annotations

from typing import Any, NamedTuple

from salet.array_types import Ints
from salet.coach.advice import Suggestion
from salet.game.state import State
from salet.search.value import Bounds, Cost

_UNKNOWN = 10**6


class KnownGuess(NamedTuple):
    """Bounds and groups of a guess."""

    bounds: Bounds
    worst: int | None
    """maximum guesses over all answers; None while unknown, or if an answer is lost"""
    groups: int
    largest: int
    own_weight: int
    """the weight of the guess itself, if it can be the answer"""


class KnownGuesses(dict[int, KnownGuess]):
    """The guesses of a position whose bounds are known, by index."""

    def __init__(self, state: State, likelihood: Ints) -> None:
        super().__init__()
        self.depth: int | None = None
        """objective `worst`: the smallest number of guesses that always suffices, once known"""
        self.example: int | None = None
        """a guess that shows the value of the position, listed only until the list is complete"""
        self._state, self._likelihood = state, likelihood

    def ranking(self) -> list[int]:
        """All known guesses, best first."""
        return sorted(self, key=self._rank)

    def _rank(self, guess: int) -> tuple[Any, ...]:
        """Sort key: cost, then worst case, then possible answers first, then likelihood.

        With objective `worst` the worst case comes before the number of guesses.
        """
        known = self[guess]
        upper = known.bounds.upper
        worst = _UNKNOWN if known.worst is None else known.worst
        first = (upper.losses, worst) if self.depth is not None else ()
        likelihood = int(self._likelihood[guess])
        others = (not known.bounds.exact, worst, not known.own_weight, -likelihood, guess)
        return (*first, upper, *others)

    def min_upper(self) -> Cost | None:
        """The minimum cost of a known plan that the objective allows; None if there is none."""
        return min(
            (known.bounds.upper for known in self.values() if self._fits(known)), default=None
        )

    def last_listed(self, count: int) -> Cost | None:
        """The cost of the last guess in a list of `count` exact ones; None if there are fewer."""
        exact = sorted(
            known.bounds.upper
            for guess, known in self.items()
            if guess != self.example and known.bounds.exact and self._fits(known)
        )
        return exact[count - 1] if len(exact) >= count else None

    def _fits(self, known: KnownGuess) -> bool:
        return self.depth is None or known.worst == self.depth

    def suggestion(self, guess: int) -> Suggestion:
        """A known guess in the form of the public API."""
        known, weight = self[guess], self._state.weight
        lower, upper = known.bounds.lower, known.bounds.upper
        return Suggestion(
            guess=self._state.game.guesses[guess],
            expected=upper.guesses / weight,
            lower=min(lower.guesses, upper.guesses) / weight,
            upper=upper.guesses / weight,
            proven=known.bounds.exact,
            losses=upper.losses / weight,
            groups=known.groups,
            largest=known.largest,
            win=known.own_weight / weight,
            worst=known.worst,
            candidate=known.own_weight > 0,
        )

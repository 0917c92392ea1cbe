"""Value a position together with one guess in it, with bounds that become tighter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from salet.coach.advice import Suggestion
from salet.coach.adviser import Adviser
from salet.coach.coach import AdviceOptions
from salet.coach.position import Position
from salet.coach.verdicts import Deficit, Luck, behind, luck_of
from salet.search.budget import Clock
from salet.search.value import Bounds, Cost

LISTED = 2
"""Number of other guesses that are bounded for comparison."""


@dataclass(frozen=True)
class Appraisal:
    """The costs of a position and of one guess in it."""

    cost: Cost
    """cost of the best known guess"""
    best: int
    """best guess; the given one if it is as good"""
    best_row: Suggestion
    guess_cost: Cost
    guess_row: Suggestion
    """the given guess; the best one if none was given"""
    behind: Deficit
    """how far the guess is behind the best"""
    proven: bool
    """whether both costs are exact"""


class Appraiser:
    """Values a position, and a guess in it if one is given."""

    def __init__(
        self,
        position: Position,
        guess: int | None,
        clock: Clock,
        options: AdviceOptions | None = None,
    ) -> None:
        words = position.state.game.guesses
        options = options or AdviceOptions(
            count=LISTED, consider=() if guess is None else (words[guess],)
        )
        self.state, self.guess = position.state, guess
        self.adviser = Adviser(position, options, clock)
        self._advice = self.adviser.advise()
        for _ in self._advice:  # until the guess has bounds
            if guess is None or guess in self.adviser.known:
                break

    def tighten(self) -> Iterator[None]:
        """Search until position and guess are exact or time is up; yield at each improvement."""
        if self.adviser.is_settled():
            return
        for _ in self._advice:
            yield
            if self.adviser.is_settled():
                return

    def settle(self) -> Appraisal:
        """Run `tighten` to its end and return the result."""
        for _ in self.tighten():
            pass
        return self.appraisal()

    def appraisal(self) -> Appraisal:
        """The costs known so far."""
        adviser, known = self.adviser, self.adviser.known
        best = known.ranking()[0]
        cost = known[best].bounds.upper
        guess = best if self.guess is None else self.guess
        bounds = known[guess].bounds
        if bounds.upper == cost:
            best = guess
        proven = adviser.is_settled()
        lower = cost if proven else min(adviser.lower, cost)
        return Appraisal(
            cost=cost,
            best=best,
            best_row=known.suggestion(best),
            guess_cost=bounds.upper,
            guess_row=known.suggestion(guess),
            behind=behind(bounds, Bounds(lower, cost), self.state.weight, self.state.game.cap),
            proven=proven,
        )

    def luck(self, pattern: int) -> Luck:
        """How lucky the feedback `pattern` (an id) to the guess was."""
        assert self.guess is not None
        return luck_of(self.adviser.valuation.outcomes(self.state, self.guess), pattern)


def appraise(position: Position, guess: int | None, clock: Clock) -> Appraisal:
    """The costs of a position and a guess in it, as tight as the clock allows."""
    return Appraiser(position, guess, clock).settle()

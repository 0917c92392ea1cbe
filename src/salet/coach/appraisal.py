"""A position of a game and the guess made in it, known ever better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from salet.coach.advice import Suggestion
from salet.coach.adviser import Adviser
from salet.coach.coach import AdviceOptions
from salet.coach.position import Position
from salet.coach.verdicts import Behind, Luck, behind, luck_of
from salet.search.value import Bounds, Clock, Cost

LISTED = 2
"""Guesses that are bounded besides the one made."""


@dataclass(frozen=True)
class Appraisal:
    """What a position and one guess in it cost."""

    cost: Cost
    """of the best guess known"""
    best: int
    """the guess that was asked about, where it is as good"""
    best_row: Suggestion
    guess_cost: Cost
    guess_row: Suggestion
    """the guess that was asked about; the best, if none was"""
    behind: Behind
    """how far the guess is behind the best"""
    proven: bool
    """are both exact?"""


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
        for _ in self._advice:  # until something is known of the guess
            if guess is None or guess in self.adviser.known:
                break

    def tighten(self) -> Iterator[None]:
        """Search until the position and the guess are exact or time is over; yields whenever more
        is known."""
        if self.adviser.is_settled():
            return
        for _ in self._advice:
            yield
            if self.adviser.is_settled():
                return

    def settle(self) -> Appraisal:
        """All that can be found out in time."""
        for _ in self.tighten():
            pass
        return self.appraisal()

    def appraisal(self) -> Appraisal:
        """What is known now."""
        adviser = self.adviser
        best = adviser.ranking()[0]
        cost = adviser.known[best].bounds.upper
        guess = best if self.guess is None else self.guess
        bounds = adviser.known[guess].bounds
        if bounds.upper == cost:
            best = guess
        proven = adviser.is_settled()
        lower = cost if proven else min(adviser.lower, cost)
        return Appraisal(
            cost=cost,
            best=best,
            best_row=adviser.suggestion(best),
            guess_cost=bounds.upper,
            guess_row=adviser.suggestion(guess),
            behind=behind(bounds, Bounds(lower, cost), self.state.weight, self.state.game.cap),
            proven=proven,
        )

    def luck(self, pattern: int) -> Luck:
        """How lucky the feedback `pattern` to the guess was."""
        assert self.guess is not None
        return luck_of(self.adviser.valuation.outcomes(self.state, self.guess), pattern)


def appraise(position: Position, guess: int | None, clock: Clock) -> Appraisal:
    """What a position and a guess in it cost, as well as the clock allows."""
    return Appraiser(position, guess, clock).settle()

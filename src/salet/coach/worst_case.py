"""The worst case first: the question of `salet.coach.question` under another order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from salet.coach.advice import Advice
from salet.coach.question import UNKNOWN, Known, Question
from salet.coach.worth import Worth, weight_of


class WorstCase(Question):
    """Fewest guesses in the worst case, then in the mean: a question under the least cap that can
    be kept. Where even the game's own cap cannot, the pair is what counts, as always."""

    least: int | None = None
    """guesses from here that always suffice, and no fewer do; None until it is known"""

    def _from_store(self) -> bool:
        return False

    def _from_plan(self) -> bool:
        return False

    def _settle(self, count: int | None = None) -> Iterator[Advice]:
        if self.least is None:
            self._find_least()
        yield from super()._settle(count)

    def _find_least(self) -> None:
        n = len(self.state.candidates)
        left = self.state.guesses_left
        for more in range(1, n + 1 if left is None else min(n, left) + 1):
            keeps = self.worths.keeps(self.state, self.state.turn + more)
            if keeps is None:
                return
            if keeps:
                self.least = more
                return

    def _try(self, guess: int, most: Worth | None = None) -> bool:
        """The least number of guesses that always suffices after it, and its worth under that."""
        if self.least is None:
            return super()._try(guess, most)
        turn, left = self.state.turn, self.state.guesses_left
        end = len(self.state.candidates) + 1 if left is None else left
        for more in range(self.least, end + 1):
            found = self.worths.of_guess(self.state, guess, cap=turn + more, most=most)
            if not found.exact or (most is not None and found.upper > most):
                return False
            if found.upper.losses == 0 or more == end:
                self._learn(guess, found, None if found.upper.losses else more)
                return True
        return False

    def _prove(self) -> Iterator[Advice]:
        if self.least is None:
            yield from super()._prove()
            return
        kept = [known.between.upper.guesses for known in self._kept()]
        high = min(kept, default=self.least * weight_of(self.state))
        self.lower = self.look.least
        yield from self._close(high, self.state.turn + self.least)
        if not kept or self.lower.guesses < high:
            for guess in map(int, self.look.guesses):
                if self.clock.over() or self._try(guess, self.lower):
                    return

    def _kept(self) -> list[Known]:
        """The guesses known to keep the least cap."""
        return [
            known
            for known in self.known.values()
            if known.worst == self.least and known.between.exact
        ]

    def _last(self) -> Worth | None:
        if self.least is None:
            return super()._last()
        kept = sorted(known.between.upper for known in self._kept())
        return kept[self.wishes.count - 1] if len(kept) >= self.wishes.count else None

    def _rank(self, guess: int) -> tuple[Any, ...]:
        known = self.known[guess]
        worst = UNKNOWN if known.worst is None else known.worst
        return (known.between.upper.losses, worst, *super()._rank(guess))

    def _is_proven(self, known: Known) -> bool:
        if self.least is None:
            return super()._is_proven(known)
        return known.worst == self.least and super()._is_proven(known)

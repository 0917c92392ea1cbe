"""Advice against the adversary: how many guesses it takes to force a win after each guess.

Nothing is random here, so `expected`, `worst` and both bounds count guesses to come. The guesses
that leave the host the smallest group are listed first, with bounds; iterative deepening then
proves the shortest win.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from salet.coach.advice import Advice, Suggestion
from salet.coach.coach import AdviceOptions
from salet.coach.likelihood import likely_first
from salet.coach.position import Position
from salet.game.hosts import adversary_pattern
from salet.search.adversary import ForcingSearch, min_guesses
from salet.search.budget import Clock
from salet.search.splits import splits
from salet.search.value import SearchInterruptedError


class AdversaryAdviser:
    """Answers one question about a position; holds the bounds found so far."""

    def __init__(self, position: Position, options: AdviceOptions, clock: Clock) -> None:
        self.position, self.options, self.clock = position, options, clock
        self.state = position.state
        self.game = self.state.game
        self._search = ForcingSearch(self.game, clock)
        self._upper: dict[int, int] = {}
        self._lower: dict[int, int] = {}
        self._proven_lower = min_guesses(self.state)

    def advise(self) -> Iterator[Advice]:
        """Yield advice at once, then ever tighter, until it is proven or time is up."""
        self._list_guesses()
        yield self._advice()
        try:
            while self._proven_lower < min(self._upper.values()):
                line = self._search.line(self.state, self._proven_lower)
                if line is None:
                    self._proven_lower += 1
                else:
                    self._add(line[0], self._proven_lower, self._proven_lower)
                yield self._advice()
            for guess in list(self._upper):
                while self._lower[guess] < self._upper[guess]:
                    depth = max(self._lower[guess], self._proven_lower)
                    if self._search.can_force(self.state, depth, guess):
                        self._upper[guess] = depth
                    self._lower[guess] = min(depth + 1, self._upper[guess])
            yield self._advice()
        except SearchInterruptedError:
            yield self._advice()

    @functools.cached_property
    def _splits(self) -> dict[int, tuple[int, int, bool]]:
        found = splits(self.state)
        rows = zip(found.parts, found.largest, found.is_candidate, strict=True)
        return {
            int(guess): (int(parts), int(largest), bool(is_candidate))
            for guess, (parts, largest, is_candidate) in zip(found.guesses, rows, strict=True)
        }

    def _list_guesses(self) -> None:
        """Bound the guesses that leave the smallest groups, and those in `options.consider`."""
        order = sorted(self._splits, key=lambda g: (self._splits[g][1], not self._splits[g][2], g))
        asked = [self.game.index(word) for word in self.options.consider]
        for guess in dict.fromkeys([*order[: self.options.count], *asked]):
            after = self.state.after(guess, adversary_pattern(self.state, guess))
            rest = [] if after.won else self._search.greedy_line(after)
            self._add(guess, 1 + min_guesses(after), 1 + len(rest))

    def _add(self, guess: int, lower: int, upper: int) -> None:
        self._lower[guess] = max(lower, self._lower.get(guess, 0))
        self._upper[guess] = min(upper, self._upper.get(guess, upper))

    def _advice(self) -> Advice:
        game, state = self.game, self.state
        rows = sorted(
            map(self._suggestion, self._upper), key=lambda row: (row.upper, row.lower, row.largest)
        )
        best = rows[0]
        likely = likely_first(state.candidates, self.position.coach.likelihood)
        proven = best.upper <= self._proven_lower
        kept = "is the only word left" if best.win else f"leaves the host {best.largest} of them"
        way = "proven" if proven else f"at least {self._proven_lower}"
        notes = ["the host has no answer: it keeps the largest group"]
        if state.guesses_left is not None and self._proven_lower > state.guesses_left:
            notes.append(f"the cap of {game.cap} cannot be kept")
        return Advice(
            game=game.name,
            mode=game.mode,
            cap=game.cap,
            objective=self.options.objective,
            weights="equal",
            turn=state.turn,
            remaining=len(state.candidates),
            words=[game.guesses[index] for index in likely],
            outside=self.position.outside,
            guess=best.guess,
            expected=best.upper,
            lower=float(self._proven_lower),
            upper=best.upper,
            proven=proven,
            losses=0.0,
            complete=all(row.proven for row in rows),
            explanation=f"{best.guess} {kept}; {int(best.upper)} more in all ({way})",
            notes=notes,
            traps=[],
            suggestions=rows[: self.options.count + len(self.options.consider)],
            seconds=round(self.clock.seconds, 3),
        )

    def _suggestion(self, guess: int) -> Suggestion:
        parts, largest, is_candidate = self._splits[guess]
        lower = min(max(self._lower[guess], self._proven_lower), self._upper[guess])
        alone = len(self.state.candidates) == 1 and is_candidate
        return Suggestion(
            guess=self.game.guesses[guess],
            expected=float(self._upper[guess]),
            lower=float(lower),
            upper=float(self._upper[guess]),
            proven=lower == self._upper[guess],
            losses=0.0,
            groups=parts,
            largest=largest,
            win=float(alone),
            worst=self._upper[guess],
            candidate=is_candidate,
        )

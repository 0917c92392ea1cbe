"""One question to the coach: what is known so far, and how more is found out.

1. A position of the shipped plan, or a first guess that is stored, is answered from there.
2. Every legal guess is bounded by its groups; the best looking are listed, each between bounds.
3. The first of them become exact.
4. The gap between the bounds of the position closes: the best guess is proven.
5. All listed guesses become exact.
6. Every guess whose bound is not above the last of the list is tried: the list is complete.

Whenever something new is known, new advice is handed out. It ends when all is known, when time is
over, or when it is told to stop.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from salet.coach import explain
from salet.coach.advice import Advice, Suggestion, Trap
from salet.coach.coach import planned_worth
from salet.coach.likely import likely_first
from salet.coach.outlook import outlook
from salet.coach.position import OUTSIDE, Position
from salet.coach.traps import traps_of
from salet.coach.worth import Between, Clock, Worth, Worths, weight_of

if TYPE_CHECKING:
    from salet.coach.suggest import Wishes

PAUSE = 0.08
"""seconds between two pieces of advice at least"""
WHOLE_GAME = 1000
"""with so many answers the best guess takes minutes to prove: not tried"""
FIRST = 3
"""guesses that become exact before the best is proven"""
UNKNOWN = 10**6


@dataclass(frozen=True)
class Appraisal:
    """What a position and one guess in it are worth, for whoever looks back on a game."""

    worth: Worth
    """of the best guess known"""
    best: int
    """the guess that was asked about, where it is as good"""
    first: Suggestion
    of_guess: Worth
    guess: Suggestion
    """the guess that was asked about; the best, if none was"""
    proven: bool
    """are both exact?"""


class Known(NamedTuple):
    """What is known of a guess."""

    between: Between
    worst: int | None
    groups: int
    largest: int
    chance: int
    """the weight of the guess itself, if it can be the answer"""


class Question:
    """One question: what is known so far, and how more is found out."""

    def __init__(self, position: Position, wishes: Wishes, clock: Clock) -> None:
        self.position, self.wishes, self.clock = position, wishes, clock
        self.coach, self.state = position.coach, position.state
        self.game = self.state.game
        self.asked = [self.game.index(word) for word in wishes.consider]
        self.known: dict[int, Known] = {}
        self.lower = Worth(0, 0)
        """no plan of the position is better"""
        self.complete = False
        self._told = -PAUSE
        likely = likely_first(self.state.candidates, self.coach.likely)
        self._words = [self.game.guesses[place] for place in likely]
        self._traps: list[Trap] = []
        self._settled: set[int] = set()
        """guesses that were searched (a plan's guess may have a better worst case than the plan)"""

    # ---- the six steps

    def answer(self) -> Iterator[Advice]:
        if self._from_store():
            yield self._advice()
            yield from self._weigh_others()
            if len(self.known) >= self.wishes.count:
                return
        self._look()
        if self._from_plan():
            yield self._advice()
        yield from self._list()
        yield from self._settle(FIRST)
        if len(self.state.candidates) < WHOLE_GAME:
            yield from self._prove()
            yield from self._settle()
            yield from self._finish()
        else:
            yield from self._settle()
        yield self._advice()

    def _from_store(self) -> bool:
        """The first guess of a game whose openers are stored: nothing needs to be computed."""
        stored, plan = self.coach.openers, self.coach.plan
        if self.state.turn or stored is None:
            return False
        if plan is not None and stored.find(plan.root.guess) is None:
            return False
        self.lower = self._proven_total() or Worth(0, stored.lower)
        for opener in stored.openers:
            guess = self.game.index(opener.guess)
            exact = Between(opener.worth, opener.worth)
            is_answer = int(guess < self.game.answer_count)
            self.known[guess] = Known(exact, opener.worst, opener.groups, opener.largest, is_answer)
        self._settled.update(self.known)
        return True

    def _weigh_others(self) -> Iterator[Advice]:
        """First guesses that were asked for and are not stored."""
        others = [guess for guess in self.asked if guess not in self.known]
        if others:
            self._look()
        for guess in others:
            self._learn(guess, self._bounds(guess))
            yield self._advice()
            self._try(guess)
            yield self._advice()

    def _proven_total(self) -> Worth | None:
        """The worth of the whole game, if a shipped plan proves it."""
        plan = self.coach.plan
        if plan is None or not plan.facts.get("proven"):
            return None
        return Worth(0, int(plan.facts["total"]))

    def _look(self) -> None:
        """Bounds by groups, for every guess."""
        self.look = outlook(self.state, self.coach.likely)
        self.lower = max(self.lower, self.look.least)
        self._traps = traps_of(self.state, self.coach.likely)

    @functools.cached_property
    def worths(self) -> Worths:
        """Made when it is needed: a position of a plan is answered without a search."""
        return Worths(self.coach.engines, self.clock)

    def _from_plan(self) -> bool:
        node = self.coach.planned(self.state)
        if node is None:
            return False
        worth, worst = planned_worth(node, self.state)
        guess = self.game.index(node.guess)
        if self._proven_total() is None:
            self._learn(guess, Between(self.look.lower(guess), worth), worst)
        else:
            self.lower = worth  # every part of a plan that is best is best itself
            self._learn(guess, Between(worth, worth), worst)
        return True

    def _list(self) -> Iterator[Advice]:
        """Bounds for the best looking guesses."""
        best_looking = [int(guess) for guess in self.look.guesses[: self.wishes.count]]
        for guess in dict.fromkeys([*self.asked, *best_looking]):
            if guess not in self.known:
                self._learn(guess, self._bounds(guess))
                if self._due():
                    yield self._advice()
        yield self._advice()

    def _bounds(self, guess: int) -> Between:
        least = self.look.lower(guess)
        if self.look.exact:
            return Between(least, least)
        found = self.worths.of_guess(self.state, guess, quick=True)
        return Between(max(found.lower, least), found.upper)

    def _settle(self, count: int | None = None) -> Iterator[Advice]:
        """Exact values for what is listed, best first."""
        for guess in self._ranking()[:count]:
            if guess not in self._settled:
                self._try(guess)
                self._settled.add(guess)
            if self.clock.over():
                return
            if self._due():
                yield self._advice()

    def _prove(self) -> Iterator[Advice]:
        """Close the gap between the bounds of the position, then find a guess that reaches it."""
        best = self.known[self._ranking()[0]].between.upper
        if best.losses == 0:
            yield from self._close(best.guesses)
        elif best > self.lower:
            self.lower = self.worths.exact(self.state) or self.lower
        if self.lower < best:
            for guess in map(int, self.look.guesses):
                if self.clock.over() or self._try(guess, self.lower):
                    return

    def _close(self, high: int, cap: int | None = None) -> Iterator[Advice]:
        low = self.lower.guesses
        while low < high and not self.clock.over():
            closer = self.worths.closes(self.state, low, high, cap)
            if closer is None:
                return
            low, high = closer
            self.lower = Worth(0, low)
            if self._due():
                yield self._advice()

    def _finish(self) -> Iterator[Advice]:
        """Try every guess that may belong in the list."""
        last = self._last()
        for guess in self.look.below(last):
            if self.clock.over():
                return
            if guess in self.known or (last is not None and self.look.lower(guess) >= last):
                continue
            if self._try(guess, last):
                last = self._last()
            if self._due():
                yield self._advice()
        listed = self._ranking()[: self.wishes.count]
        self.complete = all(self.known[guess].between.exact for guess in listed)

    def _last(self) -> Worth | None:
        """The worth of the last guess of a full list."""
        exact = sorted(known.between.upper for known in self.known.values() if known.between.exact)
        return exact[self.wishes.count - 1] if len(exact) >= self.wishes.count else None

    # ---- one guess

    def _try(self, guess: int, most: Worth | None = None) -> bool:
        """Find a guess's worth, unless it is above `most`; says whether it is known now."""
        found = self.worths.of_guess(self.state, guess, most=most)
        if most is not None and (not found.exact or found.upper > most):
            return False
        worst = self.worths.worst_of_guess(self.state, guess) if found.exact else None
        if guess in self.known:
            before = self.known[guess]
            lower, upper = before.between.lower, before.between.upper
            found = Between(max(found.lower, lower), min(found.upper, upper))
            worst = before.worst if worst is None else worst
        self._learn(guess, found, worst)
        return True

    def _learn(self, guess: int, between: Between, worst: int | None = None) -> None:
        look = self.look
        at = look.place[guess]
        self.known[guess] = Known(
            between, worst, int(look.groups[at]), int(look.largest[at]), int(look.chance[at])
        )

    # ---- what is told

    def is_settled(self) -> bool:
        """Is the best guess proven, and what was asked about exact?"""
        ranking = self._ranking()
        asked = all(guess in self.known and self.known[guess].between.exact for guess in self.asked)
        return asked and self._is_proven(self.known[ranking[0]])

    def appraisal(self) -> Appraisal:
        best = self._ranking()[0]
        worth = self.known[best].between.upper
        guess = self.asked[0] if self.asked else best
        if self.known[guess].between.upper == worth:
            best = guess
        weight = weight_of(self.state)
        return Appraisal(
            worth,
            best,
            self._suggestion(best, weight),
            self.known[guess].between.upper,
            self._suggestion(guess, weight),
            self.is_settled(),
        )

    def _rank(self, guess: int) -> tuple[Any, ...]:
        """Best first: worth, then the worst case, then what can be the answer, then likelihood."""
        known = self.known[guess]
        worst = UNKNOWN if known.worst is None else known.worst
        others = (not known.between.exact, worst, not known.chance, -int(self.coach.likely[guess]))
        return known.between.upper, *others, guess

    def _ranking(self) -> list[int]:
        return sorted(self.known, key=self._rank)

    def _due(self) -> bool:
        return self.clock.seconds - self._told >= PAUSE

    def _is_proven(self, known: Known) -> bool:
        return known.between.exact and known.between.upper <= self.lower

    def _advice(self) -> Advice:
        self._told = self.clock.seconds
        game, state = self.game, self.state
        weight = weight_of(state)
        ranking = self._ranking()
        listed = ranking[: self.wishes.count]
        listed += [guess for guess in self.asked if guess in self.known and guess not in listed]
        rows = [self._suggestion(guess, weight) for guess in listed]
        best, known = rows[0], self.known[ranking[0]]
        proven = self._is_proven(known)
        lower = min(self.lower.guesses / weight, best.upper)
        weighted = game.weights is not None
        words = len(self._words)
        return Advice(
            game=game.name.removesuffix(OUTSIDE),
            mode=game.mode,
            cap=game.cap,
            objective=self.wishes.objective,
            weights=self.coach.weighting,
            turn=state.turn,
            remaining=words,
            words=self._words,
            outside=self.position.outside,
            guess=best.guess,
            expected=best.expected,
            lower=best.expected if proven else lower,
            upper=best.upper,
            proven=proven,
            losses=best.losses,
            complete=self.complete,
            explanation=f"{best.guess.upper()} {explain.why(best, words, weighted)}; "
            f"{explain.worth(best, lower, proven)}",
            notes=explain.notes(self.position.outside, game, best, proven, words, self._traps),
            traps=self._traps,
            suggestions=rows,
            seconds=round(self.clock.seconds, 3),
        )

    def _suggestion(self, guess: int, weight: int) -> Suggestion:
        known = self.known[guess]
        lower, upper = known.between.lower, known.between.upper
        return Suggestion(
            guess=self.game.guesses[guess],
            expected=upper.guesses / weight,
            lower=min(lower.guesses, upper.guesses) / weight,
            upper=upper.guesses / weight,
            proven=known.between.exact,
            losses=upper.losses / weight,
            groups=known.groups,
            largest=known.largest,
            win=known.chance / weight,
            worst=known.worst,
            candidate=known.chance > 0,
        )

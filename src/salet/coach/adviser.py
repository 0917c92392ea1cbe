"""One question to the coach, answered by bounds that become tighter.

1. Positions of the shipped plan, and stored openers, are looked up.
2. Every legal guess is bounded by its groups; the most promising are listed, each with both bounds.
3. The gap between the bounds of the position is closed: the best guess is proven. That often takes
   a fraction of the time of valuing some good guess exactly.
4. All listed guesses are valued exactly.
5. Every guess whose lower bound is not above the last listed one is tried: the list is complete.

Each improvement yields new advice, until everything is exact, time is up, or it is cancelled.

Costs compare lost answers first: if the cap cannot be guaranteed, objective `mean` continues as
`win-then-mean`. Objective `worst` first finds the smallest number of guesses that always suffices,
then answers the same question with that number as the cap.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from salet.coach import explain
from salet.coach.advice import Advice, Suggestion, Trap
from salet.coach.coach import AdviceOptions, planned_cost
from salet.coach.guess_bounds import GuessBounds, bound_guesses
from salet.coach.likelihood import likely_first
from salet.coach.position import UNLISTED, Position
from salet.coach.traps import traps_of
from salet.coach.valuation import Valuation, candidate_cost_of_guess, intersection
from salet.search.budget import Clock
from salet.search.value import Bounds, Cost, SearchInterruptedError

MIN_PAUSE = 0.08
"""Minimum number of seconds between two pieces of advice."""
MAX_PROVEN = 1000
"""Largest position whose best guess is proven by search: larger ones take minutes."""
_UNKNOWN = 10**6
MAX_LISTED = 5000
"""In larger positions even the list of promising guesses takes seconds, and keeps to time."""


class KnownGuess(NamedTuple):
    """What is known about a guess."""

    bounds: Bounds
    worst: int | None
    """maximum guesses over all answers; None while unknown, or if an answer is lost"""
    groups: int
    largest: int
    own_weight: int
    """the weight of the guess itself, if it can be the answer"""


class Adviser:
    """Answers one question about a position; holds the bounds found so far."""

    def __init__(self, position: Position, options: AdviceOptions, clock: Clock) -> None:
        self.position, self.options, self.clock = position, options, clock
        self.coach, self.state = position.coach, position.state
        self.game = self.state.game
        self.is_large = len(self.state.candidates) > MAX_LISTED
        self.asked = [self.game.index(word) for word in options.consider]
        self.known: dict[int, KnownGuess] = {}
        self.lower = Cost(0, 0)
        """lower bound on the cost of the position"""
        self.depth: int | None = None
        """objective `worst`: the smallest number of guesses that always suffices, once known"""
        self.complete = False
        self._last_advice = -MIN_PAUSE
        likely = likely_first(self.state.candidates, self.coach.likelihood)
        self._words = [self.game.guesses[index] for index in likely]
        self._traps: list[Trap] = []
        self._settled: set[int] = set()
        """guesses that were searched (a plan's guess can have a better worst case than the plan)"""
        self._rough: set[int] = set()
        """guesses whose plan was found in a hurry"""
        self._example: int | None = None
        """a guess that shows the value of the position, and is listed only until the end"""

    # ---- the steps

    def advise(self) -> Iterator[Advice]:
        """Yield advice at once, then ever tighter."""
        if self._from_book():
            yield self._advice()
            yield from self._value_others()
            if len(self.known) >= self.options.count:
                return
        self.bound_all()
        if self._from_plan():
            yield self._advice()
        yield from self._list()
        if self.options.objective == "worst":
            self._limit_depth()
        is_small = len(self.state.candidates) < MAX_PROVEN
        if is_small:
            yield from self._prove()
        yield from self._settle()
        if is_small:
            yield from self._finish()
        yield self._advice()

    def _from_book(self) -> bool:
        """Take the values of openers from the table, if this is the first turn and there is one."""
        table, plan = self.coach.openers, self.coach.plan
        if self.state.turn or table is None or self.options.objective == "worst":
            return False
        valued = table.valued
        if plan is not None and all(plan.root.guess != opener.guess for opener, _ in valued):
            return False
        self.lower = self._proven_total() or Cost(0, table.lower)
        asked = set(self.asked)
        for rank, (opener, cost) in enumerate(valued):
            guess = self.game.index(opener.guess)
            if rank >= self.options.count and guess not in asked:
                continue
            exact = Bounds(cost, cost)
            is_answer = int(guess < self.game.answer_count)
            self.known[guess] = KnownGuess(
                exact, opener.worst, opener.groups, opener.largest, is_answer
            )
        self._settled.update(self.known)
        return True

    def _value_others(self) -> Iterator[Advice]:
        """Value the openers in `options.consider` that the table lacks."""
        others = [guess for guess in self.asked if guess not in self.known]
        if others:
            self.bound_all()
        for guess in others:
            quick, proven = self._quick_bounds(guess), self._table_bounds(guess)
            self._learn(guess, quick if proven is None else intersection(quick, proven))
            yield self._advice()
            yield from self._tighten(guess)
            yield self._advice()

    def _table_bounds(self, guess: int) -> Bounds | None:
        """The bounds of an opener in the table; None if it is not there."""
        table = self.coach.openers
        opener = None if table is None else table.find(self.game.guesses[guess])
        if opener is None:
            return None
        losses = 1 if opener.keeps_cap is False else 0
        weight = self.state.weight
        most = Cost(weight, weight * (self.game.cap or len(self.game.answers)))
        upper = most if opener.upper is None else Cost(0, opener.upper)
        return Bounds(Cost(losses, 0) if losses else Cost(0, opener.lower), upper)

    def _proven_total(self) -> Cost | None:
        """The optimal cost of the game if a shipped plan states it."""
        plan = self.coach.plan
        if plan is None or not plan.facts.get("proven"):
            return None
        return Cost(0, int(plan.facts["total"]))

    def bound_all(self) -> None:
        """Bound every guess by its groups."""
        self.lower = max(self.lower, self.guess_bounds.min_lower)
        self._traps = traps_of(self.state, self.coach.likelihood)

    @functools.cached_property
    def guess_bounds(self) -> GuessBounds:
        """Lower bounds on every legal guess, before any search."""
        return bound_guesses(self.state, self.coach.likelihood)

    @functools.cached_property
    def valuation(self) -> Valuation:
        """Values of states, created on first use: positions of a plan need no search."""
        return Valuation(self.coach.evaluator, self.clock, punctual=self.is_large)

    def _from_plan(self) -> bool:
        node = self.coach.planned(self.state)
        if node is None or self.options.objective == "worst":
            return False
        cost, worst = planned_cost(node, self.state)
        guess = self.game.index(node.guess)
        if self._proven_total() is None:
            self._learn(guess, Bounds(self.guess_bounds.lower(guess), cost), worst)
        else:
            self.lower = cost  # every part of an optimal plan is optimal
            self._learn(guess, Bounds(cost, cost), worst)
        return True

    def _list(self) -> Iterator[Advice]:
        """List the most promising guesses, with lower and upper bounds; fewer if time is up."""
        promising = self._promising()
        if self.is_large and not self.known:
            yield from self._show_one(promising[0])
        for guess in dict.fromkeys([*self.asked, *promising]):
            if self.is_large and self.clock.expired() and guess not in self.asked:
                break
            if guess not in self.known or guess in self._rough:
                bounds = self._quick_bounds(guess)
                if guess in self._rough:
                    self._rough.remove(guess)
                    bounds = intersection(bounds, self.known[guess].bounds)
                self._learn(guess, bounds)
                if self._due():
                    yield self._advice()
        yield self._advice()

    def _promising(self) -> list[int]:
        """As many guesses as are listed. Where groups are large, those with the most groups need
        not be best: every other one is chosen by information."""
        found, count = self.guess_bounds, self.options.count
        ordered = found.guesses[:count]
        if self.is_large:
            pairs = zip(found.informative[:count], ordered, strict=True)
            ordered = np.array(list(itertools.chain.from_iterable(pairs)))
        return list(dict.fromkeys(ordered.tolist()))[:count]

    def _show_one(self, guess: int) -> Iterator[Advice]:
        """Advice on a large position at once: one guess, with a plan of possible answers."""
        if not self.guess_bounds.exact:
            upper = candidate_cost_of_guess(self.state, guess)
            self._learn(guess, Bounds(self.guess_bounds.lower(guess), upper))
            self._rough.add(guess)
            yield self._advice()

    def _quick_bounds(self, guess: int) -> Bounds:
        lower = self.guess_bounds.lower(guess)
        if self.guess_bounds.exact:
            return Bounds(lower, lower)
        found = self.valuation.of_guess(self.state, guess, quick=True)
        return Bounds(max(found.lower, lower), found.upper)

    def _limit_depth(self) -> None:
        """Objective `worst`: lower the cap to the smallest number that always suffices."""
        self.depth = self.valuation.max_guesses(self.state)
        if self.depth is None:
            return
        for guess, known in self.known.items():  # plans found with a larger cap are void
            lower = self.guess_bounds.lower(guess)
            self.known[guess] = known._replace(bounds=Bounds(lower, known.bounds.upper), worst=None)

    def _settle(self) -> Iterator[Advice]:
        """Value the listed guesses exactly, best first."""
        for guess in self.ranking():
            if self.clock.expired():
                return
            if guess not in self._settled:
                yield from self._tighten(guess)
                self._settled.add(guess)
            if self._due():
                yield self._advice()

    def _prove(self) -> Iterator[Advice]:
        """Close the gap between the bounds of the position, then find a guess of that cost."""
        best = self._best_upper()
        if best is None or best.losses:
            within = best if self.depth is None else None
            exact = self.valuation.exact(self.state, self.depth, within=within)
            self.lower = self.lower if exact is None else exact
        else:
            yield from self._close(best.guesses)
        if self.clock.expired():
            return
        depth = self.depth
        if self.options.objective == "mean-then-worst":
            depth = self.valuation.worst(self.state, self.lower)
        is_missing = best is None or self.lower < best
        if depth != self.depth or (depth is not None and is_missing):
            guess = self.valuation.best_guess(self.state, depth)
            if guess is not None:
                self._try(guess)
        elif is_missing:
            yield from self._show()

    def _show(self) -> Iterator[Advice]:
        """List some guess that reaches the value of the position, whichever is found first. Which
        one that is depends on the search: it is told until the list is complete without it."""
        guess = self.valuation.any_best_guess(self.state, self.lower)
        if guess is None:
            return
        if guess not in self.known:
            self._example = guess
        self._try(guess)
        yield self._advice()

    def _best_upper(self) -> Cost | None:
        """The lowest cost of a known plan that the objective allows."""
        allowed = [
            known.bounds.upper
            for known in self.known.values()
            if self.depth is None or known.worst == self.depth
        ]
        return min(allowed, default=None)

    def _close(self, upper: int) -> Iterator[Advice]:
        closing = self.valuation.evaluator.closing_totals(
            self.state, self.lower.guesses, upper, depth=self.depth, clock=self.clock
        )
        try:
            for lower, _ in closing:
                self.lower = Cost(0, lower)
                if self._due():
                    yield self._advice()
        except SearchInterruptedError:
            return

    def _finish(self) -> Iterator[Advice]:
        """Value every guess that may belong in the list."""
        last = self._last_listed()
        for guess in self.guess_bounds.below(last):
            if self.clock.expired():
                return
            if guess == self._example:
                self._example = None
                last = self._last_listed()
            if guess in self.known or (last is not None and self.guess_bounds.lower(guess) >= last):
                continue
            if self._try(guess, last):
                last = self._last_listed()
            if self._due():
                yield self._advice()
        if self._example is not None:  # the list has as good ones
            del self.known[self._example]
            self._example = None
        listed = self.ranking()[: self.options.count]
        self.complete = all(self.known[guess].bounds.exact for guess in listed)

    def _last_listed(self) -> Cost | None:
        """The cost of the last guess of a full list."""
        exact = sorted(
            known.bounds.upper
            for guess, known in self.known.items()
            if guess != self._example
            and known.bounds.exact
            and (self.depth is None or known.worst == self.depth)
        )
        return exact[self.options.count - 1] if len(exact) >= self.options.count else None

    # ---- one guess

    def _tighten(self, guess: int) -> Iterator[Advice]:
        """Tighten the bounds of a guess, yielding advice meanwhile if that takes long."""
        if self.depth is None and not self.known[guess].bounds.exact:
            for bounds in self.valuation.closing(self.state, guess):
                if self._due():
                    before = self.known[guess]
                    self._learn(guess, intersection(bounds, before.bounds), before.worst)
                    yield self._advice()
        self._try(guess)

    def _try(self, guess: int, limit: Cost | None = None) -> bool:
        """Value a guess exactly unless it costs more than `limit`; return whether it is known."""
        if self.depth is not None:
            return self._try_by_worst_case(guess, limit)
        found = self.valuation.of_guess(self.state, guess, limit=limit)
        if limit is not None and (not found.exact or found.upper > limit):
            return False
        worst = self.valuation.worst_of_guess(self.state, guess) if found.exact else None
        before = self.known.get(guess)
        if before is not None:
            found = intersection(found, before.bounds)
            worst = before.worst if worst is None else worst
        self._learn(guess, found, worst)
        return True

    def _try_by_worst_case(self, guess: int, limit: Cost | None) -> bool:
        """`_try` for objective `worst`: minimise the worst case first, then the cost."""
        assert self.depth is not None
        left = self.state.guesses_left
        end = len(self.state.candidates) + 1 if left is None else left
        for depth in range(self.depth, end + 1):
            found = self.valuation.of_guess(self.state, guess, depth=depth, limit=limit)
            if not found.exact or (limit is not None and found.upper > limit):
                return False
            if found.upper.losses == 0 or depth == end:
                self._learn(guess, found, None if found.upper.losses else depth)
                return True
        return False

    def _learn(self, guess: int, bounds: Bounds, worst: int | None = None) -> None:
        found = self.guess_bounds
        at = found.index[guess]
        self.known[guess] = KnownGuess(
            bounds, worst, int(found.groups[at]), int(found.largest[at]), int(found.own_weights[at])
        )

    # ---- results

    def is_settled(self) -> bool:
        """Whether the best guess is proven and the guesses in `options.consider` are exact, their
        worst cases included."""
        best = self.ranking()[0]
        return all(map(self._is_known, (best, *self.asked))) and self._is_proven(self.known[best])

    def _is_known(self, guess: int) -> bool:
        known = self.known.get(guess)
        if known is None or not known.bounds.exact:
            return False
        return known.worst is not None or known.bounds.upper.losses > 0 or guess in self._settled

    def _rank(self, guess: int) -> tuple[Any, ...]:
        """Sort key: cost, then worst case, then possible answers first, then likelihood.

        With objective `worst` the worst case comes before the number of guesses.
        """
        known = self.known[guess]
        upper = known.bounds.upper
        worst = _UNKNOWN if known.worst is None else known.worst
        first = (upper.losses, worst) if self.depth is not None else ()
        likelihood = int(self.coach.likelihood[guess])
        others = (not known.bounds.exact, worst, not known.own_weight, -likelihood, guess)
        return (*first, upper, *others)

    def ranking(self) -> list[int]:
        """All guesses with known bounds, best first."""
        return sorted(self.known, key=self._rank)

    def _due(self) -> bool:
        return self.clock.seconds - self._last_advice >= MIN_PAUSE

    def _is_proven(self, known: KnownGuess) -> bool:
        """Whether no guess is better under the objective."""
        objective, upper = self.options.objective, known.bounds.upper
        if not known.bounds.exact or upper > self.lower:
            return False
        if objective == "worst" and not upper.losses:
            return self.depth is not None and known.worst == self.depth
        if objective == "mean-then-worst" and not upper.losses:
            return known.worst is not None and known.worst == self.valuation.worst(
                self.state, upper
            )
        return True

    def _advice(self) -> Advice:
        self._last_advice = self.clock.seconds
        game, state = self.game, self.state
        ranking = self.ranking()
        listed = ranking[: self.options.count]
        listed += [guess for guess in self.asked if guess in self.known and guess not in listed]
        rows = [self.suggestion(guess) for guess in listed]
        best = rows[0]
        proven = self._is_proven(self.known[ranking[0]])
        lower = min(self.lower.guesses / state.weight, best.upper)
        weighted = game.weights is not None
        words = len(self._words)
        return Advice(
            game=game.name.removesuffix(UNLISTED),
            mode=game.mode,
            cap=game.cap,
            objective=self.options.objective,
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
            f"{explain.value(best, lower, proven)}",
            notes=explain.notes(self.position.outside, game, best, proven, words),
            traps=self._traps,
            suggestions=rows,
            seconds=round(self.clock.seconds, 3),
        )

    def suggestion(self, guess: int) -> Suggestion:
        """The public form of what is known about a guess."""
        known, weight = self.known[guess], self.state.weight
        lower, upper = known.bounds.lower, known.bounds.upper
        return Suggestion(
            guess=self.game.guesses[guess],
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

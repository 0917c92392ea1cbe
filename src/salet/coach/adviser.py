"""Advise on a position, with bounds that become tighter.

1. Look up positions of the shipped plan, openers in the shipped table, and second guesses in the
   shipped book.
2. Bound every legal guess by its groups, and list the most promising ones with both bounds.
3. Close the gap between the bounds of the position, which proves the best guess. That often takes a
   fraction of the time of valuing some good guess exactly.
4. Value all listed guesses exactly.
5. Try every guess whose lower bound is not above the last listed cost: the list is then complete.

Each improvement yields new advice, until everything is exact, time is up, or it is cancelled.

Costs compare lost answers first: if the cap cannot be guaranteed, objective `mean` continues as
`win-then-mean`. Objective `worst` first finds the smallest number of guesses that always suffices,
then answers the same question with that number as the cap.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from salet.coach import explain
from salet.coach.advice import Advice, Trap
from salet.coach.coach import AdviceOptions
from salet.coach.guess_bounds import GuessBounds, bound_guesses
from salet.coach.known_guesses import KnownGuess, KnownGuesses
from salet.coach.likelihood import likely_first
from salet.coach.position import UNLISTED, Position
from salet.coach.traps import traps_of
from salet.coach.valuation import (
    Valuation,
    candidate_cost_of_guess,
    intersection,
    planned_cost,
)
from salet.search.budget import Clock
from salet.search.value import Bounds, Cost, SearchInterruptedError

MIN_PAUSE = 0.08
"""Minimum number of seconds between two pieces of advice."""
MAX_PROVEN = 1000
"""Largest position whose best guess is proven by search: larger ones take minutes."""
MAX_LISTED = 5000
"""Largest position that is listed in full whatever the time limit: listing a larger one takes
seconds."""


class Adviser:
    """Answers one question about a position; holds the bounds found so far."""

    def __init__(self, position: Position, options: AdviceOptions, clock: Clock) -> None:
        self.position, self.options, self.clock = position, options, clock
        self.coach, self.state = position.coach, position.state
        self.game = self.state.game
        self.is_large = len(self.state.candidates) > MAX_LISTED
        self.asked = [self.game.index(word) for word in options.consider]
        self.known = KnownGuesses(self.state, self.coach.likelihood)
        self.lower = Cost(0, 0)
        """lower bound on the cost of the position"""
        self.complete = False
        self._last_advice = -MIN_PAUSE
        likely = likely_first(self.state.candidates, self.coach.likelihood)
        self._words = [self.game.guesses[index] for index in likely]
        self._traps: list[Trap] = []
        self._settled: set[int] = set()
        """guesses that were searched (a plan's guess can have a better worst case than the plan)"""
        self._rough: set[int] = set()
        """guesses whose upper bound comes from a plan of possible answers alone"""

    # ---- the steps

    def advise(self) -> Iterator[Advice]:
        """Yield advice at once, then ever tighter."""
        if self._from_book():
            yield self._advice()
            yield from self._value_others()
            if len(self.known) >= self.options.count:
                return
        self.bound_all()
        if self._from_plan() or self._from_replies():
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
        maximum = Cost(weight, weight * (self.game.cap or len(self.game.answers)))
        upper = maximum if opener.upper is None else Cost(0, opener.upper)
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
        """Values of states, created on first use: positions of a plan or a book need no search."""
        coach = self.coach
        return Valuation(coach.evaluator, self.clock, replies=coach.reply, timed_beam=self.is_large)

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

    def _from_replies(self) -> bool:
        reply = self.coach.reply(self.state)
        if reply is None or self.options.objective == "worst":
            return False
        self.lower = reply.cost
        self._learn(reply.guess, Bounds(reply.cost, reply.cost), reply.worst)
        self._settled.add(reply.guess)
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
        """The `options.count` most promising guesses.

        In large positions the number of groups is a poor guide, so every other one is chosen by
        information.
        """
        found, count = self.guess_bounds, self.options.count
        ordered = found.guesses[:count]
        if self.is_large:
            pairs = zip(found.informative[:count], ordered, strict=True)
            ordered = np.array(list(itertools.chain.from_iterable(pairs)))
        return list(dict.fromkeys(ordered.tolist()))[:count]

    def _show_one(self, guess: int) -> Iterator[Advice]:
        """Yield immediate advice on a large position: one guess, bounded by a quick plan."""
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
        self.known.depth = self.valuation.worst_case(self.state)
        if self.known.depth is None:
            return
        for guess, known in self.known.items():  # plans found with a larger cap are void
            lower = self.guess_bounds.lower(guess)
            self.known[guess] = known._replace(bounds=Bounds(lower, known.bounds.upper), worst=None)

    def _settle(self) -> Iterator[Advice]:
        """Value the listed guesses exactly, best first."""
        for guess in self.known.ranking():
            if self.clock.expired():
                return
            if guess not in self._settled:
                yield from self._tighten(guess)
                self._settled.add(guess)
            if self._due():
                yield self._advice()

    def _prove(self) -> Iterator[Advice]:
        """Close the gap between the bounds of the position, then find a guess of that cost."""
        best, max_depth = self.known.min_upper(), self.known.depth
        if best is None or best.losses:
            within = best if max_depth is None else None
            exact = self.valuation.exact(self.state, max_depth, within=within)
            self.lower = self.lower if exact is None else exact
        else:
            yield from self._close(best.guesses)
        if self.clock.expired():
            return
        depth = max_depth
        if self.options.objective == "mean-then-worst":
            depth = self.valuation.worst(self.state, self.lower)
        is_missing = best is None or self.lower < best
        if depth != max_depth or (depth is not None and is_missing):
            guess = self.valuation.best_guess(self.state, depth)
            if guess is not None:
                self._try(guess)
        elif is_missing:
            yield from self._show_example()

    def _show_example(self) -> Iterator[Advice]:
        """List any guess that reaches the value of the position.

        Which one is found first is arbitrary, so it leaves the list once that is complete.
        """
        guess = self.valuation.any_best_guess(self.state, self.lower)
        if guess is None:
            return
        if guess not in self.known:
            self.known.example = guess
        self._try(guess)
        yield self._advice()

    def _close(self, upper: int) -> Iterator[Advice]:
        bounds = self.valuation.evaluator.bisect_total(
            self.state, self.lower.guesses, upper, depth=self.known.depth, clock=self.clock
        )
        try:
            for lower, _ in bounds:
                self.lower = Cost(0, lower)
                if self._due():
                    yield self._advice()
        except SearchInterruptedError:
            return

    def _finish(self) -> Iterator[Advice]:
        """Value every guess that may belong in the list."""
        known, count = self.known, self.options.count
        last = known.last_listed(count)
        for guess in self.guess_bounds.below(last):
            if self.clock.expired():
                return
            if guess == known.example:
                known.example = None
                last = known.last_listed(count)
            if guess in known or (last is not None and self.guess_bounds.lower(guess) >= last):
                continue
            if self._try(guess, last):
                last = known.last_listed(count)
            if self._due():
                yield self._advice()
        if known.example is not None:  # the list has guesses that are as good
            del known[known.example]
            known.example = None
        self.complete = all(known[guess].bounds.exact for guess in known.ranking()[:count])

    # ---- one guess

    def _tighten(self, guess: int) -> Iterator[Advice]:
        """Tighten the bounds of a guess, yielding advice meanwhile if that takes long."""
        if self.known.depth is None and not self.known[guess].bounds.exact:
            for bounds in self.valuation.tighten_guess(self.state, guess):
                if self._due():
                    before = self.known[guess]
                    self._learn(guess, intersection(bounds, before.bounds), before.worst)
                    yield self._advice()
        self._try(guess)

    def _try(self, guess: int, limit: Cost | None = None) -> bool:
        """Value a guess exactly unless it costs more than `limit`; return whether it is known."""
        if self.known.depth is not None:
            return self._try_by_worst_case(guess, self.known.depth, limit)
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

    def _try_by_worst_case(self, guess: int, min_depth: int, limit: Cost | None) -> bool:
        """`_try` for objective `worst`: minimise the worst case first, then the cost."""
        left = self.state.guesses_left
        end = len(self.state.candidates) + 1 if left is None else left
        for depth in range(min_depth, end + 1):
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
        best = self.known.ranking()[0]
        return all(map(self._is_known, (best, *self.asked))) and self._is_proven(self.known[best])

    def _is_known(self, guess: int) -> bool:
        known = self.known.get(guess)
        if known is None or not known.bounds.exact:
            return False
        return known.worst is not None or known.bounds.upper.losses > 0 or guess in self._settled

    def _due(self) -> bool:
        return self.clock.seconds - self._last_advice >= MIN_PAUSE

    def _is_proven(self, known: KnownGuess) -> bool:
        """Whether no guess is better under the objective."""
        objective, upper = self.options.objective, known.bounds.upper
        if not known.bounds.exact or upper > self.lower:
            return False
        if objective == "worst" and not upper.losses:
            return self.known.depth is not None and known.worst == self.known.depth
        if objective == "mean-then-worst" and not upper.losses:
            return known.worst is not None and known.worst == self.valuation.worst(
                self.state, upper
            )
        return True

    def _advice(self) -> Advice:
        self._last_advice = self.clock.seconds
        game, state = self.game, self.state
        ranking = self.known.ranking()
        listed = ranking[: self.options.count]
        listed += [guess for guess in self.asked if guess in self.known and guess not in listed]
        rows = [self.known.suggestion(guess) for guess in listed]
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

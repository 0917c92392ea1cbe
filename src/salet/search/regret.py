"""What guesses cost against perfect play: regret, with luck removed.

Let V be the expected number of guesses still to come under best play, and Q that of a guess before
its feedback is known. The *regret* of the guess is Q - V. Its *luck* is Q - 1 - V', where V' is
what is expected after the feedback. Over a game that began at V0,

    guesses used = V0 + regret - luck

whatever V is, as long as the same V is used throughout; and if the secret is drawn from the answers
that remain, luck is 0 in the mean. So V0 plus the mean regret of a player's games estimates the
player's mean, without the luck. A lost game counts one guess more than were made: cap + 1.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

from salet.game.game import Game
from salet.game.state import State
from salet.search.budget import Budget
from salet.search.shipped import shipped_plan
from salet.search.value import Cost, Evaluator, SearchInterruptedError

MAX_ANSWERS = 300
"""Largest state that is always searched to the end."""
MAX_NODES = 300_000
"""States expanded for a larger one, until what a beam search finds is taken instead."""
_BEAM_WIDTH, _BEAM_WIDTH_RESTRICTED = 2, 12
_MAX_REMEMBERED = 1 << 17


@dataclass(frozen=True)
class Valued:
    """The cost of a state or a guess, summed over the answers that remain."""

    cost: Cost
    exact: bool
    """whether it is proven; otherwise it is that of some plan, so at least the optimum"""


@dataclass(frozen=True)
class Regretted:
    """What a guess lost, in the mean over the answers that remained."""

    loss: float
    """guesses; a lost game counts one more than were made"""
    exact: bool


ValueFunction = Callable[[State], Valued | None]
"""The cost of a state; None if it is unknown."""


def regret_of(
    state: State, guess: int, value: ValueFunction, below: ValueFunction | None = None
) -> Regretted | None:
    """The regret of a guess; None if a value that it needs is unknown.

    `below` values the states after the guess, if not `value`.
    """
    best = value(state)
    cost, exact = Cost(0, len(state.candidates)), True
    for pattern, group in state.groups(guess).items():
        if pattern != state.game.win:
            rest = (below or value)(group)
            if rest is None:
                return None
            cost, exact = cost + rest.cost, exact and rest.exact
    return _difference(Valued(cost, exact), best, state)


def regret_of_forfeit(state: State, guesses_left: int, value: ValueFunction) -> Regretted | None:
    """The regret of giving up: all guesses that are left count, and the loss."""
    answers = len(state.candidates)
    given_up = Valued(Cost(answers, answers * guesses_left), True)
    return _difference(given_up, value(state), state)


def _difference(taken: Valued, best: Valued | None, state: State) -> Regretted | None:
    if best is None:
        return None
    lost = taken.cost - best.cost
    loss = (lost.guesses + lost.losses) / len(state.candidates)
    return Regretted(loss, taken.exact and best.exact)


class Pricer:
    """Values of states and regrets of guesses in one game, remembered. Threads may share one.

    All answers count the same, whatever weights the game has. States of up to `MAX_ANSWERS` answers
    are exact, and so is the start of a game with a shipped plan; larger ones are as far as `nodes`
    go. `depth` is the number of guesses left, where turns were wasted.

    >>> game = Game(["apple", "angle", "ankle"])
    >>> Pricer(game).regret(game.start(), game.index("apple"))
    Regretted(loss=0.3333333333333333, exact=True)
    """

    def __init__(self, game: Game, *, nodes: int = MAX_NODES) -> None:
        self.game = game
        self.nodes = nodes
        self._unweighted = game if game.weights is None else game.with_(weights=None)
        self._evaluator = Evaluator(self._unweighted)
        self._remembered: dict[Hashable, Valued] = {}

    def value(self, state: State, depth: int | None = None) -> Valued:
        """The cost of a state under best play."""
        key = _key(state, depth)
        found = self._remembered.get(key)
        if found is None:
            if len(self._remembered) >= _MAX_REMEMBERED:
                self._remembered.clear()
            found = self._search(dataclasses.replace(state, game=self._unweighted), depth)
            self._remembered[key] = found
        return found

    def _search(self, state: State, depth: int | None) -> Valued:
        if len(state.candidates) <= MAX_ANSWERS:
            return Valued(self._evaluator.cost(state, depth=depth), True)
        if not state.turn and depth in (None, state.guesses_left):
            plan = shipped_plan(self._unweighted)
            if plan is not None and plan.facts.get("proven"):
                return Valued(Cost(0, int(plan.facts["total"])), True)
        try:
            clock = Budget(nodes=self.nodes).start()
            return Valued(self._evaluator.cost(state, depth=depth, clock=clock), True)
        except SearchInterruptedError:
            is_normal = self.game.mode == "normal"
            width = _BEAM_WIDTH if is_normal else _BEAM_WIDTH_RESTRICTED
            return Valued(self._evaluator.cost(state, depth=depth, width=width), False)

    def expected(self, state: State, depth: int | None = None) -> float:
        """The mean number of guesses still to come under best play, a lost game counted as above;
        0 once the game is over."""
        if state.won or not len(state.candidates):
            return 0.0
        cost = self.value(state, depth).cost
        return (cost.guesses + cost.losses) / len(state.candidates)

    def regret(self, state: State, guess: int | None, depth: int | None = None) -> Regretted:
        """The regret of a guess, or of a turn that was used up for nothing."""
        left = state.guesses_left if depth is None else depth
        below = partial(self.value, depth=None if left is None else left - 1)
        value = partial(self.value, depth=depth)
        if guess is None:
            rest = below(state)
            wasted = Valued(rest.cost + Cost(0, len(state.candidates)), rest.exact)
            found = _difference(wasted, value(state), state)
        else:
            found = regret_of(state, guess, value, below)
        assert found is not None
        return found

    def regret_of_forfeit(self, state: State, guesses_left: int) -> Regretted:
        """The regret of giving up with so many guesses left."""
        found = regret_of_forfeit(state, guesses_left, partial(self.value, depth=guesses_left))
        assert found is not None
        return found


def _key(state: State, depth: int | None) -> Hashable:
    """What the value of a state depends on."""
    left = state.guesses_left if depth is None else depth
    if state.game.mode == "normal":
        return left, state.candidates.tobytes()
    return left, state.history

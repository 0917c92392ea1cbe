"""The regret of guesses: what they cost against perfect play, with luck removed.

Let V be the expected number of guesses still to come under best play, and Q that of a guess before
its feedback is known. The *regret* of the guess is Q - V. Its *luck* is Q - 1 - V', where V' is the
expectation after the feedback. Over a game that starts at V0,

    guesses used = V0 + regret - luck

whatever V is, as long as the same V is used throughout; and if the secret is drawn uniformly from
the remaining answers, the mean of luck is 0. So V0 plus the mean regret of a player's games is an
estimate of the player's mean without luck. A lost game counts cap + 1 guesses.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

from salet.game.game import Game
from salet.game.state import State
from salet.search.budget import UNLIMITED, Budget
from salet.search.opener_search import group_by_symmetry, state_value
from salet.search.shipped import shipped_plan
from salet.search.value import INF, Bounds, Cost, Evaluator, SearchInterruptedError, trivial_cost

MAX_ANSWERS = 300
"""Largest state that is always solved exactly."""
MAX_NODES = 300_000
"""Nodes for a larger state; after these, the result of a beam search is used instead."""
_BEAM_WIDTH, _BEAM_WIDTH_RESTRICTED = 2, 12
_MAX_OPENERS = 10
"""Number of openers that differ by more than symmetry, up to which a start is valued by all."""
_MAX_REMEMBERED = 1 << 17


@dataclass(frozen=True)
class KnownCost:
    """The cost of a state or a guess, summed over the answers that remain."""

    cost: Cost
    exact: bool
    """whether it is optimal; otherwise it is the cost of some plan, an upper bound"""


@dataclass(frozen=True)
class GuessRegret:
    """The regret of a guess, as a mean over the remaining answers."""

    loss: float
    """in guesses; a lost game counts cap + 1"""
    exact: bool


ValueFunction = Callable[[State], KnownCost | None]
"""The cost of a state; None if it is unknown."""


def regret_of(
    state: State, guess: int, value: ValueFunction, below: ValueFunction | None = None
) -> GuessRegret | None:
    """The regret of a guess; None if a value that it depends on is unknown.

    `below` values the states after the guess (default: `value`).
    """
    best, taken = value(state), cost_after(state, guess, below or value)
    return None if taken is None else _difference(taken, best, state)


def cost_after(state: State, guess: int, below: ValueFunction) -> KnownCost | None:
    """The cost of a guess, itself included; `below` values the states after it.

    None if one of these values is unknown.
    """
    cost, exact = Cost(0, len(state.candidates)), True
    for pattern, group in state.groups(guess).items():
        if pattern != state.game.win:
            rest = below(group)
            if rest is None:
                return None
            cost, exact = cost + rest.cost, exact and rest.exact
    return KnownCost(cost, exact)


def regret_of_forfeit(state: State, guesses_left: int, value: ValueFunction) -> GuessRegret | None:
    """The regret of giving up: every guess that is left counts, and the loss."""
    answers = len(state.candidates)
    given_up = KnownCost(Cost(answers, answers * guesses_left), True)
    return _difference(given_up, value(state), state)


def _difference(taken: KnownCost, best: KnownCost | None, state: State) -> GuessRegret | None:
    if best is None:
        return None
    lost = taken.cost - best.cost
    loss = (lost.guesses + lost.losses) / len(state.candidates)
    return GuessRegret(loss, taken.exact and best.exact)


def has_exact_values(game: Game) -> bool:
    """Whether regret can be computed: not on several boards, nor if equations win in any order."""
    return game.boards == 1 and not game.commuted


class RegretEvaluator:
    """Values states and computes the regret of guesses in one game, with a cache. Thread-safe.

    Answers count equally, even if the game has weights. Values are exact for states of up to
    `MAX_ANSWERS` answers and for the start of a game with a shipped plan; for others, if `nodes`
    suffice. If almost all openers are equivalent by symmetry, as in Mastermind, the start has the
    value of the best of them, so that no opener has a negative regret. `depth` is the number of
    guesses left, if turns were wasted.

    >>> game = Game(["apple", "angle", "ankle"])
    >>> RegretEvaluator(game).regret(game.start(), game.index("apple"))
    GuessRegret(loss=0.3333333333333333, exact=True)
    """

    def __init__(self, game: Game, *, nodes: int = MAX_NODES) -> None:
        self.game = game
        self.nodes = nodes
        self._unweighted = game if game.weights is None else game.replace(weights=None)
        self._evaluator = Evaluator(self._unweighted)
        self._remembered: dict[Hashable, KnownCost] = {}

    def value(self, state: State, depth: int | None = None) -> KnownCost:
        """The cost of a state under best play."""
        trivial = trivial_cost(state, depth)
        if trivial is not None and self.game.weights is None:
            return KnownCost(trivial, True)
        key = _key(state, depth)
        found = self._remembered.get(key)
        if found is None:
            found = self._value_of_equivalent(
                dataclasses.replace(state, game=self._unweighted), depth
            )
            self._remember(key, found)
        return found

    def _value_of_equivalent(self, state: State, depth: int | None) -> KnownCost:
        """The value of a state, or of one that a symmetry maps to it."""
        symmetry = self._unweighted.symmetry
        if symmetry.is_trivial:
            return self._search(state, depth)
        key = _left(state, depth), symmetry.canonical(state.history)
        found = self._remembered.get(key)
        if found is None:
            found = self._search(state, depth)
            self._remember(key, found)
        return found

    def _remember(self, key: Hashable, found: KnownCost) -> None:
        if len(self._remembered) >= _MAX_REMEMBERED:
            self._remembered.clear()
        self._remembered[key] = found

    def _search(self, state: State, depth: int | None) -> KnownCost:
        is_large = len(state.candidates) > MAX_ANSWERS
        if is_large and not state.turn:
            if depth in (None, state.guesses_left):
                plan = shipped_plan(self._unweighted)
                if plan is not None and plan.facts.get("proven"):
                    return KnownCost(Cost(0, int(plan.facts["total"])), True)
            openers = group_by_symmetry(state, state.legal.tolist())
            if len(openers) <= _MAX_OPENERS:
                return self._best_of(state, list(openers), depth)
        found = self._bounds(state, depth, Budget(nodes=self.nodes) if is_large else UNLIMITED)
        return KnownCost(found.upper, found.exact)

    def _best_of(self, state: State, guesses: list[int], depth: int | None) -> KnownCost:
        """The cost of a state in which one of these guesses is best."""
        left = _left(state, depth)
        below = partial(self.value, depth=None if left is None else left - 1)
        found = [known for guess in guesses if (known := cost_after(state, guess, below))]
        return KnownCost(min(known.cost for known in found), all(known.exact for known in found))

    def _bounds(self, state: State, depth: int | None, budget: Budget) -> Bounds:
        """Bounds on the cost of a state: exact unless the budget runs out."""
        if not state.game.symmetry.is_trivial:
            with contextlib.suppress(SearchInterruptedError):
                value = state_value(
                    self._evaluator, state, depth=depth, beta=INF, losses=True, clock=budget.start()
                )
                exact = self._evaluator.cost_of(value)
                return Bounds(exact, exact)
        width = _BEAM_WIDTH if self.game.mode == "normal" else _BEAM_WIDTH_RESTRICTED
        return self._evaluator.bounds(state, depth=depth, width=width, clock=budget.start())

    def expected(self, state: State, depth: int | None = None) -> float:
        """The mean number of guesses to come under best play; 0 once the game is over.

        A lost game counts cap + 1.
        """
        if state.won or not len(state.candidates):
            return 0.0
        cost = self.value(state, depth).cost
        return (cost.guesses + cost.losses) / len(state.candidates)

    def regret(self, state: State, guess: int | None, depth: int | None = None) -> GuessRegret:
        """The regret of a guess, or of a wasted turn (None)."""
        left = _left(state, depth)
        below = partial(self.value, depth=None if left is None else left - 1)
        value = partial(self.value, depth=depth)
        if guess is None:
            rest = below(state)
            wasted = KnownCost(rest.cost + Cost(0, len(state.candidates)), rest.exact)
            found = _difference(wasted, value(state), state)
        else:
            found = regret_of(state, guess, value, below)
        assert found is not None
        return found

    def regret_of_forfeit(self, state: State, guesses_left: int) -> GuessRegret:
        """The regret of giving up with this many guesses left."""
        found = regret_of_forfeit(state, guesses_left, partial(self.value, depth=guesses_left))
        assert found is not None
        return found


def _left(state: State, depth: int | None) -> int | None:
    """The number of guesses left; None without a cap."""
    return state.guesses_left if depth is None else depth


def _key(state: State, depth: int | None) -> Hashable:
    """A cache key: everything that the value of a state depends on."""
    left = _left(state, depth)
    if state.game.mode == "normal":
        return left, state.candidates.tobytes()
    return left, state.history

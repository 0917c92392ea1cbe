"""Decision processes: the one interface between a problem and the searches that optimise it.

    start ──▶ state ──ranked, expand──▶ actions with predictions ──▶ the search picks one
                ▲                                                       │
                └────────── next ◀── outcomes(state, action) ◀──────────┘

- The *process* owns states and actions. A search treats them as opaque hashable values: it compares
  them, uses them as keys and hands them back. States that are equal have the same future, so what
  is known of one is known of the other (transpositions).
- The *search* owns what it learns: estimates, bounds, visits. It never writes to a state.
- The value of a state is the expected sum of rewards from there to the end, under the best policy;
  greater is better. A game that counts guesses has a reward of -1 for each guess.
- A process ends: no state leads back to itself. Count the steps in the state where it could.
- Whatever a process returns depends on its arguments alone (and, for `sample`, on the generator),
  so threads may ask at the same time and in any order. A process under a clock raises
  SearchInterruptedError from `look` and `refine` once the clock has expired.

A process must have `start`, `is_terminal`, `actions`, `predict`, and `outcomes` or `sample` (from
which a search draws outcomes: `SampledProcess`). Everything else is optional knowledge, with
defaults: it makes a search faster and its result a proof. Processes are checked where they are
used: a probability or a prediction that makes no sense is an error that names state and action.
"""

from __future__ import annotations

import hashlib
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence, Set
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats
from salet.errors import InputError

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

MAX_PROBABILITY_ERROR = 1e-9
"""How far the sum of probabilities may be from 1."""
_TOLERANCE = 1e-9
"""Bounds this close are equal where the process names no resolution."""


class PolicySource(Enum):
    """Where the policy behind a lower bound is."""

    BOUNDS = "what the process knows at once"
    LOOK = "a look at all actions"
    EXACT = "the exact value"
    CACHED = "a plan that the process has cached"
    ACTION = "an action that the search tried"


class ValueBounds(NamedTuple):
    """low <= value <= high; infinite where nothing is known."""

    low: float = -math.inf
    high: float = math.inf


class Outcome(NamedTuple, Generic[State]):
    """One thing that can follow an action."""

    probability: float
    reward: float
    next: State


class RankedAction(NamedTuple, Generic[Action]):
    """An action that has not been tried."""

    action: Action
    prediction: float
    high: float = math.inf
    """no policy that begins with this action is worth more"""


class Ranking(NamedTuple, Generic[Action]):
    """The most promising actions, best first."""

    rows: list[RankedAction[Action]]
    rest: float
    """no action that is neither here nor tried is worth more; -inf if there is none"""


class ActionTable(NamedTuple):
    """All actions of a state that are worth a try, best prediction first."""

    actions: NDArray[Any]
    predictions: Floats
    highs: Floats
    """no policy that begins with the action is worth more"""


class BoundedOutcomes(NamedTuple, Generic[State]):
    """What follows an action, with upper bounds."""

    high: float
    """no policy that begins with the action is worth more"""
    settled: float = 0.0
    """the expected reward, and what the next states of known value contribute"""
    open: Sequence[tuple[float, State, float]] | None = None
    """(probability, state, upper bound) of every other next state; None where `high` tells
    enough"""


class DecisionProcess(ABC, Generic[State, Action]):
    """A problem of repeated choice under chance.

    >>> class Dice(DecisionProcess[int, str]):  # roll a die once more, or keep what it shows
    ...     def start(self): return 0
    ...     def is_terminal(self, state): return state < 0
    ...     def actions(self, state): return ["roll", "keep"] if state else ["roll"]
    ...     def predict(self, state, action): return 3.5
    ...     def outcomes(self, state, action):
    ...         if action == "keep": return [Outcome(1.0, float(state), -1)]
    ...         return [Outcome(1 / 6, float(n) * bool(state), -1 if state else n)
    ...                 for n in range(1, 7)]
    >>> check_outcomes(Dice(), 0, "roll")[2]
    Outcome(probability=0.16666666666666666, reward=0.0, next=3)
    >>> Dice().refine(0)  # keep a 4, 5 or 6
    ValueBounds(low=4.25, high=4.25)
    """

    @abstractmethod
    def start(self) -> State:
        """The first state."""

    @abstractmethod
    def is_terminal(self, state: State) -> bool:
        """Whether the process is over. A terminal state is worth 0; its actions are never asked
        for."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """The actions of a state, at least one. Of equal predictions the earlier is tried first."""

    def outcomes(self, state: State, action: Action) -> Sequence[Outcome[State]]:
        """Everything that can follow an action, with probabilities that sum to 1."""
        raise NotImplementedError

    def sample(self, state: State, action: Action, rng: np.random.Generator) -> tuple[float, State]:
        """Draw a reward and a next state: for processes whose outcomes cannot be enumerated."""
        outcomes = self.outcomes(state, action)
        drawn = outcomes[rng.choice(len(outcomes), p=[o.probability for o in outcomes])]
        return drawn.reward, drawn.next

    @abstractmethod
    def predict(self, state: State, action: Action) -> float:
        """An estimate of what a state is worth if this action is taken. -inf: not worth a try."""

    # ---- optional knowledge about actions

    def ranked(self, state: State, tried: Set[Action], count: int, above: float) -> Ranking[Action]:
        """Up to `count` of the actions that are not `tried` and could be worth more than `above`,
        by prediction, best first."""
        predicted = [
            RankedAction(action, check_prediction(self, state, action))
            for action in self.actions(state)
            if action not in tried
        ]
        worthwhile = [row for row in predicted if row.prediction > -math.inf and row.high > above]
        worthwhile.sort(key=lambda row: -row.prediction)
        rest = max((row.high for row in worthwhile[count:]), default=-math.inf)
        return Ranking(worthwhile[:count], rest)

    def expand(self, state: State) -> ActionTable:
        """All actions at once. Those not worth a try come last; they are tried in the end."""
        actions = self.actions(state)
        predictions = np.array([check_prediction(self, state, a) for a in actions], float)
        hopeless = np.isneginf(predictions)
        predictions[hopeless] = predictions[~hopeless].min(initial=0.0) - 1
        order = np.argsort(-predictions, kind="stable")
        named = np.empty(len(actions), object)
        for index, action in enumerate(actions):
            named[index] = action
        highs = np.full(len(actions), self.bounds(state).high)
        return ActionTable(named[order], predictions[order], highs)

    def bounded_outcomes(
        self,
        state: State,
        action: Action,
        above: float,  # noqa: ARG002
    ) -> BoundedOutcomes[State]:
        """The outcomes of an action, with upper bounds of what follows; or only `high`, if that is
        not above `above`."""
        settled = 0.0
        weights: dict[State, float] = {}
        for probability, reward, below in check_outcomes(self, state, action):
            if probability > 0:
                settled += probability * reward
                weights[below] = weights.get(below, 0.0) + probability
        rows = []
        for below, probability in weights.items():
            low, high = bounds_of(self, below)
            if low == high:
                settled += probability * low
            else:
                rows.append((probability, below, high))
        high = settled + sum(probability * bound for probability, _, bound in rows)
        return BoundedOutcomes(high, settled, rows)

    # ---- optional knowledge about states

    def bounds(self, state: State) -> ValueBounds:  # noqa: ARG002
        """What can be said of the value of a state at once."""
        return ValueBounds()

    def look(self, state: State) -> ValueBounds:
        """Better bounds, for one look at all actions."""
        return self.bounds(state)

    def is_small(self, state: State, threshold: int) -> bool:
        """Whether `refine` is cheap: here, whether no more than `threshold` states can be reached,
        this one included."""
        met, waiting = {state}, [state]
        while waiting and len(met) <= threshold:
            here = waiting.pop()
            if self.is_terminal(here):
                continue
            for action in self.actions(here):
                fresh = {o.next for o in check_outcomes(self, here, action)} - met
                met |= fresh
                waiting.extend(fresh)
        return len(met) <= threshold

    def refine(
        self,
        state: State,
        above: float = -math.inf,
        effort: float = math.inf,  # noqa: ARG002
    ) -> ValueBounds:
        """The exact value if it is above `above`; otherwise a proof that it is not. Where that
        takes more than `effort` states, a process may return the bounds known by then."""
        from salet.search.dynamic_programming import value_of

        memo = vars(self).setdefault("_values", {})
        value = value_of(self, state, above, memo)
        return ValueBounds(value if value > above else -math.inf, value)

    def source_of(self, state: State, low: float) -> PolicySource:  # noqa: ARG002
        """Where the policy behind a lower bound that `refine` returned is."""
        return PolicySource.EXACT

    def resolution(self, state: State) -> float:  # noqa: ARG002
        """The least difference between two values of a state (0: there is none)."""
        return 0.0

    # ---- optional knowledge about memory

    def key(self, state: State) -> Hashable:
        """What identifies a state in a table. A smaller key than the state itself saves memory."""
        return state

    def footprint(self, state: State) -> int:  # noqa: ARG002
        """Bytes that remembering a state takes."""
        return 200

    @property
    def nbytes(self) -> int:
        """Bytes that the process itself takes."""
        return 0


def bounds_of(process: DecisionProcess[State, Any], state: State) -> ValueBounds:
    """What the process says of a state's value at once; 0 where it is over."""
    return ValueBounds(0.0, 0.0) if process.is_terminal(state) else process.bounds(state)


def tolerance_of(process: DecisionProcess[State, Any], state: State) -> float:
    """Bounds of a state that are no further apart are equal."""
    resolution = process.resolution(state)
    return resolution / 2 if resolution > 0 else _TOLERANCE


class SampledProcess(DecisionProcess[State, Action]):
    """Stands in for a process whose outcomes cannot be enumerated: the outcomes of an action are
    `draws` samples, the same whenever asked. Its optimum tends to that of the process with more
    draws; nothing is proven by it.
    """

    def __init__(
        self, process: DecisionProcess[State, Action], draws: int = 32, seed: int = 0
    ) -> None:
        if draws < 1:
            raise InputError(f"{draws} draws for an action: give at least 1")
        self.process, self.draws, self.seed = process, draws, seed

    def start(self) -> State:
        return self.process.start()

    def is_terminal(self, state: State) -> bool:
        return self.process.is_terminal(state)

    def actions(self, state: State) -> Sequence[Action]:
        return self.process.actions(state)

    def predict(self, state: State, action: Action) -> float:
        return self.process.predict(state, action)

    def outcomes(self, state: State, action: Action) -> list[Outcome[State]]:
        name = repr((self.seed, state, action)).encode()
        digest = hashlib.blake2b(name, digest_size=16).digest()
        rng = np.random.default_rng(int.from_bytes(digest, "little"))
        drawn = Counter(self.process.sample(state, action, rng) for _ in range(self.draws))
        return [Outcome(count / self.draws, *what) for what, count in drawn.items()]


def is_enumerable(process: DecisionProcess[Any, Any]) -> bool:
    """Whether the process can name all outcomes of an action."""
    return type(process).outcomes is not DecisionProcess.outcomes


# ---- checks


def check_prediction(
    process: DecisionProcess[State, Action], state: State, action: Action
) -> float:
    """The prediction of an action; refuses one that is no number."""
    predicted = process.predict(state, action)
    if math.isnan(predicted) or predicted == math.inf:
        raise InputError(
            f"the prediction for action {action!r} in state {state!r} is {predicted}; "
            "it must be a number, or -inf for an action that is not worth a try"
        )
    return predicted


def check_ranking(
    process: DecisionProcess[State, Action],
    state: State,
    tried: Set[Action],
    count: int,
    above: float,
) -> Ranking[Action]:
    """The ranking of a state's actions; refuses predictions that are no numbers."""
    ranking = process.ranked(state, tried, count, above)
    for row in ranking.rows:
        if not math.isfinite(row.prediction):
            raise InputError(
                f"the prediction for action {row.action!r} in state {state!r} is "
                f"{row.prediction}; it must be a finite number"
            )
    if not ranking.rows and ranking.rest > -math.inf:
        raise InputError(
            f"state {state!r} is said to have more actions, but none is named; name at least one"
        )
    return ranking


def check_outcomes(
    process: DecisionProcess[State, Action], state: State, action: Action
) -> Sequence[Outcome[State]]:
    """The outcomes of an action; refuses what is no distribution."""
    outcomes = process.outcomes(state, action)
    total = 0.0
    for outcome in outcomes:
        if not 0 <= outcome.probability <= 1 + MAX_PROBABILITY_ERROR:
            raise InputError(
                f"action {action!r} in state {state!r} has an outcome of probability "
                f"{outcome.probability}; probabilities lie between 0 and 1"
            )
        if not math.isfinite(outcome.reward):
            raise InputError(
                f"action {action!r} in state {state!r} has a reward of {outcome.reward}; "
                "rewards are finite numbers"
            )
        total += outcome.probability
    if not abs(total - 1) <= MAX_PROBABILITY_ERROR:
        raise InputError(
            f"the probabilities of action {action!r} in state {state!r} sum to {total:.9g}; "
            "they must sum to 1"
        )
    return outcomes

"""Decision processes: the one interface between a problem and the searches that optimise it.

    start ──▶ state ──ranked, expand──▶ actions with predictions ──▶ the search picks one
                ▲                                                       │
                └────────── next ◀── outcomes(state, action) ◀──────────┘

- The *process* owns states and actions. A search treats them as opaque hashable values: it compares
  them, uses them as keys and passes them back. Equal states have the same future, so a search
  shares what it learns about them (transpositions).
- The *search* owns what it learns: estimates, bounds, visits. It never writes to a state.
- The value of a state is the expected sum of rewards from there to the end under the best policy:
  larger is better. A game that counts guesses has a reward of -1 for each guess.
- A process is finite: no state leads back to itself. Where one could, count the steps in the state.
- Methods are pure functions of their arguments (`sample` also of the generator), so threads may
  call them concurrently and in any order. A process under a clock raises SearchInterruptedError
  from `look` and `refine` once the clock has expired.

A process must implement `start`, `is_terminal`, `actions`, `predict`, and `outcomes` or `sample`
(from which `SampledProcess` draws outcomes). Everything else is optional knowledge, with defaults:
it makes a search faster and its result a proof. Probabilities and predictions are checked where
they are used; the error for an invalid one names state and action.
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

StateT = TypeVar("StateT", bound=Hashable)
ActionT = TypeVar("ActionT", bound=Hashable)

MAX_PROBABILITY_ERROR = 1e-9
"""Largest deviation of a sum of probabilities from 1."""
_TOLERANCE = 1e-9
"""Largest difference of bounds that count as equal if the process has no resolution."""


class PolicySource(Enum):
    """Where the policy behind a lower bound comes from."""

    BOUNDS = "DecisionProcess.bounds"
    LOOK = "DecisionProcess.look"
    EXACT = "exact search"
    CACHED = "a plan that the process has cached"
    ACTION = "an action that the search has tried"


class ValueBounds(NamedTuple):
    """low <= value <= high; infinite where nothing is known."""

    low: float = -math.inf
    high: float = math.inf


class Outcome(NamedTuple, Generic[StateT]):
    """One possible outcome of an action."""

    probability: float
    reward: float
    next: StateT


class RankedAction(NamedTuple, Generic[ActionT]):
    """An action that has not been tried."""

    action: ActionT
    prediction: float
    high: float = math.inf
    """upper bound of its value"""


class Ranking(NamedTuple, Generic[ActionT]):
    """The most promising actions, best first."""

    rows: list[RankedAction[ActionT]]
    rest: float
    """upper bound of all actions that are neither in `rows` nor tried; -inf if there are none"""


class ActionTable(NamedTuple):
    """All actions of a state that are worth trying, best prediction first."""

    actions: NDArray[Any]
    predictions: Floats
    highs: Floats
    """upper bounds of their values"""


class BoundedOutcomes(NamedTuple, Generic[StateT]):
    """The outcomes of an action, with upper bounds."""

    high: float
    """upper bound of the action's value"""
    settled: float = 0.0
    """expected reward plus the contribution of next states of known value"""
    open: Sequence[tuple[float, StateT, float]] | None = None
    """(probability, state, upper bound) of every other next state; None if only `high` is given"""


class DecisionProcess(ABC, Generic[StateT, ActionT]):
    """A finite Markov decision process.

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
    def start(self) -> StateT:
        """The initial state."""

    @abstractmethod
    def is_terminal(self, state: StateT) -> bool:
        """Whether the process is over. A terminal state has value 0 and needs no actions."""

    @abstractmethod
    def actions(self, state: StateT) -> Sequence[ActionT]:
        """The actions of a state, at least one; they break ties of predictions by their order."""

    def outcomes(self, state: StateT, action: ActionT) -> Sequence[Outcome[StateT]]:
        """All possible outcomes of an action, with probabilities that sum to 1."""
        raise NotImplementedError

    def sample(
        self, state: StateT, action: ActionT, rng: np.random.Generator
    ) -> tuple[float, StateT]:
        """Draw a reward and a next state: for processes whose outcomes cannot be enumerated."""
        outcomes = self.outcomes(state, action)
        drawn = outcomes[rng.choice(len(outcomes), p=[o.probability for o in outcomes])]
        return drawn.reward, drawn.next

    @abstractmethod
    def predict(self, state: StateT, action: ActionT) -> float:
        """An estimate of the action's value; -inf if it is not worth trying."""

    # ---- optional knowledge about actions

    def ranked(
        self, state: StateT, tried: Set[ActionT], count: int, above: float
    ) -> Ranking[ActionT]:
        """Up to `count` actions that are not `tried` and whose upper bound exceeds `above`, best
        prediction first."""
        predicted = [
            RankedAction(action, check_prediction(self, state, action))
            for action in self.actions(state)
            if action not in tried
        ]
        worthwhile = [row for row in predicted if row.prediction > -math.inf and row.high > above]
        worthwhile.sort(key=lambda row: -row.prediction)
        rest = max((row.high for row in worthwhile[count:]), default=-math.inf)
        return Ranking(worthwhile[:count], rest)

    def expand(self, state: StateT) -> ActionTable:
        """All actions at once; those not worth trying come last."""
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
        state: StateT,
        action: ActionT,
        above: float,  # noqa: ARG002
    ) -> BoundedOutcomes[StateT]:
        """The outcomes of an action with upper bounds; or only `high`, if it is at most `above`."""
        settled = 0.0
        weights: dict[StateT, float] = {}
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

    def bounds(self, state: StateT) -> ValueBounds:  # noqa: ARG002
        """Bounds on the value of a state that take no search."""
        return ValueBounds()

    def look(self, state: StateT) -> ValueBounds:
        """Better bounds, from one pass over all actions."""
        return self.bounds(state)

    def is_small(self, state: StateT, threshold: int) -> bool:
        """Whether `refine` is cheap: by default, if at most `threshold` states are reachable."""
        seen, waiting = {state}, [state]
        while waiting and len(seen) <= threshold:
            here = waiting.pop()
            if self.is_terminal(here):
                continue
            for action in self.actions(here):
                new = {o.next for o in check_outcomes(self, here, action)} - seen
                seen |= new
                waiting.extend(new)
        return len(seen) <= threshold

    def refine(
        self,
        state: StateT,
        above: float = -math.inf,
        effort: float = math.inf,  # noqa: ARG002
    ) -> ValueBounds:
        """Bounds on the value of a state, exact if it exceeds `above`.

        A process may return the bounds known after expanding `effort` states.
        """
        from salet.search.dynamic_programming import value_of

        memo = vars(self).setdefault("_values", {})
        value = value_of(self, state, above, memo)
        return ValueBounds(value if value > above else -math.inf, value)

    def source_of(self, state: StateT, low: float) -> PolicySource:  # noqa: ARG002
        """The source of the policy behind a lower bound that `refine` returned."""
        return PolicySource.EXACT

    def resolution(self, state: StateT) -> float:  # noqa: ARG002
        """The smallest difference between two possible values of a state; 0 if there is none."""
        return 0.0

    # ---- optional knowledge about memory

    def key(self, state: StateT) -> Hashable:
        """The key of a state in a table; one that is smaller than the state saves memory."""
        return state

    def footprint(self, state: StateT) -> int:  # noqa: ARG002
        """Bytes of a state in a table."""
        return 200

    @property
    def nbytes(self) -> int:
        """Bytes of the process itself."""
        return 0


def bounds_of(process: DecisionProcess[StateT, Any], state: StateT) -> ValueBounds:
    """`process.bounds`, or 0 for a terminal state."""
    return ValueBounds(0.0, 0.0) if process.is_terminal(state) else process.bounds(state)


def tolerance_of(process: DecisionProcess[StateT, Any], state: StateT) -> float:
    """Largest difference of a state's bounds that count as equal."""
    resolution = process.resolution(state)
    return resolution / 2 if resolution > 0 else _TOLERANCE


class SampledProcess(DecisionProcess[StateT, ActionT]):
    """Approximates a process whose outcomes cannot be enumerated.

    The outcomes of an action are `draws` samples, always the same ones. The optimum converges to
    that of the process as `draws` grows; nothing is proven about the process itself.
    """

    def __init__(
        self, process: DecisionProcess[StateT, ActionT], draws: int = 32, seed: int = 0
    ) -> None:
        if draws < 1:
            raise InputError(f"{draws} draws for an action: give at least 1")
        self.process, self.draws, self.seed = process, draws, seed

    def start(self) -> StateT:
        return self.process.start()

    def is_terminal(self, state: StateT) -> bool:
        return self.process.is_terminal(state)

    def actions(self, state: StateT) -> Sequence[ActionT]:
        return self.process.actions(state)

    def predict(self, state: StateT, action: ActionT) -> float:
        return self.process.predict(state, action)

    def outcomes(self, state: StateT, action: ActionT) -> list[Outcome[StateT]]:
        name = repr((self.seed, state, action)).encode()
        digest = hashlib.blake2b(name, digest_size=16).digest()
        rng = np.random.default_rng(int.from_bytes(digest, "little"))
        drawn = Counter(self.process.sample(state, action, rng) for _ in range(self.draws))
        return [Outcome(count / self.draws, *what) for what, count in drawn.items()]


def is_enumerable(process: DecisionProcess[Any, Any]) -> bool:
    """Whether the process implements `outcomes`."""
    return type(process).outcomes is not DecisionProcess.outcomes


# ---- checks


def check_prediction(
    process: DecisionProcess[StateT, ActionT], state: StateT, action: ActionT
) -> float:
    """The prediction of an action; raises an error if it is not a number."""
    predicted = process.predict(state, action)
    if math.isnan(predicted) or predicted == math.inf:
        raise InputError(
            f"the prediction for action {action!r} in state {state!r} is {predicted}; "
            "it must be a number, or -inf for an action that is not worth a try"
        )
    return predicted


def check_ranking(
    process: DecisionProcess[StateT, ActionT],
    state: StateT,
    tried: Set[ActionT],
    count: int,
    above: float,
) -> Ranking[ActionT]:
    """The ranking of a state's actions; raises an error for predictions that are not numbers."""
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
    process: DecisionProcess[StateT, ActionT], state: StateT, action: ActionT
) -> Sequence[Outcome[StateT]]:
    """The outcomes of an action; raises an error if they are not a distribution."""
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

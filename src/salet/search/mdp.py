"""Decision processes: the one interface between a problem and the searches that optimise it.

What flows, and who owns it

    start ──▶ state ──ranked──▶ actions with predictions ──▶ the search picks one
                ▲                                               │
                └────── next ◀── outcomes(state, action) ◀──────┘

- The *process* owns states and actions. A search sees them as opaque hashable values: it compares
  them, keeps them in dictionaries and hands them back, nothing else. Two states that are equal
  have the same future, so a search may share what it knows of them (transpositions).
- The *search* owns everything it learns: estimates, bounds, visits. It never writes to a state.
- Values are expected sums of rewards from a state to the end, and greater is better. A game that
  counts guesses has a reward of -1 a guess.
- A process ends: no state leads back to itself. Count the steps in the state where it could.
- Everything a process returns is a pure function of its arguments (`sample` also of the random
  generator it is given), so threads may ask at once and the order of questions does not matter.

A process must offer `start`, `is_terminal`, `actions`, `predict` and one of `outcomes` and
`sample` (of which a search makes outcomes by drawing: `Sampled`). What it knows beyond that makes
a search faster and its result a proof: `ranked` (all predictions in one go), `bounds` (of a
state's value), `refine` (better ones, for more effort) and `resolution` (how close two values can
be). Processes are checked where they are used: a probability or a prediction that makes no sense
is an error that names state and action.
"""

from __future__ import annotations

import hashlib
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence, Set
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from salet.errors import InputError

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

TOLERANCE = 1e-9
"""how far probabilities may be from a sum of 1"""


class Bounds(NamedTuple):
    """low <= value <= high; -inf and inf where nothing is known."""

    low: float = -math.inf
    high: float = math.inf

    @property
    def is_exact(self) -> bool:
        return self.low == self.high


class Outcome(NamedTuple, Generic[State]):
    """One thing that can follow an action."""

    probability: float
    reward: float
    next: State


class Ranked(NamedTuple, Generic[Action]):
    """An action as it looks before it is tried."""

    action: Action
    prediction: float
    high: float = math.inf
    """no plan that begins with this action is worth more"""


class Ranking(NamedTuple, Generic[Action]):
    """Actions in the order in which they look promising."""

    rows: list[Ranked[Action]]
    rest: float
    """no action that is neither here nor tried is worth more; -inf if there is none"""


class DecisionProcess(ABC, Generic[State, Action]):
    """A problem of repeated choice under chance. See the module for who owns what.

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
    """

    @abstractmethod
    def start(self) -> State:
        """Where everything begins."""

    @abstractmethod
    def is_terminal(self, state: State) -> bool:
        """Is it over? A state that is over is worth 0; its actions are never asked for."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """What can be done, at least one thing. Among equal predictions the earlier is tried
        first."""

    def outcomes(self, state: State, action: Action) -> Sequence[Outcome[State]]:
        """Everything that can follow, with probabilities that sum to 1."""
        raise NotImplementedError

    def sample(self, state: State, action: Action, rng: np.random.Generator) -> tuple[float, State]:
        """A reward and a next state, drawn: for processes whose outcomes cannot be enumerated."""
        outcomes = self.outcomes(state, action)
        drawn = outcomes[rng.choice(len(outcomes), p=[o.probability for o in outcomes])]
        return drawn.reward, drawn.next

    @abstractmethod
    def predict(self, state: State, action: Action) -> float:
        """A guess at the value of a state if it goes on with this action. -inf: not worth a try."""

    # ---- what a process may know beyond that

    def ranked(self, state: State, tried: Set[Action], count: int, above: float) -> Ranking[Action]:
        """Of the actions not tried yet that could be worth more than `above`, up to `count`, by
        prediction, best first; and what no other can exceed."""
        predicted = [
            Ranked(action, check_prediction(self, state, action))
            for action in self.actions(state)
            if action not in tried
        ]
        worthwhile = [row for row in predicted if row.prediction > -math.inf and row.high > above]
        worthwhile.sort(key=lambda row: -row.prediction)
        rest = max((row.high for row in worthwhile[count:]), default=-math.inf)
        return Ranking(worthwhile[:count], rest)

    def bounds(self, state: State) -> Bounds:  # noqa: ARG002
        """What can be said of a state's value at once."""
        return Bounds()

    def effort(self, state: State) -> int | None:  # noqa: ARG002
        """After how many visits `refine` is worth its time in this state (0: at once); None:
        never, a search has to look for itself."""
        return None

    def refine(self, state: State) -> Bounds:
        """The best bounds that the process can find by itself; asked for when `effort` says so."""
        return self.bounds(state)

    def resolution(self, state: State) -> float:  # noqa: ARG002
        """Different values of this state are at least so far apart (0: arbitrarily close)."""
        return 0.0


class Sampled(DecisionProcess[State, Action]):
    """A process whose outcomes cannot be enumerated, as one whose outcomes were: `width` draws for
    every action of every state, the same whenever it is asked. Its optimum tends to that of the
    process with more draws; nothing about it is proven.
    """

    def __init__(
        self, process: DecisionProcess[State, Action], width: int = 32, seed: int = 0
    ) -> None:
        if width < 1:
            raise InputError(f"{width} draws for an action: give at least 1")
        self.process, self.width, self.seed = process, width, seed

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
        drawn = Counter(self.process.sample(state, action, rng) for _ in range(self.width))
        return [Outcome(count / self.width, *what) for what, count in drawn.items()]


def is_enumerable(process: DecisionProcess[State, Action]) -> bool:
    """Can it name all outcomes of an action?"""
    return type(process).outcomes is not DecisionProcess.outcomes


def check_prediction(
    process: DecisionProcess[State, Action], state: State, action: Action
) -> float:
    """The process's prediction, if it is a number."""
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
    """The process's ranking, if every prediction is a number."""
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
    """The outcomes of an action, if they make a distribution."""
    outcomes = process.outcomes(state, action)
    total = 0.0
    for outcome in outcomes:
        if not 0 <= outcome.probability <= 1 + TOLERANCE:
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
    if not abs(total - 1) <= TOLERANCE:
        raise InputError(
            f"the probabilities of action {action!r} in state {state!r} sum to {total:.9g}; "
            "they must sum to 1"
        )
    return outcomes

"""Any decision process that ends and can be enumerated, as MCDP sees it.

Values of a process are rewards to be made great; here they are costs to be made small. Scores are
the process's predictions.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from salet.errors import InputError
from salet.search.mcdp import dp
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.nodes import Node
from salet.search.mcdp.problem import Actions, Span, Steps
from salet.search.mcdp.search import Search
from salet.search.mdp import (
    Action,
    Bounds,
    DecisionProcess,
    Sampled,
    State,
    check_outcomes,
    check_prediction,
    is_enumerable,
)


class ProcessProblem(Generic[State, Action]):
    """A decision process as a `Problem`."""

    infinite = math.inf
    tolerance = 1e-9
    nbytes = 0

    def __init__(self, process: DecisionProcess[State, Action]) -> None:
        self.process = process
        self._memo: dp.Memo = {}

    def start(self) -> State:
        return self.process.start()

    def key(self, state: State) -> Hashable:
        return state

    def size(self, state: State) -> int:  # noqa: ARG002
        return 1

    def footprint(self, state: State) -> int:  # noqa: ARG002
        return 200

    def bounds(self, state: State) -> Span:
        if self.process.is_terminal(state):
            return Span(0.0, 0.0)
        low, high = self.process.bounds(state)
        return Span(-high, -low)

    def reach(self, state: State) -> float:  # noqa: ARG002
        return 1.0

    def look(self, state: State) -> Span:
        return self.bounds(state)

    def is_small(self, state: State, threshold: int) -> bool:
        """Are no more than so many states still to come, this one included?"""
        met, waiting = {state}, [state]
        while waiting and len(met) <= threshold:
            here = waiting.pop()
            if self.process.is_terminal(here):
                continue
            for action in self.process.actions(here):
                fresh = {o.next for o in check_outcomes(self.process, here, action)} - met
                met |= fresh
                waiting.extend(fresh)
        return len(met) <= threshold

    def solve(self, state: State, beta: float) -> Span:
        value = dp.solve(self, state, beta, self._memo)
        return Span(value, value) if value < beta or value == math.inf else Span(beta, math.inf)

    def expand(self, state: State, among: NDArray[Any] | None) -> Actions:  # noqa: ARG002
        """Actions are told by their place among the process's."""
        predicted = [
            check_prediction(self.process, state, action) for action in self.process.actions(state)
        ]
        scores = np.array(predicted, float)
        hopeless = np.isneginf(scores)  # to be tried after all others, but with some chance
        scores[hopeless] = scores[~hopeless].min(initial=0.0) - 1
        order = np.argsort(-scores, kind="stable")
        return Actions(order, scores[order], np.full(len(order), self.bounds(state).lower))

    def follow(self, state: State, action: int, limit: float) -> Steps:  # noqa: ARG002
        chosen = self.process.actions(state)[action]
        cost, weights = 0.0, dict[State, float]()
        for probability, reward, below in check_outcomes(self.process, state, chosen):
            if probability == 0:
                continue
            cost -= probability * reward
            known = self.bounds(below)
            if known.lower == known.upper:
                cost += probability * known.lower
            else:
                weights[below] = weights.get(below, 0.0) + probability
        rows = [(weight, below, self.bounds(below).lower) for below, weight in weights.items()]
        return Steps(cost, rows)


class Optimum(Generic[State, Action]):
    """What a search knows of a process."""

    def __init__(
        self, problem: ProcessProblem[State, Action], search: Search[State], proven: bool
    ) -> None:
        self._problem, self._search = problem, search
        root = search.root
        self.bounds = Bounds(-root.upper, -root.lower)
        """of the value of the start"""
        self.proven = proven
        """the bounds meet"""
        self.episodes = search.episodes

    def action(self, state: State) -> Action | None:
        """The action of the best plan known; None in a state that the plan does not lead to, or
        where nothing can be done."""
        node: Node[State] | None = self._search.tree.table.get(state)
        place = None if node is None else node.action
        if place is None:
            _, place = dp.best(self._problem, state, math.inf, {})
        return None if place is None else self._problem.process.actions(state)[place]


def optimise(
    process: DecisionProcess[State, Action],
    config: McdpConfig | None = None,
    episodes: int | None = None,
) -> Optimum[State, Action]:
    """Search a decision process until it is solved, or for so many episodes.

    The process must end. Where its outcomes cannot be enumerated some are drawn, and nothing is
    proven. Predictions are scores between 0 and 1 times something: give `temperature` in their
    unit.
    """
    config = config or McdpConfig(temperature=0.1)
    is_proof = is_enumerable(process)
    problem = ProcessProblem(process if is_proof else Sampled(process, seed=config.seed))
    if process.is_terminal(process.start()):
        raise InputError(f"state {process.start()!r} is where the process starts, and it is over")
    search = Search(problem, config)
    try:
        search.run(lambda: True, episodes)
    except RecursionError:
        raise InputError(
            "a state comes back to itself, or hundreds follow each other: MCDP is for processes "
            "that end soon; a dp_threshold below that depth may do"
        ) from None
    return Optimum(problem, search, is_proof and search.is_done)

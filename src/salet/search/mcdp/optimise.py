"""MCDP on any finite decision process."""

from __future__ import annotations

import math
from typing import Generic

from salet.errors import InputError
from salet.search.dynamic_programming import best_action
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.search import McdpSearch
from salet.search.process import (
    ActionT,
    DecisionProcess,
    SampledProcess,
    StateT,
    ValueBounds,
    is_enumerable,
)


class Optimum(Generic[StateT, ActionT]):
    """The result of a search: bounds on the value of the start, and the best known policy."""

    def __init__(self, search: McdpSearch[StateT], is_proof: bool) -> None:
        self._search = search
        root = search.root
        self.bounds = ValueBounds(root.low, root.high)
        self.proven = is_proof and search.is_done
        """whether the bounds meet"""
        self.episodes = search.episodes

    def action(self, state: StateT) -> ActionT | None:
        """The action of the best known policy; None if there is no action."""
        process = self._search.process
        node = self._search.tree.table.get(process.key(state))
        chosen: ActionT | None = None if node is None else node.action
        if chosen is None:
            _, chosen = best_action(process, state, -math.inf, {})
        return chosen


def optimise(
    process: DecisionProcess[StateT, ActionT],
    config: McdpConfig | None = None,
    episodes: int | None = None,
) -> Optimum[StateT, ActionT]:
    """Search a decision process until it is solved, or for a number of episodes.

    The process must be finite. If its outcomes cannot be enumerated, they are sampled, and nothing
    is proven. `temperature` is in the unit of the rewards.
    """
    config = config or McdpConfig(temperature=0.1)
    is_proof = is_enumerable(process)
    if process.is_terminal(process.start()):
        raise InputError(f"state {process.start()!r} is where the process starts, and it is over")
    known = process if is_proof else SampledProcess(process, seed=config.seed)
    search: McdpSearch[StateT] = McdpSearch(known, config)
    try:
        search.run(episodes=episodes)
    except RecursionError:
        raise InputError(
            "a state leads back to itself, or hundreds follow each other: MCDP is for processes "
            "that end soon; a dp_threshold below that depth may do"
        ) from None
    return Optimum(search, is_proof)

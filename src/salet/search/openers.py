"""Who decides which guess of a state is best, over all of them: the prover, given house terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from salet.array_types import Ints
from salet.game.state import State
from salet.search.exact.prover import Prover
from salet.search.exact.solver import Rules, Solver
from salet.search.partition import splits
from salet.search.terms import hints_of, rules_of, tiny


def prover_of(
    state: State,
    openers: Iterable[int],
    *,
    ranking: int,
    memory: float,
    threads: int,
    solver: Solver | None = None,
) -> Prover:
    """Who decides these guesses of a state; `memory` in gigabytes. A `solver` that is given lends
    its table of bounds."""
    return Prover(
        rules_of(state.game),
        history=hints_of(state),
        ranking=ranking,
        openers=openers,
        lowers=first_bounds(state),
        megabytes=memory * 1024,
        threads=threads,
        solver=solver,
        replies=_replies(state),
    )


def warm_up_prover(rules: Rules) -> None:
    """Load (or compile) what proofs need beside the search, before the clock starts."""
    small = tiny(rules)
    openers = range(small.table.shape[0])
    prover = Prover(
        small, ranking=1, openers=openers, lowers=dict.fromkeys(openers, 0), megabytes=1, threads=1
    )
    prover.warm_up()


def _replies(state: State) -> Callable[[int], Ints] | None:
    """Where a game has symmetries: the second guesses that suffice after a first one."""
    symmetry = state.game.symmetry
    if symmetry.is_none:
        return None
    made = [guess for guess, _ in state.history]
    return lambda opener: np.unique(symmetry.first_alike([*made, opener]))


def first_bounds(state: State) -> dict[int, int]:
    """What sizes alone say: 3n - parts - 1 for a candidate (2n - 1 at the least, with weights)."""
    weights = state.game.weights
    if weights is not None:
        own = weights[state.candidates]
        return dict.fromkeys(state.legal.tolist(), 2 * int(own.sum()) - int(own.max()))
    found = splits(state)
    bounds = 3 * found.answers - found.parts - found.is_candidate
    return dict(zip(found.guesses.tolist(), bounds.tolist(), strict=True))


def alike(state: State, guesses: Iterable[int]) -> dict[int, list[int]]:
    """The guesses by the first of them that is worth the same by symmetry."""
    asked = sorted(set(guesses))
    least = state.game.symmetry.first_alike([guess for guess, _ in state.history])
    groups: dict[int, list[int]] = {}
    for guess in asked:
        groups.setdefault(int(least[guess]), []).append(guess)
    return {group[0]: group for group in groups.values()}

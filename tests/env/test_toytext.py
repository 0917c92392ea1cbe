"""Toy-text environments, against value iteration on Gymnasium's own table."""

from __future__ import annotations

import math

import pytest

from salet.env.toytext import START, ToyText, toy_text
from salet.errors import InputError
from salet.search.mcts.pickers import picker_named
from salet.search.mcts.search import TreeSearch

gymnasium = pytest.importorskip("gymnasium")
TAXI = "Taxi-v4" if "Taxi-v4" in gymnasium.registry else "Taxi-v3"
CLIFF = "CliffWalking-v1" if "CliffWalking-v1" in gymnasium.registry else "CliffWalking-v0"


def value_iteration(name, steps, **options):
    """The best expected reward, and the best value of every state by the number of steps left."""
    inner = gymnasium.make(name, **options).unwrapped
    table = inner.P
    values = [dict.fromkeys(table, 0.0)]
    for _ in range(steps):
        values.append(
            {
                state: max(
                    sum(p * (r + (0.0 if over else values[-1][s])) for p, s, r, over in rows)
                    for rows in actions.values()
                )
                for state, actions in table.items()
            }
        )
    return sum(p * values[-1][s] for s, p in enumerate(inner.initial_state_distrib)), values


def policy_value(process, search, state):
    """The value of the search's own policy."""
    known = {}

    def value(at):
        if process.is_terminal(at):
            return 0.0
        if at not in known:
            node = search.nodes[at]
            action = node.actions[node.best_by_bound()]
            known[at] = sum(p * (r + value(then)) for p, r, then in process.outcomes(at, action))
        return known[at]

    return value(state)


CASES = [
    ("FrozenLake-v1", 30, {"map_name": "4x4"}),
    ("FrozenLake-v1", 12, {"map_name": "4x4", "is_slippery": False}),
    pytest.param("FrozenLake-v1", 20, {"map_name": "8x8"}, marks=pytest.mark.slow),
    (CLIFF, 15, {}),
    pytest.param(TAXI, 9, {}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "steps", "options"), CASES)
def test_the_policy_is_as_good_as_value_iteration(name, steps, options):
    best, values = value_iteration(name, steps, **options)
    process = toy_text(name, steps, **options)
    search = TreeSearch(process, picker_named("thompson"), seed=1)
    while not search.root.is_solved:
        search.iterate()
    assert search.root.low == pytest.approx(best, abs=1e-7)
    assert policy_value(process, search, process.start()) == pytest.approx(best, abs=1e-7)
    for (state, left), node in search.nodes.items():
        if state >= 0:
            assert node.low - 1e-7 <= values[left][state] <= node.high + 1e-7


def test_bounds_hold():
    for name, options in (("FrozenLake-v1", {}), (CLIFF, {}), (TAXI, {})):
        _, values = value_iteration(name, 9, **options)
        process = toy_text(name, 9, **options)
        for state in (0, 5, 17 if name == TAXI else 7):
            for left in range(1, 10):
                low, high = process.bounds((state, left))
                assert low <= values[left][state] <= high


def test_the_initial_states_are_those_of_the_environment():
    process = toy_text(TAXI, 5)
    rows = process.outcomes((START, 5), 0)
    assert len(rows) == 300
    assert math.isclose(sum(row.probability for row in rows), 1)


def test_the_default_step_limit_is_the_environments():
    assert toy_text("FrozenLake-v1").steps == 100
    with pytest.raises(InputError, match="no step limit"):
        toy_text(CLIFF)


def test_unsuitable_environments_are_refused():
    with pytest.raises(InputError, match="environment 'FrozenPond-v1'"):
        toy_text("FrozenPond-v1")
    with pytest.raises(InputError, match="no transition table"):
        toy_text("Blackjack-v1")
    with pytest.raises(InputError, match="0 steps"):
        ToyText({0: {0: [(1.0, 0, 0.0, True)]}}, [1.0], 0)

"""MCDP on decision processes other than games, against plain recursion."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from drawn import spelled, split_lists
from salet import Game
from salet.errors import InputError
from salet.search.game_process import GameProcess
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.optimise import optimise
from salet.search.process import DecisionProcess, Outcome, ValueBounds


class Drawn(DecisionProcess[int, int]):
    """States 0 to n - 1, each leading only to greater ones; n is the end."""

    def __init__(self, table: list[list[list[tuple[float, float, int]]]], bound: float) -> None:
        self.table, self.bound = table, bound

    def start(self) -> int:
        return 0

    def is_terminal(self, state: int) -> bool:
        return state == len(self.table)

    def actions(self, state: int) -> list[int]:
        return list(range(len(self.table[state])))

    def outcomes(self, state: int, action: int) -> list[Outcome[int]]:
        return [Outcome(*row) for row in self.table[state][action]]

    def predict(self, state: int, action: int) -> float:
        return sum(p * r for p, r, _ in self.table[state][action])

    def bounds(self, state: int) -> ValueBounds:
        return ValueBounds(-self.bound, self.bound)


@st.composite
def processes(draw: st.DrawFn) -> Drawn:
    count = draw(st.integers(1, 7))
    table = []
    for state in range(count):
        actions = []
        for _ in range(draw(st.integers(1, 3))):
            shares = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
            actions.append(
                [
                    (share / sum(shares), draw(st.integers(-4, 4)) / 2,
                     draw(st.integers(state + 1, count)))
                    for share in shares
                ]
            )  # fmt: skip
        table.append(actions)
    return Drawn(table, draw(st.sampled_from([math.inf, 100.0])))


def value_of(process: Drawn) -> float:
    @functools.cache
    def value(state: int) -> float:
        if process.is_terminal(state):
            return 0.0
        return max(
            sum(p * (r + value(below)) for p, r, below in rows) for rows in process.table[state]
        )

    return value(0)


@settings(max_examples=150)
@given(processes(), st.sampled_from([0, 2, 100]), st.integers(0, 9))
def test_values_of_any_process(process: Drawn, threshold: int, seed: int) -> None:
    found = optimise(process, McdpConfig(dp_threshold=threshold, temperature=0.5, seed=seed))
    assert found.proven
    assert found.bounds.low == pytest.approx(value_of(process), abs=1e-6)
    assert found.bounds.high == pytest.approx(value_of(process), abs=1e-6)


@settings(max_examples=60)
@given(processes(), st.sampled_from([0, 2, 100]))
def test_the_total_of_the_plan_is_its_bound(process: Drawn, threshold: int) -> None:
    found = optimise(process, McdpConfig(dp_threshold=threshold, temperature=0.5))

    def worth(state: int) -> float:
        if process.is_terminal(state):
            return 0.0
        rows = process.outcomes(state, found.action(state))
        return sum(o.probability * (o.reward + worth(o.next)) for o in rows)

    assert worth(0) == pytest.approx(value_of(process), abs=1e-6)


@settings(max_examples=40)
@given(split_lists(least=2, most=7, lengths=(2, 3), letters=4), st.sampled_from([0, 5]))
def test_games_as_processes(drawn, threshold: int) -> None:
    words, answers = drawn
    game = Game(spelled(words[:answers]), spelled(words))
    optimum = naive.solve(naive.Tiny(tuple(words[:answers]), tuple(words)))
    found = optimise(GameProcess(game), McdpConfig(dp_threshold=threshold, temperature=0.5))
    assert found.proven
    assert -found.bounds.low * answers == pytest.approx(optimum.total)


def test_nonsense_is_named() -> None:
    unfair = Drawn([[[(0.5, 1.0, 1)]]], 10.0)
    with pytest.raises(InputError, match=r"action 0 in state 0 sum to 0\.5"):
        optimise(unfair, McdpConfig(dp_threshold=0))
    with pytest.raises(InputError, match="sum to"):
        optimise(unfair, McdpConfig(dp_threshold=100))

    class Dizzy(Drawn):
        def predict(self, state: int, action: int) -> float:
            return math.nan

    with pytest.raises(InputError, match="prediction for action 0 in state 0 is nan"):
        optimise(Dizzy([[[(1.0, 1.0, 1)]]], 10.0), McdpConfig(dp_threshold=0))
    with pytest.raises(InputError, match="it is over"):
        optimise(Drawn([], 1.0))


def test_hopeless_actions_are_tried_all_the_same() -> None:
    class Hopeless(Drawn):
        def predict(self, state: int, action: int) -> float:
            return -math.inf

    process = Hopeless([[[(1.0, 1.0, 1)], [(1.0, 3.0, 1)]]], 10.0)
    found = optimise(process, McdpConfig(dp_threshold=0))
    assert found.proven and found.bounds.low == 3


def test_outcomes_that_can_only_be_drawn_prove_nothing() -> None:
    class Coin(DecisionProcess[int, str]):
        def start(self) -> int:
            return 1

        def is_terminal(self, state: int) -> bool:
            return state == 0

        def actions(self, state: int) -> list[str]:
            return ["toss", "take"]

        def predict(self, state: int, action: str) -> float:
            return 0.5

        def bounds(self, state: int) -> ValueBounds:
            return ValueBounds(0.0, 1.0)

        def sample(self, state: int, action: str, rng: np.random.Generator) -> tuple[float, int]:
            return 0.25 if action == "take" else float(rng.random() < 0.5), 0

    found = optimise(Coin(), McdpConfig(dp_threshold=0))
    assert not found.proven
    assert found.action(1) == "toss"
    assert 0.25 < found.bounds.low < 0.8


@pytest.mark.parametrize(
    ("threshold", "fault"), [(100, "leads back to itself, or hundreds"), (0, "0 leads back")]
)
def test_a_process_that_comes_back_is_refused(threshold: int, fault: str) -> None:
    class Circle(Drawn):
        def is_terminal(self, state: int) -> bool:
            return False

    circle = Circle([[[(1.0, 0.0, 1)]], [[(1.0, 0.0, 0)]]], math.inf)
    with pytest.raises(InputError, match=fault):
        optimise(circle, McdpConfig(dp_threshold=threshold))

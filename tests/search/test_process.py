"""Decision processes: what is refused, and processes that can only be sampled."""

from __future__ import annotations

import math

import numpy as np
import pytest

from salet.errors import InputError
from salet.search.mcts.pickers import picker_named
from salet.search.mcts.search import TreeSearch
from salet.search.process import (
    DecisionProcess,
    Outcome,
    SampledProcess,
    check_outcomes,
    check_prediction,
    check_ranking,
    is_enumerable,
)


class Coins(DecisionProcess[int, str]):
    """Three coins are tossed one by one for a reward each; `safe` takes a fixed reward instead."""

    def __init__(self, probabilities=(0.5, 0.5), prediction=0.5, reward=1.0):
        self.probabilities, self.prediction, self.reward = probabilities, prediction, reward

    def start(self):
        return 3

    def is_terminal(self, state):
        return state == 0

    def actions(self, state):
        return ["toss", "safe"]

    def predict(self, state, action):
        return self.prediction

    def outcomes(self, state, action):
        if action == "safe":
            return [Outcome(1.0, 0.25, state - 1)]
        heads, tails = self.probabilities
        return [Outcome(heads, self.reward, state - 1), Outcome(tails, 0.0, state - 1)]


class Drawn(Coins):
    """The same, without telling its outcomes."""

    outcomes = DecisionProcess.outcomes

    def sample(self, state, action, rng):
        return (0.25 if action == "safe" else float(rng.random() < 0.5)), state - 1


def searched(process, iterations=200, **options):
    search = TreeSearch(process, picker_named("thompson"), **options)
    while search.iteration < iterations and not search.root.is_solved:
        search.iterate()
    return search


def test_a_small_process_is_solved_and_proven():
    search = searched(Coins())
    assert search.is_exhaustive
    assert search.root.is_solved
    assert search.root.low == pytest.approx(1.5)
    assert search.root.actions[search.root.best_by_bound()] == "toss"


def test_outcomes_that_cannot_be_enumerated_are_drawn():
    search = searched(Drawn(), iterations=400)
    assert not search.is_exhaustive
    assert search.root.is_solved
    assert search.root.low == pytest.approx(1.5, abs=0.4)


def test_draws_are_the_same_whenever_asked():
    first, again = SampledProcess(Drawn(), 16, 3), SampledProcess(Drawn(), 16, 3)
    rows = first.outcomes(2, "toss")
    assert rows == again.outcomes(2, "toss")
    assert sum(row.probability for row in rows) == pytest.approx(1)
    assert rows != SampledProcess(Drawn(), 16, 4).outcomes(2, "toss") or len(rows) == 1
    assert is_enumerable(first)
    assert not is_enumerable(Drawn())
    with pytest.raises(InputError, match="0 draws"):
        SampledProcess(Drawn(), 0)


def test_a_process_with_outcomes_can_be_drawn_from():
    rng = np.random.default_rng(1)
    drawn = {Coins().sample(3, "toss", rng) for _ in range(50)}
    assert drawn == {(1.0, 2), (0.0, 2)}


@pytest.mark.parametrize(
    ("probabilities", "fault"),
    [((0.5, 0.4), "sum to 0.9"), ((1.5, -0.5), "1.5"), ((math.nan, 0.5), "nan")],
)
def test_probabilities_that_make_no_sense(probabilities, fault):
    with pytest.raises(InputError, match="'toss' in state 3") as caught:
        searched(Coins(probabilities))
    assert fault in str(caught.value)
    with pytest.raises(InputError, match=fault):
        check_outcomes(Coins(probabilities), 3, "toss")


def test_rewards_are_finite():
    with pytest.raises(InputError, match="reward of inf"):
        searched(Coins(reward=math.inf))


@pytest.mark.parametrize("prediction", [math.nan, math.inf])
def test_predictions_that_make_no_sense(prediction):
    with pytest.raises(InputError, match="'toss' in state 3"):
        searched(Coins(prediction=prediction))
    with pytest.raises(InputError, match="prediction"):
        check_prediction(Coins(prediction=prediction), 3, "toss")


def test_a_ranking_of_its_own_is_checked_too():
    class Ranks(Coins):
        def ranked(self, state, tried, count, above):
            ranking = super().ranked(state, tried, count, above)
            return ranking._replace(
                rows=[row._replace(prediction=math.nan) for row in ranking.rows]
            )

    with pytest.raises(InputError, match="'toss' in state 3 is nan"):
        check_ranking(Ranks(), 3, set(), 5, -math.inf)


def test_actions_predicted_to_be_worthless_are_left_out():
    class Picky(Coins):
        def predict(self, state, action):
            return -math.inf if action == "toss" else 0.0

    assert [row.action for row in Picky().ranked(3, set(), 5, -math.inf).rows] == ["safe"]


def test_a_state_that_leads_back_to_itself_is_named():
    class Circle(Coins):
        def outcomes(self, state, action):
            return [Outcome(1.0, 0.0, state % 3 + 1)]

    with pytest.raises(InputError, match="leads back to itself"):
        searched(Circle())


def test_actions_that_are_promised_must_be_named():
    class Vague(Coins):
        def ranked(self, state, tried, count, above):
            return super().ranked(state, tried, count, above)._replace(rows=[], rest=1.0)

    with pytest.raises(InputError, match="none is named"):
        searched(Vague())

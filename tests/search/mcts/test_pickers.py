"""Pickers: each one by its formula, and all of them by name."""

from __future__ import annotations

import math

import numpy as np
import pytest

from salet.errors import InputError, UnknownNameError
from salet.search.anytime import SearchConfig, anytime_search
from salet.search.mcts.pickers import PICKERS, View, picker_named

VIEW = View(
    np.array([-3.5, -3.4, -3.6]),
    np.array([0.01, 0.04, 0.0]),
    np.array([3, 1, 0]),
    np.array([-3.0, -3.1, -2.9]),
    4,
)


def scores(spec, view=VIEW, seed=0):
    return picker_named(spec).score(view, np.random.default_rng(seed))


def test_the_pickers_of_the_article():
    assert set(PICKERS) >= {
        "thompson", "laplace", "puct", "hoeffding", "epsilon-greedy", "top-n", "mean",
    }  # fmt: skip


def test_laplace():
    assert scores("laplace").tolist() == pytest.approx([-3.475, -3.35, -3.5])
    assert scores("laplace:delta=0.4").tolist() == pytest.approx([-3.4, -3.2, -3.2])


def test_hoeffding():
    width = 6 * math.sqrt(-math.log(0.999) / 2)
    assert width == pytest.approx(0.1342, abs=1e-4)
    expected = [-3.5 + width / 2, -3.4 + width / math.sqrt(2), -3.6 + width]
    assert scores("hoeffding").tolist() == pytest.approx(expected)


def test_puct():
    policy = np.exp(VIEW.prior) / np.exp(VIEW.prior).sum()
    expected = VIEW.value + 2.0 * policy * 2.0 / (1 + VIEW.visits)
    assert scores("puct:c=2").tolist() == pytest.approx(expected.tolist())


def test_thompson_draws_by_mean_and_variance():
    drawn = np.array([scores("thompson", seed=seed) for seed in range(4000)])
    assert drawn.mean(axis=0) == pytest.approx(VIEW.value, abs=0.02)
    assert drawn.var(axis=0) == pytest.approx(VIEW.variance, abs=0.004)


def test_epsilon_greedy_explores_as_often_as_it_says():
    often = [int(scores("epsilon-greedy:c=2", seed=seed).argmax()) for seed in range(3000)]
    # half of the time (2 / 4 visits) any of three
    shares = np.bincount(often) / len(often)
    assert shares == pytest.approx([1 / 6, 4 / 6, 1 / 6], abs=0.03)
    always = [int(scores("epsilon-greedy", seed=seed).argmax()) for seed in range(3000)]
    assert np.bincount(always) / len(always) == pytest.approx([1 / 3] * 3, abs=0.03)


@pytest.mark.parametrize("name", PICKERS)
def test_every_picker_solves_a_small_game(name):
    from salet import Game

    found = anytime_search(Game.named("mastermind:2x3"), SearchConfig(picker=name, iterations=500))
    assert found.total == 21
    assert found.proven == (name != "top-n")
    assert found.stopped == ("proven" if name != "top-n" else "exhausted")


@pytest.mark.parametrize("rule", ["newest", "least"])
@pytest.mark.parametrize("name", ["thompson", "laplace"])
def test_rules_of_adding_actions(name, rule, tiny_game):
    config = SearchConfig(picker=f"{name}:add={rule}", iterations=3000, dp_threshold=3)
    assert anytime_search(tiny_game(), config).proven


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("tomson", "unknown picker 'tomson'; did you mean 'thompson'"),
        ("laplace:dleta=1", "parameter of picker 'laplace': 'dleta'; did you mean 'delta'"),
        ("laplace:delta=much", "is not a number"),
        ("laplace:delta=0", "more than 0"),
        ("laplace:delta=nan", "more than 0"),
        ("top-n:first=0", "more than 0"),
        ("thompson:add=random", "newest or least"),
    ],
)
def test_wrong_pickers(spec, fault):
    with pytest.raises(InputError) as caught:
        picker_named(spec)
    assert fault in str(caught.value)


def test_unknown_pickers_are_unknown_names():
    with pytest.raises(UnknownNameError):
        picker_named("")

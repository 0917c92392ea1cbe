"""The published search: its known numbers, and what its bounds promise."""

from __future__ import annotations

import numpy as np
import pytest

from salet import Game, solve
from salet.errors import InputError
from salet.search.anytime import SearchConfig, anytime_search
from salet.search.mcts.faithful import FaithfulSearch
from salet.search.mcts.game import PublishedGameProcess
from salet.search.mcts.pickers import Picker, picker_named
from salet.search.mcts.tree import LOW, Q1, Q2, VISITS


@pytest.fixture(scope="module")
def nyt():
    return PublishedGameProcess(Game.named("nyt-2023-07", cap=None))


@pytest.mark.parametrize(
    ("word", "guesses"), [("sater", 2.9870), ("raise", 2.9925), ("roate", 2.9942)]
)
def test_known_base_predictions(nyt, word, guesses):
    predicted = nyt.predict(nyt.start(), nyt.game.index(word))
    assert round(-predicted, 4) == guesses


class Forced(FaithfulSearch):
    """Begins with a given word."""

    def __init__(self, process, word):
        self.word = process.game.index(word)
        super().__init__(process, picker_named("thompson"), 0)

    def _add(self, node):
        super()._add(node)
        while node.state.state.turn == 0 and node.actions[0] != self.word:
            node.actions.clear()
            node.branches.clear()
            super()._add(node)


@pytest.mark.slow
@pytest.mark.parametrize(("word", "guesses"), [("sater", 3.3142), ("raise", 3.3498)])
def test_known_predictions_after_one_visit(nyt, word, guesses):
    tree = Forced(nyt, word)
    tree.iterate()
    assert tree.root.actions[0] == nyt.game.index(word)
    assert tree.root.row(VISITS)[0] == 1
    assert round(-float(tree.root.row(Q2)[0]), 4) == guesses


@pytest.mark.slow
def test_the_known_curve_begins_the_same(nyt):
    """The published curve: 3158 before the first iteration, 101.07 after it, then 6.67."""
    tree = FaithfulSearch(nyt, picker_named("thompson"), 1)
    assert -tree.root.row(LOW)[0] == 3158
    assert nyt.game.guesses[tree.root.actions[0]] == "tarse"
    tree.iterate()
    assert round(-tree.root.low, 2) == 101.07
    tree.iterate()
    assert round(-tree.root.low, 2) == 6.67


def test_one_iteration_visits_all_that_exists(tiny_game):
    always_first = Picker("first", lambda view, _: -np.arange(len(view.value), dtype=float))
    tree = FaithfulSearch(PublishedGameProcess(tiny_game()), always_first, 0)
    tree.iterate()
    assert len(tree.root) == 2  # the newest was picked, so the next one came
    first = tree.root.branches[0]
    assert first is not None
    below = [child for _, _, child in first if child.low < child.high]
    assert [child.visits for child in below] == [0] * len(below)
    for visits in (1, 2, 3):
        tree.iterate()
        assert len(tree.root) == 2  # the newest was not picked
        assert [child.visits for child in below] == [visits] * len(below)
    assert tree.root.row(Q1)[0] > tree.root.row(Q2)[0]  # too hopeful


@pytest.mark.parametrize("picker", ["thompson", "laplace", "mean"])
def test_bounds_only_improve_and_the_plan_keeps_them(picker, tiny_game):
    game = tiny_game()
    found = anytime_search(game, SearchConfig(picker=picker, faithful=True, iterations=60))
    uppers = [point.upper for point in found.curve]
    assert uppers == sorted(uppers, reverse=True)
    assert found.curve[0].upper == 20
    assert found.cap is None
    assert not found.proven
    assert found.stopped == "iterations"
    best = solve(game).total
    assert found.lower <= best <= found.total == found.upper
    assert found.plan is not None
    assert sum(size * count for size, count in found.plan.histogram.items()) == found.total
    assert found.total / 20 == pytest.approx(found.curve[-1].upper)


def test_enough_iterations_reach_the_optimum(tiny_game):
    game = tiny_game()
    found = anytime_search(game, SearchConfig(faithful=True, iterations=1500))
    assert found.total == solve(game).total


def test_the_same_seed_gives_the_same_curve(tiny_game):
    def curve(seed):
        found = anytime_search(tiny_game(), SearchConfig(faithful=True, iterations=80, seed=seed))
        return [(p.iteration, p.upper) for p in found.curve], found.policy

    assert curve(3) == curve(3)
    assert curve(3) != curve(4)


def test_it_explores_one_guess_at_a_time(tiny_game):
    with pytest.raises(InputError, match="one guess at a time"):
        anytime_search(tiny_game(), SearchConfig(faithful=True, top_k=3, iterations=5))

"""salet's tree search: valid bounds at all times, a proof at the end, reproducible by seed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from drawn import spelled, split_lists
from salet import Game, solve
from salet.errors import InputError
from salet.search.anytime import METHODS, SearchConfig, anytime_search
from salet.search.anytime_run import MemoryLimit
from salet.search.game_process import GameProcess
from salet.search.mcts.pickers import picker_named
from salet.search.mcts.search import TreeSearch
from salet.verification.plans import verify
from states import PAIRS


@st.composite
def questions(draw):
    words, answers = draw(split_lists(least=2, most=10, lengths=(2, 4), letters=5))
    rule, mode = draw(st.sampled_from(PAIRS))
    cap = draw(st.sampled_from([None, 2, 3, 4]))
    weights = draw(
        st.none() | st.lists(st.integers(1, 9), min_size=answers, max_size=answers).map(tuple)
    )
    threshold = draw(st.sampled_from([0, 3, None]))
    return words, answers, rule, mode, cap, weights, threshold


@pytest.mark.tiny
@settings(max_examples=100)
@given(questions())
def test_it_ends_with_the_proof_of_the_optimum(question):
    words, answers, rule, mode, cap, weights, threshold = question
    oracle = naive.solve(naive.Tiny(tuple(words[:answers]), tuple(words), rule, mode, cap, weights))
    game = Game(
        spelled(words[:answers]), spelled(words), rule=rule, mode=mode, cap=cap, weights=weights
    )
    config = SearchConfig(dp_threshold=threshold, threads=1, iterations=20_000)
    found = anytime_search(game, config)
    assert found.stopped == "proven"
    if oracle is None:
        assert (found.guess, found.upper, found.plan) == (None, None, None)
        return
    assert found.proven
    assert found.lower == found.upper == found.total == oracle.total
    assert found.plan is not None
    assert found.plan.root.guess == found.guess


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_bounds_are_facts_at_every_moment(mode, tiny_game):
    game = tiny_game(mode=mode, cap=6)
    best = solve(game).total
    tree = TreeSearch(GameProcess(game), picker_named("thompson"), seed=5, top_k=2, dp_threshold=3)
    before = (-math.inf, math.inf)
    while not tree.root.is_solved:
        tree.iterate()
        low, high = tree.root.low, tree.root.high
        assert before[0] <= low <= -best / 20 + 1e-9 <= high + 2e-9 <= before[1] + 3e-9
        before = (low, high)
    assert round(-tree.root.low * 20) == best


def test_plans_pass_verification(tiny_game, tmp_path):
    game = tiny_game(cap=6)
    for iterations in (1, 3, 2000):
        found = anytime_search(game, SearchConfig(iterations=iterations, dp_threshold=3))
        if found.plan is None:
            continue
        found.plan.save(tmp_path / "plan.json")
        assert verify(tmp_path / "plan.json", game).total == found.total
    assert found.proven


def test_threads_do_not_change_the_result(tiny_game):
    def run(threads):
        config = SearchConfig(
            iterations=12, seed=7, top_k=3, threads=threads, dp_threshold=3, picker="thompson"
        )
        found = anytime_search(tiny_game(), config)
        return found.guess, found.lower, found.upper, found.policy, len(found.curve)

    assert run(1) == run(2) == run(5)


def test_the_policy_is_a_distribution_over_explored_guesses(tiny_game):
    found = anytime_search(tiny_game(), SearchConfig(iterations=9, dp_threshold=3, temperature=2.0))
    assert sum(row.optimal for row in found.policy) == pytest.approx(1)
    assert sum(row.share for row in found.policy) == pytest.approx(1)
    visits = [row.visits for row in found.policy]
    roots = [number**0.5 for number in visits]
    assert [row.share for row in found.policy] == pytest.approx([x / sum(roots) for x in roots])
    proven = anytime_search(tiny_game(), SearchConfig(dp_threshold=3))
    assert proven.proven
    assert {row.guess: row.optimal for row in proven.policy}[proven.guess] == 1.0


def test_what_is_believed_stays_within_what_is_proven(tiny_game):
    tree = TreeSearch(GameProcess(tiny_game()), picker_named("laplace"), seed=1, dp_threshold=2)
    for _ in range(40):
        tree.iterate()
        for node in tree.nodes.values():
            assert node.low - 1e-9 <= node.estimate <= node.high + 1e-9


def test_a_game_of_one_answer():
    found = anytime_search(Game(["only"]))
    assert (found.guess, found.total, found.proven) == ("only", 1, True)


@pytest.mark.parametrize(
    ("name", "total"), [("bulls-and-cows:3x6", 436), ("mastermind:3x3", 73), ("mastermind:2x3", 21)]
)
def test_known_totals(name, total):
    found = anytime_search(Game.named(name))
    assert (found.total, found.proven) == (total, True)


@pytest.mark.slow
def test_known_total_of_mastermind():
    found = anytime_search(Game.named("mastermind:4x6"))
    assert (found.total, found.proven) == (5625, True)


def test_an_interrupt_keeps_what_was_found(tiny_game, monkeypatch):
    whole = TreeSearch.iterate

    def iterate(self):
        if self.iteration == 1:
            raise KeyboardInterrupt
        whole(self)

    monkeypatch.setattr(TreeSearch, "iterate", iterate)
    found = anytime_search(tiny_game(), SearchConfig(dp_threshold=2, top_k=1))
    assert (found.stopped, found.iterations) == ("interrupted", 1)
    assert found.plan is not None
    assert found.upper is not None


def test_the_published_preselection_proves_nothing(tiny_game):
    found = anytime_search(tiny_game(), SearchConfig(picker="top-n:first=2", dp_threshold=2))
    assert found.stopped == "exhausted"
    assert not found.proven
    assert len(found.policy) == 2


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"iterations": 0}, "0 iterations"),
        ({"seconds": 0.0}, "0 seconds"),
        ({"seconds": math.nan}, "nan seconds"),
        ({"top_k": 0}, "top-k 0"),
        ({"threads": 0}, "0 threads"),
        ({"temperature": 0.0}, "temperature 0"),
        ({"dp_threshold": -1}, "dp-threshold -1"),
        ({"memory": 0.0}, "memory 0"),
        ({"memory": math.nan}, "memory nan"),
        ({"memory": math.inf}, "memory inf"),
    ],
)
def test_budgets_that_make_no_sense(fields, fault):
    with pytest.raises(InputError) as caught:
        SearchConfig(**fields)
    assert fault in str(caught.value)


def test_memory_too_small_for_the_root(tiny_game):
    with pytest.raises(InputError, match=r"small for the tables of tiny .*; give at least 0\.0"):
        anytime_search(tiny_game(), SearchConfig(memory=0.001))


def test_a_search_stops_at_its_memory_limit(tiny_game, monkeypatch):
    asked = []
    monkeypatch.setattr(
        MemoryLimit, "is_exceeded", lambda self: asked.append(self) or len(asked) > 1
    )
    found = anytime_search(tiny_game(), SearchConfig(dp_threshold=2))
    assert (found.stopped, found.iterations) == ("memory", 1)
    with pytest.raises(InputError, match="too small for the tables of tiny"):
        anytime_search(tiny_game(), SearchConfig(dp_threshold=2))


@pytest.mark.parametrize("temperature", [0.0003, 1e-9])
def test_a_cold_share_is_the_most_visited_guess(temperature, tiny_game):
    config = SearchConfig(dp_threshold=2, iterations=30, temperature=temperature)
    policy = anytime_search(tiny_game(), config).policy
    assert sum(row.share for row in policy) == pytest.approx(1)
    assert max(policy, key=lambda row: row.share).visits == max(row.visits for row in policy)


@pytest.mark.parametrize("name", ["picker", "predictor", "faithful", "top_k"])
def test_options_of_tree_search_are_not_passed_over(name):
    given = {"picker": "bogus", "predictor": "statistical", "faithful": True, "top_k": 7}[name]
    with pytest.raises(InputError, match="goes with --method mcts, not with mcdp"):
        SearchConfig(method="mcdp", **{name: given})


def test_unknown_method():
    assert "mcts" in METHODS
    with pytest.raises(InputError, match="unknown method 'mcst'; did you mean 'mcts'"):
        anytime_search(Game(["only"]), SearchConfig(method="mcst"))

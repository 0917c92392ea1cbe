"""Games as decision processes, against brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from drawn import spelled, split_lists
from salet import Game
from salet.errors import InputError, UnknownNameError
from salet.search.budget import Budget
from salet.search.exact.solver import SearchInterruptedError
from salet.search.game_process import GameProcess, SearchState
from salet.search.heuristics import HEURISTICS
from salet.search.mcts.game import PublishedGameProcess
from salet.search.process import check_outcomes
from salet.search.splits import splits
from states import PAIRS, states


@pytest.mark.tiny
@given(states())
def test_outcomes_are_the_groups_of_a_guess(case):
    words, state = case
    if state.won:
        return
    process = GameProcess(state.game, start=state)
    for guess in process.actions(process.start()):
        rows = check_outcomes(process, process.start(), guess)
        answers = [words[index] for index in state.candidates]
        groups = naive.groups(state.game.rule.name, words[guess], answers)
        assert sorted(round(row.probability * len(answers)) for row in rows) == sorted(
            len(group) for group in groups.values()
        )
        assert {row.reward for row in rows} == {-1.0}
        over = [process.is_terminal(row.next) for row in rows]
        assert sum(over) == (guess in state.candidates.tolist())


@st.composite
def capped(draw):
    words, answers = draw(split_lists(least=2, most=10, lengths=(2, 4), letters=5))
    rule, mode = draw(st.sampled_from(PAIRS))
    cap = draw(st.sampled_from([None, 1, 2, 3, 4, 6]))
    weights = draw(
        st.none() | st.lists(st.integers(1, 9), min_size=answers, max_size=answers).map(tuple)
    )
    tiny = naive.Tiny(tuple(words[:answers]), tuple(words), rule, mode, cap, weights)
    game = Game(
        spelled(words[:answers]), spelled(words), rule=rule, mode=mode, cap=cap, weights=weights
    )
    return tiny, game


def value_of(tiny, weight, opener=None):
    """The value of the start by brute force, or of one guess there."""
    oracle = naive.solve(tiny, opener=opener)
    return -math.inf if oracle is None else -oracle.total / weight


@pytest.mark.tiny
@settings(max_examples=120)
@given(capped())
def test_bounds_hold(case):
    tiny, game = case
    process = GameProcess(game)
    start = process.start()
    weight = start.state.weight
    value = value_of(tiny, weight)
    for low, high in (process.bounds(start), process.look(start)):
        assert low <= value + 1e-12
        assert value <= high + 1e-12
    assert process.refine(start) == pytest.approx((value, value))
    above = process.refine(start, value + 1 / weight if value > -math.inf else -99.0)
    assert above.low in (-math.inf, value)
    assert value <= above.high + 1e-12
    if game.answer_count > 1:
        ranking = process.ranked(start, set(), len(game.guesses), -math.inf)
        assert ranking.rest == -math.inf
        if len(ranking.rows):
            assert value <= max(row.high for row in ranking.rows) + 1e-12


@pytest.mark.tiny
@settings(max_examples=80)
@given(capped())
def test_the_published_process_knows_only_n_guesses_for_n_answers(case):
    tiny, game = case
    if game.cap is not None:  # the published search has no cap
        return
    process = PublishedGameProcess(game)
    start = process.start()
    low, high = process.bounds(start)
    assert low == (-game.answer_count if game.answer_count > 1 else -1)
    assert low <= value_of(tiny, start.state.weight) <= high + 1e-12


@pytest.mark.tiny
@settings(max_examples=120)
@given(capped())
def test_actions_and_their_outcomes_are_bounded(case):
    tiny, game = case
    if game.answer_count < 3:
        return
    process = GameProcess(game)
    start = process.start()
    weight = start.state.weight
    value = value_of(tiny, weight)
    table = process.expand(start)
    values = [value_of(tiny, weight, int(guess)) for guess in table.actions]
    assert max(values, default=-math.inf) == value  # no guess that is needed is left out
    assert list(table.predictions) == sorted(table.predictions, reverse=True)
    for guess, high, worth in zip(table.actions, table.highs, values, strict=True):
        assert worth <= high + 1e-12
        for above in (-math.inf, worth, -2.0):
            found = process.bounded_outcomes(start, int(guess), above)
            assert worth <= found.high + 1e-12
            if found.open is None:
                assert found.high <= above + process.resolution(start) / 2
                continue
            total = found.settled
            for probability, below, bound in found.open:
                exact = process.refine(below).low
                assert exact <= bound + 1e-12
                total += probability * exact
            assert total == pytest.approx(worth)


@pytest.mark.parametrize("name", ["entropic", "statistical"])
def test_guesses_are_ranked_by_the_heuristic(name, tiny_game):
    game = tiny_game()
    process = GameProcess(game, predictor=name)
    start = process.start()
    costs = HEURISTICS[name].cost(splits(game.start()))
    partitions = [naive.groups("standard", word, game.answers) for word in game.guesses]
    expected, seen = [], set()
    for guess in np.argsort(costs, kind="stable"):
        groups = frozenset(map(frozenset, partitions[guess].values()))
        if np.isfinite(costs[guess]) and (guess < game.answer_count or groups not in seen):
            expected.append(int(guess))
        seen.add(groups)
    first = process.ranked(start, set(), 5, -math.inf)
    assert [row.action for row in first.rows] == expected[:5]
    later = process.ranked(start, set(expected[:5]), 99, -math.inf)
    assert [row.action for row in later.rows] == expected[5:]
    assert first.rest == max(row.high for row in later.rows)
    for row in first.rows:
        assert row.prediction == pytest.approx(process.predict(start, row.action))
    above = process.ranked(start, set(), 99, first.rows[0].high)
    assert all(row.high > first.rows[0].high for row in above.rows)
    assert process.expand(start).actions.tolist() == expected


def test_guesses_with_equal_splits_are_tried_once():
    words = ["abc", "abd", "abe"]
    game = Game(words, [*words, "xyc", "zwc", "xyz"])
    process = GameProcess(game)
    rows = process.ranked(process.start(), set(), 9, -math.inf).rows
    # xyc and zwc split as abc does, but cannot be the answer; xyz tells nothing apart; abe is abd
    # with two letters exchanged in the whole game
    assert [game.guesses[row.action] for row in rows] == ["abc", "abd"]
    later = process.ranked(process.start(), {0, 3}, 9, -math.inf)
    assert [game.guesses[row.action] for row in later.rows] == ["abd"]
    assert process.ranked(process.start(), {0, 1, 2, 3}, 1, -math.inf) == ([], -math.inf)
    published = PublishedGameProcess(game)
    assert len(published.ranked(published.start(), set(), 9, -math.inf).rows) == 5
    hard = GameProcess(game.replace(mode="hard"))
    assert len(hard.ranked(hard.start(), set(), 9, -math.inf).rows) == 4


def test_states_with_one_future_are_equal(tiny_game):
    game = tiny_game()
    one = game.start().after("crane", "bbbbb").after("sleet", "bybbb")
    other = game.start().after("sleet", "bybbb").after("crane", "bbbbb")
    assert one.candidates.tolist() == other.candidates.tolist()
    assert SearchState(one) == SearchState(other)
    assert hash(SearchState(one)) == hash(SearchState(other))
    assert SearchState(one) != SearchState(game.start())
    assert "crane:BBBBB" in repr(SearchState(one))


def test_the_cap_tells_states_apart_where_it_matters(tiny_game):
    game = tiny_game(cap=4)
    early = game.start().after("crane", "bbbbb")
    late = early.after("crane", "bbbbb")
    assert early.candidates.tolist() == late.candidates.tolist()
    assert SearchState(early) != SearchState(late)
    free = tiny_game().start().after("crane", "bbbbb")
    assert SearchState(free) == SearchState(free.after("crane", "bbbbb"))


def test_symmetric_states_are_small_at_half_the_size():
    process = GameProcess(Game.named("mastermind:3x4"))
    assert not process.is_small(process.start(), 127)
    assert process.is_small(process.start(), 128)
    words = GameProcess(Game(["abc", "abd", "xbe"]))
    assert words.is_small(words.start(), 3)


def test_an_expired_clock_ends_searches():
    game = Game.named("original")
    process = GameProcess(game).at(game.start(), Budget(seconds=0.0).start())
    with pytest.raises(SearchInterruptedError):
        process.refine(process.start())
    with pytest.raises(SearchInterruptedError):
        process.look(process.start())


def test_a_family_that_can_only_be_tried_one_by_one_is_bounded_exactly():
    words = [letter + "atch" for letter in "abcdefghijklmnopqrstuvwxyz"]
    process = GameProcess(Game(words))
    assert process.look(process.start()) == pytest.approx((-13.5, -13.5))


def test_unknown_predictor(tiny_game):
    with pytest.raises(UnknownNameError, match="did you mean 'entropic'"):
        GameProcess(tiny_game(), predictor="entropi")


def test_weights_beyond_what_means_can_tell_apart(tiny_game):
    with pytest.raises(InputError, match="sum to"):
        GameProcess(tiny_game(weights=[10**12] * 20))

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
from salet.search.guessing import Effort, GuessProcess, Position
from salet.search.heuristics import HEURISTICS
from salet.search.mdp import check_outcomes
from salet.search.splits import splits
from states import PAIRS, states


@pytest.mark.tiny
@given(states())
def test_outcomes_are_the_groups_of_a_guess(case):
    words, state = case
    if state.won:
        return
    process = GuessProcess(state.game, start=state)
    for guess in process.actions(process.start()):
        rows = check_outcomes(process, process.start(), guess)
        answers = [words[place] for place in state.candidates]
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
    cap = draw(st.sampled_from([None, 1, 2, 3, 4]))
    weights = draw(
        st.none() | st.lists(st.integers(1, 9), min_size=answers, max_size=answers).map(tuple)
    )
    return words, answers, rule, mode, cap, weights


@pytest.mark.tiny
@settings(max_examples=120)
@given(capped(), st.sampled_from([None, Effort(0), Effort(4)]))
def test_bounds_hold(case, effort):
    words, answers, rule, mode, cap, weights = case
    oracle = naive.solve(naive.Tiny(tuple(words[:answers]), tuple(words), rule, mode, cap, weights))
    game = Game(
        spelled(words[:answers]), spelled(words), rule=rule, mode=mode, cap=cap, weights=weights
    )
    process = GuessProcess(game, effort=effort)
    start = process.start()
    weight = process.weight(start.state)
    value = -math.inf if oracle is None else -oracle.total / weight
    low, high = process.bounds(start)
    if effort is not None or cap is None:  # the published search has no cap
        assert low <= value + 1e-12
    assert value <= high + 1e-12
    if answers > 1:
        ranking = process.ranked(start, set(), len(words), -math.inf)
        assert ranking.rest == -math.inf
        if len(ranking.rows):
            assert value <= max(row.high for row in ranking.rows) + 1e-12
    if effort is not None and process.effort(start) == 0:
        assert process.refine(start) == pytest.approx((value, value))


@pytest.mark.parametrize("name", ["entropic", "statistical"])
def test_guesses_come_as_the_heuristic_has_them(name, tiny_game):
    game = tiny_game()
    process = GuessProcess(game, predictor=name)
    start = process.start()
    costs = HEURISTICS[name].cost(splits(game.start()))
    order = np.argsort(costs, kind="stable")
    partitions = [naive.groups("standard", word, game.answers) for word in game.guesses]
    kept = {}
    for guess in order:
        if np.isfinite(costs[guess]):
            groups = frozenset(map(frozenset, partitions[guess].values()))
            kept.setdefault((groups, guess < game.answer_count), int(guess))
    expected = list(kept.values())
    first = process.ranked(start, set(), 5, -math.inf)
    assert [row.action for row in first.rows] == expected[:5]
    later = process.ranked(start, set(expected[:5]), 99, -math.inf)
    assert [row.action for row in later.rows] == expected[5:]
    assert first.rest == max(row.high for row in later.rows)
    for row in first.rows:
        assert row.prediction == pytest.approx(process.predict(start, row.action))
    above = process.ranked(start, set(), 99, first.rows[0].high)
    assert all(row.high > first.rows[0].high for row in above.rows)


def test_guesses_that_split_alike_are_tried_once():
    words = ["abc", "abd", "abe"]
    game = Game(words, [*words, "xyc", "zwc", "xyz"])
    process = GuessProcess(game, effort=Effort(0, None))
    rows = process.ranked(process.start(), set(), 9, -math.inf).rows
    # xyc splits as abc does, but cannot be the answer; zwc as xyc; xyz tells nothing apart;
    # abe is abd with two letters exchanged in the whole game
    assert [game.guesses[row.action] for row in rows] == ["abc", "abd", "xyc"]
    later = process.ranked(process.start(), {0, 3}, 9, -math.inf)
    assert [game.guesses[row.action] for row in later.rows] == ["abd"]
    assert process.ranked(process.start(), {0, 1, 2, 3}, 1, -math.inf) == ([], -math.inf)
    published = GuessProcess(game, effort=None)
    assert len(published.ranked(published.start(), set(), 9, -math.inf).rows) == 5
    hard = GuessProcess(game.with_(mode="hard"))
    assert len(hard.ranked(hard.start(), set(), 9, -math.inf).rows) == 4


def test_states_with_one_future_are_one(tiny_game):
    game = tiny_game()
    one = game.start().after("crane", "bbbbb").after("sleet", "bybbb")
    other = game.start().after("sleet", "bybbb").after("crane", "bbbbb")
    assert one.candidates.tolist() == other.candidates.tolist()
    assert Position(one) == Position(other)
    assert hash(Position(one)) == hash(Position(other))
    assert Position(one) != Position(game.start())
    assert "crane:BBBBB" in repr(Position(one))


def test_the_cap_tells_states_apart_where_it_matters(tiny_game):
    game = tiny_game(cap=4)
    early = game.start().after("crane", "bbbbb")
    late = early.after("crane", "bbbbb")
    assert early.candidates.tolist() == late.candidates.tolist()
    assert Position(early) != Position(late)
    free = tiny_game().start().after("crane", "bbbbb")
    assert Position(free) == Position(free.after("crane", "bbbbb"))


def test_unknown_predictor(tiny_game):
    with pytest.raises(UnknownNameError, match="did you mean 'entropic'"):
        GuessProcess(tiny_game(), predictor="entropi")


def test_weights_beyond_what_means_can_tell(tiny_game):
    with pytest.raises(InputError, match="sum to"):
        GuessProcess(tiny_game(weights=[10**12] * 20))

"""Anytime search by both methods: bounds that are always valid, and budgets that are respected."""

from __future__ import annotations

import math
import time

import pytest

import naive
import random_games
from salet import Game, SearchConfig, anytime_search
from salet.search import anytime_run
from salet.search.anytime_run import Recorder
from salet.search.mcdp.game import GameSearch, mcdp_config
from salet.search.mcts.game import search_from

METHODS = ("mcts", "mcdp")
GAMES = 200


@pytest.mark.parametrize("method", METHODS)
def test_bounds_hold_at_every_report(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anytime_run, "_REPORT_SECONDS", 0.0)  # report whatever is noted
    proven = 0
    for number in range(GAMES):
        case = random_games.case(number)
        oracle = naive.solve(case.game, "mean", case.turns)
        total = math.inf if oracle is None else oracle.total
        state = random_games.state_of(case)
        reports = []
        config = SearchConfig(
            method=method, threads=1, seed=number, dp_threshold=(0, 3, None)[number % 3]
        )
        recorder = Recorder(state.weight, iterations=150, progress=reports.append)
        if method == "mcts":
            found = search_from(state, config, recorder)
        else:
            search = GameSearch(state, mcdp_config(config))
            search.run(recorder)
            found = search.findings(recorder)
        assert reports, case
        for report in reports:
            assert report.lower <= total, case
            assert report.upper is None or total <= report.upper, case
        proven += recorder.stopped == "proven"
        if recorder.stopped != "proven":
            assert found.lower <= total <= (found.upper or math.inf), case
        elif oracle is None:
            assert (found.guess, found.upper) == (None, None), case
        else:
            assert found.lower == found.upper == oracle.total, case
            assert state.game.index(found.guess) in oracle.guesses, case
    assert proven > 0.9 * GAMES


def family() -> Game:
    """All words over three letters that differ from one of two stems in one place."""
    stems, letters = ("aaaaa", "bbbbb"), "abcdefghijklmnopqrstuvwxyz"
    words = {
        stem[:place] + letter + stem[place + 1 :]
        for stem in stems
        for place in range(5)
        for letter in letters
    }
    return Game(sorted(words), mode="hard")


@pytest.mark.parametrize("method", METHODS)
def test_the_time_limit_holds_where_exact_search_takes_for_ever(method: str) -> None:
    game = family()
    game.compiled  # noqa: B018 -- the clock starts once tables are made
    reports = []
    config = SearchConfig(method=method, seconds=1.5)
    begin = time.perf_counter()
    found = anytime_search(game, config, progress=reports.append)
    assert found.seconds < 2.5
    assert time.perf_counter() - begin < 60  # kernels may have to be compiled
    assert found.upper is not None and found.plan is not None
    assert found.stopped in ("seconds", "proven")
    if found.stopped == "seconds":
        assert reports


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("threads", [1, 2])
def test_cancel_ends_a_search(method: str, threads: int) -> None:
    asked = []

    def cancel() -> bool:
        asked.append(time.perf_counter())
        return len(asked) > 20

    config = SearchConfig(method=method, threads=threads)
    found = anytime_search(Game.named("original"), config, cancel=cancel)
    assert found.stopped == "interrupted"
    assert len(asked) < 200
    assert not found.proven


def test_weighted_bounds_are_weighted_means() -> None:
    words = ["abc", "abd", "xbe", "xyz"]
    found = anytime_search(Game(words, weights=[5, 1, 1, 1]))
    oracle = naive.solve(naive.Tiny(tuple(words), tuple(words), weights=(5, 1, 1, 1)))
    assert (found.total, found.proven) == (oracle.total, True)
    assert found.curve[-1].upper == oracle.total / 8

"""Exact play against brute force, and against what is known."""

from __future__ import annotations

import gc
import json
import string
from pathlib import Path

import numba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import random_games
from drawn import spelled, split_lists
from salet import Game, simulate
from salet.errors import SaletError
from salet.game.state import State
from salet.search.exact.solver import Solver
from salet.search.objectives import OBJECTIVES
from salet.search.plan import Plan
from salet.search.solve import solve
from salet.strategies.planned import Planned
from salet.verification.plans import verify

MODES = [
    *(("standard", mode) for mode in ("normal", "hard", "strict")),
    *(("present", mode) for mode in ("normal", "hard", "strict")),
    *(("pegs", mode) for mode in ("normal", "strict")),
]


@st.composite
def questions(draw: st.DrawFn):
    words, answers = draw(split_lists(least=2, most=12, lengths=(2, 4), letters=5))
    rule, mode = draw(st.sampled_from(MODES))
    cap = draw(st.sampled_from([None, 1, 2, 3, 4, 5]))
    weights = draw(
        st.none() | st.lists(st.integers(1, 9), min_size=answers, max_size=answers).map(tuple)
    )
    return words, answers, rule, mode, cap, weights, draw(st.sampled_from(list(OBJECTIVES)))


@pytest.mark.tiny
@settings(max_examples=200)
@given(questions())
def test_exact_play_is_brute_force(question) -> None:
    words, answers, rule, mode, cap, weights, objective = question
    oracle = naive.solve(
        naive.Tiny(tuple(words[:answers]), tuple(words), rule, mode, cap, weights), objective
    )
    game = Game(
        spelled(words[:answers]), spelled(words), rule=rule, mode=mode, cap=cap, weights=weights
    )
    found = solve(game, objective=objective)
    if oracle is None:
        assert (found.guess, found.total, found.upper, found.plan) == (None, None, None, None)
        return
    assert found.ties == ties_of(game, oracle)
    assert found.guess == found.ties[0]
    assert (found.total, found.lower, found.upper) == (oracle.total,) * 3
    assert found.proven
    if oracle.worst is not None:
        assert found.worst == oracle.worst
    assert_plan_keeps_its_word(game, found)


def ties_of(game: Game, oracle: naive.Optimum) -> list[str]:
    order = sorted(oracle.guesses, key=lambda guess: (guess >= game.answer_count, guess))
    return [game.guesses[guess] for guess in order]


def assert_plan_keeps_its_word(game: Game, found) -> None:
    played = simulate(game, Planned(found.plan))
    assert played.histogram == found.histogram
    assert played.losses == found.losses
    if game.weights is None:
        assert played.total == found.total


@pytest.mark.tiny
@settings(max_examples=100)
@given(questions(), st.data())
def test_after_a_history(question, data) -> None:
    words, answers, rule, mode, cap, weights, objective = question
    game = Game(
        spelled(words[:answers]), spelled(words), rule=rule, mode=mode, cap=cap, weights=weights
    )
    state = game.start()
    secret = data.draw(st.integers(0, answers - 1))
    history = []
    for _ in range(data.draw(st.integers(0, 2))):
        if state.guesses_left == 0 or state.won:
            break
        guess = int(data.draw(st.sampled_from(state.legal.tolist())))
        history.append((words[guess], naive.RULES[rule](words[guess], words[secret])))
        state = state.after(guess, int(game.table[guess, secret]))
    if state.won or state.guesses_left == 0:
        return
    tiny = naive.Tiny(tuple(words[:answers]), tuple(words), rule, mode, cap, weights)
    oracle = naive.solve(tiny, objective, history)
    found = solve(state, objective=objective)
    if oracle is None:
        assert found.total is None
    else:
        candidates = set(state.candidates.tolist())
        order = sorted(oracle.guesses, key=lambda guess: (guess not in candidates, guess))
        assert found.ties == [game.guesses[guess] for guess in order]
        assert found.total == oracle.total


@pytest.mark.tiny
@settings(max_examples=60)
@given(questions(), st.data())
def test_openers_and_top(question, data) -> None:
    words, answers, rule, mode, cap, weights, _ = question
    game = Game(
        spelled(words[:answers]), spelled(words), rule=rule, mode=mode, cap=cap, weights=weights
    )
    best = solve(game, top=3)
    if best.total is None:
        return
    assert best.top is not None
    assert (best.top[0].guess, best.top[0].total) == (best.guess, best.total)
    for row in best.top:
        alone = solve(game, opener=row.guess)
        assert (alone.guess, alone.total, alone.proven) == (row.guess, row.total, True)
    narrow = solve(game, width=data.draw(st.integers(1, 4)))
    assert not narrow.proven
    assert narrow.lower <= best.total
    assert narrow.total is None or narrow.total >= best.total


@pytest.mark.parametrize(("size", "total"), [
    *(("2x2", 8), ("2x3", 21), ("2x4", 45), ("2x5", 81), ("2x6", 132), ("2x7", 198)),
    *(("3x2", 18), ("3x3", 73), ("3x4", 206), ("4x2", 44), ("4x3", 246)),
])  # fmt: skip
def test_small_mastermind(size: str, total: int) -> None:
    assert solve(Game.named(f"mastermind:{size}")).total == total


def test_bulls_and_cows() -> None:
    found = solve(Game.named("bulls-and-cows:3x6"))
    assert (found.total, found.answers) == (436, 120)


KNOWN = [
    ("original", "normal", "salet", 6, 7920),
    ("original", "normal", "reast", 6, 7923),
    ("original", "hard", "salet", 6, 8122),
    ("original", "hard", "least", 6, 8127),
    ("original", "hard", "salet", 7, 8116),
    ("original", "hard", "salet", None, 8116),
    ("original:first=1000", "hard", "salet", None, 3301),
    ("original:first=1075", "hard", "salet", None, 3587),
    ("original:first=1200", "hard", "salet", None, 4032),
    ("original:first=1300", "hard", "salet", None, 4412),
    ("original:first=1400", "hard", "salet", None, 4793),
    ("nyt-2022-03:guesses=answers", "normal", "slate", 6, 7951),
]


@pytest.mark.parametrize(("name", "mode", "opener", "cap", "total"), KNOWN)
def test_known_totals(tmp_path: Path, name, mode, opener, cap, total) -> None:
    game = Game.named(name, mode=mode, cap=cap)
    found = solve(game, opener=opener)
    assert found.total == total
    found.plan.save(tmp_path / "plan.json")
    verdict = verify(tmp_path / "plan.json", game)
    assert (verdict.total, verdict.losses) == (total, 0)
    assert verdict.histogram == found.histogram


def test_a_beam_of_thirteen_guesses_finds_the_best_hard_mode_plan() -> None:
    game = Game.named("original", mode="hard", cap=7)
    found = solve(game, opener="salet", width=13)
    assert (found.total, found.proven) == (8116, False)


def test_threads_find_the_same_beam() -> None:
    game = Game.named("original:first=1000")
    one, two = (solve(game, width=1, threads=n) for n in (1, 2))
    assert (one.guess, one.total, one.proven) == (two.guess, two.total, False)
    assert list(one.plan.games()) == list(two.plan.games())


def test_threads_and_memory_change_nothing() -> None:
    game = Game.named("original", mode="hard")
    one, two = (solve(game, opener="crate", threads=n) for n in (1, 2))
    small = solve(game, opener="crate", memory=0.0001)
    for other in (two, small):
        assert (one.total, one.histogram) == (other.total, other.histogram)
        assert list(one.plan.games()) == list(other.plan.games())


@pytest.mark.parametrize("words", [
    ["abcdef", "abcdeg", "abcdfg", "gfedcb", "badcfe", "fabcde", "aaaaaa"],
    ["abcdefghijk", "abcdefghijl", "kbcdefghija", "lkjihgfedcb", "aaaaaaaaaaa"],
])  # fmt: skip
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_more_than_256_patterns(words: list[str], mode: str) -> None:
    oracle = naive.solve(naive.Tiny(tuple(words), tuple(words), mode=mode))
    assert solve(Game(words, mode=mode)).total == oracle.total


def test_a_cap_that_cannot_be_guaranteed() -> None:
    family = ["eight", "fight", "light", "might", "night", "right"]
    game = Game(family, cap=3)
    assert solve(game).total is None
    lost = solve(game, objective="win-then-mean")
    assert (lost.losses, lost.total, lost.histogram) == (3, 1 + 2 + 3 + 3 * 4, {1: 1, 2: 1, 3: 1})


# ---- within a budget


class Patience:
    """A `cancel` that says no so many times."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.tiny
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_bounds_hold_whenever_a_search_is_cancelled(objective, monkeypatch) -> None:
    monkeypatch.setattr("salet.search.exact.solver._SLICE", 1)  # asked after every state
    interrupted = 0
    for number in range(40 if numba.config.DISABLE_JIT else 200):
        case = random_games.case(number)
        oracle = naive.solve(case.game, objective, case.turns, case.opener)
        state = random_games.state_of(case)
        for calls in (0, 2, 9):
            found = solve(
                state, objective=objective, opener=case.opener, threads=1, cancel=Patience(calls)
            )
            if oracle is None:
                assert (found.total, found.upper, found.guess) == (None, None, None), case
                continue
            assert found.lower <= oracle.total, case
            if found.proven:
                assert (found.total, found.upper) == (oracle.total, oracle.total), case
                assert oracle.worst in (None, found.worst), case
            if objective in ("mean", "mean-then-worst"):
                assert found.upper is None or oracle.total <= found.upper, case
            elif objective == "worst":  # the worst case comes first
                assert found.worst is None or found.worst >= oracle.worst, case
            else:
                assert found.guess is not None, case
            interrupted += not found.proven
    assert interrupted > 0


def test_what_is_known_of_plans_without_losses_is_no_bound_of_others() -> None:
    """The lower bound was once above the total of the best plan, which loses three answers."""
    game = Game.named("original:first=200", cap=3)
    exact = solve(game, objective="win-then-mean")
    assert (exact.losses, exact.total) == (3, 561)
    for calls in (50, 150, 250):
        found = solve(game, objective="win-then-mean", cancel=Patience(calls))
        assert found.lower <= 561
        assert found.guess is not None


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_a_family_is_proven_at_once(mode) -> None:
    """26 words that differ in their first letter, and nothing that tells them apart."""
    words = [letter + "atch" for letter in string.ascii_lowercase]
    for seconds in (None, 1):
        found = solve(Game(words, mode=mode), seconds=seconds)
        assert (found.total, found.lower, found.upper) == (351, 351, 351)
        assert found.proven
        assert found.nodes < 1000


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_great_game_keeps_to_its_time(objective) -> None:
    found = solve(Game.named("original"), seconds=1, objective=objective)
    assert found.lower <= 7920
    if objective != "worst":
        assert found.upper >= 7920
    assert found.guess is not None
    assert found.plan is not None
    assert sum(found.histogram.values()) == 2315
    assert found.seconds < 10  # a beam and the state at hand are finished first


def test_one_who_cancels_at_once_is_given_a_plan() -> None:
    found = solve(Game.named("original:first=450"), cancel=lambda: True)
    assert not found.proven
    assert found.lower <= 1309 <= found.upper
    assert found.ties == [found.guess]
    total = sum(guesses * count for guesses, count in found.histogram.items())
    assert total == found.total == found.upper


@pytest.mark.parametrize("name", ["mastermind:3x5", "original:first=600,guesses=answers"])
def test_a_ranking_is_whole_or_none_is_given(name, monkeypatch) -> None:
    """It is made when the best guess is proven: time may run out in between."""
    monkeypatch.setattr("salet.search.exact.solver._SLICE", 1)
    game = Game.named(name)
    patience = Patience(1 << 30)
    best = solve(game, threads=1, cancel=patience)
    assert best.proven
    calls = (1 << 30) - patience.left
    whole = solve(game, top=100, threads=1).top
    assert len(whole) == 100
    cut_off = 0
    for more in (0, 1, 5, 20, 100_000):
        found = solve(game, top=100, threads=1, cancel=Patience(calls + more))
        assert found.top in (None, whole)
        cut_off += found.proven and found.top is None
    assert cut_off > 0
    assert found.top == whole


def test_what_is_refused() -> None:
    game = Game(["ab", "ba"], cap=1)
    for options, said in (
        ({"objective": "meen"}, "'meen'"),
        ({"width": 3, "objective": "worst"}, "width"),
        ({"memory": 0}, "memory 0"),
        ({"seconds": 0}, "a budget of 0 seconds"),
        ({"seconds": float("nan")}, "a budget of nan seconds"),
        ({"opener": "zz"}, "'zz'"),
    ):
        with pytest.raises(SaletError, match=said):
            solve(game, **options)
    with pytest.raises(SaletError, match="used up"):
        solve(State(game, game.start().candidates, ((0, 0),)))
    with pytest.raises(SaletError, match="row 1 'ab:gb'"):
        game.state("ab:gb")


def test_json_fields() -> None:
    found = solve(Game(["ab", "ba", "bb"]))
    keys = "game mode cap objective guess ties answers total mean worst losses histogram lower"
    more = "upper proven nodes seconds cpu_seconds peak_mb version commit"
    assert list(found.to_dict()) == [*keys.split(), *more.split()]
    json.dumps(found.to_dict())
    assert isinstance(found.plan, Plan)


@pytest.mark.tiny
def test_a_solver_ends_with_its_question(tiny_game):
    """Its bounds are megabytes in few objects: the garbage collector would come too late."""
    solve(tiny_game(), threads=1)
    gc.collect()
    gc.disable()
    try:
        others = {id(thing) for thing in gc.get_objects() if type(thing) is Solver}
        solve(tiny_game(), opener=0, threads=1)
        left = {id(thing) for thing in gc.get_objects() if type(thing) is Solver}
        assert left <= others  # those of earlier tests may live on
    finally:
        gc.enable()

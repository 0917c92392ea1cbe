"""Deciding every opener: in any order, in batches, with symmetry, and within a budget."""

from __future__ import annotations

import itertools

import pytest

import naive
import random_games
from salet import Game
from salet.search.budget import Budget
from salet.search.exact.layout import layout_of
from salet.search.exact.solver import Solver
from salet.search.opener_search import (
    WAYS,
    Found,
    OpenerSearch,
    group_by_symmetry,
    guess_bounds,
)
from salet.search.prove import prove
from salet.search.roots import root_of
from salet.search.value import INF, Evaluator


def search_of(game, openers=None, **options):
    openers = range(len(game.guesses)) if openers is None else openers
    return OpenerSearch(Evaluator(game, megabytes=2), game.start(), openers, **options)


def totals_of(game):
    """The total of every opener, each searched to its end."""
    solver, root = Solver(layout_of(game)), root_of(game.start())
    return {guess: solver.value(root, guess) for guess in range(len(game.guesses))}


def best(game, totals, count):
    """The best openers: candidates first, then in the game's order."""
    found = sorted((total, guess >= game.answer_count, guess) for guess, total in totals.items())
    return [each for each in found if each[0] < INF][:count]


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
@pytest.mark.parametrize("cap", [None, 3, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_best_openers_are_found(mode, cap, weighted, tiny_game):
    weights = [1 + i % 3 for i in range(20)] if weighted else None
    game = tiny_game(mode=mode, cap=cap, weights=weights)
    totals = totals_of(game)
    for ranking, threads in ((1, 1), (4, 2)):
        search = search_of(game, ranking=ranking, threads=threads)
        decided = {}
        search.run(lambda opener, how, total, into=decided: into.update({opener: (how, total)}))
        assert search.done
        assert search.found[:ranking] == best(game, totals, ranking)
        least = min(totals.values())
        assert search.upper_bound == (None if least == INF else least)
        assert search.lower_bound == least
        assert set(decided) == set(totals)
        for opener, (how, total) in decided.items():
            assert how in WAYS
            assert total == totals[opener] if how == "exact" else total <= totals[opener]
        assert sum(search.count_decided().values()) == len(totals)


def test_a_depth_below_the_cap(tiny_game):
    game = tiny_game(cap=6)
    wanted = totals_of(tiny_game(cap=3))
    search = search_of(game, depth=3)
    search.run()
    assert search.found[:1] == best(game, wanted, 1)


def test_a_batch_is_decided_with_what_is_known_elsewhere():
    """Batch by batch, each with the best so far, comes to what one proof comes to."""
    game = Game.named("original:first=60")
    whole = prove(game, ranking=2)
    search = search_of(game, (), ranking=2)
    assert search.done
    assert search.queue == []
    known: list[Found] = []
    for start in range(4):
        decided: list[tuple[int, str, int]] = []
        openers = range(start, len(game.guesses), 4)
        search.restart(openers, known)
        search.run(lambda *one, into=decided: into.append(one))
        assert sorted(opener for opener, _, _ in decided) == list(openers)
        known = search.found[:2]
    assert [(game.guesses[guess], total) for total, _, guess in known] == [
        (row.guess, row.total) for row in whole.ranking
    ]


def test_a_search_that_ran_out_of_time_goes_on(monkeypatch):
    """What is known in between are facts; what is decided stays decided."""
    monkeypatch.setattr("salet.search.exact.solver._SLICE", 1)
    game = Game.named("original:first=100,guesses=answers")
    whole = search_of(game)
    whole.run()
    search = search_of(game, threads=2)
    for _ in range(100):
        search.run(clock=Budget(nodes=20).start())
        assert search.lower_bound <= whole.found[0][0]
        assert search.upper_bound is None or search.upper_bound >= whole.found[0][0]
        if search.done:
            break
    else:
        search.run()
    assert search.found[0] == whole.found[0]


def test_an_expired_clock_decides_nothing(tiny_game):
    search = search_of(tiny_game())
    search.run(clock=Budget(seconds=0).start())
    assert not search.decided
    assert search.lower_bound == min(search.bounds.values())


def test_an_error_of_a_thread_is_raised(tiny_game):
    search = search_of(tiny_game(), threads=2)

    def fail(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search.run(fail)
    assert not search.done


def test_bounds_known_beforehand_are_lower_bounds():
    for number in range(150):
        case = random_games.case(number)
        state = random_games.state_of(case)
        bounds = guess_bounds(state)
        assert list(bounds) == state.legal.tolist()
        for guess in list(bounds)[::3]:
            optimum = naive.solve(case.game, "mean", case.turns, guess)
            assert optimum is None or bounds[guess] <= optimum.total, case


# ---- symmetry

WORDS = ["".join(letters) for letters in itertools.product("abcd", repeat=3)]


def test_openers_are_grouped_by_symmetry():
    state = Game(WORDS, rule="pegs").start()
    groups = group_by_symmetry(state, range(64))
    assert sorted(itertools.chain(*groups.values())) == list(range(64))
    assert sorted(len({*WORDS[first]}) for first in groups) == [1, 2, 3]
    assert all(first == group[0] for first, group in groups.items())
    few = group_by_symmetry(state, [WORDS.index("dcb"), WORDS.index("abc"), WORDS.index("dcb")])
    assert few == {WORDS.index("abc"): [WORDS.index("abc"), WORDS.index("dcb")]}
    plain = Game(["ab", "ba", "cb"]).start()
    assert group_by_symmetry(plain, [2, 0]) == {0: [0], 2: [2]}


@pytest.mark.parametrize(
    ("rule", "mode"),
    [  # hard mode is for tiles
        *(("standard", mode) for mode in ("normal", "hard", "strict")),
        *(("pegs", mode) for mode in ("normal", "strict")),
    ],
)
@pytest.mark.parametrize("weights", [None, "heavy"])
def test_symmetric_openers_are_decided_once(rule, mode, weights):
    heavy = [3 if len(set(word)) == 1 else 1 for word in WORDS]
    game = Game(WORDS, rule=rule, mode=mode, weights=heavy if weights else None)
    proof = prove(game, ranking=64, threads=1)
    totals = totals_of(game)  # knows of no symmetry
    assert proof.total == min(totals.values())
    assert proof.openers["symmetric"] == 61
    assert {row.guess: row.total for row in proof.ranking} == {
        WORDS[guess]: total for guess, total in totals.items()
    }


def test_lower_bounds_hold_where_answers_may_be_lost() -> None:
    """An opener whose every plan loses an answer has a value, if none that could be best."""
    answers = ["xa", "xb", "xc", "xd"]
    game = Game(answers, [*answers, "ab", "zz"], cap=3, weights=[1, 2, 1, 1])
    search = search_of(game, losses=True)
    with search.evaluator.solver(losses=True) as solver:
        values = [solver.value(root_of(game.start()), guess) for guess in range(6)]
    assert min(values) < search.evaluator.loss < max(values)
    search.run()
    assert all(search.lower[guess] <= values[guess] < INF for guess in range(6))

"""One way to value a state: exact without a limit, true bounds with one."""

from __future__ import annotations

import itertools
import threading
from dataclasses import replace

import numba
import pytest

import naive
import random_games
from salet import Game
from salet.errors import InputError
from salet.search.budget import UNLIMITED, Budget
from salet.search.roots import root_of, useful_depth
from salet.search.value import INF, Bounds, Cost, Evaluator, SearchInterruptedError, trivial_cost

CASES = 60 if numba.config.DISABLE_JIT else 300


def cases(start=0, count=CASES):
    """Positions of small games whose cap is not used up."""
    for number in range(start, start + count):
        case = random_games.case(number)
        yield case, random_games.state_of(case)


def optimum(case, objective, opener=None, depth=None):
    """By brute force; `depth` limits the guesses left."""
    game = case.game
    if depth is not None:
        cap = len(case.history) + depth
        game = replace(game, cap=cap if game.cap is None else min(cap, game.cap))
    return naive.solve(game, objective, case.turns, opener)


def least_cost(case, opener=None, depth=None):
    """The fewest losses, then the fewest guesses. Brute force counts one guess more for each
    answer lost."""
    found = optimum(case, "win-then-mean", opener, depth)
    return Cost(found.losses, found.total - found.losses)


def least_total(case, opener=None, depth=None):
    found = optimum(case, "mean", opener, depth)
    return INF if found is None else found.total


def draw_depth(case, state):
    """None, or fewer guesses than are left."""
    return [None, 1, 2, 3][case.number % 4] if useful_depth(state) > 3 else None


# ---- costs, budgets, clocks


@pytest.mark.tiny
def test_losses_come_before_guesses():
    assert Cost(0, 99) < Cost(1, 2) < Cost(1, 3)
    assert Cost(1, 5) + Cost(2, 7) == Cost(3, 12)
    assert Cost(3, 12) - Cost(2, 7) == Cost(1, 5)
    assert Bounds(Cost(0, 5), Cost(0, 5)).exact
    assert not Bounds(Cost(0, 5), Cost(0, 6)).exact


@pytest.mark.tiny
def test_a_clock_expires_by_time_nodes_or_cancel():
    assert not UNLIMITED.start().limited
    assert not UNLIMITED.start().expired()
    assert Budget(seconds=0).start().expired()
    assert not Budget(seconds=3600).start().expired()
    counting = Budget(nodes=10).start()
    assert not counting.spend(9)
    assert counting.spend(1)
    wishes = iter([False, True])
    cancelled = Budget(cancel=lambda: next(wishes)).start()
    assert not cancelled.expired()
    assert cancelled.expired()
    assert all(clock.limited for clock in (counting, cancelled, Budget(seconds=9).start()))


# ---- against brute force


@pytest.mark.tiny
def test_totals_are_brute_force():
    for case, state in cases():
        depth = draw_depth(case, state)
        evaluator = Evaluator(state.game, megabytes=0.01)
        wanted = least_total(case, case.opener, depth)
        assert evaluator.total(state, case.opener, depth=depth) == wanted, case
        for beta in (wanted, wanted + 1, wanted - 1):
            if beta > INF:
                continue
            found = evaluator.total(state, case.opener, depth=depth, beta=beta)
            assert found == wanted if wanted < beta else beta <= found <= wanted, case
        can = evaluator.can_find_all(state, case.opener, depth=depth)
        assert can == (wanted < INF), case


@pytest.mark.tiny
def test_costs_are_brute_force():
    for case, state in cases(1000):
        depth = draw_depth(case, state)
        evaluator = Evaluator(state.game, megabytes=0.01)
        wanted = least_cost(case, case.opener, depth)
        assert evaluator.cost(state, case.opener, depth=depth) == wanted, case
        beam = evaluator.cost(state, case.opener, depth=depth, width=2)
        assert beam >= wanted, case
        with evaluator.solver(losses=True) as solver:
            raw = solver.value(root_of(state, depth), case.opener)
        assert evaluator.cost_of(raw) == wanted, case


@pytest.mark.tiny
def test_ties_are_brute_force():
    for case, state in cases(2000):
        depth = draw_depth(case, state)
        evaluator = Evaluator(state.game, megabytes=0.01)
        candidates = set(state.candidates.tolist())
        found = optimum(case, "win-then-mean", depth=depth)
        wanted = sorted(found.guesses, key=lambda guess: (guess not in candidates, guess))
        assert evaluator.ties(state, depth=depth) == wanted, case
        best = evaluator.best_guess(state, depth=depth)
        assert best in wanted, case
        if len(candidates) > 2:
            assert best == wanted[0], case


@pytest.mark.tiny
def test_the_fewest_guesses_that_suffice_are_brute_force():
    for case, state in cases(3000):
        found = optimum(case, "worst", case.opener)
        evaluator = Evaluator(state.game, megabytes=0.01)
        assert evaluator.worst_case(state, case.opener) == (found and found.worst), case


# ---- bounds


@pytest.mark.tiny
def test_bounds_close_until_they_meet():
    for case, state in cases(4000):
        depth = draw_depth(case, state)
        evaluator = Evaluator(state.game, megabytes=0.01)
        wanted = least_total(case, depth=depth)
        known = evaluator.total(state, depth=depth, width=1)
        for upper in {INF, known}:
            lower = 1 if case.number % 2 else state.size_bound
            seen = [(lower, upper)]
            for bounds in evaluator.bisect_total(state, lower, upper, depth=depth):
                assert bounds[0] <= wanted <= bounds[1], case
                assert seen[-1][0] <= bounds[0], case
                assert bounds[1] <= seen[-1][1], case
                seen.append(bounds)
            assert seen[-1] == (wanted, wanted), case


@pytest.mark.tiny
def test_bounds_are_exact_without_a_limit():
    for case, state in cases(5000, CASES // 2):
        wanted = least_cost(case)
        found = Evaluator(state.game).bounds(state, clock=UNLIMITED.start())
        assert found == Bounds(wanted, wanted), case


@pytest.mark.tiny
def test_bounds_hold_when_the_clock_expires(monkeypatch):
    monkeypatch.setattr("salet.search.exact.solver._SLICE", 1)  # interrupted even where it is easy
    seen = {True: 0, False: 0}
    for case, state in cases(6000):
        wanted = least_cost(case)
        for nodes in (0, 1, 4, 30):
            clock = Budget(nodes=nodes).start()
            found = Evaluator(state.game).bounds(state, width=1 + nodes % 3, clock=clock)
            assert found.lower <= wanted <= found.upper, case
            seen[found.exact] += 1
    assert min(seen.values()) > 0


def test_an_evaluator_can_be_used_after_an_interruption(monkeypatch):
    monkeypatch.setattr("salet.search.exact.solver._SLICE", 1)
    state = Game.named("mastermind:3x4").start()
    wanted = Evaluator(state.game).cost(state)
    for nodes in range(0, 60, 7):
        evaluator = Evaluator(state.game)
        with pytest.raises(SearchInterruptedError):
            evaluator.total(state, clock=Budget(nodes=nodes).start())
        assert evaluator.cost(state) == wanted


def test_threads_share_an_evaluator():
    game = Game.named("original:first=150,guesses=answers")
    state = game.start()
    wanted = Evaluator(game).total(state)
    evaluator = Evaluator(game, megabytes=0.01)
    found = []

    def work(guesses):
        found.append(min(evaluator.total(state, guess) for guess in guesses))

    threads = [threading.Thread(target=work, args=(range(at, 150, 3),)) for at in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(found) == wanted
    assert evaluator.nodes > 0


@pytest.mark.tiny
def test_a_solver_comes_back_whatever_happens():
    evaluator = Evaluator(Game(["ab", "ba", "bb"]))
    with pytest.raises(ZeroDivisionError), evaluator.solver() as first:
        raise ZeroDivisionError
    with evaluator.solver() as again, evaluator.solver() as second:
        assert again is first
        assert second is not first
        assert second.table is first.table
    with evaluator.solver(losses=True) as other:
        assert other.table is not first.table


# ---- parts


@pytest.mark.tiny
def test_trivial_costs_are_brute_force():
    found = 0
    for case, state in cases(7000):
        for depth in (None, 0, 1, 2):
            trivial = trivial_cost(state, depth)
            if trivial is None:
                continue
            if depth == 0:
                assert trivial == Cost(state.weight, 0)
            else:
                assert trivial == least_cost(case, depth=depth), case
            found += 1
    assert found > 0


@pytest.mark.tiny
def test_the_heaviest_candidate_is_the_first_of_equals():
    game = Game(["ab", "ba", "bb", "aa"], weights=[1, 3, 3, 2])
    assert game.start().heaviest == 1
    assert game.replace(weights=[1] * 4).start().heaviest == 0


@pytest.mark.tiny
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
@pytest.mark.parametrize("length", [2, 6])
def test_kernels_are_loaded_on_a_tiny_game(mode, length):
    for count in (1, 2, 5):
        words = ["".join(each) for each in itertools.product("ab", repeat=length)][:count]
        evaluator = Evaluator(Game(words, mode=mode))
        evaluator.warm_up()
        assert evaluator.nodes == 0  # those of a game of its own


@pytest.mark.tiny
def test_weights_that_leave_no_room_for_a_price_are_refused():
    words = ["".join(each) for each in itertools.product("abcdefgh", repeat=2)]
    game = Game(words, weights=[10**12] * 64, cap=2, name="heavy")
    evaluator = Evaluator(game)
    assert evaluator.total(game.start()) == INF
    with pytest.raises(InputError, match="weights of heavy are too great"):
        evaluator.cost(game.start())


@pytest.mark.tiny
def test_a_lost_answer_outweighs_any_number_of_guesses():
    """Values of a solver with losses can be told apart into losses and guesses."""
    game = Game(["ab", "ba", "bb"], weights=[5, 1, 2], cap=2)
    evaluator = Evaluator(game)
    assert evaluator.loss > 2 * 8
    assert evaluator.cost_of(3 * evaluator.loss + 7) == Cost(3, 7)


def test_any_best_guess_is_one_of_the_ties() -> None:
    for _, state in cases(count=CASES // 3):
        if state.won or state.guesses_left == 0:
            continue
        evaluator = Evaluator(state.game)
        guess = evaluator.any_best_guess(state, evaluator.cost(state))
        assert guess in evaluator.ties(state)


def test_cost_within_a_losing_plan_is_the_cost() -> None:
    lossless = lossy = 0
    for number in range(400):
        case = random_games.case(number)
        state = random_games.state_of(case)
        if state.won or state.guesses_left == 0 or not len(state.candidates):
            continue
        cost = Evaluator(state.game, megabytes=1).cost(state)
        for more in (0, 1):  # a plan that is optimal, if it loses answers, and one that is not
            upper = Cost(cost.losses + more, cost.guesses)
            if not upper.losses:
                continue
            assert Evaluator(state.game, megabytes=1).cost_within(state, upper) == cost
            lossless += not cost.losses
            lossy += bool(cost.losses)
    assert lossless > 50
    assert lossy > 50

"""One searching thread as a Python object."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from random_tables import INF, draw_loss, puzzles
from salet import Game
from salet.search.exact.layout import layout_of
from salet.search.exact.solver import Root, SearchInterruptedError, Solver
from salet.search.roots import root_of


@pytest.mark.tiny
def test_a_state_has_one_key_wherever_it_is_met():
    """Guesses left beyond the number of answers make no difference; fewer do."""
    for rng, puzzle in puzzles(91, 60):
        members = rng.sample(puzzle.answers, rng.randint(1, len(puzzle.answers)))
        n, solver = len(members), puzzle.solver()
        keys = []
        for depth in range(1, n + 5):
            solver.enter(puzzle.root(members, depth))
            frame = solver.stack.frames[0]
            assert (frame.depth, frame.count) == (min(depth, n + 1), n)
            assert frame.weight == puzzle.weight(members)
            assert solver.stack.answers[0, :n].tolist() == puzzle.by_weight(sorted(members))
            keys.append(tuple(solver.stack.keys[0].tolist()))
        assert len(set(keys[:n])) == n
        assert set(keys[n - 1 :]) == {keys[n - 1]}


@pytest.mark.tiny
def test_without_a_guess_left_everything_is_lost():
    for _, puzzle in puzzles(92, 5):
        root = puzzle.root(puzzle.answers, 0)
        assert puzzle.solver().value(root) == puzzle.solver().value(root, 0) == INF
        assert puzzle.solver(7).value(root) == 7 * puzzle.weight(puzzle.answers)


@pytest.mark.tiny
def test_best_of_tries_the_guesses_given():
    """Fewer than _MIN_ALTERNATIVES answers are searched over all guesses: the best of those."""
    for rng, puzzle in puzzles(93, 80):
        n = len(puzzle.answers)
        guesses = np.array(sorted(puzzle.guesses))
        value, depth = puzzle.value(puzzle.answers, n), n
        beta = rng.choice([INF, value, value + 1])
        found = puzzle.solver().best_of(puzzle.root(puzzle.answers, depth), guesses, beta)
        assert found == value if value < beta else beta <= found <= value


def test_best_of_many_answers_is_the_least_of_the_guesses():
    game = Game.named("mastermind:3x4")
    root = root_of(game.start())
    solver = Solver(layout_of(game))
    given = np.array([0, 1, 6])
    wanted = min(solver.value(root, int(guess)) for guess in given)
    assert Solver(layout_of(game)).best_of(root, given, wanted) >= wanted
    again = Solver(layout_of(game))
    assert again.best_of(root, given, wanted + 1) == wanted
    assert again.value(root) == wanted  # remembered as the value of the state


@pytest.mark.tiny
def test_a_ranking_is_brute_force():
    for rng, puzzle in puzzles(94, 60):
        members = rng.sample(puzzle.answers, rng.randint(1, len(puzzle.answers)))
        depth, count = rng.randint(1, len(members) + 1), rng.randint(1, 6)
        loss = draw_loss(rng, puzzle, depth)
        guesses = rng.sample(sorted(puzzle.guesses), len(puzzle.guesses))
        values = [(puzzle.value_of_guess(members, g, depth, loss), g) for g in guesses]
        wanted = sorted((value, g not in members, g) for value, g in values if value < INF)
        found = puzzle.solver(loss).ranking(puzzle.root(members, depth), guesses, count)
        assert found == [(g, value) for value, _, g in wanted[:count]]


# ---- stopping


def long_question():
    game = Game.named("mastermind:3x5")
    return Solver(layout_of(game)), root_of(game.start())


def test_a_search_that_is_stopped_can_begin_again():
    solver, root = long_question()
    value = solver.value(root)
    for allowed in (0, 1, 3):
        stopped, _ = long_question()
        told = []

        def stop(nodes, told=told, allowed=allowed):
            told.append(nodes)
            return len(told) > allowed

        with pytest.raises(SearchInterruptedError):
            stopped.value(root, stop=stop)
        assert len(told) == allowed + 1
        # Parts that were scanned count as states; a guess may scan several at once.
        assert stopped.nodes <= sum(told) <= stopped.nodes + stopped.stack.counters[0].scans
        assert stopped.value(root) == value
        assert stopped.ties(root, value) == solver.ties(root, value)


def test_a_stop_that_never_comes_changes_nothing():
    solver, root = long_question()
    other, _ = long_question()
    assert solver.value(root) == other.value(root, stop=lambda _: False)
    assert solver.nodes == other.nodes


# ---- threads


def test_twins_share_the_table_and_nothing_else():
    solver, root = long_question()
    twin = solver.twin()
    value = solver.value(root)
    assert twin.table is solver.table
    assert not np.shares_memory(twin.stack.answers, solver.stack.answers)
    assert twin.value(root) == value
    assert twin.nodes == 0


@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_threads_with_a_table_far_too_small_agree(mode):
    """Every slot is overwritten all the time."""
    game = Game.named("original:first=250,guesses=answers", mode=mode)
    root, layout = root_of(game.start()), layout_of(game)
    first = Solver(layout, megabytes=0)
    guesses = range(0, 250, 9)
    expected = {guess: Solver(layout).value(root, guess, 760) for guess in guesses}
    found: dict[int, int] = {}

    def work(solver: Solver, order: list[int]) -> None:
        for guess in order:
            value = solver.value(root, guess, 760)
            assert found.setdefault(guess, value) == value

    orders = [list(guesses), list(reversed(guesses))]
    threads = [
        threading.Thread(target=work, args=(solver, order))
        for solver, order in zip([first, first.twin()], orders, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {g: min(v, 760) for g, v in found.items()} == {
        g: min(v, 760) for g, v in expected.items()
    }


@pytest.mark.tiny
def test_legal_guesses_may_come_in_any_order():
    for rng, puzzle in puzzles(95, 20, mode="strict"):
        n = len(puzzle.answers)
        root = puzzle.root(puzzle.answers, n)
        shuffled = Root(root.answers, n, np.array(rng.sample(root.legal.tolist(), len(root.legal))))
        first, second = puzzle.solver(), puzzle.solver()
        assert first.value(root) == second.value(shuffled)
        assert first.stack.keys[0].tolist() == second.stack.keys[0].tolist()

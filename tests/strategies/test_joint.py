"""Players of several boards: brute force, replays, and what simulations report."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import naive
import naive_boards
import random_games
from salet import Coach, Game, simulate, strategy_named
from salet.errors import InputError
from salet.game.joint_state import draw_tuples
from salet.search.joint_estimate import JointEstimate, draw_consistent
from salet.search.joint_exact import JointSearch
from salet.strategies.joint_simulate import JointSimulation, lower_bound, play_joint

PLAYERS = ("entropy", "parts", "expected-size", "boards")


def tiny_games(max_answers):
    for number in range(200):
        tiny = random_games.case(number).game
        answers, guesses = ["".join(w) for w in tiny.answers], ["".join(w) for w in tiny.guesses]
        for boards in (2, 3):
            if boards <= len(answers) <= max_answers - boards and len(guesses) <= 9:
                yield Game(answers, guesses, rule=tiny.rule, boards=boards)


def total_of(game, player):
    """Guesses of a player over all tuples."""
    first = game.index(player.choose_joint(game.joint_start()))
    ends = [
        play_joint(game, player.choose_joint, first, list(answers))
        for answers in permutations(range(game.answer_count), game.boards)
    ]
    assert all(end.won for end in ends)
    return sum(end.turn for end in ends)


def test_exact_joint_play_is_that_of_brute_force():
    """The value, and the player that follows it."""
    checked = 0
    for game in tiny_games(7):
        tuples = naive_boards.start(game.answers, game.boards)
        optimum = naive_boards.least_total(game.rule.name, game.guesses, tuples)
        found = JointSearch(game.one_board, max_work=1e9).value(game.joint_start())
        assert found.guesses == Fraction(optimum, len(tuples))
        assert total_of(game, strategy_named("boards:exact=1000")) == optimum
        assert lower_bound(game) <= found.guesses + 1e-9
        checked += 1
    assert checked > 40


def test_caps_are_kept_as_by_brute_force():
    """The value of every state of random games under tight caps, and of guesses in them."""
    checked = lost = 0
    for number, tiny in enumerate(tiny_games(7)):
        rng = random.Random(number)
        game = tiny.replace(cap=tiny.boards + rng.randrange(3))
        search = JointSearch(game.one_board, max_work=1e9)
        state, secrets = game.joint_start(), rng.sample(range(game.answer_count), game.boards)
        tuples = naive_boards.start(game.answers, game.boards)
        while not (state.over or state.unwinnable):
            found = search.value(state)
            best = naive_boards.least_lost(game.rule.name, game.guesses, tuples, state.guesses_left)
            assert (found.lost * len(tuples), found.guesses * len(tuples)) == best
            assert search.value_of(state, found.guess) == found
            guess = rng.randrange(len(game.guesses))
            below = naive_boards.after(game.rule.name, tuples, game.guesses[guess])
            values = [
                naive_boards.least_lost(game.rule.name, game.guesses, after, state.guesses_left - 1)
                for after in below.values()
            ]
            mine = search.value_of(state, guess)
            assert mine.lost * len(tuples) == sum(games for games, _ in values)
            total = len(tuples) + sum(turns for _, turns in values)
            assert mine.guesses * len(tuples) == total
            patterns = state.patterns(guess, secrets)
            tuples = below[
                tuple(
                    None if turn else naive.RULES[game.rule.name](game.guesses[guess], answer)
                    for turn, answer in zip(
                        state.solved_in, (game.answers[secret] for secret in secrets), strict=True
                    )
                )
            ]
            state = state.after(guess, patterns)
            checked, lost = checked + 1, lost + (found.lost > 0)
    assert checked > 60
    assert lost > 20


@pytest.mark.parametrize("cap", [1, 2, 3, 4, None])
def test_the_lower_bound_is_a_fact(cap):
    """No player is better than the best one, over all tuples, whatever the cap."""
    for game in list(tiny_games(7))[::4]:
        tuples = naive_boards.start(game.answers, game.boards)
        if cap is None:
            total = naive_boards.least_total(game.rule.name, game.guesses, tuples)
        else:  # the fewest guesses of all, even if more games are lost by them
            total = min(
                len(tuples) * (cap + 1),
                naive_boards.least_total(game.rule.name, game.guesses, tuples, cap),
            )
        assert lower_bound(game.replace(cap=cap)) <= total / len(tuples) + 1e-9


def test_no_player_beats_the_optimum_and_all_win():
    for game in list(tiny_games(7))[::5]:
        tuples = naive_boards.start(game.answers, game.boards)
        optimum = naive_boards.least_total(game.rule.name, game.guesses, tuples)
        for name in (*PLAYERS[:3], "boards:exact=0", "boards:exact=0,width=1"):
            assert total_of(game, strategy_named(name)) >= optimum


def test_rollouts_have_the_mean_of_play():
    """Misses counted by chances have the mean of misses that happen."""
    game = Game.named("original:sample=200,boards=2", cap=None)
    start = game.joint_start()
    state = start.after("crane", start.patterns(game.index("crane"), [0, 100]))
    estimate = JointEstimate(game.one_board, 2)
    guess = np.array([game.index("toils")], np.int32)
    secrets = draw_consistent(state, 4000, np.random.default_rng(1))
    assert (secrets[:, 0] != secrets[:, 1]).all()
    for column, board in enumerate(state.open_boards):
        assert set(secrets[:, column]) <= set(board.candidates.tolist())
    mean = estimate.rollouts(state, guess, state.legal[:0], secrets).misses[0]

    def choose(at):
        pool = np.unique(np.concatenate([board.candidates for board in at.open_boards]))
        if all(len(board.candidates) == 1 for board in at.open_boards):
            return int(pool[0])
        misses = estimate.misses(at.open_boards)
        ordered = np.concatenate([board.candidates for board in at.open_boards])
        return int(ordered[np.argmin(np.round(misses[ordered], 7))])

    turns = []
    for answers in secrets[:400].tolist():
        at = state.after(int(guess[0]), state.patterns(int(guess[0]), answers))
        while not at.won:
            made = choose(at)
            at = at.after(made, at.patterns(made, answers))
        turns.append(at.turn - state.turn - 2)
    spread = np.std(turns) / 20
    assert abs(np.mean(turns) - mean) < 4 * spread + 0.02


@pytest.mark.parametrize("name", PLAYERS)
def test_simulations_report_what_was_played(name):
    game = Game.named("original:first=150,boards=3")
    result = simulate(game, name, sample=12, seed=3)
    assert isinstance(result, JointSimulation)
    assert (result.boards, result.sample, result.answers) == (3, 12, 12)
    assert result.histogram == simulate(game, name, sample=12, seed=3).histogram
    assert sum(result.histogram.values()) + result.losses == 12
    assert result.interval[0] <= result.mean <= result.interval[1]
    assert result.mean >= 3
    assert result.lower <= 8
    assert simulate(game, name, sample=12, seed=3, jobs=2).histogram == result.histogram
    player = strategy_named(name)
    first = game.index(result.opener)
    for answers in draw_tuples(game, 3, 3).tolist():
        assert play_joint(game, player.choose_joint, first, answers).turn in result.histogram


def test_what_is_refused():
    game = Game.named("original:first=50,boards=2")
    for name in ("exact", "minimax", "entropy:temperature=1"):
        with pytest.raises(InputError, match="plays one board"):
            simulate(game, name, sample=2)
    with pytest.raises(InputError, match="a sample of 5 is for several boards"):
        simulate(Game.named("mastermind:2x3"), "entropy", sample=5)
    for options in ("width=0", "exact=-1"):
        with pytest.raises(InputError, match=f"strategy 'boards': .*{options}; give"):
            strategy_named(f"boards:{options}")


def test_advice_on_several_boards():
    game = Game.named("original:boards=4")
    coach = Coach(game)
    first, *_, last = coach.suggest_joint("crane:bybbg/bbbyb/bbbbb/ggggg")
    assert first.remaining == last.remaining == [40, 55, 263, 0]
    assert (last.tuples, last.proven, last.lower) == (40 * 55 * 263, False, 4 - 1 / 40)
    assert last.expected >= 3
    small = Game(["apple", "angle", "ankle"], boards=2)
    *_, advice = Coach(small).suggest_joint()
    assert advice.proven
    found = JointSearch(small.one_board).value(small.joint_start())
    assert advice.expected == pytest.approx(float(found.guesses))
    with pytest.raises(InputError, match="all boards are solved"):
        list(Coach(small).suggest_joint("apple:ggggg/gbbgg angle:-/ggggg"))

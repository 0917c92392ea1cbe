"""Regret against brute force: what is valued, what a guess, a wasted turn and a forfeit lose."""

from __future__ import annotations

import itertools

import pytest

import naive
from salet import Game
from salet.search import regret
from salet.search.regret import RegretEvaluator

WORDS = ["apple", "angle", "ankle", "eagle", "maple", "ample", "addle"]


def charge(game: Game, candidates: tuple[str, ...], left: int) -> tuple[int, int]:
    """(losses, guesses) of best play, by trying every guess; normal mode."""
    if left == 0:
        return len(candidates), 0
    best = None
    for guess in game.guesses:
        groups = naive.groups("standard", guess, candidates)
        if len(groups) == 1 and guess not in candidates and len(candidates) > 1:
            continue
        losses, guesses = 0, len(candidates)
        for group in groups.values():
            if group != [guess]:
                below = charge(game, tuple(group), left - 1)
                losses, guesses = losses + below[0], guesses + below[1]
        if best is None or (losses, guesses) < best:
            best = losses, guesses
    assert best is not None
    return best


@pytest.mark.parametrize("cap", [1, 2, 3, 6])
def test_every_first_guess_and_wasted_turn_against_brute_force(cap: int) -> None:
    game = Game(WORDS, cap=cap)
    evaluator, start = RegretEvaluator(game), game.start()
    losses, guesses = charge(game, tuple(WORDS), cap)
    assert evaluator.expected(start) == (losses + guesses) / 7
    for guess in WORDS:
        total = 7
        for group in naive.groups("standard", guess, WORDS).values():
            if group != [guess]:
                total += sum(charge(game, tuple(group), cap - 1))
        found = evaluator.regret(start, game.index(guess))
        assert found.exact
        assert found.loss == pytest.approx((total - losses - guesses) / 7)
    wasted = 7 + sum(charge(game, tuple(WORDS), cap - 1))
    assert evaluator.regret(start, None).loss == pytest.approx((wasted - losses - guesses) / 7)
    forfeit = evaluator.regret_of_forfeit(start, cap).loss
    assert forfeit == pytest.approx(cap + 1 - (losses + guesses) / 7)


def test_depth_counts_turns_that_were_wasted() -> None:
    game = Game(WORDS, cap=6)
    evaluator, start = RegretEvaluator(game), game.start()
    assert evaluator.expected(start, 2) == pytest.approx(sum(charge(game, tuple(WORDS), 2)) / 7)
    assert evaluator.expected(start, 1) == 1 + 6 / 7  # one guess, and one more for each lost game


def test_weights_do_not_matter() -> None:
    """Regret is an unweighted mean over answers, as every figure of the arena."""
    heavy = Game(WORDS, cap=6, weights=[9, 1, 1, 1, 1, 1, 1])
    plain = Game(WORDS, cap=6)
    for guess in range(7):
        assert RegretEvaluator(heavy).regret(heavy.start(), guess) == RegretEvaluator(plain).regret(
            plain.start(), guess
        )


def test_a_shipped_plan_values_the_start() -> None:
    game = Game.named("original")
    assert RegretEvaluator(game).value(game.start()) == regret.KnownCost(regret.Cost(0, 7920), True)


def test_large_states_fall_back_to_a_plan_when_nodes_run_out() -> None:
    game = Game.named("original")
    evaluator = RegretEvaluator(game, nodes=10)
    short = evaluator.value(game.start(), 5)
    assert not short.exact and short.cost.guesses > 7920
    assert evaluator.value(game.start(), 5) is short  # the same value throughout


@pytest.mark.parametrize("max_answers", [2, 300])
def test_symmetric_games_against_brute_force(max_answers: int, monkeypatch) -> None:
    monkeypatch.setattr(regret, "MAX_ANSWERS", max_answers)
    words = ["".join(letters) for letters in itertools.product("abc", repeat=2)]
    game = Game(words, cap=4)
    evaluator, start = RegretEvaluator(game), game.start()
    for guess in range(len(words)):
        for group in start.groups(guess).values():
            if not group.won:
                wanted = sum(charge(game, group.words, 3)) / len(group.candidates)
                assert evaluator.expected(group) == pytest.approx(wanted)
    assert evaluator.expected(start) == pytest.approx(sum(charge(game, tuple(words), 4)) / 9)
    for guess in range(len(words)):
        assert evaluator.regret(start, guess).exact
        assert evaluator.regret(start, guess).loss >= 0


def test_all_openers_of_mastermind_are_exact() -> None:
    game = Game.named("mastermind:4x6", cap=8)
    evaluator, start = RegretEvaluator(game, nodes=20_000), game.start()
    assert evaluator.value(start) == regret.KnownCost(regret.Cost(0, 5625), True)
    for guess, total in {"1123": 5625, "4515": 5625, "6666": 6318}.items():
        found = evaluator.regret(start, game.index(guess))
        assert (found.loss, found.exact) == ((total - 5625) / 1296, True)


def test_where_all_openers_are_equivalent_none_costs_anything(monkeypatch) -> None:
    """Even if there are too few nodes for exact values."""
    monkeypatch.setattr(regret, "MAX_ANSWERS", 50)
    game = Game.named("bulls-and-cows:3x9")
    evaluator, start = RegretEvaluator(game, nodes=10), game.start()
    assert not evaluator.value(start).exact
    assert {evaluator.regret(start, guess).loss for guess in (0, 100, 503)} == {0}


def test_memory_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr(regret, "_MAX_REMEMBERED", 3)
    game = Game(WORDS, cap=6)
    evaluator = RegretEvaluator(game)
    first = [evaluator.regret(game.start(), guess).loss for guess in range(7)]
    assert first == [evaluator.regret(game.start(), guess).loss for guess in range(7)]
    assert len(evaluator._remembered) <= 3

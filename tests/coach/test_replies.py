"""The coach with a book of replies: at once what a search would find."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import random_games
from salet import Game
from salet.coach.advice import Advice
from salet.coach.coach import AdviceOptions, Coach
from salet.coach.valuation import Valuation
from salet.game.state import State
from salet.game.weights import prior_weights
from salet.search.budget import UNLIMITED, Budget
from salet.search.objectives import OBJECTIVES
from salet.search.reply_book import ReplyBook, find_reply, positions
from salet.search.value import Evaluator

LONG = 600.0


def coach_with_book(game: Game, opener: str) -> Coach:
    """A coach whose book has every reply to one opener."""
    evaluator, likelihood, clock = Evaluator(game), prior_weights(game), UNLIMITED.start()
    replies = {
        state.history[0]: find_reply(evaluator, state, likelihood, clock)
        for state in positions(game, opener)
    }
    coach = Coach(game)
    coach.replies = ReplyBook((opener,), replies)
    return coach


def advise(coach: Coach, state: State, objective: str) -> list[Advice]:
    return list(coach.suggest(state, AdviceOptions(objective, LONG, 4)))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_book_changes_no_value(objective: str) -> None:
    """And where the objective allows it, the first advice is proven."""
    seen = losing = 0
    for number in range(0, 300, 3):
        tiny = replace(random_games.case(number).game, weights=None)
        if tiny.cap == 1:
            continue
        game = Game(tiny.answers, tiny.guesses, rule=tiny.rule, mode=tiny.mode, cap=tiny.cap)
        opener = game.guesses[-1]
        coach, plain = coach_with_book(game, opener), Coach(game)
        for state in positions(game, opener):
            pieces = advise(coach, state, objective)
            first, last, other = pieces[0], pieces[-1], advise(plain, state, objective)[-1]
            assert first.proven or objective == "worst"
            for name in ("expected", "losses", "proven", "complete"):
                assert getattr(last, name) == getattr(other, name), (number, name)
            if first.proven:
                assert (first.expected, first.losses) == (last.expected, last.losses)
                assert first.guess == other.guess
            assert last.suggestions[0].worst == other.suggestions[0].worst
            seen, losing = seen + 1, losing + (last.losses > 0)
    assert seen > 60 and losing > 5


def test_an_opener_of_the_book_is_valued_without_a_search() -> None:
    game = Game.named("original:first=60", mode="hard", cap=3)
    coach, opener = coach_with_book(game, "crane"), game.index("crane")
    found, searched = (
        Valuation(Evaluator(game), Budget(nodes=nodes).start(), replies=replies)
        for nodes, replies in ((0, coach.reply), (math.inf, None))
    )
    cost = searched.of_guess(game.start(), opener)
    assert cost.exact and cost.lower.losses > 0
    assert found.of_guess(game.start(), opener) == cost
    assert found.outcomes(game.start(), opener) == searched.outcomes(game.start(), opener)
    for state in positions(game, "crane"):
        value = searched.exact(state)
        assert value is not None
        assert found.worst(state, value) == searched.worst(state, value)


@pytest.mark.parametrize("objective", ["mean", "mean-then-worst", "win-then-mean"])
def test_what_takes_a_long_search_is_proven_at_once(objective: str) -> None:
    coach = Coach(Game.named("nyt", mode="hard"))
    for rows, losses in (("crane:byyby", 1), ("crane:bbyby", 0)):
        advice = next(coach.suggest(rows, AdviceOptions(objective)))
        assert advice.proven and advice.losses * advice.remaining == losses


def test_a_book_is_for_its_own_game() -> None:
    coach = Coach(Game.named("original"))
    state = coach.position("crane:bybbg").state
    assert coach.reply(state) is not None
    assert coach.reply(coach.game.start()) is None
    assert coach.reply(state.after("slate", "bbbbg")) is None
    same = Coach(Game.named("original"))
    assert same.reply(state) is None
    weighted = Coach(Game.named("original"), weights="prior")
    assert weighted.replies is None
    assert Coach(Game.named("original", cap=5)).replies is None
    assert Coach(Game.named("original", mode="strict")).replies is None

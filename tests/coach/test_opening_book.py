"""Stored openers are what they say."""

from __future__ import annotations

import json

import msgspec
import pytest

import naive
from salet import Game
from salet.coach.coach import Coach
from salet.coach.opening_book import FILE, OpeningBook, stored_book, words_digest
from salet.coach.valuation import Valuation
from salet.search.shipped import shipped_plan
from salet.search.value import Budget

STORED = msgspec.convert(json.loads(FILE.read_text()), list[OpeningBook])


def test_the_games_that_people_play_are_stored() -> None:
    found = {(one.game, one.mode) for one in STORED}
    assert found == {(n, m) for n in ("original", "nyt-2023-07") for m in ("normal", "hard")}


@pytest.mark.parametrize("stored", STORED, ids=lambda one: f"{one.game}-{one.mode}")
def test_groups_and_order(stored: OpeningBook) -> None:
    game = Game.named(stored.game, mode=stored.mode)
    assert stored.words == words_digest(game) and stored_book(game) == stored
    assert stored.openers == sorted(stored.openers, key=lambda one: (one.cost, one.guess))
    for opener in stored.openers[:4]:
        sizes = [
            len(group) for group in naive.groups("standard", opener.guess, game.answers).values()
        ]
        assert (opener.groups, opener.largest) == (len(sizes), max(sizes))
        assert opener.guesses >= stored.lower


@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_a_search_finds_what_is_stored(mode: str) -> None:
    game = Game.named("original", mode=mode)
    coach = Coach(game)
    stored = coach.opening_book
    assert stored is not None and coach.plan is not None
    assert stored.openers[0].guess == coach.plan.root.guess
    assert stored.openers[0].guesses == coach.plan.facts["total"]
    opener = stored.find("slate")
    assert opener is not None
    worths = Valuation(coach.evaluator, Budget(600).start())
    found = worths.of_guess(game.start(), game.index("slate"))
    assert found.exact and found.upper == opener.cost


def test_other_games_have_none() -> None:
    for game in (Game.named("original", cap=7), Game.named("original:first=50"),
                 Game.named("original").with_(weights=[2] * 2315)):  # fmt: skip
        assert stored_book(game) is None


@pytest.mark.parametrize("stored", STORED, ids=lambda one: f"{one.game}-{one.mode}")
def test_the_first_advice_needs_no_table(stored: OpeningBook) -> None:
    """Without caches the opener must show at once: nothing is compiled or scored for it."""
    coach = Coach(Game.named(stored.game, mode=stored.mode))
    advice = next(coach.suggest())
    assert advice.guess == stored.openers[0].guess
    assert "compiled" not in vars(coach.game)
    assert advice.proven == (shipped_plan(coach.game) is not None)

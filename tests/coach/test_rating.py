"""Ratings of a guess, against brute force; they never name a better word."""

from __future__ import annotations

import itertools
import random

import pytest

import naive
import random_games
from salet import Game
from salet.coach.coach import AdviceOptions, Coach
from salet.coach.rating import Rating
from salet.errors import InputError

LONG = AdviceOptions(seconds=600)
GAMES, CHUNKS = 150, 3


def naive_values(case: random_games.Case, legal: list[int]) -> dict[int, tuple[int, int]]:
    """(losses, guesses) of every legal guess."""
    found = {}
    for guess in legal:
        value = naive.solve(case.game, "win-then-mean", case.turns, guess)
        assert value is not None
        found[guess] = (value.losses, value.total - value.losses)
    return found


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_ratings_are_what_brute_force_says(chunk: int) -> None:
    for number in range(chunk, GAMES, CHUNKS):
        case = random_games.case(number)
        if case.kind == "many words":
            continue
        state = random_games.state_of(case)
        legal = state.legal.tolist()
        values = naive_values(case, legal)
        best = min(values.values())
        coach = Coach(state.game)
        for guess in random.Random(number).sample(legal, min(3, len(legal))):
            word = state.game.guesses[guess]
            pieces = list(coach.rate(state, word, LONG))
            losses, guesses = values[guess]
            games = (losses - best[0]) / state.weight
            behind = (guesses - best[1]) / state.weight
            for piece in pieces:
                assert piece.behind.games_lower <= games <= piece.behind.games_upper, case
                if piece.behind.guesses_lower is not None and not games:
                    assert piece.behind.guesses_lower <= behind <= piece.behind.guesses_upper, case
                rank = 1 + sum(value < values[guess] for value in values.values())
                assert piece.rank_lower <= rank <= piece.rank_upper <= piece.legal, case
            last = pieces[-1]
            assert last.proven and last.legal == len(legal), case
            assert (last.behind.games_upper, last.behind.guesses_upper) == (games, behind), case
            assert (last.verdict == "best") == (values[guess] == best), case


@pytest.mark.parametrize("mode", ["normal", "hard"])
@pytest.mark.parametrize(("rows", "idea"), [("crane:bybbg", "horse"), ("", "slate"), ("", "raise")])
def test_a_rating_names_no_other_word(mode: str, rows: str, idea: str) -> None:
    game = Game.named("original", mode=mode)
    for piece in Coach(game).rate(rows, idea, LONG):
        named = set(piece.text.lower().replace(";", " ").replace(":", " ").split())
        assert named & set(game.guesses) <= {"words", "groups", "cases", "takes", "lower", "guess",
                                             "chance", "there", "three", "seven", "eight",
                                             "after", "among", "seems", "loses"}  # fmt: skip
        assert piece.guess == idea and isinstance(piece, Rating)
    assert piece.proven


def test_bounds_come_first_and_close() -> None:
    pieces = list(Coach(Game.named("original")).rate("slate:bbbbb", "crony", LONG))
    assert not pieces[0].proven and pieces[-1].proven
    for before, after in itertools.pairwise(pieces):
        assert before.behind.price_lower <= after.behind.price_lower + 1e-12
        assert after.behind.price_upper <= before.behind.price_upper + 1e-12


def test_ideas_that_cannot_be_rated() -> None:
    coach = Coach(Game.named("original", mode="hard"))
    for rows, idea, said in (
        ("crane:bybbg", "slots", "is not allowed: hard mode"),
        ("", "slatx", "did you mean"),
        ("", "slot", "has 4 letters"),
        ("crane:ggggg", "slate", "nothing is left to guess"),
    ):
        with pytest.raises(InputError, match=said):
            next(coach.rate(rows, idea))


def test_an_opener_has_at_once_what_the_table_proves() -> None:
    coach = Coach(Game.named("original"))
    assert coach.openers is not None
    opener = coach.openers.find("fuffy")
    assert opener is not None
    first = next(coach.rate("", "fuffy"))
    assert first.behind.guesses_lower is not None
    assert first.behind.guesses_lower >= (opener.lower - 7920) / 2315 > 0

"""Values of openers, against brute force, whatever the time limit."""

from __future__ import annotations

import pytest

import naive
from salet import Game, openers
from salet.errors import InputError

WORDS = ("crane", "slate", "trace", "eight", "money", "point", "audio", "bayou", "joker", "vivid")


def totals(game: Game) -> dict[str, int | None]:
    """The total of every opener, by trying everything; None if it cannot keep the cap."""
    tiny = naive.Tiny(game.answers, game.guesses, "standard", game.mode, game.cap)
    found = {}
    for at, word in enumerate(game.guesses):
        best = naive.solve(tiny, "mean", (), at)
        found[word] = None if best is None else best.total
    return found


@pytest.mark.parametrize("cap", [3, 6])
@pytest.mark.parametrize("mode", ["normal", "hard"])
def test_all_openers_are_brute_force(mode: str, cap: int) -> None:
    game = Game(WORDS, mode=mode, cap=cap)
    wanted = totals(game)
    found = openers(game, WORDS, threads=1)
    assert {opener.guess for opener in found} == set(WORDS)
    for opener in found:
        total = wanted[opener.guess]
        assert opener.keeps_cap == (total is not None)
        if total is not None:
            assert opener.exact
            assert opener.lower == total
            better = sum(other is not None and other < total for other in wanted.values())
            assert opener.best_rank == opener.worst_rank == 1 + better


def test_bounds_hold_when_time_runs_out() -> None:
    game = Game(WORDS)
    wanted = totals(game)
    for seconds in (1e-9, 30):
        for opener in openers(game, top=2, seconds=seconds, threads=1):
            total = wanted[opener.guess]
            assert total is not None
            assert opener.lower <= total
            assert opener.upper is None or opener.upper >= total


def test_a_shipped_table_answers_at_once_and_can_be_improved() -> None:
    game = Game.named("original")
    one, two = openers(game, ["crane", "salet"])
    assert (one.guess, one.lower, one.best_rank) == ("salet", 7920, 1)
    assert (two.guess, two.lower, two.exact) == ("crane", 7930, True)
    assert "compiled" not in vars(game)
    assert len(openers(game, top=3)) == 3


def test_openers_of_a_symmetric_game() -> None:
    game = Game.named("mastermind:2x3")
    found = openers(game, top=6, threads=1)
    assert [opener.lower for opener in found] == [21] * 6
    assert all(opener.exact for opener in found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"words": ["zzzzz"]}, "'zzzzz'"),
        ({"top": 0}, "top 0: "),
        ({"top": 11}, "has 10 openers"),
        ({"seconds": 0}, "seconds 0"),
        ({"memory": 0}, "memory 0"),
    ],
)
def test_bad_questions_are_refused(options, message: str) -> None:
    with pytest.raises(InputError, match=message):
        openers(Game(WORDS), **options)

"""Traps: at most two, only where they matter now, with words that split them."""

from __future__ import annotations

import itertools

import pytest

import naive
from salet import Game
from salet.coach.coach import Coach
from salet.coach.explain import trap_line
from salet.coach.traps import LISTED, SHARE, UNCAPPED, traps_of


def traps(rows: str, mode: str = "normal", **options):
    game = Game.named("original", mode=mode, **options)
    return traps_of(game.state(rows), Coach(game).likelihood)


def test_a_trap_is_named_with_words_that_split_it() -> None:
    (trap,) = traps("catch:bgggg")
    assert (trap.shape, len(trap.words), trap.guesses_left) == ("_ATCH", 6, 5)
    for word in trap.splitters:
        assert len(naive.groups("standard", word, trap.words)) == trap.groups == 5
    assert trap_line(trap).startswith("trap _ATCH: 6 words, 5 guesses: ")


def test_in_hard_mode_no_guess_may_split_it() -> None:
    (trap,) = traps("catch:bgggg", "hard")
    assert trap_line(trap).endswith("no legal guess splits them into more than 2 groups")


@pytest.mark.parametrize("mode", ["normal", "hard"])
@pytest.mark.parametrize("rows", ["", "crane:bybbg", "light:bgggg", "slate:bbbbg", "might:bgggg"])
@pytest.mark.parametrize("cap", [6, 3, None])
def test_a_trap_matters_once_a_fifth_of_the_words_are_in_it(rows, mode, cap) -> None:
    game = Game.named("original", mode=mode, cap=cap)
    state = game.state(rows)
    found = traps_of(state, Coach(game).likelihood)
    families: dict[str, list[str]] = {}
    for word, blank in itertools.product(state.words, range(5)):
        shape = (word[:blank] + "_" + word[blank + 1 :]).upper()
        families.setdefault(shape, []).append(word)
    least = UNCAPPED if state.guesses_left is None else max(3, state.guesses_left + 1)
    wanted = sorted(
        (-len(words), shape)
        for shape, words in families.items()
        if len(words) >= least and len(words) * SHARE >= len(state.words)
    )
    assert [(-len(trap.words), trap.shape) for trap in found] == wanted[:LISTED]
    assert rows or not found


def test_other_notations_have_none() -> None:
    game = Game.named("mastermind:2x3")
    assert traps_of(game.start(), Coach(game).likelihood) == []

"""What decisions cost, against the brute force of tests/naive.py."""

from __future__ import annotations

import functools

import pytest

from programs import WORDS
from salet import Game, SaletError
from salet.arena import regret
from salet.arena.records import Outcome
from salet.arena.regret import exact_value, regret_of
from salet.game.state import State

GAME = Game(WORDS, cap=None)


@functools.cache
def _best(candidates: tuple[int, ...]) -> int:
    """The least total by trying everything; a guess that tells nothing is no use."""
    if len(candidates) == 1:
        return 1
    found = []
    for guess in range(len(WORDS)):
        groups: dict[int, list[int]] = {}
        for answer in candidates:
            groups.setdefault(int(GAME.table[guess, answer]), []).append(answer)
        if len(groups) > 1:
            parts = (_best(tuple(g)) for pattern, g in groups.items() if pattern != GAME.win)
            found.append(len(candidates) + sum(parts))
    return min(found)


def value(state: State) -> int:
    return _best(tuple(int(place) for place in state.candidates))


def played(*games: tuple[str, ...]) -> list[Outcome]:
    return [Outcome(guesses[-1], list(guesses), True) for guesses in games]


def best_guess(state: State) -> str:
    def cost(guess: int) -> int:
        groups = state.groups(guess)
        if len(groups) == 1 and len(state.candidates) > 1:
            return 10**9
        return sum(value(below) for pattern, below in groups.items() if pattern != GAME.win)

    return GAME.guesses[min(range(len(WORDS)), key=cost)]


def test_perfect_play_loses_nothing() -> None:
    games = []
    for secret in range(len(WORDS)):
        state, line = GAME.start(), []
        while not state.won:
            line.append(best_guess(state))
            state = state.after(line[-1], int(GAME.table[GAME.index(line[-1]), secret]))
        games.append(tuple(line))
    found = regret_of(GAME, played(*games), value)
    assert found.guesses == value(GAME.start()) == sum(map(len, games))
    assert (found.per_guess, found.worst, found.unpriced) == (0, [], 0)


def test_the_losses_of_a_whole_player_add_up() -> None:
    """Summed over all answers, the losses are what the player takes above the optimum."""
    games = [tuple(WORDS[: n + 1]) for n in range(len(WORDS))]
    found = regret_of(GAME, played(*games), value)
    assert found.guesses == 36
    assert found.per_guess == pytest.approx((36 - value(GAME.start())) / 36)
    assert len(found.worst) <= 10
    assert found.worst == sorted(found.worst, key=lambda d: -d.loss)
    top = found.worst[0]
    assert top.loss > 0 and top.games > 0 and top.answers > 0


def test_states_that_cannot_be_valued_are_counted() -> None:
    found = regret_of(GAME, played(("apple", "angle")), lambda _: None)
    assert (found.guesses, found.unpriced, found.per_guess) == (0, 2, None)


def test_without_exact_search_it_says_so(monkeypatch) -> None:
    def missing(name: str):
        raise ImportError(name)

    monkeypatch.setattr(regret.importlib, "import_module", missing)
    with pytest.raises(SaletError, match="exact search"):
        exact_value()

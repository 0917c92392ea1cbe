"""What decisions cost, against brute force."""

from __future__ import annotations

import functools

import pytest

from programs import WORDS
from salet import Game
from salet.arena import regret
from salet.arena.outcomes import GameOutcome
from salet.arena.regret import exact_value, measure_regret
from salet.game.state import State

GAME = Game(WORDS, cap=None)


@functools.cache
def _best(candidates: tuple[int, ...]) -> int:
    """Return the minimal total by trying every guess that splits the candidates."""
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
    return _best(tuple(int(candidate) for candidate in state.candidates))


def played(*games: tuple[str, ...]) -> list[GameOutcome]:
    return [GameOutcome(guesses[-1], list(guesses), True) for guesses in games]


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
    found = measure_regret(GAME, played(*games), value)
    assert found.guesses == value(GAME.start()) == sum(map(len, games))
    assert (found.per_guess, found.worst, found.unpriced) == (0, [], 0)


def test_the_losses_of_a_whole_player_add_up() -> None:
    """Summed over all answers, the losses are what the player takes above the optimum."""
    games = [tuple(WORDS[: n + 1]) for n in range(len(WORDS))]
    found = measure_regret(GAME, played(*games), value)
    assert found.guesses == 36
    assert found.per_guess == pytest.approx((36 - value(GAME.start())) / 36)
    assert len(found.worst) <= 10
    assert found.worst == sorted(found.worst, key=lambda d: -d.loss)
    top = found.worst[0]
    assert top.loss > 0 and top.games > 0 and top.answers > 0


def test_states_without_a_value_are_counted() -> None:
    found = measure_regret(GAME, played(("apple", "angle")), lambda _: None)
    assert (found.guesses, found.unpriced, found.per_guess) == (0, 2, None)


def test_exact_search_agrees_with_brute_force(monkeypatch) -> None:
    exact = exact_value(GAME)
    seen = 0
    for guess in range(len(WORDS)):
        for pattern, below in GAME.start().groups(guess).items():
            if pattern != GAME.win:
                assert exact(below) == value(below)
                seen += 1
    assert exact(GAME.start()) == value(GAME.start())
    assert seen > 20
    monkeypatch.setattr(regret, "MAX_ANSWERS", 3)
    assert exact(GAME.start()) is None


@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_losses_are_never_negative(mode: str) -> None:
    game = Game(WORDS, [*WORDS, "lapel", "pleat"], mode=mode, cap=None)
    games = [tuple(WORDS[n:] + WORDS[: n + 1]) for n in range(len(WORDS))]
    legal = []
    for line in games:
        state, made = game.start(), []
        for word in line:
            if game.index(word) in state.legal and not state.won:
                made.append(word)
                secret = game.index(line[-1])
                state = state.after(word, int(game.table[game.index(word), secret]))
        legal.append(GameOutcome(line[-1], made, state.won))
    exact = exact_value(game)
    found = measure_regret(game, legal, exact)
    assert found.unpriced == 0 and found.per_guess is not None and found.per_guess >= 0
    assert all(decision.loss > 0 for decision in found.worst)
    best = exact(game.start())
    assert best is not None and best >= 2 * len(WORDS) - 1


def test_states_that_exceed_the_cap_have_no_value() -> None:
    exact = exact_value(GAME.with_(cap=1))
    assert exact(GAME.with_(cap=1).start()) is None


def test_weights_do_not_matter() -> None:
    """Regret is an unweighted mean over answers, as every figure of the arena."""
    heavy = GAME.with_(weights=[9] * len(WORDS))
    assert exact_value(heavy)(heavy.start()) == value(GAME.start())

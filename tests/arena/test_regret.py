"""What decisions cost, against brute force."""

from __future__ import annotations

import functools

import pytest

from programs import WORDS
from salet import Game
from salet.arena.outcomes import Fault, GameOutcome, charge
from salet.arena.regret import losses_by_secret, measure_regret, ratio_interval
from salet.game.state import State
from salet.search.regret import KnownCost, RegretEvaluator
from salet.search.value import Cost

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


def total(state: State) -> int:
    return _best(tuple(int(candidate) for candidate in state.candidates))


def value(state: State) -> KnownCost:
    return KnownCost(Cost(0, total(state)), True)


def played(*games: tuple[str, ...]) -> list[GameOutcome]:
    return [GameOutcome(guesses[-1], list(guesses), True) for guesses in games]


def best_guess(state: State) -> str:
    def cost(guess: int) -> int:
        groups = state.groups(guess)
        if len(groups) == 1 and len(state.candidates) > 1:
            return 10**9
        return sum(total(below) for pattern, below in groups.items() if pattern != GAME.win)

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
    assert found.guesses == total(GAME.start()) == sum(map(len, games))
    assert (found.per_guess, found.worst, found.unpriced) == (0, [], 0)


def test_the_losses_of_a_whole_player_add_up() -> None:
    """Summed over all answers, the losses are what the player takes above the optimum."""
    games = [tuple(WORDS[: n + 1]) for n in range(len(WORDS))]
    found = measure_regret(GAME, played(*games), value)
    assert found.guesses == 36
    assert found.per_guess == pytest.approx((36 - total(GAME.start())) / 36)
    assert len(found.worst) <= 10
    assert found.worst == sorted(found.worst, key=lambda d: -d.loss)
    top = found.worst[0]
    assert top.loss > 0 and top.games > 0 and top.answers > 0


def test_states_without_a_value_are_counted() -> None:
    found = measure_regret(GAME, played(("apple", "angle")), lambda _: None)
    assert (found.guesses, found.unpriced, found.per_guess) == (0, 2, None)


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
    exact = RegretEvaluator(game).value
    found = measure_regret(game, legal, exact)
    assert found.unpriced == 0 and found.per_guess is not None and found.per_guess >= 0
    assert all(decision.loss > 0 for decision in found.worst)
    best = exact(game.start()).cost
    assert best.losses == 0 and best.guesses >= 2 * len(WORDS) - 1


def test_the_mean_without_luck_is_the_players_mean_over_all_answers() -> None:
    """Over all answers luck adds up to nothing."""
    game = GAME.replace(cap=6)
    evaluator = RegretEvaluator(game)
    games = []
    for number, secret in enumerate(WORDS):
        games.append(GameOutcome(secret, WORDS[: min(number + 1, 6)], number < 6))
    found = measure_regret(game, games, evaluator.value)
    mean = sum(charge(outcome, 6) for outcome in games) / len(games)
    assert found.mean_without_luck is not None and found.unpriced == 0
    assert found.mean_without_luck.mean == pytest.approx(mean)
    by_secret = losses_by_secret(game, games, evaluator.value)
    start = evaluator.expected(game.start())
    assert found.per_game is not None
    assert found.per_game.mean == pytest.approx(sum(by_secret.values()) / len(WORDS))
    assert found.mean_without_luck.low < start + found.per_game.mean < found.mean_without_luck.high


def test_a_forfeit_costs_what_is_left_and_the_game() -> None:
    game = GAME.replace(cap=6)
    evaluator = RegretEvaluator(game)
    forfeits = [GameOutcome(secret, [], False) for secret in WORDS[:2]]
    found = measure_regret(game, forfeits, evaluator.value)
    assert found.mean_without_luck is not None
    assert found.mean_without_luck.mean == pytest.approx(7.0)
    assert [decision.guess for decision in found.worst] == ["(gave up)"]
    assert found.worst[0].loss == pytest.approx(7 - evaluator.expected(game.start()))


def test_games_with_a_fault_are_priced_as_far_as_they_went() -> None:
    fault = Fault("timeout", "no guess within 1 s")
    games = [*played(("apple", "angle"), ("angle",)), GameOutcome("maple", ["apple"], False, fault)]
    found = measure_regret(GAME, games, value)
    assert found.guesses == 4
    assert set(losses_by_secret(GAME, games, value)) == {"angle"}


def test_values_that_are_not_proven_count_as_unpriced_but_remove_luck_all_the_same() -> None:
    def guessed(state: State) -> KnownCost:
        return KnownCost(Cost(0, 3 * len(state.candidates)), False)

    games = [GameOutcome(WORDS[n], WORDS[: n + 1], True) for n in range(len(WORDS))]
    found = measure_regret(GAME, games, guessed)
    assert (found.guesses, found.unpriced, found.per_guess) == (0, 36, None)
    assert found.mean_without_luck is not None
    assert found.mean_without_luck.mean == pytest.approx(36 / 8)


def test_intervals_of_ratios() -> None:
    found = ratio_interval([(1.0, 2), (2.0, 4), (3.0, 6)])
    assert found is not None
    assert (found.mean, found.low, found.high) == (0.5, 0.5, 0.5)
    plain = ratio_interval([(0.0, 1), (1.0, 1), (2.0, 1), (3.0, 1)])
    assert plain is not None  # Student's t with 3 degrees of freedom: 3.1824
    assert plain.high - plain.mean == pytest.approx(3.182446 * (5 / 3 / 4) ** 0.5)
    assert ratio_interval([(1.0, 1)]) is None
    assert ratio_interval([(0.0, 0), (0.0, 0)]) is None

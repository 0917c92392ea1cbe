"""Rewards: brute force over every policy of tiny games finds the same best guesses."""

from __future__ import annotations

import pytest

from salet import Game
from salet.env.text.rewards import REWARDS, Turn, text_reward_named
from salet.errors import InputError, UnknownNameError
from salet.game.state import State
from salet.search.regret import RegretEvaluator

WORDS = ["apple", "angle", "ankle", "eagle", "maple", "ample"]
GAMES = [
    Game(WORDS, cap=3),
    Game(WORDS, [*WORDS, "pleat", "lapel"], cap=2),
    Game(WORDS, [*WORDS, "pleat", "lapel"], mode="hard", cap=4),
    Game(["batch", "catch", "hatch", "latch", "match"], cap=3),
    Game(["batch", "catch", "hatch", "latch", "match"], mode="strict", cap=4),
]


class Policies:
    """The best expected return of every state under a reward, by trying every guess and also
    wasting the turn."""

    def __init__(self, game: Game, reward: str) -> None:
        self.game, self.reward, self.evaluator = game, REWARDS[reward], RegretEvaluator(game)
        self.best: dict[object, set[int | None]] = {}

    def solve(self, state: State, left: int) -> float:
        returns: dict[int | None, float] = {}
        for guess in [*map(int, state.legal), None]:
            returns[guess] = self.of_guess(state, left, guess)
        top = max(returns.values())
        found = {guess for guess, value in returns.items() if value > top - 1e-9}
        self.best[state.history, left] = found
        return top

    def of_guess(self, state: State, left: int, guess: int | None) -> float:
        """The mean over the answers that remain."""
        groups = [state] if guess is None else state.groups(guess).values()
        total = 0.0
        for after in groups:
            won = after is not state and after.won
            lost = not won and left == 1
            turn = Turn(self.evaluator, state, left, guess, after, left - 1, won, lost)
            more = 0.0 if won or lost else self.solve(after, left - 1)
            total += len(after.candidates) * (self.reward(turn) + more)
        return total / len(state.candidates)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_potential_leaves_every_best_guess_as_it_was(game: Game) -> None:
    assert game.cap is not None
    found = {}
    for reward in ("guesses", "shaped", "regret"):
        policies = Policies(game, reward)
        top = policies.solve(game.start(), game.cap)
        found[reward] = policies.best, top
    base, shaped, regret = (found[name] for name in ("guesses", "shaped", "regret"))
    assert len(base[0]) > 10
    assert base[0] == shaped[0] == regret[0]
    start = RegretEvaluator(game).expected(game.start())
    assert shaped[1] == pytest.approx(base[1] + start)
    assert regret[1] == pytest.approx(base[1] + start)


def test_the_win_is_all_that_counts_for_win() -> None:
    game = GAMES[0]
    policies = Policies(game, "win")
    assert policies.solve(game.start(), 3) == pytest.approx(1.0)
    tight = Policies(game.replace(cap=1), "win")
    assert tight.solve(tight.game.start(), 1) == pytest.approx(1 / 6)


def test_unknown_rewards() -> None:
    with pytest.raises(UnknownNameError, match="known: win, guesses, regret, shaped"):
        text_reward_named("colours", GAMES[0])
    with pytest.raises(InputError, match="exact values, which custom does not have; use 'guesses'"):
        text_reward_named("shaped", Game(WORDS, boards=2))

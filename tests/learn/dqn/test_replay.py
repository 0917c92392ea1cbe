"""The replay buffer: priorities, returns and storage."""

from __future__ import annotations

import numpy as np
import pytest

from salet import Game
from salet.env.game_arrays import GameArrays, Histories
from salet.env.rewards import reward_named
from salet.game.notation import tiles
from salet.learn.dqn.replay import ReplayBuffer

pytestmark = [pytest.mark.usefixtures("own_cache")]

tiny = pytest.mark.tiny


def games_played(game, count, seed=0):
    """Random games as arrays."""
    arrays = GameArrays.of(game)
    generator = np.random.default_rng(seed)
    played = Histories.empty(count, arrays.horizon)
    for row in range(count):
        answer = generator.integers(game.answer_count)
        for turn in range(arrays.horizon):
            guess = generator.integers(len(game.guesses))
            played.guesses[row, turn] = guess
            played.patterns[row, turn] = game.table[guess, answer]
            played.turns[row] = turn + 1
            if played.patterns[row, turn] == game.win:
                break
    return arrays, played


def sample(replay, count, seed=1, steps=1, gamma=1.0, beta=1.0, reward="guesses"):
    generator = np.random.default_rng(seed)
    return replay.sample(count, reward_named(reward), steps, gamma, beta, generator)


@pytest.mark.parametrize("alpha", [0.0, 0.4, 1.0])
def test_frequencies_follow_the_latest_priorities(tiny_game, alpha):
    arrays, played = games_played(tiny_game(cap=4), 10)
    replay = ReplayBuffer(16, arrays, alpha)
    replay.add(played)
    indices = np.flatnonzero(replay.tree[len(replay.tree) // 2 :])
    assert len(indices) == len(replay) == played.turns.sum()
    for errors in (np.arange(1, len(indices) + 1), np.arange(len(indices), 0, -1) + 9):
        replay.update_priorities(indices, errors.astype(np.float32))
        expected = (errors + 1e-3) ** alpha
        expected /= expected.sum()
        sampled = np.concatenate([sample(replay, 1000, seed).indices for seed in range(200)])
        found = np.bincount(sampled, minlength=indices[-1] + 1)[indices] / len(sampled)
        assert found == pytest.approx(expected, rel=0.08)


def test_importance_weights_correct_for_the_priorities(tiny_game):
    arrays, played = games_played(tiny_game(cap=4), 10)
    replay = ReplayBuffer(16, arrays, 1.0)
    replay.add(played)
    indices = np.flatnonzero(replay.tree[len(replay.tree) // 2 :])
    replay.update_priorities(indices, np.linspace(1, 5, len(indices)).astype(np.float32))
    batch = sample(replay, 64)
    priorities = replay.tree[len(replay.tree) // 2 + batch.indices]
    assert batch.weights.max() == 1
    assert batch.weights * priorities == pytest.approx(np.full(64, priorities.min()), rel=1e-5)
    assert sample(replay, 64, beta=0.0).weights.tolist() == [1.0] * 64


@tiny
@pytest.mark.parametrize("steps", [1, 2, 3, 9])
@pytest.mark.parametrize("reward", ["guesses", "founding"])
def test_transitions_are_those_of_the_games(tiny_game, steps, reward):
    game = tiny_game(cap=4)
    arrays, played = games_played(game, 6)
    replay = ReplayBuffer(8, arrays, 0.4)
    replay.add(played)
    batch = sample(replay, 40, steps=steps, gamma=0.5, reward=reward)
    for k, index in enumerate(batch.indices):
        row, turn = divmod(int(index), 4)
        last = int(played.turns[row])
        assert turn < last
        assert batch.guesses[k] == played.guesses[row, turn]
        assert batch.before.turns[k] == turn
        assert batch.after.turns[k] == min(turn + steps, last)
        assert np.array_equal(batch.after.guesses[k], played.guesses[row])
        end = min(turn + steps, last)
        ends_here = end == last
        assert batch.discounts[k] == (0 if ends_here else 0.5**steps)
        won = played.patterns[row, last - 1] == game.win
        expected = sum(
            0.5**i * plain_reward(game, played, row, turn + i, reward, won)
            for i in range(end - turn)
        )
        assert batch.returns[k] == pytest.approx(expected)


def plain_reward(game, played, row, turn, reward, won):
    """The reward of a guess, in plain Python."""
    is_last = turn == played.turns[row] - 1
    if reward == "guesses":
        return -1 - (is_last and not won)
    if is_last:
        return 10 if won else -10
    seen, gained = set(), []
    for k in range(turn + 1):
        guess, pattern = int(played.guesses[row, k]), int(played.patterns[row, k])
        gained = []
        colours = tiles(game.compiled.code(pattern), game.length)
        for letter, colour in zip(game.guesses[guess], colours, strict=True):
            if colour and (letter, colour) not in seen:
                seen.add((letter, colour))
                gained.append(colour)
    return -5 + len(gained)


@tiny
def test_the_oldest_games_are_overwritten_and_the_state_can_be_restored(tiny_game):
    arrays, played = games_played(tiny_game(cap=4), 7)
    replay = ReplayBuffer(5, arrays, 0.4)
    replay.add(played.take(slice(0, 5)))
    replay.add(played.take(slice(5, 7)))
    kept = [5, 6, 2, 3, 4]
    assert np.array_equal(replay.lengths, played.turns[kept])
    assert np.array_equal(replay.guesses, played.guesses[kept])
    again = ReplayBuffer(5, arrays, 0.4)
    again.restore(replay.arrays(), replay.stored, replay.max_priority)
    assert np.array_equal(again.tree, replay.tree)
    assert again.stored == 7


def test_a_million_transitions_fit_in_a_checkpoint():
    arrays = GameArrays.of(Game.named("original"))
    replay = ReplayBuffer(1_000_000 // 4, arrays, 0.4)
    assert sum(a.nbytes for a in replay.arrays().values()) == 0
    replay.stored = len(replay.lengths)
    assert sum(a.nbytes for a in replay.arrays().values()) < 45 << 20

"""Priorities that really work."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from salet import Game
from salet.env.rewards import reward_named
from salet.env.rulebook import Histories, rulebook
from salet.game.notation import tiles
from salet.learn import sumtree
from salet.learn.replay import Replay

pytestmark = [pytest.mark.usefixtures("own_cache")]

tiny = pytest.mark.tiny


@tiny
@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=16).filter(lambda p: sum(p) > 0),
    st.lists(st.floats(0, 0.999999), min_size=1, max_size=20),
)
def test_the_tree_draws_what_a_running_sum_draws(priorities, shares):
    tree = np.zeros(32)
    places = np.arange(len(priorities))
    sumtree.assign(tree, places, np.array(priorities))
    again = np.zeros(32)
    again[16 : 16 + len(priorities)] = priorities
    sumtree.rebuild(again)
    assert np.array_equal(tree[1:], again[1:])
    drawn = np.empty(len(shares), np.int64)
    sumtree.draw(tree, np.array(shares), drawn)
    ends = np.cumsum(priorities)
    for share, place in zip(shares, drawn, strict=True):
        assert priorities[place] > 0
        slack = 1e-9 * ends[-1]
        assert ends[place] - priorities[place] - slack <= share * ends[-1] <= ends[place] + slack


def games_played(game, count, seed=0):
    """Random games as arrays."""
    book = rulebook(game)
    generator = np.random.default_rng(seed)
    played = Histories.blank(count, book.horizon)
    for row in range(count):
        answer = generator.integers(game.answer_count)
        for turn in range(book.horizon):
            guess = generator.integers(len(game.guesses))
            played.guesses[row, turn] = guess
            played.patterns[row, turn] = game.table[guess, answer]
            played.turns[row] = turn + 1
            if played.patterns[row, turn] == game.win:
                break
    return book, played


def draw(replay, count, seed=1, steps=1, gamma=1.0, beta=1.0, reward="guesses"):
    generator = np.random.default_rng(seed)
    return replay.draw(count, reward_named(reward), steps, gamma, beta, generator)


@pytest.mark.parametrize("alpha", [0.0, 0.4, 1.0])
def test_frequencies_follow_the_priorities_and_updates_change_them(tiny_game, alpha):
    book, played = games_played(tiny_game(cap=4), 10)
    replay = Replay(16, book, alpha)
    replay.add(played)
    places = np.flatnonzero(replay.tree[len(replay.tree) // 2 :])
    assert len(places) == len(replay) == played.turns.sum()
    for errors in (np.arange(1, len(places) + 1), np.arange(len(places), 0, -1) + 9):
        replay.update(places, errors.astype(np.float32))
        expected = (errors + 1e-3) ** alpha
        expected /= expected.sum()
        drawn = np.concatenate([draw(replay, 1000, seed).places for seed in range(200)])
        found = np.bincount(drawn, minlength=places[-1] + 1)[places] / len(drawn)
        assert found == pytest.approx(expected, rel=0.08)


def test_importance_weights_make_up_for_the_priorities(tiny_game):
    book, played = games_played(tiny_game(cap=4), 10)
    replay = Replay(16, book, 1.0)
    replay.add(played)
    places = np.flatnonzero(replay.tree[len(replay.tree) // 2 :])
    replay.update(places, np.linspace(1, 5, len(places)).astype(np.float32))
    batch = draw(replay, 64)
    chances = replay.tree[len(replay.tree) // 2 + batch.places]
    assert batch.weights.max() == 1
    assert batch.weights * chances == pytest.approx(np.full(64, chances.min()), rel=1e-5)
    assert draw(replay, 64, beta=0.0).weights.tolist() == [1.0] * 64


@tiny
@pytest.mark.parametrize("steps", [1, 2, 3, 9])
@pytest.mark.parametrize("reward", ["guesses", "founding"])
def test_transitions_are_those_of_the_games(tiny_game, steps, reward):
    game = tiny_game(cap=4)
    book, played = games_played(game, 6)
    replay = Replay(8, book, 0.4)
    replay.add(played)
    batch = draw(replay, 40, steps=steps, gamma=0.5, reward=reward)
    for k, place in enumerate(batch.places):
        row, turn = divmod(int(place), 4)
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
            0.5**i * by_hand(game, played, row, turn + i, reward, won) for i in range(end - turn)
        )
        assert batch.returns[k] == pytest.approx(expected)


def by_hand(game, played, row, turn, reward, won):
    """What a guess earns: told in words by `salet.env.rewards`, with plain Python here."""
    is_last = turn == played.turns[row] - 1
    if reward == "guesses":
        return -1 - (is_last and not won)
    if is_last:
        return 10 if won else -10
    met, gained = set(), []
    for k in range(turn + 1):
        guess, pattern = int(played.guesses[row, k]), int(played.patterns[row, k])
        gained = []
        colours = tiles(game.compiled.code(pattern), game.length)
        for letter, colour in zip(game.guesses[guess], colours, strict=True):
            if colour and (letter, colour) not in met:
                met.add((letter, colour))
                gained.append(colour)
    return -5 + len(gained)


@tiny
def test_the_oldest_games_go_first(tiny_game):
    book, played = games_played(tiny_game(cap=4), 7)
    replay = Replay(5, book, 0.4)
    replay.add(played.rows(slice(0, 5)))
    replay.add(played.rows(slice(5, 7)))
    kept = [5, 6, 2, 3, 4]
    assert np.array_equal(replay.lengths, played.turns[kept])
    assert np.array_equal(replay.guesses, played.guesses[kept])
    again = Replay(5, book, 0.4)
    again.restore(replay.arrays(), replay.stored, replay.highest)
    assert np.array_equal(again.tree, replay.tree)
    assert again.stored == 7


def test_a_million_transitions_fit_in_a_checkpoint():
    book = rulebook(Game.named("original"))
    replay = Replay(1_000_000 // 4, book, 0.4)
    assert sum(a.nbytes for a in replay.arrays().values()) == 0
    replay.stored = len(replay.lengths)
    assert sum(a.nbytes for a in replay.arrays().values()) < 45 << 20

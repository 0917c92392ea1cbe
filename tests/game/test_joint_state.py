"""The state of several boards against brute force over tuples, rows, and what is refused."""

from __future__ import annotations

import random

import pytest

import naive
import naive_boards
import random_games
from salet import Game
from salet.errors import InputError, RowError
from salet.game.joint_state import draw_tuples
from salet.game.round import JointRound


def tiny_games(max_answers):
    """Small games with two and three boards, by number."""
    for number in range(120):
        tiny = random_games.case(number).game
        answers, guesses = ["".join(w) for w in tiny.answers], ["".join(w) for w in tiny.guesses]
        for boards in (2, 3):
            if boards <= len(answers) <= max_answers - boards:
                yield Game(answers, guesses, rule=tiny.rule, boards=boards)


def test_states_are_those_of_brute_force():
    """Possible answers of every board, and the number of tuples, after random guesses."""
    checked = 0
    for number, game in enumerate(tiny_games(8)):
        rng = random.Random(number)
        state, tuples = game.joint_start(), naive_boards.start(game.answers, game.boards)
        secrets = rng.sample(range(game.answer_count), game.boards)
        current = JointRound(game, tuple(secrets))
        while not current.state.over:
            guess = rng.choice(game.guesses)
            shown = current.guess(guess)
            followers = naive_boards.after(game.rule.name, tuples, guess)
            texts = {
                "/".join("-" if p is None else naive.shown(game.rule.name, p) for p in key): below
                for key, below in followers.items()
            }
            tuples = texts[shown]
            state = state.after(guess, shown)
            assert state.tuple_count == len(tuples)
            for board in state.open:
                assert set(state.boards[board].words) == {row[board] for row in tuples}
            solved = [board for board in range(game.boards) if board not in state.open]
            assert all(row[board] is None for row in tuples for board in solved)
            checked += 1
    assert checked > 100


def test_rows():
    game = Game.named("original:boards=4")
    state = game.joint_state("crane:bybbg/bbbyb/bbbbb/ggggg slate bbbbg/bbbyb/bbbbb/-")
    assert [len(board.candidates) for board in state.boards] == [19, 6, 51, 1]
    assert (state.open, state.turn, state.guesses_left) == ((0, 1, 2), 2, 7)
    again = game.joint_state([f"{guess}:{feedback}" for guess, feedback in state.turns])
    assert again.turns == state.turns
    green = game.joint_state("crane:bybbg/bbbyb/bbbbb/ggggg slate bbbbg/bbbyb/bbbbb/ggggg")
    assert green.turns == state.turns  # all green for a solved board is the same as -


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("crane:bybbg/bbbyb", "there are 2 fields of feedback for 4 boards"),
        ("crane:b/b/b/b/b", "there are 5 fields of feedback for 4 boards"),
        ("crane:bybbg/bbbyb/-/bbbbb", "board 3 is not solved yet"),
        ("crane:bybbg/bbbyb/bb/bbbbb", "board 3: feedback 'bb' has 2 tiles"),
        ("crane:bybbg/bbbyb/ggggg/ggggg", "boards 3 and 4 would have to share the answer 'crane'"),
        ("crane:bybbg/bbbyb/ggggg/bbbbb crane:bybbg/bbbyb/bbbbb/bbbbb", "board 3 was solved by"),
        ("crane:bybbg/bbbyb/bbbbb/bbbbb crane:ggggg/bbbyb/bbbbb/bbbbb", "board 1: no answer of"),
        ("cranee:bybbg/bbbyb/bbbbb/bbbbb", "'cranee' has 6 letters"),
    ],
)
def test_rows_that_are_refused(rows, reason):
    with pytest.raises(RowError, match=reason):
        Game.named("original:boards=4").joint_state(rows)


@pytest.mark.parametrize("boards", [0, 1, 33, -2])
def test_numbers_of_boards_that_are_refused(boards):
    with pytest.raises(InputError, match="is not a number from 2 to 32"):
        Game.named(f"original:boards={boards}")


def test_other_games_that_are_refused():
    with pytest.raises(InputError, match="40 boards: give 2 to 32"):
        Game.named("original").replace(boards=40)
    with pytest.raises(InputError, match="4 boards need 4 different answers; there are 3"):
        Game.named("original:first=3,boards=4")
    with pytest.raises(InputError, match="mode 'hard' on 4 boards"):
        Game.named("original:boards=4", mode="hard")
    with pytest.raises(InputError, match="has 4 boards, and this is for one"):
        Game.named("original:boards=4").start()
    with pytest.raises(InputError, match="needs 4 different answers"):
        JointRound(Game.named("original:boards=4"), (1, 2, 3, 3))


def test_caps_are_those_of_the_known_sites():
    caps = [Game.named(f"original:boards={boards}").cap for boards in (2, 4, 8, 16, 32)]
    assert caps == [7, 9, 13, 21, 37]
    assert Game.named("mastermind:2x3,boards=2").cap is None


def test_tuples_are_drawn_by_a_stated_generator():
    """SplitMix64, written again."""
    state, mask = 7, (1 << 64) - 1
    expected = []
    for _ in range(5):
        row = []
        while len(row) < 3:
            state = (state + 0x9E3779B97F4A7C15) & mask
            z = state
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
            number = (z ^ (z >> 31)) % 4
            if number not in row:
                row.append(number)
        expected.append(row)
    assert draw_tuples(Game(["aa", "ab", "ba", "bb"], boards=3), 5, seed=7).tolist() == expected


def test_share():
    current = JointRound(Game(["apple", "angle", "ankle"], boards=2, cap=3), (2, 0))
    current.guess("angle")
    current.guess("ankle")
    current.guess("angle")
    assert current.share() == "salet custom X/3\n\n 2  X"

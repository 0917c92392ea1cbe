"""Several boards as text."""

from __future__ import annotations

import re

import pytest

from salet import Game
from salet.env.text import TextEnv
from salet.env.text.tasks import TASK_SETS, split_of, task_rows
from salet.errors import InputError

TWO = "original:boards=2"


def test_a_game_on_two_boards_from_rules_to_win() -> None:
    env = TextEnv(game=TWO)
    rules = env.reset(answer="crane/humid")
    assert "Find the 2 secret words of 5 letters with at most 7 guesses." in rules
    assert env.task.reward == "guesses"
    assert env.guess("salet") == (
        "s a l e t\nboard 1: B Y B Y B\nboard 2: B B B B B\n6 guesses left, 2 boards to solve."
    )
    assert env.guess("salt").endswith("5 guesses left, 2 boards to solve.")  # it used up a turn
    assert env.guess("crane") == (
        "c r a n e\nboard 1: G G G G G\nboard 2: B B B B B\n4 guesses left."
    )
    assert "board 1: solved before\nboard 2: " in env.guess("human")
    assert not env.done and not env.won
    assert env.guess("humid") == "Right, all 2 boards are solved, with 5 guesses. The game is over."
    assert env.done and env.won and env.rewards == [-1.0] * 5
    assert env.dialogue.answer == "crane/humid"
    assert env.dialogue.state.turns[-1] == ("humid", "-/GGGGG")


def test_a_lost_game_costs_the_cap_and_one_more() -> None:
    env = TextEnv(game=TWO, answer="crane/humid", cap=2)
    env.reset()
    env.guess("crane")
    assert env.guess("salet") == "That was the last guess. The game is lost."
    assert env.reward == -3 and not env.won
    assert "humid" not in str(env.transcript)
    forfeit = TextEnv(game=TWO, answer="crane/humid", illegal="forfeit")
    forfeit.reset()
    assert forfeit.guess("salt").endswith("\nThe game is lost.")
    assert forfeit.reward == -8


def test_without_a_cap_every_board_gives_a_guess_more() -> None:
    env = TextEnv(game=TWO, cap=None, answer="crane/humid", reward="win")
    env.reset()
    said = [env.guess("salet") for _ in range(33)]
    assert said[-2].endswith("Guess again, 2 boards to solve.")
    assert said[-1] == "That was the last guess. The game is lost."


@pytest.mark.parametrize("name", [name for name in TASK_SETS if "boards" in name])
def test_all_secrets_are_of_the_split_and_different(name: str) -> None:
    boards = int(name.rpartition("-")[2])
    env = TextEnv(tasks=name, split="validation")
    drawn = set()
    for seed in range(8):
        env.reset(seed=seed)
        words = env.dialogue.answer.split("/")
        assert len(set(words)) == boards
        assert {split_of(word) for word in words} == {"validation"}
        drawn.add(tuple(words))
        env.reset(seed=seed)
        assert env.dialogue.answer.split("/") == words
    assert len(drawn) == 8


def test_rows_deal_every_answer_at_most_once() -> None:
    game = Game.named("original")
    rows = list(task_rows("original-boards-4", "test"))
    words = [word for row in rows for word in row["answer"].split("/")]
    test = {word for word in game.answers if split_of(word) == "test"}
    assert len(words) == len(set(words)) == len(test) // 4 * 4
    assert set(words) <= test
    assert rows == list(task_rows("original-boards-4", "test"))
    env = TextEnv()
    env.reset(**rows[0])
    assert env.dialogue.answer == rows[0]["answer"]


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (
            {"reward": "regret"},
            "reward 'regret' needs exact values, which original:boards=2 does not",
        ),
        ({"mode": "hard"}, "mode 'hard' on 2 boards"),
        ({"answer": "crane"}, "needs 2 different answers, joined by '/' as in"),
        ({"answer": "crane/Crane"}, "needs 2 different answers"),
        ({"answer": "crane/xyzzy"}, "unknown answer 'xyzzy'"),
    ],
)
def test_what_several_boards_do_not_have(task, message) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        TextEnv(game=TWO).reset(**task)


def test_a_split_with_too_few_answers() -> None:
    with pytest.raises(InputError, match="in the split 'test'; choose another"):
        TextEnv().reset(game="original:first=12,boards=4", split="test")


def test_equations_are_joined_by_blanks_and_can_win_in_another_order() -> None:
    env = TextEnv(game="nerdle:6,boards=2")
    env.reset(answer="12/4=3 3*4=12")
    env.guess("12/4=3")
    assert env.guess("3*4=12").startswith("Right, all 2 boards are solved")
    commuted = TextEnv(game="nerdle:6,commuted=win")
    assert "only in its order wins" in commuted.reset(answer="3*4=12")
    assert commuted.guess("4*3=12").startswith("Right, with 1 guess.")
    assert commuted.rewards == [-1.0]

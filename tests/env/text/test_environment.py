"""The game as text: what it says, what it costs, and that it never tells the secret."""

from __future__ import annotations

import inspect
import itertools
import re
import subprocess
import sys

import pytest

from salet import Game
from salet.env.text import TextEnv
from salet.env.text.tasks import TASK_SETS
from salet.errors import InputError, UnknownNameError
from salet.search.regret import RegretEvaluator

SMALL = "original:first=40,guesses=answers"


def test_a_game_from_rules_to_win() -> None:
    env = TextEnv()
    rules = env.reset(tasks="original", answer="crane", reward="guesses")
    assert "secret word of 5 letters with at most 6 guesses" in rules
    assert not env.done and env.reward == 0
    assert env.guess("salet") == "s a l e t\nB Y B Y B\n5 guesses left."
    assert env.guess("CRANE ") == "Right, with 2 guesses. The game is over."
    assert env.done and env.won and env.reward == env.get_reward() == -2
    assert env.guess("crane") == "The game is over; no guess counts any more."
    assert env.reward == -2
    assert [message["role"] for message in env.transcript] == ["user", "assistant"] * 3 + ["user"]
    assert env.transcript[1]["content"] == "salet"


def test_a_lost_game_says_nothing_of_the_secret() -> None:
    env = TextEnv(tasks="original", cap=2, reward="guesses")
    env.reset(answer="crane")
    env.guess("salet")
    assert env.guess("humid") == "That was the last guess. The game is lost."
    assert env.done and not env.won and env.reward == -3
    assert "crane" not in str(env.transcript)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("xyzzy", "'xyzzy' is not in the list; give a common one with 5 letters."),
        ("cranes", "'cranes' has 6 letters; give one with 5."),
        ("", "'' has 0 letters; give one with 5."),
        (7, "7 is not a word; give one as text."),
        (None, "'' has 0 letters; give one with 5."),
        (["x"] * 10_000, "['x', " + "'x', " * 11 + "'x' is not a word; give one as text."),
        ("slate", "'slate' is not allowed: hard mode: letter 1 must be C (after crane GGGBB)."),
        ("x" * 10_000, "'" + "x" * 64 + "' has 64 letters; give one with 5."),
    ],
)
def test_illegal_guesses_are_answered_with_what_is_right(word, said) -> None:
    env = TextEnv(tasks="original-hard", answer="craft", illegal="retry")
    env.reset()
    env.guess("crane")
    assert env.guess(word) == f"{said}\n5 guesses left."
    assert env.dialogue.illegal_count == 1


def test_what_illegal_guesses_cost() -> None:
    task = {"tasks": "original", "answer": "crane", "illegal_reward": -0.5}
    free = TextEnv(**task, illegal="retry", reward="guesses", max_illegal=3)
    free.reset()
    assert [free.guess("nonsense") for _ in range(2)][1].endswith("6 guesses left.")
    assert free.reward == -1.0 and not free.done
    assert free.guess("nonsense").endswith("The game is lost: too many guesses were not allowed.")
    assert free.done and free.rewards == [-0.5, -0.5, -7.5]  # all six guesses and the loss

    turn = TextEnv(**task, illegal="turn", reward="guesses")
    turn.reset()
    assert turn.guess("nonsense").endswith("5 guesses left.")
    assert turn.guess("crane") == "Right, with 2 guesses. The game is over."
    assert turn.rewards == [-1.5, -1.0]

    forfeit = TextEnv(**task, illegal="forfeit", reward="win")
    forfeit.reset()
    assert "The game is lost" in forfeit.guess("nonsense")
    assert forfeit.done and forfeit.rewards == [-0.5]


def test_wasted_turns_can_lose_the_game() -> None:
    env = TextEnv(tasks="original", answer="crane", cap=2, illegal="turn", reward="guesses")
    env.reset()
    env.guess("salet")
    assert env.guess("nonsense").endswith("That was the last guess. The game is lost.")
    assert env.done and env.reward == -3


def test_regret_is_what_the_evaluator_says_and_luck_does_not_matter() -> None:
    game = Game.named(SMALL)
    evaluator = RegretEvaluator(game)
    for answer in game.answers[:6]:
        env = TextEnv(game=SMALL, split="all", reward="regret", illegal="turn")
        env.reset(answer=answer)
        env.guess("nothing")
        env.guess(game.answers[7])
        state = game.start()
        expected = -evaluator.regret(state, None).loss
        assert env.rewards[0] == pytest.approx(expected)
        expected = -evaluator.regret(state, 7, 5).loss
        assert env.rewards[1] == pytest.approx(expected)


def test_the_best_guesses_cost_no_regret_and_the_sum_is_the_mean() -> None:
    """Over all answers, minus the regret is what the player takes above the optimum."""
    game = Game.named(SMALL)
    start = RegretEvaluator(game).expected(game.start())
    totals = {}
    for reward in ("regret", "guesses", "shaped"):
        env = TextEnv(game=SMALL, split="all", reward=reward)
        totals[reward] = 0.0
        for answer in game.answers:
            env.reset(answer=answer)
            for word in itertools.cycle(game.answers):
                if env.done:
                    break
                env.guess(word)
            totals[reward] += env.reward / game.answer_count
    assert totals["regret"] == pytest.approx(start + totals["guesses"])
    assert totals["shaped"] == pytest.approx(start + totals["guesses"])
    assert totals["regret"] < -1


def test_seeds_are_deterministic() -> None:
    first = [TextEnv(tasks="nyt"), TextEnv(tasks="nyt")]
    for env in first:
        env.reset(seed=11)
    assert first[0].dialogue.secrets == first[1].dialogue.secrets
    drawn = set()
    for seed in range(20):
        first[0].reset(seed=seed)
        drawn.add(first[0].dialogue.secrets)
    assert len(drawn) > 15


@pytest.mark.parametrize("name", TASK_SETS)
def test_every_task_set_is_played_without_leaking_the_answer(name: str) -> None:
    """No message has the secret in it, unless the player wrote it or all messages of rules do."""
    task = {"tasks": name, "reward": "win", "illegal": "retry", "max_illegal": 99}
    rules = TextEnv().reset(**task, seed=0)
    for seed in range(5):
        env = TextEnv(**task, seed=seed)
        messages = [env.reset()]
        assert messages[0] == rules
        game = env.dialogue.game
        secrets = [game.guesses[secret] for secret in env.dialogue.secrets]
        words = [word for word in game.guesses[seed::501] if word not in secrets]
        secret = secrets[0]
        wrong = [secret[:-1], secret[::-1] * 2, f"x{secret}", "", "what?"]
        messages += [env.guess(word) for word in [*wrong, *words[:30]] if not env.done]
        said = [m["content"] for m in env.transcript if m["role"] == "assistant"]
        for message, secret in itertools.product(messages[1:], secrets):
            for own in sorted(said, key=len, reverse=True):
                message = message.replace(repr(own[:64]), "") if own else message
            found = re.search(rf"\b{re.escape(secret)}\b", message, re.IGNORECASE)
            assert found is None or secret.lower() in rules.lower(), message


def test_messages_do_not_depend_on_the_secret_but_through_the_marks() -> None:
    game = Game.named("original")
    groups: dict[str, list[str]] = {}
    for answer in game.answers:
        groups.setdefault(game.feedback("salet", answer), []).append(answer)
    for pair in [group[:2] for group in groups.values() if len(group) > 1][:20]:
        said = []
        for answer in pair:
            env = TextEnv(tasks="original", answer=answer)
            said.append((env.reset(), env.guess("salet"), env.guess("qwert")))
        assert said[0] == said[1]


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ({"tasks": "nyc"}, "unknown task set 'nyc'; did you mean 'nyt'"),
        ({"task": "nyt"}, "unknown argument of a task: 'task'; did you mean 'tasks'"),
        ({"xyz": 1}, "unknown argument of a task: 'xyz'; known: tasks, game, mode, cap"),
        ({"split": "tests"}, "unknown split 'tests'; did you mean 'test'"),
        ({"reward": "regrets"}, "unknown reward 'regrets'; did you mean 'regret'"),
        ({"illegal": "retri"}, "unknown cost of an illegal guess: 'retri'; did you mean 'retry'"),
        ({"seed": "7"}, "seed = '7' is not of type int or None"),
        ({"seed": True}, "seed = True is not of type int or None"),
        ({"mode": 3}, "mode = 3 is not of type str"),
        ({"answer": "xyzzy"}, "unknown answer 'xyzzy'"),
        ({"game": "orignal"}, "unknown game 'orignal'"),
        ({"seed": -1}, "seed = -1 is negative; give 0 or more"),
        ({"illegal_reward": float("nan")}, "illegal_reward = nan is not a finite number"),
        ({"max_illegal": 0}, "max_illegal = 0: give a whole number from 1 on"),
        ({"show_answers": 1}, "show_answers = 1 is not of type bool"),
        ({"cap": 0}, "a cap of 0 allows no guess"),
    ],
)
def test_wrong_tasks_are_refused(task, message) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        TextEnv().reset(**task)


def test_a_split_without_answers() -> None:
    with pytest.raises(InputError, match="is in the split 'test'; choose another"):
        TextEnv().reset(game="original:first=1", split="test")


def test_nothing_works_before_reset() -> None:
    env = TextEnv()
    for ask in (lambda: env.guess("crane"), lambda: env.done, lambda: env.dialogue):
        with pytest.raises(InputError, match="call reset"):
            ask()
    with pytest.raises(UnknownNameError):
        TextEnv(tasks="nyc")


def test_the_list_of_answers_can_be_shown() -> None:
    env = TextEnv(game=SMALL, split="all", show_answers=True)
    game = Game.named(SMALL)
    assert f"one of these 40: {' '.join(game.answers)}" in env.reset(seed=1)


def test_codes_are_played_too() -> None:
    env = TextEnv(tasks="mastermind", answer="1234")
    assert "secret code of 4 symbols from 1 2 3 4 5 6 with at most 8 guesses" in env.reset()
    said = env.guess("1243")
    assert said == "1243: 2 in the right position, 2 elsewhere\n7 guesses left."


def test_games_without_a_cap_end_after_32_guesses() -> None:
    env = TextEnv(game="original", cap=None, answer="crane", reward="guesses")
    assert "at most" not in env.reset()
    for _ in range(31):
        assert env.guess("salet").endswith("Guess again.")
    assert env.guess("salet") == "That was the last guess. The game is lost."
    assert env.done


def test_its_only_tool_is_guess() -> None:
    """What TRL makes of the class: public functions but reset and get_reward are tools."""
    functions = [name for name, _ in inspect.getmembers(TextEnv, inspect.isfunction)]
    assert [name for name in functions if not name.startswith("_")] == [
        "get_reward",
        "guess",
        "reset",
    ]
    signature = inspect.signature(TextEnv.guess)
    assert str(signature) == "(self, word: 'str') -> 'str'"
    assert "Args:" in (TextEnv.guess.__doc__ or "")


def test_it_needs_no_extra() -> None:
    program = (
        "import sys\n"
        "for name in ('torch', 'gymnasium', 'mcp', 'pydantic'):\n"
        "    sys.modules[name] = None\n"
        "from importlib.machinery import ModuleSpec\n"
        "import importlib.util as u\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'gymnasium' else find(name, *a)\n"
        "from salet.env.text import TextEnv\n"
        "env = TextEnv(tasks='mastermind'); env.reset(seed=1); env.guess('1122')\n"
        "print(env.reward <= 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "True", done.stderr

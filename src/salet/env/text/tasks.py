"""Tasks, and named sets of them whose answers are split for training and testing.

A word belongs to the same split in every game: which one is decided by its own digest. So a player
trained on one list has seen no test answer of another.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np

from salet.env.text.dialogue import ILLEGAL
from salet.env.text.rewards import REWARDS
from salet.env.text.wording import REPLY_FORMATS
from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.lexicon import key
from salet.game.packs.store import checksum
from salet.game.round import named_secrets, secrets_text

SPLITS = ("train", "validation", "test")
_SHARES = ("train",) * 8 + ("validation", "test")
_SALT = "salet split 1 "


@dataclass(frozen=True)
class TaskSet:
    """A game in a mode, under a name."""

    game: str
    mode: str = "normal"
    cap: int | str | None = "default"


TASK_SETS: Mapping[str, TaskSet] = MappingProxyType(
    {
        "nyt": TaskSet("nyt-2023-07"),
        "nyt-hard": TaskSet("nyt-2023-07", "hard"),
        "original": TaskSet("original"),
        "original-hard": TaskSet("original", "hard"),
        "original-strict": TaskSet("original", "strict"),
        "original-boards-2": TaskSet("original:boards=2"),
        "original-boards-4": TaskSet("original:boards=4"),
        "original-boards-8": TaskSet("original:boards=8"),
        "romanian": TaskSet("romanian", cap=6),
        "mastermind": TaskSet("mastermind:4x6", cap=8),
        "bulls-and-cows": TaskSet("bulls-and-cows:4x10", cap=10),
    }
)


@dataclass(frozen=True)
class Task:
    """What `TextEnv.reset` takes: which game is played, against which secret, and what it earns."""

    tasks: str | None = None
    """name of a task set, which gives game, mode and cap"""
    game: str = "nyt-2023-07"
    mode: str = "normal"
    cap: int | str | None = "default"
    split: str = "train"
    """train, validation, test or all: where the secret is drawn from"""
    seed: int | None = None
    """seed of the secret; None draws a new one every time"""
    answer: str | None = None
    """the secret, if it is not drawn; those of several boards are joined by `/`"""
    reward: str | None = None
    """name in `salet.env.text.rewards.REWARDS`; None is `regret`, or `guesses` where
    no values are exact (several boards)"""
    illegal: str = "turn"
    """what an illegal guess costs: retry, turn or forfeit"""
    illegal_reward: float = 0.0
    """added to the reward for each illegal guess"""
    max_illegal: int = 10
    """illegal guesses that lose the game"""
    show_answers: bool = False
    """whether the player is shown the list of answers"""
    replies: str = "tool"
    """how guesses are made: by the `tool`, or in `brackets` at the end of a reply"""


def read_task(given: Mapping[str, Any]) -> Task:
    """Check the arguments of `reset`; a `prompt`, as datasets have one, is ignored."""
    known = {field.name: field.type for field in fields(Task)}
    named = {name: value for name, value in given.items() if name != "prompt"}
    for name, value in named.items():
        if name not in known:
            raise UnknownNameError(
                "argument of a task:", str(name), known, hint=f"known: {', '.join(known)}"
            )
        _check_type(name, value)
    chosen = named.get("tasks")
    if chosen is not None:
        task_set = task_set_named(chosen)
        named = {"game": task_set.game, "mode": task_set.mode, "cap": task_set.cap, **named}
    task = Task(**named)
    if task.split not in (*SPLITS, "all"):
        raise UnknownNameError("split", task.split, (*SPLITS, "all"))
    if task.illegal not in ILLEGAL:
        raise UnknownNameError("cost of an illegal guess:", task.illegal, ILLEGAL)
    if task.replies not in REPLY_FORMATS:
        raise UnknownNameError("form of replies:", task.replies, REPLY_FORMATS)
    if task.reward is not None and task.reward not in REWARDS:
        raise UnknownNameError("reward", task.reward, REWARDS)
    if task.seed is not None and task.seed < 0:
        raise InputError(f"task: seed = {task.seed} is negative; give 0 or more")
    if not math.isfinite(task.illegal_reward):
        raise InputError(f"task: illegal_reward = {task.illegal_reward} is not a finite number")
    return task


_TYPES: Mapping[str, tuple[type | None, ...]] = MappingProxyType(
    {
        "tasks": (str, None),
        "cap": (int, str, None),
        "seed": (int, None),
        "answer": (str, None),
        "reward": (str, None),
        "illegal_reward": (float, int),
        "max_illegal": (int,),
        "show_answers": (bool,),
    }
)


def _check_type(name: str, value: object) -> None:
    allowed = _TYPES.get(name, (str,))
    is_right = (value is None and None in allowed) or any(
        isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)
        for kind in allowed
        if kind is not None
    )
    if not is_right:
        wanted = " or ".join("None" if kind is None else kind.__name__ for kind in allowed)
        raise InputError(f"task: {name} = {value!r} is not of type {wanted}")


def task_set_named(name: str) -> TaskSet:
    """The task set of that name."""
    if name not in TASK_SETS:
        raise UnknownNameError("task set", name, TASK_SETS)
    return TASK_SETS[name]


@functools.lru_cache(maxsize=32)
def open_game(name: str, mode: str, cap: int | str | None) -> Game:
    """The game of a task; games are shared by all environments of a process."""
    return Game.named(name, mode=mode, cap=cap)


def split_of(word: str) -> str:
    """The split that a word belongs to, in whatever game.

    >>> split_of("crane"), split_of("Crane")
    ('train', 'train')
    """
    digest = hashlib.sha256((_SALT + key(word)).encode()).digest()
    return _SHARES[int.from_bytes(digest[:8], "big") % len(_SHARES)]


def split_answers(game: Game, split: str) -> list[int]:
    """The indices of the answers of a split, ascending; `all` has every answer."""
    return [i for i, word in enumerate(game.answers) if split in ("all", split_of(word))]


def split_digest(game: Game, split: str) -> str:
    """The sha256 of a split's sorted answers, as in docs/text.md."""
    return checksum([game.answers[index] for index in split_answers(game, split)])


def draw_answers(game: Game, task: Task) -> tuple[int, ...]:
    """The indices of the secrets of a task, one for each board."""
    if task.answer is not None:
        return named_secrets(game, task.answer)
    answers = _cached_split(game, task.split)
    if len(answers) < game.boards:
        found = "no answer" if not answers else f"only {len(answers)} of the answers"
        raise InputError(
            f"{found} of {game.name} {'are' if len(answers) > 1 else 'is'} in the split "
            f"{task.split!r}; choose another, or 'all'"
        )
    generator = np.random.default_rng(task.seed)
    if game.boards == 1:
        return (answers[int(generator.integers(len(answers)))],)
    return tuple(answers[index] for index in generator.permutation(len(answers))[: game.boards])


@functools.lru_cache(maxsize=128)
def _cached_split(game: Game, split: str) -> list[int]:
    return split_answers(game, split)


def task_rows(name: str, split: str = "train", **more: Any) -> Iterator[dict[str, Any]]:
    """Yield the arguments of `reset` for every answer of a split of a task set.

    With several boards the answers are dealt to them in a fixed random order, so that each occurs
    at most once. `more` is added to every row, such as `reward="guesses"`.

    >>> next(task_rows("original", "test"))
    {'tasks': 'original', 'split': 'test', 'answer': 'abuse'}
    """
    read_task({"tasks": name, "split": split, **more})
    task_set = task_set_named(name)
    game = open_game(task_set.game, task_set.mode, task_set.cap)
    answers = split_answers(game, split)
    if game.boards > 1:
        answers = [answers[index] for index in np.random.default_rng(0).permutation(len(answers))]
    for begin in range(0, len(answers) - game.boards + 1, game.boards):
        secrets = answers[begin : begin + game.boards]
        yield {"tasks": name, "split": split, "answer": secrets_text(game, secrets), **more}

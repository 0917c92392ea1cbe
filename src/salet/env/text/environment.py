"""The game as text, for agents that read and write it."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from salet.env.text import wording
from salet.env.text.dialogue import Dialogue, ReplyStatus
from salet.env.text.rewards import TextReward, Turn, default_text_reward, text_reward_named
from salet.env.text.tasks import Task, draw_answers, open_game, read_task
from salet.errors import InputError
from salet.game.game import Game
from salet.search.regret import RegretEvaluator, has_exact_values

_NODES = 20_000
"""Search effort for a state of more than 300 answers: about a second."""

Message = dict[str, str]


class TextEnv:
    """A word game played in text: `reset` says the rules, `guess` makes a guess.

    It has the form that TRL takes for `environment_factory`: `guess` is its only tool, and
    `get_reward` the reward of a finished game. Other libraries are served by `salet.env.adapters`.

    >>> env = TextEnv()
    >>> rules = env.reset(tasks="original", answer="crane", reward="regret")
    >>> print(env.guess("salet"))
    s a l e t
    B Y B Y B
    5 guesses left.
    >>> env.guess("crane"), env.done, round(env.reward, 3)
    ('Right, with 2 guesses. The game is over.', True, -0.108)
    """

    def __init__(self, **defaults: Any) -> None:
        """`defaults` are arguments of `reset` for every game."""
        read_task(defaults)
        self._defaults = defaults
        self._dialogue: Dialogue | None = None
        self._task = Task()
        self._reward: TextReward | None = None
        self._rewards: list[float] = []
        self._messages: list[Message] = []

    def reset(self, **task: Any) -> str:
        """Start a game and return its rules.

        The arguments are the fields of `salet.env.text.tasks.Task`, such as
        `tasks="nyt-hard", split="train", seed=7, reward="regret"`.
        """
        asked = read_task({**self._defaults, **task})
        game = open_game(asked.game, asked.mode, asked.cap)
        name = default_text_reward(game) if asked.reward is None else asked.reward
        self._reward = text_reward_named(name, game)
        self._task = dataclasses.replace(asked, reward=name)
        self._dialogue = Dialogue(game, draw_answers(game, asked), asked.illegal, asked.max_illegal)
        self._rewards = []
        parts = [self._dialogue.rules()]
        if self._task.show_answers:
            parts.append(wording.answers_text(game))
        parts.append(wording.REPLY_FORMATS[self._task.replies])
        self._messages = [{"role": "user", "content": "\n".join(parts)}]
        return self._messages[0]["content"]

    def guess(self, word: str) -> str:
        """Make a guess and get its marks.

        Args:
            word: the word to guess.

        Returns:
            A mark for each letter (G right here, Y elsewhere, B not there), on every board if there
            are several, and the number of guesses left; or why the word is not allowed.
        """
        given = "" if word is None else word  # a model may call the tool with null
        return self._play(given, given)

    def _play(self, word: str | None, reply: str) -> str:
        """Make the guess in a reply (None if it has none); returns the answer to it."""
        dialogue = self._started()
        assert self._reward is not None
        before, left = dialogue.state, dialogue.guesses_left
        message = dialogue.guess(word, reply)
        self._messages.append({"role": "assistant", "content": str(reply)})
        self._messages.append({"role": "user", "content": message})
        if dialogue.status is ReplyStatus.LATE:
            return message
        is_illegal = dialogue.status is ReplyStatus.ILLEGAL
        reward = self._task.illegal_reward if is_illegal else 0.0
        if not is_illegal or dialogue.forfeited or dialogue.illegal == "turn":
            reward += self._reward(
                Turn(
                    evaluator=_evaluator(dialogue.game),
                    before=before,
                    left_before=left,
                    guess=None if is_illegal else dialogue.state.guesses[-1],
                    after=dialogue.state,
                    left_after=dialogue.guesses_left,
                    won=dialogue.won,
                    lost=dialogue.over and not dialogue.won,
                    forfeited=dialogue.forfeited,
                )
            )
        self._rewards.append(reward)
        return message

    def get_reward(self) -> float:
        """The reward of the game so far, which is the sum of its turns'."""
        return self.reward

    def _started(self) -> Dialogue:
        if self._dialogue is None:
            raise InputError("no game has started; call reset() first")
        return self._dialogue

    @property
    def reward(self) -> float:
        """The sum of the rewards of the game so far."""
        return sum(self._rewards)

    @property
    def rewards(self) -> list[float]:
        """The reward of every reply so far."""
        return list(self._rewards)

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return self._started().over

    @property
    def won(self) -> bool:
        """Whether the secret was found, on every board."""
        return self._started().won

    @property
    def task(self) -> Task:
        """The task of the game."""
        return self._task

    @property
    def dialogue(self) -> Dialogue:
        """The game behind the words: state of play, illegal guesses, the secrets."""
        return self._started()

    @property
    def transcript(self) -> list[Message]:
        """The conversation so far, as chat messages; the player's role is `assistant`."""
        return [dict(message) for message in self._messages]


def play_reply(env: TextEnv, reply: str) -> str:
    """Make the guess at the end of a reply, and return the answer to it.

    For players that write text instead of calling a tool.

    >>> env = TextEnv(tasks="original", answer="crane", replies="brackets", reward="win")
    >>> rules = env.reset()
    >>> play_reply(env, "It must be [crane].")
    'Right, with 1 guess. The game is over.'
    """
    return env._play(wording.read_guess(reply), reply)


@functools.lru_cache(maxsize=32)
def _evaluator(game: Game) -> RegretEvaluator | None:
    """The values of a game, shared by all environments that play it; None if it has none."""
    return RegretEvaluator(game, nodes=_NODES) if has_exact_values(game) else None

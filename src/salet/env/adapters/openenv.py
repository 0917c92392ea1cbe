"""OpenEnv: the game behind its small server.

uvicorn --factory salet.env.adapters.openenv:app
"""

from __future__ import annotations

import uuid
from typing import Any

from salet.env.text.dialogue import ReplyStatus
from salet.env.text.environment import TextEnv
from salet.errors import MissingExtraError

try:
    from openenv.core.env_server import Action, Environment, Observation, State
    from openenv.core.env_server.http_server import create_fastapi_app
except ModuleNotFoundError:
    raise MissingExtraError("an environment for OpenEnv", "openenv") from None

MAX_SESSIONS = 64
"""Maximum number of concurrent clients."""


class GuessAction(Action):
    """A guess."""

    word: str


class TextObservation(Observation):
    """The message to the player; `reward` is that of the last guess."""

    message: str = ""
    illegal: bool = False
    won: bool = False


class GameState(State):
    """The public state of a game, without its secret."""

    guesses: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    illegal_count: int = 0
    won: bool = False


class OpenEnvGame(Environment[GuessAction, TextObservation, GameState]):
    """A game for one client; `reset` takes the arguments of a task."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, **task: Any) -> None:
        super().__init__()
        self._text = TextEnv(**task)
        self._episode: str | None = None

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **task: Any
    ) -> TextObservation:
        """Start a game."""
        if seed is not None:
            task["seed"] = seed
        self._episode = episode_id or uuid.uuid4().hex
        return TextObservation(message=self._text.reset(**task), reward=None, done=False)

    def step(
        self,
        action: GuessAction,
        timeout_s: float | None = None,  # noqa: ARG002
        **_: Any,
    ) -> TextObservation:
        """Make a guess."""
        made = len(self._text.rewards)
        message = self._text.guess(action.word)
        rewards = self._text.rewards
        return TextObservation(
            message=message,
            illegal=self._text.dialogue.status is ReplyStatus.ILLEGAL,
            won=self._text.won,
            done=self._text.done,
            reward=rewards[-1] if len(rewards) > made else 0.0,
        )

    @property
    def state(self) -> GameState:
        """The game so far."""
        if self._episode is None:
            return GameState()
        dialogue = self._text.dialogue
        turns = dialogue.state.turns
        return GameState(
            episode_id=self._episode,
            step_count=dialogue.used,
            guesses=tuple(word for word, _ in turns),
            patterns=tuple(pattern for _, pattern in turns),
            illegal_count=dialogue.illegal_count,
            won=dialogue.won,
        )


def app(**task: Any) -> Any:
    """The server's application; `task` are defaults for every game."""
    return create_fastapi_app(
        lambda: OpenEnvGame(**task),
        GuessAction,
        TextObservation,
        max_concurrent_envs=MAX_SESSIONS,
        env_name="salet",
        state_cls=GameState,
    )

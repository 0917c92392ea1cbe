"""TextArena: importing this module registers `salet/Wordle-v0`.

import textarena as ta
import salet.env.adapters.textarena

env = ta.make("salet/Wordle-v0", tasks="nyt-hard", split="test")
"""

from __future__ import annotations

from typing import Any

from salet.env.text.dialogue import ReplyStatus
from salet.env.text.environment import TextEnv, play_reply
from salet.errors import InputError, MissingExtraError

try:
    import textarena as ta
    from textarena.envs.registration import ENV_REGISTRY
except ModuleNotFoundError:
    raise MissingExtraError("an environment for TextArena", "textarena") from None

ID = "salet/Wordle-v0"


class TextArenaEnv(ta.Env):
    """A single-player game; arguments are those of a task, and guesses stand in brackets.

    The secret is drawn by the seed of `reset` alone, never by the global generator. The reward is
    that of the task, and no message has the secret in it.
    """

    def __init__(self, **task: Any) -> None:
        super().__init__()
        self.text = TextEnv(**{"replies": "brackets", **task})

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        """Start a game."""
        if num_players != 1:
            raise InputError(f"{num_players} players: the game is for 1")
        rules = self.text.reset(**({} if seed is None else {"seed": seed}))
        self.state = ta.SinglePlayerState(num_players=1)
        self.state.reset(game_state={}, player_prompt_function=lambda **_: rules)

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Make the guess at the end of a reply."""
        state = self.state
        state.add_observation(message=action, observation_type=ta.ObservationType.PLAYER_ACTION)
        message = play_reply(self.text, action)
        is_illegal = self.text.dialogue.status is ReplyStatus.ILLEGAL
        kinds = ta.ObservationType
        state.add_observation(
            message=message,
            observation_type=kinds.GAME_ADMIN if is_illegal else kinds.GAME_MESSAGE,
        )
        if self.text.done:
            state.set_outcome(reward=self.text.reward, reason=message)
            state.game_info[0]["invalid_move"] = self.text.dialogue.forfeited
        done, info = state.step()
        return bool(done), info


if ID not in ENV_REGISTRY:
    ta.register(id=ID, entry_point=TextArenaEnv)

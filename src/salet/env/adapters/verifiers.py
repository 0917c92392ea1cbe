"""verifiers: a taskset, and the environment in which the game answers the player.

The taskset's id is `salet-verifiers` (verifiers finds it by the module `salet_verifiers`):

    vf-eval salet-verifiers --env.taskset.tasks nyt-hard --env.taskset.split test -m MODEL
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from salet.env.text.environment import TextEnv, play_reply
from salet.env.text.tasks import task_rows
from salet.errors import MissingExtraError

try:
    import verifiers.v1 as vf
except ModuleNotFoundError:
    raise MissingExtraError("an environment for verifiers", "verifiers") from None


class GamesConfig(vf.TasksetConfig):
    """Which games are played."""

    tasks: str = "nyt"
    """name of a task set"""
    split: str = "train"
    reward: str | None = None
    """None is `regret`, or `guesses` on several boards"""
    illegal: str = "turn"


class GameData(vf.TaskData):
    """One game; `task` is what `TextEnv.reset` takes."""

    task: dict[str, Any]


class GameTask(vf.Task[GameData, vf.State, vf.TaskConfig]):
    """One game."""


class GamesTaskset(vf.Taskset[GameTask, GamesConfig]):
    """Every answer of a split of a task set."""

    def load(self) -> Iterator[GameTask]:
        """Yield a task for each answer."""
        config = self.config
        more = {"reward": config.reward, "illegal": config.illegal, "replies": "brackets"}
        env = TextEnv()
        for number, row in enumerate(task_rows(config.tasks, config.split, **more)):
            name = f"{config.tasks}-{config.split}-{number}"
            yield GameTask(GameData(name=name, prompt=env.reset(**row), task=row), config.task)


class GamesEnvConfig(vf.EnvConfig):
    """Who plays."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    """a player only talks: it needs neither tools nor a sandbox"""


class GamesEnv(vf.Env[GamesEnvConfig]):
    """The player writes, the game answers, until it is over."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play one game."""
        env = TextEnv()
        env.reset(**task.data.task)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                message = play_reply(env, segment.last_reply)
                if env.done:
                    break
                segment = await interaction.turn(message)
        trace = interaction.trace
        trace.record_reward(env.task.reward, env.reward, 1.0)
        trace.record_metric("won", float(env.won))
        trace.record_metric("guesses", float(env.dialogue.used))
        trace.record_metric("illegal", float(env.dialogue.illegal_count))

"""Many games at once for stable-baselines3 and sb3-contrib."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from salet.array_types import Bools
from salet.env.observations import Features
from salet.env.vector import WordleVectorEnv
from salet.errors import InputError, MissingExtraError

try:
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn
except ModuleNotFoundError:
    raise MissingExtraError("an environment for stable-baselines3", "sb3") from None


class WordleVecEnv(VecEnv):
    """`WordleVectorEnv` in the form that stable-baselines3 takes.

    Arguments are those of `WordleVectorEnv`. A game that is over starts again in the same step;
    its last observation is in `info["terminal_observation"]`. `action_masks` is found by
    MaskablePPO.
    """

    def __init__(self, num_envs: int = 1, **options: Any) -> None:
        self.env = WordleVectorEnv(num_envs, **options)
        self.render_mode = self.env.render_mode
        self._actions: Any = None
        super().__init__(num_envs, self.env.single_observation_space, self.env.single_action_space)

    def reset(self) -> Features:
        """Start every game, by the seeds of `seed()`."""
        seeds: list[int | None] = list(self._seeds)
        observations, _ = self.env.reset(seed=None if None in seeds else seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return observations

    def step_async(self, actions: Any) -> None:
        """Remember the guesses until `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Make the guesses; start games that are over again."""
        observations, rewards, terminated, truncated, info = self.env.step(self._actions)
        over = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(over):
            infos[game] = {
                "answer": info["answer"][game],
                "pattern": info["pattern"][game],
                "TimeLimit.truncated": bool(truncated[game]),
                "terminal_observation": observations[game].copy(),
            }
        if over.any():
            observations[over] = self.env.restart(over)
        return observations, rewards.astype(np.float32), over, infos

    def action_masks(self) -> Bools:
        """masks[game, guess]: whether the guess is legal now."""
        return self.env.action_masks()

    def close(self) -> None:
        """Nothing is held open."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of the games; they share all but their state."""
        value = getattr(self.env, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:  # noqa: ARG002
        """Refused: the games share their attributes."""
        raise InputError(f"{attr_name!r} cannot be set: the games share everything but their state")

    def env_method(
        self,
        method_name: str,
        *args: Any,  # noqa: ARG002
        indices: VecEnvIndices = None,
        **kwargs: Any,  # noqa: ARG002
    ) -> list[Any]:
        """The results of `action_masks` or `state` for some games."""
        games: Iterable[int] = self._get_indices(indices)
        if method_name == "action_masks":
            masks = self.env.action_masks()
            return [masks[game] for game in games]
        if method_name == "state":
            return [self.env.state(game) for game in games]
        raise InputError(
            f"{method_name!r} is not a method of single games; known: action_masks, state"
        )

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:  # noqa: ARG002
        """No game is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """A picture of every game, if `render_mode` is "rgb_array"."""
        return list(self.env.render() or ()) if self.render_mode == "rgb_array" else []

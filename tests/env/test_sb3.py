"""The adapter for stable-baselines3, driven by its own checks and agents."""

from __future__ import annotations

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_util import make_vec_env

from salet.env.sb3 import WordleVecEnv
from salet.env.wordle import WordleEnv
from salet.errors import InputError

pytestmark = pytest.mark.usefixtures("own_cache")

SMALL = "original:first=30,guesses=answers"


def test_games_are_those_of_single_environments() -> None:
    """With the same seeds: observations, rewards, masks, and the restart within the step."""
    many = WordleVecEnv(3, game=SMALL, mode="hard", cap=3)
    many.seed(5)
    observations = many.reset()
    singles = [WordleEnv(SMALL, mode="hard", cap=3) for _ in range(3)]
    firsts = [env.reset(seed=5 + n)[0] for n, env in enumerate(singles)]
    assert np.array_equal(observations, firsts)
    generator = np.random.default_rng(0)
    ended = 0
    for _ in range(30):
        masks = get_action_masks(many)
        assert np.array_equal(masks, [env.action_masks() for env in singles])
        actions = [generator.choice(np.flatnonzero(mask)) for mask in masks]
        observations, rewards, dones, infos = many.step(np.array(actions))
        for n, env in enumerate(singles):
            observation, reward, terminated, truncated, info = env.step(int(actions[n]))
            assert (rewards[n], dones[n]) == (reward, terminated or truncated)
            if dones[n]:
                ended += 1
                assert np.array_equal(infos[n]["terminal_observation"], observation)
                assert infos[n]["answer"] == info["answer"]
                assert infos[n]["TimeLimit.truncated"] == truncated
                observation, _ = env.reset()
            assert np.array_equal(observations[n], observation)
    assert ended > 10


def test_what_agents_ask_for() -> None:
    many = WordleVecEnv(2, game=SMALL)
    many.reset()
    assert is_masking_supported(many)
    assert many.action_masks().shape == (2, 30)
    assert [state.turn for state in many.env_method("state")] == [0, 0]
    assert many.get_attr("game", [0]) == [many.env.game]
    assert many.env_is_wrapped(object) == [False, False]
    with pytest.raises(InputError, match="'fly' is not a method of single games"):
        many.env_method("fly")
    with pytest.raises(InputError, match="'cap' cannot be set"):
        many.set_attr("cap", 3)
    many.close()


def test_single_games_are_made_by_the_package_itself() -> None:
    """`make_vec_env` asks for pictures, whether anyone looks at them or not."""
    many = make_vec_env("salet/Wordle-v0", n_envs=2, env_kwargs={"game": SMALL, "mode": "hard"})
    many.reset()
    assert is_masking_supported(many) and get_action_masks(many).all()
    assert many.render().shape[2] == 3
    many.close()
    own = WordleVecEnv(2, game=SMALL, render_mode="rgb_array")
    own.reset()
    assert np.array_equal(own.get_images()[0], own.env.render()[0])
    assert WordleVecEnv(2, game=SMALL, render_mode="ansi").get_images() == []

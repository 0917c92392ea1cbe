"""The vectorised environment against single games."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import salet.env  # noqa: F401  (registers the environment)
from salet.env.rewards import REWARDS, Reward
from salet.env.vector import WordleVectorEnv
from salet.env.wordle import WordleEnv
from salet.errors import InputError
from salet.game.modes import MODES

pytestmark = pytest.mark.usefixtures("own_cache")

SMALL = "original:first=30,guesses=answers"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reward", [*REWARDS, Reward(-1, 2, 3, 4, 5, 6)])
def test_many_games_behave_like_single_games(mode, reward):
    """Also when games restart, in every mode, and with illegal guesses."""
    many = gymnasium.make_vec("salet/Wordle-v0", num_envs=12, game=SMALL, mode=mode, cap=3,
                              reward=reward)  # fmt: skip
    assert isinstance(many, WordleVectorEnv)
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    singles = [WordleEnv(SMALL, mode=mode, cap=3, reward=reward) for _ in range(12)]
    words = singles[0].game.answers
    generator = np.random.default_rng(3)
    answers = [words[index] for index in generator.integers(len(words), size=12)]
    many.reset(seed=3, options={"answers": answers})
    over = [False] * 12
    for env, answer in zip(singles, answers, strict=True):
        env.reset(options={"answer": answer})
    for _ in range(12):
        actions = generator.integers(len(words), size=12)
        observations, rewards, terminated, truncated, info = many.step(actions)
        for index, env in enumerate(singles):
            if over[index]:
                answer = words[many._answers[index]]
                observation, single = env.reset(options={"answer": answer})
                result = (0.0, False, False)
            else:
                observation, *result, single = env.step(int(actions[index]))
            assert np.array_equal(observations[index], observation)
            assert (rewards[index], terminated[index], truncated[index]) == tuple(result)
            assert np.array_equal(info["action_mask"][index], single["action_mask"])
            for key in ("pattern", "answer"):
                assert info[f"_{key}"][index] == (key in single)
                assert info[key][index] == single.get(key)
            assert many.state(index).history == env.state.history
            over[index] = any(result[1:])


def test_masks_of_earlier_steps_do_not_change():
    many = WordleVectorEnv(3, SMALL, mode="strict")
    _, info = many.reset(seed=1)
    for _ in range(8):
        mask, before = info["action_mask"], info["action_mask"].copy()
        info = many.step(mask.argmax(axis=1))[4]
        assert np.array_equal(mask, before)


def test_the_masks_of_normal_mode_are_one_read_only_row():
    many = WordleVectorEnv(5, SMALL)
    _, first = many.reset(seed=0)
    _, _, _, _, second = many.step(np.zeros(5, int))
    assert first["action_mask"] is second["action_mask"]
    assert first["action_mask"].strides[0] == 0
    assert not first["action_mask"].flags.writeable


def test_rendering():
    many = gymnasium.make_vec("salet/Wordle-v0", num_envs=2, game=SMALL, render_mode="ansi")
    first, second = many.game.answers[:2]
    many.reset(options={"answers": [first, second]})
    assert many.render() == ("", "")
    many.step(np.array([0, 1]))
    assert many.render() == (f"{first} 🟩🟩🟩🟩🟩", f"{second} 🟩🟩🟩🟩🟩")
    assert WordleVectorEnv(2, SMALL).render() is None


@pytest.mark.parametrize("mode", MODES)
def test_a_step_before_reset_is_refused(mode):
    with pytest.raises(InputError, match=r"no games have started; call reset\(\) first"):
        WordleVectorEnv(2, SMALL, mode=mode).step(np.zeros(2, int))


def test_bad_arguments_are_refused():
    with pytest.raises(InputError, match="num_envs = 0: give at least 1"):
        WordleVectorEnv(0, SMALL)
    with pytest.raises(InputError, match="unknown render mode 'human'; known: 'ansi'"):
        WordleVectorEnv(2, SMALL, render_mode="human")


def test_bad_reset_options_are_refused():
    many = WordleVectorEnv(2, SMALL)
    with pytest.raises(InputError, match="1 answers for 2 games"):
        many.reset(options={"answers": ["aback"]})
    with pytest.raises(InputError, match="answers 5 are not a list; give 2 words"):
        many.reset(options={"answers": 5})
    with pytest.raises(InputError, match="option of reset 'answer'; did you mean 'answers'"):
        many.reset(options={"answer": "aback"})


@pytest.mark.parametrize(
    "actions",
    [[0, 30], [0, -1], [0, 2**32], [0.0, 1.5], [True, False], [0], 0, ["a", "b"]],
    ids=str,
)
def test_bad_actions_are_refused(actions):
    many = WordleVectorEnv(2, SMALL)
    many.reset()
    with pytest.raises(InputError, match="give 2 guesses, each an integer from 0 to 29"):
        many.step(np.array(actions))

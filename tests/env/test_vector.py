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
    many = WordleVectorEnv(3, SMALL, mode="strict", copy_masks=True)
    _, info = many.reset(seed=1)
    for _ in range(8):
        mask, before = info["action_mask"], info["action_mask"].copy()
        info = many.step(mask.argmax(axis=1))[4]
        assert np.array_equal(mask, before)
        assert info["action_mask"].flags.writeable


@pytest.mark.parametrize("mode", MODES)
def test_masks_are_one_read_only_array_unless_copies_are_asked_for(mode):
    many = WordleVectorEnv(3, SMALL, mode=mode)
    _, info = many.reset(seed=1)
    first = info["action_mask"]
    for _ in range(8):
        info = many.step(info["action_mask"].argmax(axis=1))[4]
        assert info["action_mask"] is first and not first.flags.writeable
        masks = many.action_masks()
        assert masks.dtype == bool and not masks.flags.writeable
        assert np.array_equal(masks, first) and np.shares_memory(masks, first)
        own = many.action_masks(copy=True)
        own[:] = False  # nobody else sees it
        assert np.array_equal(masks, first) and first.any()
        for game in range(3):
            assert np.array_equal(np.flatnonzero(first[game]), many.state(game).legal)


def test_every_game_can_have_a_seed_of_its_own():
    """Then it is the game that a single environment with this seed plays, also when it restarts."""
    seeds = [7, 3, 7, 11]
    many = WordleVectorEnv(4, SMALL, cap=2)
    many.reset(seed=seeds)
    singles = [WordleEnv(SMALL, cap=2) for _ in seeds]
    for env, seed in zip(singles, seeds, strict=True):
        env.reset(seed=seed)
    for _ in range(5):
        assert many._answers.tolist() == [env._answer for env in singles]
        assert many._answers[0] == many._answers[2]
        many.step(np.full(4, 29))
        many.step(np.full(4, 28))
        many.step(np.zeros(4, int))  # those that are over start again
        if many._histories.turns.any():  # a game was won by the first guess
            break
        for env in singles:
            env.reset()
    many.reset(seed=np.array(seeds))
    first = many._answers.copy()
    many.reset()  # goes on with the same generators
    many.reset(seed=seeds)
    assert np.array_equal(many._answers, first)
    many.reset(seed=5)
    shared = many._answers.copy()
    many.reset(seed=5)
    assert np.array_equal(many._answers, shared)
    with pytest.raises(InputError, match="2 seeds for 4 games; give one for each"):
        many.reset(seed=[1, 2])


def test_games_can_be_restarted_at_once():
    many = WordleVectorEnv(3, SMALL, mode="hard")
    many.reset(seed=1, options={"answers": [many.game.answers[i] for i in (0, 1, 2)]})
    _, _, terminated, _, _ = many.step(np.array([0, 0, 0]))
    assert terminated.tolist() == [True, False, False]
    observations = many.restart(terminated)
    assert len(observations) == 1 and observations[0, -1] == 6
    assert many.action_masks()[0].all() and not many.action_masks()[1].all()
    assert many.state(0).turn == 0 and many.state(1).turn == 1
    many.step(np.array([3, 1, 1]))
    assert many.state(0).turn == 1  # the guess counts: it was no restart


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
    many = gymnasium.make_vec("salet/Wordle-v0", num_envs=2, game=SMALL, render_mode="rgb_array")
    many.reset(options={"answers": [first, second]})
    many.step(np.array([0, 0]))
    one, two = many.render()
    assert one.shape == two.shape == (6 * 32, 5 * 32, 3) and not np.array_equal(one, two)


@pytest.mark.parametrize("mode", MODES)
def test_a_step_before_reset_is_refused(mode):
    with pytest.raises(InputError, match=r"no games have started; call reset\(\) first"):
        WordleVectorEnv(2, SMALL, mode=mode).step(np.zeros(2, int))


def test_bad_arguments_are_refused():
    with pytest.raises(InputError, match="num_envs = 0: give at least 1"):
        WordleVectorEnv(0, SMALL)
    with pytest.raises(InputError, match="unknown render mode 'human'; known: 'ansi'"):
        WordleVectorEnv(2, SMALL, render_mode="human")
    with pytest.raises(InputError, match="unknown mode 3; known: normal, hard, strict"):
        WordleVectorEnv(2, "original", mode=3)
    many = WordleVectorEnv(2, SMALL)
    many.reset()
    with pytest.raises(InputError, match="game number 2 is not in 0 to 1"):
        many.state(2)


def test_bad_reset_options_are_refused():
    many = WordleVectorEnv(2, SMALL)
    with pytest.raises(InputError, match="1 answers for 2 games"):
        many.reset(options={"answers": ["aback"]})
    with pytest.raises(InputError, match="answers 5 are not a list; give 2 words"):
        many.reset(options={"answers": 5})
    with pytest.raises(InputError, match="option of reset 'answer'; did you mean 'answers'"):
        many.reset(options={"answer": "aback"})
    for seed, message in (
        ([1, 2.5], "seed 2.5 is not a whole number"),
        (1.5, "seed 1.5 is not a whole number"),
        ("12", "seed '12' is not a whole number"),
        ([1], "1 seeds for 2 games; give one for each"),
    ):
        with pytest.raises(InputError, match=message):
            many.reset(seed=seed)


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

"""The Gymnasium environment, one game and many."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import salet.env  # noqa: F401  (registers the environment)
from salet import Game, State
from salet.env.observations import OBSERVATIONS
from salet.env.rewards import REWARDS, Reward
from salet.env.vector import WordleVectorEnv
from salet.env.wordle import WordleEnv
from salet.errors import InputError, UnknownNameError
from salet.game.modes import MODES

pytestmark = pytest.mark.usefixtures("own_cache")

SMALL = "original:first=30,guesses=answers"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_gymnasium_finds_nothing_to_complain_about(mode, observation):
    env = gymnasium.make("salet/Wordle-v0", game=SMALL, mode=mode, observation=observation)
    check_env(env.unwrapped)


def test_made_by_module_and_name():
    env = gymnasium.make("salet.env:salet/Wordle-v0", game="original", mode="hard", cap=8)
    assert env.unwrapped.game.mode == "hard"
    assert env.unwrapped.game.cap == 8
    assert env.action_space.n == 12972
    assert env.observation_space.shape == (313,)


def test_a_game_with_a_given_answer():
    env = WordleEnv(SMALL, reward="guesses", render_mode="ansi")
    game = env.game
    answer, other = game.answers[4], game.answers[7]
    seen, info = env.reset(seed=1, options={"answer": answer})
    assert isinstance(env.state, State)
    assert seen[-1] == 6
    assert "answer" not in info
    seen, reward, ended, cut, info = env.step(game.index(other))
    assert (reward, ended, cut) == (-1, False, False)
    assert info["pattern"] == game.feedback(other, answer)
    assert env.state.turns == ((other, info["pattern"]),)
    seen, reward, ended, cut, info = env.step(game.index(answer))
    assert (reward, ended, cut, info["answer"]) == (-1, True, False, answer)
    assert env.state.won
    assert env.render().splitlines()[1] == f"{answer} 🟩🟩🟩🟩🟩"
    with pytest.raises(InputError, match="the game is over"):
        env.step(0)


def test_a_lost_game_and_one_without_end():
    env = WordleEnv(SMALL, cap=2)
    env.reset(options={"answer": env.game.answers[0]})
    assert env.step(1)[1:4] == (-1, False, False)
    assert env.step(1)[1:4] == (-2, True, False)
    endless = WordleEnv(SMALL, cap=None)
    endless.reset(options={"answer": endless.game.answers[0]})
    flags = [endless.step(1)[2:4] for _ in range(32)]
    assert flags == [(False, False)] * 31 + [(False, True)]


def test_a_forbidden_guess_loses():
    env = WordleEnv(SMALL, mode="hard")
    env.reset(options={"answer": env.game.answers[3]})
    env.step(env.game.index(env.game.answers[5]))
    mask = env.action_mask()
    assert np.array_equal(np.flatnonzero(mask), env.state.legal)
    illegal = int(np.flatnonzero(mask == 0)[0])
    before = env.state
    _, reward, ended, _, info = env.step(illegal)
    # as much as a lost game in all, or it would be the best way out
    assert (-1 + reward, ended, info["answer"]) == (-7, True, env.game.answers[3])
    assert env.state is before


def test_one_read_only_mask_in_normal_mode():
    env = WordleEnv(SMALL)
    _, info = env.reset()
    assert env.action_mask() is env.action_mask()
    assert not env.action_mask().flags.writeable
    assert info["action_mask"].all()
    many = WordleVectorEnv(5, SMALL)
    _, first = many.reset(seed=0)
    _, _, _, _, second = many.step(np.zeros(5, int))
    assert first["action_mask"] is second["action_mask"]
    assert first["action_mask"].strides[0] == 0
    assert not first["action_mask"].flags.writeable


def test_weights_of_answers_decide_the_secrets():
    game = Game(["apple", "angle", "ankle"], weights=[1, 1, 10**9], cap=6)
    env = WordleEnv(game)
    drawn = set()
    for seed in range(20):
        env.reset(seed=seed)
        _, _, ended, _, info = env.step(2)
        drawn.add(info.get("answer") if ended else None)
    assert drawn == {"ankle"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reward", [*REWARDS, Reward(-1, 2, 3, 4, 5, 6)])
def test_many_games_are_single_games_side_by_side(mode, reward):
    """Also when games begin again, in every mode, with forbidden guesses now and then."""
    many = gymnasium.make_vec("salet/Wordle-v0", num_envs=12, game=SMALL, mode=mode, cap=3,
                              reward=reward)  # fmt: skip
    assert isinstance(many, WordleVectorEnv)
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    singles = [WordleEnv(SMALL, mode=mode, cap=3, reward=reward) for _ in range(12)]
    words = singles[0].game.answers
    generator = np.random.default_rng(3)
    answers = [words[place] for place in generator.integers(len(words), size=12)]
    seen, info = many.reset(seed=3, options={"answers": answers})
    over = [False] * 12
    for env, answer in zip(singles, answers, strict=True):
        env.reset(options={"answer": answer})
    for _ in range(12):
        actions = generator.integers(len(words), size=12)
        seen, rewards, ended, cut, info = many.step(actions)
        for place, env in enumerate(singles):
            if over[place]:
                answer = words[many._answers[place]]
                expected = (*env.reset(options={"answer": answer}), 0.0, False, False)
                row, masks, reward_, done, off = expected
            else:
                row, reward_, done, off, masks = env.step(int(actions[place]))
            assert np.array_equal(seen[place], row)
            assert (rewards[place], ended[place], cut[place]) == (reward_, done, off)
            assert np.array_equal(info["action_mask"][place], masks["action_mask"])
            for key in ("pattern", "answer"):
                assert info[f"_{key}"][place] == (key in masks)
                assert info[key][place] == masks.get(key)
            assert many.state(place).history == env.state.history
            over[place] = done or off


def test_bad_input():
    with pytest.raises(InputError, match="give at least 1"):
        WordleVectorEnv(0, SMALL)
    with pytest.raises(InputError, match="render mode 'human'"):
        WordleEnv(SMALL, render_mode="human")
    with pytest.raises(UnknownNameError, match="unknown answer 'crone'"):
        WordleEnv(SMALL).reset(options={"answer": "crone"})
    many = WordleVectorEnv(2, SMALL)
    with pytest.raises(InputError, match="1 answers for 2 games"):
        many.reset(options={"answers": ["aback"]})
    many.reset()
    for actions in ([0, 30], [0, -1], [0, 2**32], [0.0, 1.5], [True, False], [0], 0, ["a", "b"]):
        with pytest.raises(InputError, match="2 guesses, whole numbers each from 0 to 29"):
            many.step(np.array(actions))


def test_options_that_a_reset_does_not_know():
    with pytest.raises(InputError, match="option of reset 'answers'; did you mean 'answer'"):
        WordleEnv(SMALL).reset(options={"answers": ["aback"]})
    with pytest.raises(InputError, match="option of reset 'answer'; did you mean 'answers'"):
        WordleVectorEnv(2, SMALL).reset(options={"answer": "aback"})
    with pytest.raises(InputError, match="unknown option of reset 'level'; known: answer"):
        WordleEnv(SMALL).reset(options={"level": 3})


def test_what_is_no_word_no_place_and_no_game():
    env = WordleEnv(SMALL)
    with pytest.raises(InputError, match="answer 5 is no word; give one, as in 'aback'"):
        env.reset(options={"answer": 5})
    with pytest.raises(InputError, match="answers 5 are no list; give 2 words"):
        WordleVectorEnv(2, SMALL).reset(options={"answers": 5})
    env.reset()
    with pytest.raises(InputError, match="action 'aback' is a word; give its place"):
        env.step("aback")
    for action in (1.0, 30, None):
        with pytest.raises(InputError, match=r"is not a guess|is not in 0 to 29"):
            env.step(action)
    with pytest.raises(InputError, match="7 is no game"):
        WordleEnv(7)


@pytest.mark.parametrize("mode", MODES)
def test_reset_comes_first(mode):
    with pytest.raises(InputError, match=r"reset\(\) begins one"):
        WordleEnv(SMALL, mode=mode).step(0)
    with pytest.raises(InputError, match=r"reset\(\) begins them"):
        WordleVectorEnv(2, SMALL, mode=mode).step(np.zeros(2, int))


def test_many_games_are_drawn():
    many = gymnasium.make_vec("salet/Wordle-v0", num_envs=2, game=SMALL, render_mode="ansi")
    first, second = many.game.answers[:2]
    many.reset(options={"answers": [first, second]})
    assert many.render() == ("", "")
    many.step(np.array([0, 1]))
    assert many.render() == (f"{first} 🟩🟩🟩🟩🟩", f"{second} 🟩🟩🟩🟩🟩")
    assert WordleVectorEnv(2, SMALL).render() is None
    with pytest.raises(InputError, match="render mode 'human': there is 'ansi'"):
        WordleVectorEnv(2, SMALL, render_mode="human")


def test_masks_that_were_handed_out_stay_as_they_are():
    many = WordleVectorEnv(3, SMALL, mode="strict")
    _, info = many.reset(seed=1)
    for _ in range(8):
        mask, before = info["action_mask"], info["action_mask"].copy()
        info = many.step(mask.argmax(axis=1))[4]
        assert np.array_equal(mask, before)

"""The Gymnasium environment of one game."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import salet.env  # noqa: F401  (registers the environment)
from salet import Game, State
from salet.env.observations import OBSERVATIONS
from salet.env.wordle import WordleEnv
from salet.errors import InputError, UnknownNameError
from salet.game.modes import MODES

pytestmark = pytest.mark.usefixtures("own_cache")

SMALL = "original:first=30,guesses=answers"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_it_passes_gymnasiums_checks(mode, observation):
    env = gymnasium.make("salet/Wordle-v0", game=SMALL, mode=mode, observation=observation)
    check_env(env.unwrapped)
    assert env.unwrapped.game.mode == mode


def test_it_is_made_by_module_and_id():
    env = gymnasium.make("salet.env:salet/Wordle-v0", game="original", mode="hard", cap=8)
    assert env.unwrapped.game.mode == "hard"
    assert env.unwrapped.game.cap == 8
    assert env.action_space.n == 12972
    assert env.observation_space.shape == (313,)


def test_a_game_with_a_given_answer():
    env = WordleEnv(SMALL, reward="guesses", render_mode="ansi")
    game = env.game
    answer, other = game.answers[4], game.answers[7]
    observation, info = env.reset(seed=1, options={"answer": answer})
    assert isinstance(env.state, State)
    assert observation[-1] == 6
    assert "answer" not in info
    _, reward, terminated, truncated, info = env.step(game.index(other))
    assert (reward, terminated, truncated) == (-1, False, False)
    assert info["pattern"] == game.feedback(other, answer)
    assert env.state.turns == ((other, info["pattern"]),)
    _, reward, terminated, truncated, info = env.step(game.index(answer))
    assert (reward, terminated, truncated, info["answer"]) == (-1, True, False, answer)
    assert env.state.won
    assert env.render().splitlines()[1] == f"{answer} 🟩🟩🟩🟩🟩"
    with pytest.raises(InputError, match="the game is over"):
        env.step(0)


def test_a_picture_has_the_colours_of_the_tiles():
    env = gymnasium.make("salet/Wordle-v0", game=SMALL, cap=3, render_mode="rgb_array").unwrapped
    check_env(env)
    env.reset(options={"answer": "abbey"})
    assert (env.render() == 255).all()
    env.step(env.game.index("abate"))
    tiles = env.render()[::32, ::32]  # the first pixel of each
    grey, yellow, green = (120, 124, 126), (201, 180, 88), (106, 170, 100)
    assert env.game.feedback("abate", "abbey") == "GGBBY"
    assert tiles.shape == (3, 5, 3)
    assert tiles[0].tolist() == [*map(list, (green, green, grey, grey, yellow))]
    assert (tiles[1:] == 255).all()


def test_a_lost_game_and_one_without_a_cap():
    env = WordleEnv(SMALL, cap=2)
    env.reset(options={"answer": env.game.answers[0]})
    assert env.step(1)[1:4] == (-1, False, False)
    assert env.step(1)[1:4] == (-2, True, False)
    uncapped = WordleEnv(SMALL, cap=None)
    uncapped.reset(options={"answer": uncapped.game.answers[0]})
    flags = [uncapped.step(1)[2:4] for _ in range(32)]
    assert flags == [(False, False)] * 31 + [(False, True)]


def test_an_illegal_guess_loses():
    env = WordleEnv(SMALL, mode="hard")
    env.reset(options={"answer": env.game.answers[3]})
    env.step(env.game.index(env.game.answers[5]))
    mask = env.action_mask()
    assert np.array_equal(np.flatnonzero(mask), env.state.legal)
    illegal = int(np.flatnonzero(mask == 0)[0])
    before = env.state
    _, reward, terminated, _, info = env.step(illegal)
    # the episode costs as much as a lost game, or it would be a cheap way out
    assert (-1 + reward, terminated, info["answer"]) == (-7, True, env.game.answers[3])
    assert env.state is before


def test_secrets_are_drawn_by_the_weights_of_the_answers():
    game = Game(["apple", "angle", "ankle"], weights=[1, 1, 10**9], cap=6)
    env = WordleEnv(game)
    drawn = set()
    for seed in range(20):
        env.reset(seed=seed)
        _, _, terminated, _, info = env.step(2)
        drawn.add(info.get("answer") if terminated else None)
    assert drawn == {"ankle"}


def test_the_mask_of_normal_mode_is_one_read_only_array():
    env = WordleEnv(SMALL)
    _, info = env.reset()
    assert env.action_mask() is env.action_mask()
    assert not env.action_mask().flags.writeable
    assert info["action_mask"].all()


@pytest.mark.parametrize("mode", MODES)
def test_a_step_before_reset_is_refused(mode):
    with pytest.raises(InputError, match=r"no game has started; call reset\(\) first"):
        WordleEnv(SMALL, mode=mode).step(0)


def test_bad_arguments_are_refused():
    with pytest.raises(InputError, match="unknown render mode 'human'; known: 'ansi'"):
        WordleEnv(SMALL, render_mode="human")
    with pytest.raises(InputError, match="7 is not a game"):
        WordleEnv(7)


def test_bad_reset_options_are_refused():
    env = WordleEnv(SMALL)
    with pytest.raises(UnknownNameError, match="unknown answer 'crone'"):
        env.reset(options={"answer": "crone"})
    with pytest.raises(InputError, match="answer 5 is not a word; give one such as 'aback'"):
        env.reset(options={"answer": 5})
    with pytest.raises(InputError, match="option of reset 'answers'; did you mean 'answer'"):
        env.reset(options={"answers": ["aback"]})
    with pytest.raises(InputError, match="unknown option of reset 'level'; known: answer"):
        env.reset(options={"level": 3})


def test_bad_actions_are_refused():
    env = WordleEnv(SMALL)
    env.reset()
    with pytest.raises(InputError, match="action 'aback' is a word; give its index"):
        env.step("aback")
    for action in (1.0, 30, None):
        with pytest.raises(InputError, match=r"is not a guess|is not in 0 to 29"):
            env.step(action)


@pytest.mark.parametrize("mode", MODES)
def test_masks_under_the_name_that_agents_look_for(mode):
    env = WordleEnv(SMALL, mode=mode)
    env.reset(seed=1)
    env.step(3)
    masks = env.action_masks()
    assert masks.dtype == bool
    assert np.array_equal(np.flatnonzero(masks), env.state.legal)
    own = env.action_masks(copy=True)
    own[:] = False
    assert env.action_masks().any() and env.action_mask(copy=True).flags.writeable

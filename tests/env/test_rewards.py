"""Rewards against their plain definitions."""

from __future__ import annotations

import pytest
from hypothesis import given

import naive_env
from drawn_histories import CAP, histories
from salet.env.game_arrays import GameArrays
from salet.env.rewards import REWARDS, Reward, forfeit_reward, guess_reward, reward_named
from salet.errors import InputError, UnknownNameError

pytestmark = [pytest.mark.tiny, pytest.mark.usefixtures("own_cache")]


@pytest.mark.parametrize("name", [*REWARDS, "custom"])
@given(case=histories())
def test_rewards_match_their_scheme(name, case):
    game, state, arrays, plain = case
    if not plain:
        return
    reward = reward_named(Reward(-2, 3, 5, 7, 11, 13) if name == "custom" else name)
    won = state.won
    expected = naive_env.reward(plain, won, not won and len(plain) == CAP, *reward)
    found = guess_reward(GameArrays.of(game), reward, arrays, 0, len(plain) - 1)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("name", [*REWARDS, "custom"])
@given(case=histories())
def test_forfeiting_never_beats_losing(name, case):
    """With an illegal guess at any turn of a lost game; with `guesses` both total -(cap + 1)."""
    game, state, arrays, plain = case
    if state.won or len(plain) < CAP:
        return
    reward = reward_named(Reward(-2, 3, -5, -7, 11, -13) if name == "custom" else name)
    own = GameArrays.of(game)
    earned = [float(guess_reward(own, reward, arrays, 0, turn)) for turn in range(CAP)]
    for turn in range(CAP):
        forfeited = sum(earned[:turn]) + float(forfeit_reward(own, reward, turn))
        assert forfeited <= sum(earned) + 1e-9
        if name == "guesses":
            assert forfeited == sum(earned) == -(CAP + 1)


def test_what_is_not_a_scheme_is_refused():
    for given_ in ({"step": -1}, (-1, 0), None):
        with pytest.raises(InputError, match=r"is not a scheme; give a name \(guesses"):
            reward_named(given_)
    with pytest.raises(InputError, match="its rewards must be numbers"):
        reward_named(Reward(step="cheap"))
    with pytest.raises(UnknownNameError, match="did you mean 'founding'"):
        reward_named("foundin")

"""Configurations of DQN runs."""

from __future__ import annotations

import pytest

from salet.errors import InputError
from salet.learn.dqn.config import dqn_config_from


def test_a_run_without_stages_is_one_stage():
    config = dqn_config_from({"rounds": 7})
    assert config.stage_configs == (config,)


def test_stages_change_some_fields():
    config = dqn_config_from({"games": 4, "buffer": 100, "stages": [{"rounds": 7}, {"games": 6}]})
    first, second = config.stage_configs
    assert (first.rounds, first.games, first.stages) == (7, 4, ())
    assert (second.rounds, second.games) == (config.rounds, 6)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"widht": 3}, "unknown key 'widht'; did you mean 'width'"),
        ({"width": 0}, "width = 0: give a number from 1"),
        ({"width": 10**8}, "width = 100000000: give a number from 1 to 8192"),
        ({"gamma": 1.5}, "gamma = 1.5: give a number from 0 to 1"),
        ({"cap": 300}, "cap = 300: give a number from 1 to 255"),
        ({"buffer": 4, "games": 8}, "it must hold at least one round"),
        ({"encoder": "sequence"}, "needs observation = 'history'"),
        ({"exploration": "wild"}, "unknown exploration 'wild'"),
        ({"freeze": ["encoder", "hidden", "output"]}, "leave at least one to learn"),
        ({"freeze": ["input"]}, "unknown layer to freeze 'input'"),
        ({"freeze": [1]}, "unknown layer to freeze '1'"),
        ({"augment": "splice"}, "give both a method and a number, or neither"),
        ({"augmented": 3}, "give both a method and a number, or neither"),
        ({"stages": [{"game": "nyt"}]}, "is the same in all stages"),
        ({"stages": [{}, {"holdout": 2}]}, "'holdout' is the same in all stages"),
        ({"stages": [{"start": "w.safetensors"}]}, "'start' is the same in all stages"),
        ({"stages": [{"rounds": 0}]}, "rounds = 0"),
        ({"stages": [3]}, "3 is not a table"),
    ],
)
def test_invalid_configurations_are_refused(fields, message):
    with pytest.raises(InputError, match=message):
        dqn_config_from(fields)

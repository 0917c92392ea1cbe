"""Configurations as TOML files."""

from __future__ import annotations

import pytest

from salet.errors import InputError
from salet.learn.config_file import read_config, read_dqn_config
from salet.learn.policy.config import PolicyConfig


def test_a_dqn_configuration_with_stages(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text('game = "nyt"\nfreeze = ["hidden"]\n[[stages]]\nrounds = 7\n')
    found = read_dqn_config(path)
    assert (found.game, found.freeze) == ("nyt", ("hidden",))
    assert [stage.rounds for stage in found.stage_configs] == [7]


def test_the_kind_decides_the_agent(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text('kind = "policy"\nlists = 7\nlearning_rate = 1\n')
    assert read_config(path) == PolicyConfig(lists=7, learning_rate=1.0)
    with pytest.raises(InputError, match="is of kind 'policy'; give one of kind 'dqn'"):
        read_dqn_config(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("width = ", "is not valid TOML"),
        ("[a]\nb = 1", "unknown key 'a'"),
        ('kind = "polcy"', "did you mean 'policy'"),
        ("kind = ['dqn']", "unknown kind of agent"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, message):
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_config(path)
    with pytest.raises(InputError, match="no file"):
        read_config(tmp_path / "d.toml")

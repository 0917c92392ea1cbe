"""What a run may be resumed with, and how it ends."""

from __future__ import annotations

import shutil

import pytest

from salet.errors import InputError
from salet.learn.common.run_directory import CHECKPOINT_FILE, create_run, divergence
from salet.learn.dqn import train as dqn
from salet.learn.policy import train as policy
from small_runs import POLICY, dqn_config

pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("run")
    dqn.train(dqn_config(rounds=20), directory)
    return directory


def test_a_directory_with_a_run_is_not_overwritten(run):
    with pytest.raises(InputError, match="already holds a run; add --resume to continue it"):
        dqn.train(dqn_config(rounds=20), run)


def test_a_run_is_resumed_with_its_own_configuration_only(run):
    with pytest.raises(InputError, match="has width = 32, not 64"):
        dqn.train(dqn_config(rounds=20, width=64), run, resume=True)


def test_a_run_is_resumed_by_its_own_kind_of_agent_only(run, tmp_path):
    shutil.copytree(run, tmp_path / "copy")
    with pytest.raises(InputError, match="trains an agent of kind 'dqn', not 'policy'"):
        policy.train(POLICY, tmp_path / "copy", resume=True)


def test_there_must_be_a_run_to_resume(tmp_path):
    with pytest.raises(InputError, match="holds no run to resume"):
        dqn.train(dqn_config(), tmp_path / "empty", resume=True)


def test_a_directory_that_cannot_be_created(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot create '.*run'"):
        create_run(tmp_path / "file" / "run")


def test_divergence_names_the_checkpoint_if_there_is_one(tmp_path):
    assert "checkpoint" not in str(divergence(float("nan"), 3, tmp_path))
    (tmp_path / CHECKPOINT_FILE).write_text("")
    assert "nan in round 3; the last checkpoint" in str(divergence(float("nan"), 3, tmp_path))

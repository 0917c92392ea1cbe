"""Which weights a player gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from salet.errors import InputError
from salet.learn.common.weights import player_weights_path


def test_a_given_file_comes_before_the_shipped_weights():
    assert player_weights_path("dqn", "mine.safetensors") == Path("mine.safetensors")
    assert player_weights_path("dqn", "").is_file()


def test_weights_that_are_not_shipped():
    with pytest.raises(InputError, match="has no weights 'ppo'; train some with `salet train`"):
        player_weights_path("ppo", "")

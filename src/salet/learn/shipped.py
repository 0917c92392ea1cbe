"""The weights that a player plays with: its own file, or what comes with the package."""

from __future__ import annotations

from pathlib import Path

import torch

from salet.errors import InputError
from salet.learn.files import Weights
from salet.learn.policy.files import PolicyWeights

_DIRECTORY = Path(__file__).parent / "weights"


def player_weights(name: str, file: str = "") -> Weights:
    """The weights in the file, or the shipped ones of that name."""
    return Weights.load(_path(name, file))


def policy_weights(name: str, file: str = "") -> PolicyWeights:
    """The same for the second agent."""
    return PolicyWeights.load(_path(name, file))


def _path(name: str, file: str) -> Path:
    torch.set_num_threads(1)  # a player asks for one state at a time: threads only get in the way
    if file:
        return Path(file)
    path = _DIRECTORY / f"{name}.safetensors"
    if not path.is_file():
        raise InputError(
            f"no weights {name!r} come with this installation; train some with `salet train` and "
            f"play them as '{name}:weights=FILE'"
        )
    return path

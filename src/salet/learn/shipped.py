"""The weights that come with the package."""

from __future__ import annotations

import functools
from pathlib import Path

from salet.errors import InputError
from salet.learn.files import Weights

_DIRECTORY = Path(__file__).parent / "weights"


def shipped_file(name: str) -> Path:
    """The file of the shipped weights of that name."""
    path = _DIRECTORY / f"{name}.safetensors"
    if not path.is_file():
        raise InputError(
            f"no weights {name!r} come with this installation; train some with `salet train` and "
            f"play them as '{name}:weights=FILE'"
        )
    return path


@functools.cache
def shipped_weights(name: str) -> Weights:
    """The shipped weights of that name, of the first agent."""
    return Weights.load(shipped_file(name))

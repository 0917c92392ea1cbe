"""Weights files: a trained network with the header that it needs to play."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import nn

from salet.errors import DataError, InputError, OffListWarning, SaletError
from salet.game.game import Game
from salet.learn.common.tensor_file import Header, read_tensors, write_tensors
from salet.learn.common.torch_utils import Arrays, module_arrays

FORMAT = "salet weights 1"
_PLAYERS = {"dqn": "dqn", "pair": "learned", "policy": "specialist"}
"""who plays weights of each kind"""
_SHIPPED = Path(__file__).parents[1] / "weights"


def write_weights(path: Path, kind: str, network: nn.Module, config: Any, header: Header) -> None:
    """Write a network; the header also gets its shape, the configuration and the game."""
    shape: Any = network.shape
    common = {
        "kind": kind,
        "game": config.game,
        "shape": shape._asdict(),
        "config": dataclasses.asdict(config),
    }
    write_tensors(path, FORMAT, module_arrays(network), {**common, **header})


def read_weights(path: Path, kind: str) -> tuple[Arrays, Header]:
    """Read what `write_weights` wrote for this kind of agent; anything else is refused."""
    arrays, header = read_tensors(path, FORMAT)
    found = header.get("kind")
    if found != kind:
        player = _PLAYERS.get(str(found))
        advice = "" if player is None else f"; the player {player!r} takes them"
        raise DataError(f"{str(path)!r} holds weights of kind {found!r}, not {kind!r}{advice}")
    return arrays, header


def warn_off_list(name: str, game: Game) -> None:
    """Warn that weights which were trained on the list of the game `name` play another one."""
    try:
        own = Game.named(name)
    except SaletError:  # a list of the user that is no longer there
        own = None
    if own is None or own.answers != game.answers:
        warnings.warn(
            f"these weights were trained on the answers of {name} and play {game.name}; on other "
            "lists expect less than their figures ('learned' plays any list)",
            OffListWarning,
            stacklevel=2,
        )


def player_weights_path(name: str, file: str) -> Path:
    """The file if one is given, otherwise the shipped weights of that name.

    It also limits torch to one thread, because a player asks for one state at a time.
    """
    torch.set_num_threads(1)
    if file:
        return Path(file)
    path = _SHIPPED / f"{name}.safetensors"
    if not path.is_file():
        raise InputError(
            f"this installation has no weights {name!r}; train some with `salet train` and play "
            f"them as '{name}:weights=FILE'"
        )
    return path

"""Weights and checkpoints: safetensors with a JSON header, whole or not at all, never pickle."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from salet.errors import DataError, InputError
from salet.game.game import Game
from salet.learn.agent import Table
from salet.learn.config import DqnConfig, config_from
from salet.learn.heads import vocabulary_of
from salet.learn.network import Network, Shape, seeded
from salet.storage import output
from salet.version import version

WEIGHTS = "salet weights 1"
CHECKPOINT = "salet checkpoint 1"
KIND = "dqn"
Arrays = dict[str, NDArray[Any]]


def write(path: Path, kind: str, arrays: Arrays, header: dict[str, Any]) -> None:
    """One file that appears when it is complete; an error leaves the old one as it was."""
    text = json.dumps({"format": kind, "version": version(), **header})
    packed = save({name: np.ascontiguousarray(a) for name, a in arrays.items()}, {"salet": text})
    with output(path) as file:
        file.write(packed)


def read(path: Path, kind: str) -> tuple[Arrays, dict[str, Any]]:
    """What `write` wrote; anything else is refused."""
    if not path.is_file():
        raise InputError(f"no file {str(path)!r}")
    try:
        with safe_open(path, "numpy") as file:
            header = json.loads((file.metadata() or {}).get("salet", "null"))
            if not isinstance(header, dict) or header.get("format") != kind:
                raise DataError(f"{str(path)!r} is no file of {kind!r}")
            return {name: file.get_tensor(name) for name in file.keys()}, header  # noqa: SIM118
    except (SafetensorError, OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged or foreign: {error}") from None


@dataclasses.dataclass(frozen=True, eq=False)
class Weights:
    """A network, and what it needs to sit down at a game."""

    network: Network
    config: DqnConfig
    alphabet: tuple[str, ...]
    vocabulary: tuple[str, ...]
    trained: dict[str, Any]
    """how far it was trained, and what it reached"""

    @staticmethod
    def fresh(game: Game, config: DqnConfig) -> Weights:
        """Random weights for a game; the same seed gives the same."""
        alphabet = game.lexicon.alphabet
        vocabulary = vocabulary_of(config.head, game)
        table = Table.of(game, config.observation, config.head, alphabet, vocabulary)
        network = seeded(lambda: Network(_shape(table, config)), config.seed)
        return Weights(network, config, alphabet, vocabulary, {})

    def table(self, game: Game) -> Table:
        """The game as these weights see it, or an error that says why they cannot play it."""
        shape = self.network.shape
        if game.length != shape.length:
            raise InputError(
                f"{game.name} has words of {game.length} letters, these weights play {shape.length}"
            )
        if game.cap != self.config.cap:  # the network has only seen its own cap
            game = game.with_(cap=self.config.cap)
        table = Table.of(
            game, self.config.observation, self.config.head, self.alphabet, self.vocabulary
        )
        if (table.seen.width, table.head.size) != (shape.inputs, shape.outputs):
            raise InputError(
                f"{game.name} gives {table.seen.width} inputs and {table.head.size} outputs, these "
                f"weights have {shape.inputs} and {shape.outputs}"
            )
        return table

    def save(self, path: Path) -> None:
        """Write the weights with their header."""
        arrays = {name: p.detach().numpy() for name, p in self.network.state_dict().items()}
        header = {
            "kind": KIND,
            "game": self.config.game,
            "observation": self.config.observation,
            "head": self.config.head,
            "shape": self.network.shape._asdict(),
            "alphabet": self.alphabet,
            "vocabulary": self.vocabulary,
            "trained": self.trained,
            "config": dataclasses.asdict(self.config),
        }
        write(path, WEIGHTS, arrays, header)

    @staticmethod
    def load(path: Path) -> Weights:
        """Read weights; a foreign or damaged file is refused."""
        arrays, header = read(path, WEIGHTS)
        if header.get("kind") != KIND:
            raise DataError(
                f"{str(path)!r} holds weights of kind {header.get('kind')!r}, not {KIND!r}"
            )
        try:
            config = config_from(header["config"])
            network = seeded(lambda: Network(Shape(**header["shape"])))
            network.load_state_dict({name: torch.from_numpy(a) for name, a in arrays.items()})
            alphabet, vocabulary = tuple(header["alphabet"]), tuple(header["vocabulary"])
            return Weights(network, config, alphabet, vocabulary, dict(header["trained"]))
        except (KeyError, TypeError, RuntimeError, ValueError, InputError) as error:
            reason = str(error).splitlines()[0]
            raise DataError(f"{str(path)!r} does not hold what its header says: {reason}") from None


def _shape(table: Table, config: DqnConfig) -> Shape:
    return Shape(
        table.seen.width,
        table.head.size,
        config.width,
        config.layers,
        config.norm,
        config.encoder,
        table.book.alphabet,
        table.game.length,
    )

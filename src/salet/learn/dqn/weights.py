"""Trained Q-networks, as files and as players of a game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salet.errors import InputError
from salet.game.game import Game
from salet.learn.common.tensor_file import unpacking
from salet.learn.common.torch_utils import load_module, seeded
from salet.learn.common.weights import read_weights, write_weights
from salet.learn.dqn.config import DqnConfig, dqn_config_from
from salet.learn.dqn.heads import vocabulary_of
from salet.learn.dqn.network import QNetwork, QNetworkShape
from salet.learn.dqn.play import GameAdapter

KIND = "dqn"


@dataclass(frozen=True, eq=False)
class DqnWeights:
    """A Q-network and what it needs to play a game."""

    network: QNetwork
    config: DqnConfig
    alphabet: tuple[str, ...]
    vocabulary: tuple[str, ...]
    """meaning of the head's outputs, see `vocabulary_of`"""
    trained: dict[str, Any]
    """length of the training and its result"""

    @staticmethod
    def initial(game: Game, config: DqnConfig) -> DqnWeights:
        """Random weights for a game; the same seed gives the same weights."""
        alphabet = game.lexicon.alphabet
        vocabulary = vocabulary_of(config.head, game)
        adapter = GameAdapter.of(game, config, alphabet, vocabulary)
        hidden = (config.width, config.layers, config.norm, config.encoder)
        sizes = (adapter.observer.width, adapter.head.size, *hidden, len(alphabet), game.length)
        network = seeded(lambda: QNetwork(QNetworkShape(*sizes)), config.seed)
        return DqnWeights(network, config, alphabet, vocabulary, {})

    def adapter(self, game: Game) -> GameAdapter:
        """The adapter with which these weights play a game; refused if they cannot."""
        shape = self.network.shape
        if game.length != shape.length:
            raise InputError(
                f"{game.name} has words of {game.length} letters, these weights play {shape.length}"
            )
        if game.cap != self.config.cap:  # the network has only seen games with its own cap
            game = game.replace(cap=self.config.cap)
        adapter = GameAdapter.of(game, self.config, self.alphabet, self.vocabulary)
        inputs, outputs = adapter.observer.width, adapter.head.size
        if (inputs, outputs) != (shape.inputs, shape.outputs):
            raise InputError(
                f"{game.name} has {inputs} inputs and {outputs} outputs, these weights have "
                f"{shape.inputs} and {shape.outputs}"
            )
        return adapter

    def save(self, path: Path) -> None:
        """Write the weights with their header."""
        header = {
            "observation": self.config.observation,
            "head": self.config.head,
            "alphabet": self.alphabet,
            "vocabulary": self.vocabulary,
            "trained": self.trained,
        }
        write_weights(path, KIND, self.network, self.config, header)

    @staticmethod
    def load(path: Path) -> DqnWeights:
        """Read weights; a damaged file, or one of another kind, is refused."""
        arrays, header = read_weights(path, KIND)
        with unpacking(f"{str(path)!r} does not hold what its header says", InputError):
            config = dqn_config_from(header["config"])
            network = seeded(lambda: QNetwork(QNetworkShape(**header["shape"])))
            load_module(network, arrays)
            alphabet, vocabulary = tuple(header["alphabet"]), tuple(header["vocabulary"])
            return DqnWeights(network, config, alphabet, vocabulary, dict(header["trained"]))

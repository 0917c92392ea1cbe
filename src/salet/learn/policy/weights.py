"""Trained policy networks, as files and as players of a game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salet.errors import InputError
from salet.game.game import Game
from salet.learn.common.tensor_file import unpacking
from salet.learn.common.torch_utils import load_module, seeded
from salet.learn.common.weights import read_weights, warn_off_list, write_weights
from salet.learn.policy.config import PolicyConfig, policy_config_from
from salet.learn.policy.network import PolicyNetwork, PolicyNetworkShape
from salet.learn.policy.player import PolicyPlayer, encode_letters

KIND = "policy"


@dataclass(frozen=True, eq=False)
class PolicyWeights:
    """A policy network and what it needs to play a game."""

    network: PolicyNetwork
    config: PolicyConfig
    alphabet: tuple[str, ...]
    trained: dict[str, Any]
    """length of the training and its result"""

    def player(self, game: Game) -> PolicyPlayer:
        """The network as a player of a game; refused if it cannot play it."""
        if game.length != self.network.shape.length:
            raise InputError(
                f"{game.name} has words of {game.length} letters, these weights play "
                f"{self.network.shape.length}"
            )
        warn_off_list(self.config.game, game)
        return PolicyPlayer(self.network, encode_letters(game, self.alphabet))

    def save(self, path: Path) -> None:
        """Write the weights with their header."""
        header = {"alphabet": self.alphabet, "trained": self.trained}
        write_weights(path, KIND, self.network, self.config, header)

    @staticmethod
    def load(path: Path) -> PolicyWeights:
        """Read weights; a damaged file, or one of another kind, is refused."""
        arrays, header = read_weights(path, KIND)
        with unpacking(f"{str(path)!r} does not hold what its header says", InputError):
            config = policy_config_from(header["config"])
            network = seeded(lambda: PolicyNetwork(PolicyNetworkShape(**header["shape"])))
            load_module(network, arrays)
            alphabet, trained = tuple(header["alphabet"]), dict(header["trained"])
            return PolicyWeights(network, config, alphabet, trained)

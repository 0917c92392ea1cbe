"""Trained pair networks, as files and as players of a game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salet.errors import InputError
from salet.game.game import Game
from salet.learn.common.tensor_file import unpacking
from salet.learn.common.torch_utils import load_module, seeded
from salet.learn.common.weights import read_weights, write_weights
from salet.learn.pair.config import PairConfig, pair_config_from
from salet.learn.pair.network import PairNetwork, PairNetworkShape
from salet.learn.pair.player import PairPlayer

KIND = "pair"
POOLED_RULES = ("pegs",)
"""rules whose feedback counts hits and misplaced letters, without saying where"""


@dataclass(frozen=True, eq=False)
class PairWeights:
    """A pair network and how it was trained."""

    network: PairNetwork
    config: PairConfig
    trained: dict[str, Any]
    """length of the training and its result"""

    def player(self, game: Game) -> PairPlayer:
        """The network as a player of a game of any words."""
        pooled = game.rule.name in POOLED_RULES
        return PairPlayer(self.network, game.lexicon.codes, pooled=pooled)

    def save(self, path: Path) -> None:
        """Write the weights with their header."""
        write_weights(path, KIND, self.network, self.config, {"trained": self.trained})

    @staticmethod
    def load(path: Path) -> PairWeights:
        """Read weights; a damaged file, or one of another kind, is refused."""
        arrays, header = read_weights(path, KIND)
        with unpacking(f"{str(path)!r} does not hold what its header says", InputError):
            config = pair_config_from(header["config"])
            network = seeded(lambda: PairNetwork(PairNetworkShape(**header["shape"])))
            load_module(network, arrays)
            return PairWeights(network, config, dict(header["trained"]))

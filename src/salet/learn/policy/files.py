"""Weights and checkpoints of the second agent, in the house's format."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from salet.errors import DataError, InputError
from salet.game.game import Game
from salet.learn.directory import (
    CHECKPOINT_FILE,
    digest,
    make,
    moments,
    read_checkpoint,
    refuse_other,
    refuse_other_words,
    restore_moments,
    restore_network,
    under,
)
from salet.learn.files import CHECKPOINT, WEIGHTS, Arrays, read, write
from salet.learn.network import seeded
from salet.learn.policy.config import PolicyConfig, policy_config_from
from salet.learn.policy.learner import Learner
from salet.learn.policy.lessons import Lessons
from salet.learn.policy.network import Network, Shape
from salet.learn.policy.seat import Seat, codes_in

KIND = "policy"


@dataclass(frozen=True, eq=False)
class PolicyWeights:
    """A network, and what it needs to sit down at a game."""

    network: Network
    config: PolicyConfig
    alphabet: tuple[str, ...]
    trained: dict[str, Any]
    """how far it was trained, and what it reached"""

    def seat(self, game: Game) -> Seat:
        """The network at a game, or an error that says why it cannot play it."""
        if game.length != self.network.shape.length:
            raise InputError(
                f"{game.name} has words of {game.length} letters, these weights play "
                f"{self.network.shape.length}"
            )
        return Seat(self.network, codes_in(game, self.alphabet))

    def save(self, path: Path) -> None:
        """Write the weights with their header."""
        arrays = {name: p.detach().numpy() for name, p in self.network.state_dict().items()}
        header = {
            "kind": KIND,
            "game": self.config.game,
            "shape": self.network.shape._asdict(),
            "alphabet": self.alphabet,
            "trained": self.trained,
            "config": dataclasses.asdict(self.config),
        }
        write(path, WEIGHTS, arrays, header)

    @staticmethod
    def load(path: Path) -> PolicyWeights:
        """Read weights; a foreign or damaged file is refused."""
        arrays, header = read(path, WEIGHTS)
        if header.get("kind") != KIND:
            raise DataError(
                f"{str(path)!r} holds weights of kind {header.get('kind')!r}, not {KIND!r}"
            )
        try:
            network = seeded(lambda: Network(Shape(**header["shape"])))
            network.load_state_dict({name: torch.from_numpy(a) for name, a in arrays.items()})
            config = policy_config_from(header["config"])
            return PolicyWeights(
                network, config, tuple(header["alphabet"]), dict(header["trained"])
            )
        except (KeyError, TypeError, RuntimeError, ValueError, InputError) as error:
            reason = str(error).splitlines()[0]
            raise DataError(f"{str(path)!r} does not hold what its header says: {reason}") from None


def weights_of(learner: Learner, trained: dict[str, Any]) -> PolicyWeights:
    """The agent as it is now."""
    return PolicyWeights(learner.network, learner.config, learner.game.lexicon.alphabet, trained)


def save_checkpoint(learner: Learner, directory: Path) -> None:
    """Write everything that the run depends on."""
    arrays: Arrays = {}
    for name, tensor in learner.network.state_dict().items():
        arrays[f"network.{name}"] = tensor.numpy()
    for name, array in moments(learner.optimizer).items():
        arrays[f"adam.{name}"] = array
    for kind, parts in learner.memory.items():
        for number, lessons in enumerate(parts):
            for name, array in lessons.arrays().items():
                arrays[f"memory.{kind}.{number:04}.{name}"] = array
    header = {
        "kind": KIND,
        "words": digest(learner.game),
        "config": dataclasses.asdict(learner.config),
        "round": learner.round,
        "hindsight": learner.hindsight,
        "seconds": learner.seconds,
    }
    write(directory / CHECKPOINT_FILE, CHECKPOINT, arrays, header)


def start(config: PolicyConfig, directory: Path) -> Learner:
    """The beginning of a run, in an empty directory."""
    learner = Learner.begin(config)
    make(directory)
    return learner


def go_on(config: PolicyConfig, directory: Path) -> Learner:
    """The run in the directory, as it was at its last checkpoint."""
    arrays, header = read_checkpoint(directory, KIND)
    try:
        saved = policy_config_from(header["config"])
        refuse_other(config, saved, directory)
        learner = Learner.begin(saved)
        refuse_other_words(digest(learner.game), header["words"], saved.game, directory)
        _restore(learner, arrays)
        learner.round = int(header["round"])
        learner.hindsight = float(header["hindsight"])
        learner.seconds = float(header["seconds"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"the checkpoint in {str(directory)!r} is damaged: {reason}") from None
    return learner


def _restore(learner: Learner, arrays: Arrays) -> None:
    restore_network(learner.network, under(arrays, "network."))
    restore_moments(learner.optimizer, under(arrays, "adam."))
    for kind in learner.memory:
        found: dict[str, Arrays] = {}
        for key, array in under(arrays, f"memory.{kind}.").items():
            number_text, _, name = key.partition(".")
            found.setdefault(number_text, {})[name] = array
        learner.memory[kind] = [Lessons.from_arrays(found[key]) for key in sorted(found)]

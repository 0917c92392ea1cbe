"""The Q-network: y = relu(W1 x), then y + relu(W2 y) for each hidden layer, then the outputs."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class QNetworkShape(NamedTuple):
    """The sizes of all weights."""

    inputs: int
    outputs: int
    width: int
    layers: int = 1
    norm: bool = False
    encoder: str = "features"
    alphabet: int = 26
    length: int = 5


class QNetwork(nn.Module):
    """Maps observations to the outputs that a head turns into values of guesses."""

    def __init__(self, shape: QNetworkShape) -> None:
        super().__init__()
        self.shape = shape
        is_sequence = shape.encoder == "sequence"
        self.encoder = TileEncoder(shape) if is_sequence else nn.Linear(shape.inputs, shape.width)
        self.hidden = nn.ModuleList(
            nn.Sequential(
                nn.LayerNorm(shape.width) if shape.norm else nn.Identity(),
                nn.Linear(shape.width, shape.width),
            )
            for _ in range(shape.layers)
        )
        self.output = nn.Linear(shape.width, shape.outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.output(self._before_output(x))
        return out

    def one_output(self, x: torch.Tensor, which: torch.Tensor) -> torch.Tensor:
        """One output for each row; the others are not computed, nor are their gradients."""
        weights = nn.functional.embedding(which, self.output.weight)
        return (self._before_output(x) * weights).sum(1) + self.output.bias[which]

    def _before_output(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.encoder(x))
        for layer in self.hidden:
            y = y + torch.relu(layer(y))
        return y

    def freeze(self, names: tuple[str, ...]) -> None:
        """Make all layers trainable but the named ones: encoder, hidden, output."""
        for name, module in self.named_children():
            module.requires_grad_(name not in names)


class TileEncoder(nn.Module):
    """A recurrent network over the guesses made, each the sum of the embeddings of its tiles."""

    def __init__(self, shape: QNetworkShape) -> None:
        super().__init__()
        self.length = shape.length
        tiles = 3 * shape.alphabet + 1
        # the attributes name parameters in weights files: renaming them makes files unreadable
        self.meaning = nn.Embedding(tiles * shape.length, shape.width)
        self.memory = nn.GRU(shape.width, shape.width, batch_first=True)
        self.register_buffer("offsets", torch.arange(shape.length) * tiles, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not len(x):  # no rows cannot be packed
            return torch.zeros(0, self.meaning.embedding_dim)
        tiles = x.long().reshape(len(x), x.shape[1] // self.length, self.length)
        offsets: torch.Tensor = self.get_buffer("offsets")
        is_made = tiles[:, :, 0] > 0
        made = nn.functional.embedding_bag(
            tiles[is_made] + offsets, self.meaning.weight, mode="sum"
        )
        # the network starts with a blank, and turns that are still to come are not computed
        blank_first = nn.functional.pad(is_made, (1, 0))
        guesses = torch.zeros(*blank_first.shape, made.shape[1])
        guesses[blank_first] = torch.relu(made)
        turns = 1 + is_made.sum(1)
        packed = pack_padded_sequence(guesses, turns, batch_first=True, enforce_sorted=False)
        _, states = self.memory(packed)
        state: torch.Tensor = states[0]
        return state


def soft_update(target: nn.Module, source: nn.Module, tau: float) -> None:
    """Move the target's weights towards the source's by the fraction `tau`."""
    with torch.no_grad():
        torch._foreach_lerp_(list(target.parameters()), list(source.parameters()), tau)

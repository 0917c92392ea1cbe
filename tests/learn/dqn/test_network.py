"""Q-networks: what is not computed makes no difference."""

from __future__ import annotations

import pytest
import torch

from salet.learn.dqn.network import QNetwork, QNetworkShape

LENGTH, LETTERS, TURNS = 5, 26, 6


def same_gradients(network, first, second):
    """Whether both results have the same gradients for all parameters."""
    found = []
    for result in (first, second):
        network.zero_grad()
        result.square().sum().backward()
        found.append([parameter.grad.clone() for parameter in network.parameters()])
    return all(torch.allclose(one, two, atol=1e-5) for one, two in zip(*found, strict=True))


def test_a_single_output_and_its_gradients_are_those_of_all_outputs():
    torch.manual_seed(0)
    network = QNetwork(QNetworkShape(inputs=12, outputs=40, width=16))
    inputs = torch.randn(7, 12)
    which = torch.tensor([3, 0, 39, 3, 3, 11, 20])  # the same output for several rows
    one = network.one_output(inputs, which)
    out_of_all = network(inputs).gather(1, which[:, None])[:, 0]
    assert torch.allclose(one, out_of_all, atol=1e-6)
    assert same_gradients(network, one, out_of_all)


def naive(network, tiles):
    """The outputs for one history, guess by guess."""
    encoder, offset = network.encoder, (3 * LETTERS + 1) * torch.arange(LENGTH)
    guesses = [torch.zeros(network.shape.width)]  # the blank that comes first
    guesses += [torch.relu(encoder.meaning(row + offset).sum(0)) for row in tiles]
    state = None
    for guess in guesses:
        _, state = encoder.memory(guess[None, None], state)
    y = torch.relu(state[0, 0])
    for layer in network.hidden:
        y = y + torch.relu(layer(y))
    return network.output(y)


def test_the_sequence_encoder_reads_the_guesses_made_and_nothing_else():
    torch.manual_seed(0)
    shape = QNetworkShape(LENGTH * TURNS, 9, width=16, encoder="sequence")
    network = QNetwork(shape)
    turns = [2, 0, 6, 1, 5, 2]  # in no order
    histories = [torch.randint(1, 3 * LETTERS + 1, (made, LENGTH)) for made in turns]
    inputs = torch.zeros(len(turns), LENGTH * TURNS)
    for row, tiles in zip(inputs, histories, strict=True):
        row[: tiles.numel()] = tiles.flatten()
    outputs = network(inputs)
    expected = torch.stack([naive(network, tiles) for tiles in histories])
    assert torch.allclose(outputs, expected, atol=1e-5)
    assert same_gradients(network, outputs, expected)


@pytest.mark.parametrize("encoder", ["features", "sequence"])
def test_no_rows_have_no_outputs(encoder):
    shape = QNetworkShape(inputs=LENGTH * TURNS, outputs=9, width=16, encoder=encoder)
    assert QNetwork(shape)(torch.zeros(0, LENGTH * TURNS)).shape == (0, 9)

"""The loss of the policy network on a batch of examples."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn.functional import huber_loss

from salet.array_types import Codes, Ints
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.examples import Examples
from salet.learn.policy.network import PolicyNetwork, network_inputs


def batch_loss(
    network: PolicyNetwork,
    marks: torch.Tensor,
    codes: Codes,
    batch: Examples,
    config: PolicyConfig,
    generator: np.random.Generator,
) -> torch.Tensor:
    """Policy loss plus value loss, averaged over the batch.

    Policy: minus the log of the probability that a guess sampled from the softmax of the scores is
    a good one, where a guess that loses l counts exp(-l / temperature). The network is free to
    choose among equals. The softmax is over the guesses that occur in the batch and some random
    ones, which costs a fifth of one over all guesses.
    Value: Huber loss of the mean guesses to come, weighted by the size of the set. It is linear for
    large errors, as where self-play lost answers unnecessarily.
    """
    occurs = np.zeros(len(codes), bool)
    occurs[batch.sets.words] = True
    occurs[batch.guesses] = True
    occurs[generator.integers(len(codes), size=config.others)] = True
    words = np.flatnonzero(occurs)
    index = np.zeros(len(codes), np.int64)
    index[words] = np.arange(len(words))

    features, members, owners = network_inputs(codes, network.shape.alphabet, batch.sets, index)
    encodings = network.encode_words(marks[torch.from_numpy(words)])
    encoded = network.encode_sets(encodings.pooled, features, members, owners)
    scores = network.scores(encoded, encodings.guesses, members, owners)

    sizes = batch.sets.sizes
    rows = np.repeat(np.arange(len(batch)), np.diff(batch.guess_starts))
    temperatures = config.temperature * np.sqrt(np.maximum(1.0, sizes / 50))
    log_weights = torch.from_numpy((-batch.losses / temperatures[rows]).astype(np.float32))
    owner = torch.from_numpy(rows)
    good = scores[owner, torch.from_numpy(index[batch.guesses])] + log_weights
    policy = torch.logsumexp(scores, 1) - _grouped_logsumexp(good, owner, len(batch))
    return policy.mean() + _value_loss(network.excess(encoded), batch.totals, sizes).mean()


def _value_loss(excess: torch.Tensor, totals: Ints, sizes: Ints) -> torch.Tensor:
    target = torch.from_numpy(((totals - 2 * sizes + 1) / sizes).astype(np.float32))
    weights = torch.from_numpy(np.minimum(sizes, 60).astype(np.float32))
    return weights * huber_loss(excess, target, reduction="none", delta=0.25)


def _grouped_logsumexp(values: torch.Tensor, owners: torch.Tensor, count: int) -> torch.Tensor:
    """The logsumexp of the values of each owner."""
    top = torch.full((count,), -torch.inf).scatter_reduce(0, owners, values.detach(), "amax")
    total = torch.zeros(count).index_add(0, owners, torch.exp(values - top[owners]))
    return torch.log(total) + top

"""One step of learning from a batch of lessons."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn.functional import huber_loss

from salet.array_types import Codes, Floats, Ints
from salet.learn.policy.config import PolicyConfig
from salet.learn.policy.lessons import Lessons
from salet.learn.policy.network import Network
from salet.learn.policy.seat import tensors


def drawing(lessons: Lessons, *, by_size: bool = False) -> Floats:
    """How often each lesson is drawn, summed up: larger sets decide more, up to a point, or in
    proportion to their size."""
    sizes = lessons.sets.sizes
    weights = lessons.weights * (sizes if by_size else np.minimum(np.sqrt(sizes), 6))
    summed: Floats = np.cumsum(weights / weights.sum())
    return summed


def draw(lessons: Lessons, summed: Floats, count: int, generator: np.random.Generator) -> Lessons:
    """Some lessons at random."""
    places = np.searchsorted(summed, generator.random(count)).clip(0, len(lessons) - 1)
    return lessons.take(places)


def loss_of(
    network: Network,
    marks: torch.Tensor,
    codes: Codes,
    batch: Lessons,
    config: PolicyConfig,
    generator: np.random.Generator,
) -> torch.Tensor:
    """How far the network is from what the lessons say.

    Policy: minus the log of the chance that a guess drawn from the scores is a good one, where a
    guess that loses l counts exp(-l / temperature). It is free to choose among equals. The chances
    are among the guesses that the batch mentions and some random ones, which costs a fifth of
    comparing with all.
    Value: squared error of the guesses to come in the mean of a set's answers, times their number;
    far off (as where own play lost answers that need not be lost) the error counts as it is.
    """
    mentioned = np.zeros(len(codes), bool)
    mentioned[batch.sets.words] = True
    mentioned[batch.guesses] = True
    mentioned[generator.integers(len(codes), size=config.others)] = True
    some = np.flatnonzero(mentioned)
    place = np.zeros(len(codes), np.int64)
    place[some] = np.arange(len(some))

    features, members, owners = tensors(codes, network.shape.alphabet, batch.sets, place)
    words = network.words(marks[torch.from_numpy(some)])
    seen = network.read(words.pooled, features, members, owners)
    scores = network.scores(seen, words.guesses, members, owners)

    sizes = batch.sets.sizes
    told = torch.from_numpy(np.repeat(np.arange(len(batch)), np.diff(batch.told)))
    heat = config.temperature * np.sqrt(np.maximum(1.0, sizes / 50))
    worth = torch.from_numpy((-batch.losses / heat[told.numpy()]).astype(np.float32))
    good = scores[told, torch.from_numpy(place[batch.guesses])] + worth
    policy = torch.logsumexp(scores, 1) - _logsumexp(good, told, len(batch))
    return policy.mean() + _value_error(network.excess(seen), batch.totals, sizes).mean()


def _value_error(excess: torch.Tensor, totals: Ints, sizes: Ints) -> torch.Tensor:
    wanted = torch.from_numpy(((totals - 2 * sizes + 1) / sizes).astype(np.float32))
    weights = torch.from_numpy(np.minimum(sizes, 60).astype(np.float32))
    return weights * huber_loss(excess, wanted, reduction="none", delta=0.25)


def _logsumexp(values: torch.Tensor, owners: torch.Tensor, count: int) -> torch.Tensor:
    """For each owner the log of the sum of the exponentials of its values."""
    top = torch.full((count,), -torch.inf).scatter_reduce(0, owners, values.detach(), "amax")
    total = torch.zeros(count).index_add(0, owners, torch.exp(values - top[owners]))
    return torch.log(total) + top

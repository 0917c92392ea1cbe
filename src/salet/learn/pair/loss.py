"""The losses of the pair network: scores of guesses, shares and values."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn.functional import huber_loss

from salet.array_types import Codes, Ints
from salet.learn.pair.examples import PairExamples
from salet.learn.pair.network import PairNetwork
from salet.learn.pair.relations import fill_relations


def score_loss(
    network: PairNetwork,
    codes: Codes,
    examples: PairExamples,
    scored: Ints,
    *,
    pooled: bool = False,
) -> torch.Tensor:
    """Huber loss of the scores of some guesses; `pooled` if the feedback only counts."""
    owners = examples.scored[scored]
    sizes = examples.sets.sizes[owners]
    columns = np.arange(sizes.max())
    is_present = columns < sizes[:, None]
    elements = np.where(is_present, examples.sets.starts[owners][:, None] + columns, 0)
    words = examples.sets.words[elements]
    guesses = examples.guesses[scored]
    relations = np.empty((*words.shape, codes.shape[1]), np.uint8)
    fill_relations(codes, words, guesses, relations)
    is_candidate = ((words == guesses[:, None]) & is_present).any(1)
    found = network.score(
        torch.from_numpy(relations.astype(np.int64)),
        torch.from_numpy(is_present.astype(np.float32)),
        torch.from_numpy(is_candidate.astype(np.float32)),
        pooled=pooled,
    )
    scale = torch.from_numpy((1 / np.sqrt(sizes)).astype(np.float32))
    target = torch.from_numpy((examples.scores[scored] - sizes).astype(np.float32))
    return huber_loss(found * scale, target * scale, delta=0.5)


def share_loss(network: PairNetwork, totals: Ints, sizes: Ints) -> torch.Tensor:
    """Huber loss of the shares of sets: the share of n answers that look alike is the mean total
    of sets of n answers, for each of them."""
    share = network.share(torch.from_numpy(sizes.astype(np.float32)))
    mean = torch.from_numpy((totals / sizes).astype(np.float32))
    return huber_loss(share, mean, delta=0.2)


def value_loss(
    network: PairNetwork, features: torch.Tensor, totals: Ints, sizes: Ints
) -> torch.Tensor:
    """Huber loss of the totals of sets; the error of a set of n answers counts 2 / sqrt n."""
    scale = torch.from_numpy((2 / np.sqrt(sizes)).astype(np.float32))
    target = torch.from_numpy((totals - 2 * sizes + 1).astype(np.float32))
    return huber_loss(network.excess(features) * scale, target * scale, delta=1.0)

"""A pair network that plays a game: it chooses guesses and predicts how many are to come."""

from __future__ import annotations

import numpy as np
import torch

from salet.array_types import Bools, Codes, Floats, Indices, Ints
from salet.learn.common.ragged import AnswerSets
from salet.learn.common.splitting import LOSS_COST, known_totals
from salet.learn.pair.kernels import (
    fill_finest,
    letter_groups,
    split_as_believed,
    sum_believed_sizes,
    sum_pooled_sizes,
    sum_soft_sizes,
)
from salet.learn.pair.network import MAX_MEMBERS, PairNetwork, set_features

MAX_SAMPLE = 256
"""answers of a set that are compared pairwise; of larger sets a sample, evenly spaced"""
RECOUNTED = 384
"""best guesses by the sample that are scored again with all answers"""
CONSIDERED = 50
"""best guesses whose groups are valued"""
MAX_IMAGINED = 3
"""guesses left up to which losses are imagined where every word may be guessed: before that, words
that are not considered may still tell the answers apart"""
_NONE = np.empty(0, np.int32)


class PairPlayer:
    """A network together with the words of a game."""

    def __init__(self, network: PairNetwork, codes: Codes, *, pooled: bool = False) -> None:
        """`codes[word, position]`: the letters of the words, by any numbering; `pooled` if the
        feedback only counts."""
        self.network = network
        self.codes = codes
        self.learned = network.learned(pooled=pooled)
        self._groups = letter_groups(codes)

    def best(
        self, sets: AnswerSets, legal: list[Bools] | None = None, left: Ints | None = None
    ) -> Indices:
        """The guess that the network expects to take the fewest guesses in each set.

        `left` is the number of guesses left in each set, this one included, if that is limited.
        """
        guesses = self.top(sets, CONSIDERED, legal)
        best = np.empty(len(sets), np.int32)
        for s in range(len(sets)):
            tried = guesses[s : s + 1, : _count(legal, s, guesses.shape[1])]
            one = sets.take(np.array([s]))
            groups, parents = self._split(one, tried)
            totals = self.totals(
                groups,
                None if left is None else int(left[s]) - 1,
                outside=tried[0] if legal is None else None,
            )
            best[s] = tried[0, np.bincount(parents, totals, tried.size).argmin()]
        return best

    def top(self, sets: AnswerSets, count: int, legal: list[Bools] | None = None) -> Indices:
        """The `count` guesses of best score in each set, best first; illegal ones come last."""
        count = min(count, len(self.codes))
        found = np.empty((len(sets), count), np.int32)
        for s in range(len(sets)):
            scores = self._scores(sets[s])
            if legal is not None:
                scores = np.where(legal[s], scores, np.inf)
            if len(sets[s]) > MAX_SAMPLE:
                self._recount(sets[s], scores)
            best = np.argpartition(scores, count - 1)[:count] if count < len(scores) else None
            best = np.sort(best) if best is not None else np.arange(len(scores))
            found[s] = best[np.argsort(scores[best], kind="stable")]
        return found

    def totals(
        self, sets: AnswerSets, left: int | None = None, outside: Indices | None = None
    ) -> Floats:
        """The predicted guesses to come, summed over the answers of each set.

        `left` is the number of guesses left, if that is limited; an answer that seems lost costs
        LOSS_COST. `outside` are other words that may be guessed; None where only the words of a set
        are sure to be legal, as in hard mode. One answer takes 1 and two take 3, which needs no
        network; nor do sets with at most one guess left.
        """
        sizes = sets.sizes
        if left is not None and left <= 1:
            return known_totals(sizes, left).astype(np.float64)
        totals: Floats = np.asarray(2 * sizes - 1, np.float64)
        large = np.flatnonzero(sizes > 2)
        if len(large):
            features = set_features(self.codes, sets.take(large), self.learned)
            with torch.no_grad():
                excess = self.network.excess(torch.from_numpy(features))
            totals[large] += np.maximum(excess.double().numpy(), 0)
        if left is not None and (outside is None or left <= MAX_IMAGINED):
            totals += LOSS_COST * self._imagined_losses(sets, left, outside)
        return totals

    def _imagined_losses(self, sets: AnswerSets, left: int, outside: Indices | None) -> Ints:
        """The answers of each set that seem lost with `left` guesses, if each is the one that seems
        to make the most groups. No answer of a set of up to `left` words is lost."""
        losses = np.zeros(len(sets), np.int64)
        owners = np.arange(len(sets))
        for still in range(left, 1, -1):
            large = np.flatnonzero(sets.sizes > still)
            if not len(large):
                return losses
            sets, owners = sets.take(large), owners[large]
            guesses = np.empty((len(sets), 1), np.int32)
            fill_finest(
                self.codes, sets.words, sets.starts, _NONE if outside is None else outside,
                self.learned, MAX_MEMBERS, guesses[:, 0],
            )  # fmt: skip
            sets, parents = self._split(sets, guesses)
            owners = owners[parents]
        np.add.at(losses, owners, sets.sizes - 1)
        return losses

    def _scores(self, words: Indices) -> Floats:
        """Expected guesses after each guess, by the answers that look alike (lower is better)."""
        n = len(words)
        sample = words
        if n > MAX_SAMPLE:
            sample = words[np.arange(MAX_SAMPLE) * n // MAX_SAMPLE]
        scale = (n - 1) / max(len(sample) - 1, 1)
        scores = np.empty(len(self.codes), np.float64)
        if n == 1:  # there is nothing to compare it with
            scores[:] = self.learned.share[1]
        elif self.learned.pooled:
            sum_pooled_sizes(self.codes, sample, self.learned, scale, scores)
        else:
            sum_soft_sizes(self.codes, sample, self._groups, self.learned, scale, scores)
        scores *= n / len(sample)
        scores[words] -= self.learned.bonus
        return scores

    def _recount(self, words: Indices, scores: Floats) -> None:
        """Score the best guesses again, with all answers; the others go behind them."""
        count = min(RECOUNTED, len(scores))
        best = np.argsort(scores, kind="stable")[:count].astype(np.int32)
        best = best[np.isfinite(scores[best])]
        recounted = np.empty(len(best), np.float64)
        sum_believed_sizes(self.codes, words, best, self.learned, recounted)
        recounted -= self.learned.bonus * np.isin(best, words)
        behind = np.setdiff1d(np.arange(len(scores)), best)
        scores[behind] += recounted.max()
        scores[best] = recounted

    def _split(self, sets: AnswerSets, guesses: Indices) -> tuple[AnswerSets, Ints]:
        """The groups that guesses[set, k] seem to make of each set, and the guess of each."""
        capacity = int(sets.sizes.sum()) * guesses.shape[1]
        words = np.empty(capacity, np.int32)
        starts = np.empty(capacity + 1, np.int64)
        parents = np.empty(capacity, np.int64)
        count = split_as_believed(
            self.codes, sets.words, sets.starts, guesses, self.learned, words, starts, parents
        )
        parents = parents[:count]
        turns = sets.turns[parents // guesses.shape[1]] + 1
        return AnswerSets(words[: starts[count]], starts[: count + 1], turns), parents


def _count(legal: list[Bools] | None, s: int, width: int) -> int:
    """How many of the `width` best guesses of a set are legal."""
    return width if legal is None else min(width, int(legal[s].sum()))

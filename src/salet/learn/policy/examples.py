"""Training examples: sets of answers, their values, and the guesses that are good there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats, Indices, Ints
from salet.learn.common.ragged import AnswerSets, run_starts, take_runs
from salet.learn.common.torch_utils import Arrays


@dataclass(frozen=True)
class Example:
    """One set of answers."""

    words: Indices
    turn: int
    """number of guesses made before"""
    total: int
    """guesses to come, summed over all answers"""
    guesses: Indices
    """good guesses"""
    losses: Indices
    """additional guesses that each of them takes, compared with `total`"""
    weight: float = 1.0
    """sampling weight, relative to other sets of its size"""


@dataclass(frozen=True, eq=False)
class Examples:
    """Many examples, end to end."""

    sets: AnswerSets
    totals: Ints
    guesses: Indices
    losses: Indices
    guess_starts: Ints
    """the guesses of example `i` are `guesses[guess_starts[i] : guess_starts[i + 1]]`"""
    weights: Floats

    @staticmethod
    def of(examples: Sequence[Example]) -> Examples:
        """From single examples."""
        sizes = np.array([len(each.guesses) for each in examples], np.int64)
        return Examples(
            AnswerSets.of([each.words for each in examples], (each.turn for each in examples)),
            np.array([each.total for each in examples], np.int64),
            _concatenate([each.guesses for each in examples]),
            _concatenate([each.losses for each in examples]),
            run_starts(sizes),
            np.array([each.weight for each in examples], np.float64),
        )

    @staticmethod
    def concatenate(parts: Sequence[Examples]) -> Examples:
        """All examples of several."""
        if len(parts) == 1:
            return parts[0]
        sets = [part.sets for part in parts]
        return Examples(
            AnswerSets(
                _concatenate([each.words for each in sets]),
                run_starts(np.concatenate([each.sizes for each in sets])),
                np.concatenate([each.turns for each in sets]),
            ),
            np.concatenate([part.totals for part in parts]),
            _concatenate([part.guesses for part in parts]),
            _concatenate([part.losses for part in parts]),
            run_starts(np.concatenate([np.diff(part.guess_starts) for part in parts])),
            np.concatenate([part.weights for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.totals)

    def take(self, indices: Ints) -> Examples:
        """Some of the examples, in the given order."""
        elements, guess_starts = take_runs(self.guess_starts, indices)
        return Examples(
            self.sets.take(indices),
            self.totals[indices],
            self.guesses[elements],
            self.losses[elements],
            guess_starts,
            self.weights[indices],
        )

    def cumulative_weights(self, *, by_size: bool = False) -> Floats:
        """Cumulative sampling probabilities, for `sample`.

        Larger sets are sampled more often: in proportion to their size, or by default to its
        square root, up to 6.
        """
        sizes = self.sets.sizes
        weights = self.weights * (sizes if by_size else np.minimum(np.sqrt(sizes), 6))
        cumulative: Floats = np.cumsum(weights / weights.sum())
        return cumulative

    def sample(self, cumulative: Floats, count: int, generator: np.random.Generator) -> Examples:
        """Random examples, with replacement."""
        indices = np.searchsorted(cumulative, generator.random(count)).clip(0, len(self) - 1)
        return self.take(indices)

    def best_of_each_set(self, limit: int) -> Examples:
        """One example for each set, the one of smallest total (the latest of equals); of all sets
        the latest `limit`."""
        best: dict[bytes, int] = {}
        for index in range(len(self)):
            key = self.sets.key(index)
            before = best.pop(key, index)  # reinserted at the end, as the latest
            best[key] = index if self.totals[index] <= self.totals[before] else before
        return self.take(np.array(list(best.values())[-limit:], np.int64))

    def best_guesses(self) -> dict[bytes, int]:
        """The best guess of each set, by its key; of equal sets the last counts."""
        return {
            self.sets.key(index): int(self.guesses[start + self.losses[start:end].argmin()])
            for index, (start, end) in enumerate(
                zip(self.guess_starts[:-1], self.guess_starts[1:], strict=True)
            )
        }

    def arrays(self) -> Arrays:
        """The arrays of a checkpoint, each in the smallest type that holds it."""
        integers: Arrays = {
            "words": self.sets.words,
            "starts": self.sets.starts,
            "turns": self.sets.turns,
            "totals": self.totals,
            "guesses": self.guesses,
            "losses": self.losses,
            "told": self.guess_starts,  # the name in checkpoints
        }
        small = {name: array.astype(_smallest_type(array)) for name, array in integers.items()}
        return {**small, "weights": self.weights}

    @staticmethod
    def from_arrays(arrays: Arrays) -> Examples:
        """Restore the examples saved by `arrays()`."""
        words, guesses, losses = (
            arrays[name].astype(np.int32) for name in ("words", "guesses", "losses")
        )
        starts, turns, totals, guess_starts = (
            arrays[name].astype(np.int64) for name in ("starts", "turns", "totals", "told")
        )
        sets = AnswerSets(words, starts, turns)
        return Examples(sets, totals, guesses, losses, guess_starts, arrays["weights"])


def _smallest_type(array: NDArray[Any]) -> Any:
    """The smallest type that holds an array without negative numbers."""
    return np.min_scalar_type(int(array.max(initial=0)))


def _concatenate(parts: Sequence[Indices]) -> Indices:
    return np.concatenate(parts).astype(np.int32) if parts else np.empty(0, np.int32)

"""Ragged arrays: many sets of answers of different sizes, end to end in one array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from salet.array_types import Indices, Ints


@dataclass(frozen=True, eq=False)
class AnswerSets:
    """Sets of remaining answers; set `s` is `words[starts[s] : starts[s + 1]]`, ascending."""

    words: Indices
    starts: Ints
    turns: Ints
    """number of guesses made before each set"""

    @staticmethod
    def of(sets: Sequence[Indices], turns: Iterable[int]) -> AnswerSets:
        """From one array for each set."""
        sizes = np.fromiter((len(each) for each in sets), np.int64, len(sets))
        words = np.concatenate(sets) if sets else np.empty(0)
        turn_array = np.fromiter(turns, np.int64, len(sets))
        return AnswerSets(words.astype(np.int32), run_starts(sizes), turn_array)

    def __len__(self) -> int:
        return len(self.turns)

    def __getitem__(self, index: int) -> Indices:
        return self.words[self.starts[index] : self.starts[index + 1]]

    def key(self, index: int) -> bytes:
        """A key that two sets share if and only if they have the same words and turn."""
        return bytes([int(self.turns[index])]) + self[index].tobytes()

    @property
    def sizes(self) -> Ints:
        """Number of words in each set."""
        return np.diff(self.starts)

    @property
    def owners(self) -> Ints:
        """For each element of `words`, the index of its set."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def take(self, indices: Ints) -> AnswerSets:
        """Some of the sets."""
        elements, starts = take_runs(self.starts, indices)
        return AnswerSets(self.words[elements], starts, self.turns[indices])

    def chunks(self, size: int) -> Iterator[AnswerSets]:
        """The sets in chunks of at most `size`."""
        for begin in range(0, len(self), size):
            yield self.take(np.arange(begin, min(begin + size, len(self))))


def run_starts(sizes: Ints) -> Ints:
    """The starts of consecutive runs of these sizes, and the end of the last one."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


def take_runs(starts: Ints, indices: Ints) -> tuple[Ints, Ints]:
    """The elements of some runs of an array, and where each run starts among them."""
    sizes = starts[indices + 1] - starts[indices]
    new_starts = run_starts(sizes)
    elements = np.arange(new_starts[-1]) + np.repeat(starts[indices] - new_starts[:-1], sizes)
    return elements, new_starts

"""Many sets of remaining answers, end to end in one array, with the turn each is met at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from salet.array_types import Indices, Ints


@dataclass(frozen=True, eq=False)
class Sets:
    """Sets of words; set `s` is `words[starts[s] : starts[s + 1]]`, ascending."""

    words: Indices
    starts: Ints
    turns: Ints

    @staticmethod
    def of(sets: Sequence[Indices], turns: Iterable[int]) -> Sets:
        """From one array for each set."""
        sizes = np.fromiter((len(each) for each in sets), np.int64, len(sets))
        words = np.concatenate(sets) if sets else np.empty(0)
        return Sets(words.astype(np.int32), ends(sizes), np.fromiter(turns, np.int64, len(sets)))

    def __len__(self) -> int:
        return len(self.turns)

    def __getitem__(self, place: int) -> Indices:
        return self.words[self.starts[place] : self.starts[place + 1]]

    def key(self, place: int) -> bytes:
        """The same for the same words at the same turn, and for nothing else."""
        return bytes([int(self.turns[place])]) + self[place].tobytes()

    @property
    def sizes(self) -> Ints:
        """How many words each set has."""
        return np.diff(self.starts)

    def take(self, places: Ints) -> Sets:
        """Some of the sets."""
        at, starts = runs(self.starts, places)
        return Sets(self.words[at], starts, self.turns[places])

    def chunks(self, most: int) -> Iterator[Sets]:
        """The same sets, so many at a time."""
        for begin in range(0, len(self), most):
            yield self.take(np.arange(begin, min(begin + most, len(self))))


def ends(sizes: Ints) -> Ints:
    """Where runs of these sizes start, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


def runs(starts: Ints, places: Ints) -> tuple[Ints, Ints]:
    """The elements of some runs of an array, and where each of them starts among those."""
    sizes = starts[places + 1] - starts[places]
    fresh = ends(sizes)
    at = np.arange(fresh[-1]) + np.repeat(starts[places] - fresh[:-1], sizes)
    return at, fresh

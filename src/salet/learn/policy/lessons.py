"""What is learned from: sets of answers, what they are worth, and which guesses are good there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Floats, Indices, Ints
from salet.learn.policy.sets import Sets, ends, runs

MOST_GUESSES = 24
"""good guesses told of a set: where hundreds are equally good, some of them do"""


@dataclass(frozen=True)
class Lesson:
    """One set of answers."""

    words: Indices
    turn: int
    total: int
    """guesses to come over all its answers"""
    guesses: Indices
    """guesses that are good here"""
    losses: Indices
    """and how much more than `total` each of them takes"""
    weight: float = 1.0
    """how often it is drawn, compared with others of its size"""


@dataclass(frozen=True, eq=False)
class Lessons:
    """Many of them, end to end."""

    sets: Sets
    totals: Ints
    guesses: Indices
    losses: Indices
    told: Ints
    """lesson i tells of `guesses[told[i] : told[i + 1]]`"""
    weights: Floats

    @staticmethod
    def of(lessons: Sequence[Lesson]) -> Lessons:
        """Put lessons together."""
        sizes = np.array([len(lesson.guesses) for lesson in lessons], np.int64)
        return Lessons(
            Sets.of([lesson.words for lesson in lessons], (lesson.turn for lesson in lessons)),
            np.array([lesson.total for lesson in lessons], np.int64),
            _joined([lesson.guesses for lesson in lessons]),
            _joined([lesson.losses for lesson in lessons]),
            ends(sizes),
            np.array([lesson.weight for lesson in lessons], np.float64),
        )

    @staticmethod
    def joined(parts: Sequence[Lessons]) -> Lessons:
        """All lessons of several."""
        if len(parts) == 1:
            return parts[0]
        sets = [part.sets for part in parts]
        return Lessons(
            Sets(
                _joined([each.words for each in sets]),
                ends(np.concatenate([each.sizes for each in sets])),
                np.concatenate([each.turns for each in sets]),
            ),
            np.concatenate([part.totals for part in parts]),
            _joined([part.guesses for part in parts]),
            _joined([part.losses for part in parts]),
            ends(np.concatenate([np.diff(part.told) for part in parts])),
            np.concatenate([part.weights for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.totals)

    def take(self, places: Ints) -> Lessons:
        """Some of the lessons, in the order given."""
        at, told = runs(self.told, places)
        return Lessons(
            self.sets.take(places),
            self.totals[places],
            self.guesses[at],
            self.losses[at],
            told,
            self.weights[places],
        )

    def least(self, most: int) -> Lessons:
        """One lesson for each set, the one of least total (the latest of equals); of all sets the
        last `most`."""
        places: dict[bytes, int] = {}
        for place in range(len(self)):
            key = self.sets.key(place)
            before = places.pop(key, place)  # and to the end, as the latest
            places[key] = place if self.totals[place] <= self.totals[before] else before
        return self.take(np.array(list(places.values())[-most:], np.int64))

    def best_guesses(self) -> dict[bytes, int]:
        """For each set a guess that takes its total; of the same sets the last counts."""
        return {
            self.sets.key(place): int(self.guesses[start + self.losses[start:end].argmin()])
            for place, (start, end) in enumerate(zip(self.told[:-1], self.told[1:], strict=True))
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As they are stored, in as few bytes as hold them."""
        sets = {"words": self.sets.words, "starts": self.sets.starts, "turns": self.sets.turns}
        own = {name: getattr(self, name) for name in ("totals", "guesses", "losses", "told")}
        small = {name: array.astype(_kind(array)) for name, array in {**sets, **own}.items()}
        return {**small, "weights": self.weights}

    @staticmethod
    def from_arrays(arrays: dict[str, NDArray[Any]]) -> Lessons:
        """What `arrays` gave."""
        words, guesses, losses = (
            arrays[name].astype(np.int32) for name in ("words", "guesses", "losses")
        )
        starts, turns, totals, told = (
            arrays[name].astype(np.int64) for name in ("starts", "turns", "totals", "told")
        )
        sets = Sets(words, starts, turns)
        return Lessons(sets, totals, guesses, losses, told, arrays["weights"])


def _kind(array: NDArray[Any]) -> Any:
    """The smallest kind of number that holds all of an array: none is negative."""
    return np.min_scalar_type(int(array.max(initial=0)))


def _joined(parts: Sequence[Indices]) -> Indices:
    return np.concatenate(parts).astype(np.int32) if parts else np.empty(0, np.int32)


def chosen(
    guesses: Indices, losses: Indices, most: int, generator: np.random.Generator
) -> tuple[Indices, Indices]:
    """The best of the guesses, at random among equals, if there are more than is told."""
    if len(guesses) <= most:
        return guesses, losses
    order = generator.permutation(len(guesses))
    order = order[np.argsort(losses[order], kind="stable")][:most]
    return guesses[order], losses[order]

"""What an agent sees: functions of the history, in a registry.

classic-313  the founding agent's features, with its update exactly as it was
counts-313   the same places with the letters counted right
candidates   statistics of the answers still possible
history      every tile so far, for networks that read sequences

Kinds are joined by `+`. On words of five letters from an alphabet of 26 the first two have 313
numbers, hence the names; they fit other lengths and alphabets too. A kind of one's own is one
kernel that fills the columns from `start` on, and one line in `OBSERVATIONS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from salet.env.rulebook import Histories, Rulebook
from salet.errors import InputError, UnknownNameError
from salet.numeric.jit import kernel

Features = NDArray[np.float32]
Fill = Callable[[Rulebook, Histories, Features, int], None]


@dataclass(frozen=True)
class Kind:
    """One way to see a game."""

    fill: Fill
    width: Callable[[int, int, int], int]
    """how many numbers, from the size of the alphabet, the length of words and the horizon"""
    greatest: Callable[[int, int, int], int]
    """the greatest number that occurs; the least is 0"""


@dataclass(frozen=True)
class Observation:
    """What an agent sees of a game: some kinds, side by side."""

    name: str
    book: Rulebook
    parts: tuple[tuple[Fill, int], ...]
    """each kind with the column where it starts"""
    width: int
    greatest: int

    def of(self, histories: Histories) -> Features:
        """One row of numbers for each game."""
        out = np.zeros((len(histories.turns), self.width), np.float32)
        for fill, start in self.parts:
            fill(self.book, histories, out, start)
        return out


def observation_named(name: str, book: Rulebook) -> Observation:
    """The observation of that name, as in `counts-313+candidates`."""
    if not isinstance(name, str):
        raise InputError(f"observation {name!r} is no name; known: {', '.join(OBSERVATIONS)}")
    sizes = book.alphabet, book.letters.shape[1], book.horizon
    parts: list[tuple[Fill, int]] = []
    start, greatest = 0, 1
    for part in name.split("+"):
        if part not in OBSERVATIONS:
            raise UnknownNameError("observation", part, OBSERVATIONS)
        kind = OBSERVATIONS[part]
        parts.append((kind.fill, start))
        start += kind.width(*sizes)
        greatest = max(greatest, kind.greatest(*sizes))
    return Observation(name, book, tuple(parts), start, greatest)


@kernel
def _fill_classic(book: Rulebook, histories: Histories, out: Features, start: int) -> None:
    """tried[letter], inside[letter], (no, yes)[letter][position], guesses left.

    The original's update, with its flaw: where a letter is green and grey in one guess, "no" is
    set at the green position and nowhere else.
    """
    size, length = book.alphabet, book.letters.shape[1]
    for b in range(histories.turns.shape[0]):
        x = out[b, start:]
        tiles = 2 * size
        for turn in range(histories.turns[b]):
            word = book.letters[histories.guesses[b, turn]]
            colours = book.colours[histories.patterns[b, turn]]
            for i in range(length):
                x[word[i]] = 1
                if colours[i] == 2:
                    x[size + word[i]] = 1
                    for letter in range(size):
                        x[tiles + 2 * (letter * length + i)] = 1
                        x[tiles + 2 * (letter * length + i) + 1] = 0
                    x[tiles + 2 * (word[i] * length + i)] = 0
                    x[tiles + 2 * (word[i] * length + i) + 1] = 1
            for i in range(length):
                here = tiles + 2 * (word[i] * length + i)
                if colours[i] == 1:
                    x[size + word[i]] = 1
                    x[here], x[here + 1] = 1, 0
                elif colours[i] == 0:
                    was_yellow, is_green = False, False
                    for j in range(length):
                        if word[j] == word[i]:
                            was_yellow |= colours[j] == 1 and j < i
                            is_green |= colours[j] == 2
                    if was_yellow:
                        x[here], x[here + 1] = 1, 0
                    else:
                        for j in range(length):
                            at = tiles + 2 * (word[i] * length + j)
                            if is_green:
                                x[at] = np.float32(x[at] != x[at + 1])
                            else:
                                x[at], x[at + 1] = 1, 0
        x[tiles + 2 * size * length] = book.horizon - histories.turns[b]


@kernel
def _fill_counts(book: Rulebook, histories: Histories, out: Features, start: int) -> None:
    """ruled out[letter], least[letter], (no, yes)[letter][position], guesses left.

    A letter occurs at least `least` times and at most length * (1 - ruled out) times: a grey tile
    says that the coloured ones were all.
    """
    size, length = book.alphabet, book.letters.shape[1]
    tiles = 2 * size
    for b in range(histories.turns.shape[0]):
        x = out[b, start:]
        for turn in range(histories.turns[b]):
            word = book.letters[histories.guesses[b, turn]]
            colours = book.colours[histories.patterns[b, turn]]
            for i in range(length):
                letter = word[i]
                coloured, greys = 0, 0
                for j in range(length):
                    if word[j] == letter:
                        coloured += colours[j] > 0
                        greys += colours[j] == 0
                if not book.counted:
                    coloured = min(coloured, 1)
                x[size + letter] = max(x[size + letter], np.float32(coloured))
                if greys:
                    x[letter] = np.float32((length - coloured) / length)
                if colours[i] == 2:
                    for other in range(size):
                        x[tiles + 2 * (other * length + i)] = 1
                    x[tiles + 2 * (letter * length + i)] = 0
                    x[tiles + 2 * (letter * length + i) + 1] = 1
                else:
                    x[tiles + 2 * (letter * length + i)] = 1
        # a letter whose every occurrence has its place, or that does not occur, is nowhere else
        for letter in range(size):
            if x[letter] > 0:
                most = length - round(x[letter] * length)
                placed = 0
                for i in range(length):
                    placed += x[tiles + 2 * (letter * length + i) + 1] > 0
                if placed == most:
                    for i in range(length):
                        at = tiles + 2 * (letter * length + i)
                        x[at] = 1 - x[at + 1]
        x[tiles + 2 * size * length] = book.horizon - histories.turns[b]


@kernel
def _fill_candidates(book: Rulebook, histories: Histories, out: Features, start: int) -> None:
    """Of the answers still possible: the share with this letter here [letter][position], the share
    with this letter anywhere [letter]; the bits left, relative to the start; 1 over their number;
    the share of guesses left."""
    size, length = book.alphabet, book.letters.shape[1]
    answers = book.table.shape[1]
    last = size * (length + 1)
    kept = np.empty(answers, np.int32)
    root = -1
    for b in range(histories.turns.shape[0]):
        if histories.turns[b] == 0:
            if root >= 0:  # all first turns look the same
                out[b, start : start + last + 3] = out[root, start : start + last + 3]
                continue
            root = b
        n = answers
        for turn in range(histories.turns[b]):
            row = book.table[histories.guesses[b, turn]]
            pattern = histories.patterns[b, turn]
            found = 0
            if turn == 0:
                for a in range(answers):
                    kept[found] = a
                    found += row[a] == pattern
            else:
                for k in range(n):
                    a = kept[k]
                    kept[found] = a
                    found += row[a] == pattern
            n = found
        x = out[b, start:]
        for k in range(n):
            word = book.letters[k if histories.turns[b] == 0 else kept[k]]
            for i in range(length):
                x[word[i] * length + i] += 1
                first = True
                for j in range(i):
                    first &= word[j] != word[i]
                if first:
                    x[size * length + word[i]] += 1
        if n:
            for k in range(last):
                x[k] /= n
            x[last] = math.log(n) / math.log(max(answers, 2))
            x[last + 1] = 1 / n
        x[last + 2] = (book.horizon - histories.turns[b]) / book.horizon


@kernel
def _fill_history(book: Rulebook, histories: Histories, out: Features, start: int) -> None:
    """[turn][position]: 1 + 3 * letter + colour of every tile, 0 where none was laid."""
    length = book.letters.shape[1]
    for b in range(histories.turns.shape[0]):
        for turn in range(histories.turns[b]):
            word = book.letters[histories.guesses[b, turn]]
            colours = book.colours[histories.patterns[b, turn]]
            for i in range(length):
                out[b, start + turn * length + i] = 1 + 3 * np.int64(word[i]) + colours[i]


def _letters(size: int, length: int, horizon: int) -> int:  # noqa: ARG001
    return 2 * size + 2 * size * length + 1


def _most(size: int, length: int, horizon: int) -> int:  # noqa: ARG001
    return max(length, horizon)


OBSERVATIONS: Mapping[str, Kind] = MappingProxyType(
    {
        "classic-313": Kind(_fill_classic, _letters, _most),
        "counts-313": Kind(_fill_counts, _letters, _most),
        "candidates": Kind(
            _fill_candidates, lambda size, length, _: size * (length + 1) + 3, lambda *_: 1
        ),
        "history": Kind(
            _fill_history, lambda _, length, horizon: length * horizon, lambda size, *_: 3 * size
        ),
    }
)

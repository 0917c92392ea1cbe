"""Observations: features of the history, in a registry.

classic-313  the features of the original DQN, with its update rule exactly as it was
counts-313   the same layout with letters counted correctly
candidates   statistics of the answers still possible
history      every tile so far, for networks that read sequences

Names are joined by `+`. With five-letter words and an alphabet of 26 the first two have 313
numbers, hence their names; they work for other lengths and alphabets too. To add a feature set,
write one kernel that fills the columns from `start` on, and one line in `OBSERVATIONS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from salet.env.game_arrays import GameArrays, Histories, remaining_answers
from salet.errors import InputError, UnknownNameError
from salet.numeric.jit import kernel

Features = NDArray[np.float32]
Fill = Callable[[GameArrays, Histories, Features, int], None]


@dataclass(frozen=True)
class FeatureSet:
    """A named block of features."""

    fill: Fill
    """kernel that writes the features"""
    width: Callable[[int, int, int], int]
    """number of features, from alphabet size, word length and horizon"""
    high: Callable[[int, int, int], int]
    """largest possible value; the smallest is 0"""


@dataclass(frozen=True)
class Observer:
    """Turns histories of one game into observations: some feature sets, side by side."""

    game: GameArrays
    parts: tuple[tuple[Fill, int], ...]
    """each feature set's kernel and first column"""
    width: int
    """length of an observation"""
    high: int
    """largest value of an observation"""

    def observe(self, histories: Histories) -> Features:
        """One row of features for each game."""
        out = np.zeros((len(histories.turns), self.width), np.float32)
        for fill, start in self.parts:
            fill(self.game, histories, out, start)
        return out


def observer_named(name: str, game: GameArrays) -> Observer:
    """The observer of that name, such as `counts-313+candidates`."""
    if not isinstance(name, str):
        raise InputError(f"observation {name!r} is not a name; known: {', '.join(OBSERVATIONS)}")
    sizes = game.alphabet_size, game.letters.shape[1], game.horizon
    parts: list[tuple[Fill, int]] = []
    start, high = 0, 1
    for part in name.split("+"):
        if part not in OBSERVATIONS:
            raise UnknownNameError("observation", part, OBSERVATIONS)
        features = OBSERVATIONS[part]
        parts.append((features.fill, start))
        start += features.width(*sizes)
        high = max(high, features.high(*sizes))
    return Observer(game, tuple(parts), start, high)


@kernel
def _fill_classic(game: GameArrays, histories: Histories, out: Features, start: int) -> None:
    """tried[letter], present[letter], (no, yes)[letter][position], guesses left.

    This reproduces a flaw of the original: where a letter is both green and grey in one guess, "no"
    is set at the green position and nowhere else.
    """
    size, length = game.alphabet_size, game.letters.shape[1]
    for b in range(histories.turns.shape[0]):
        x = out[b, start:]
        tiles = 2 * size
        for turn in range(histories.turns[b]):
            word = game.letters[histories.guesses[b, turn]]
            colours = game.colours[histories.patterns[b, turn]]
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
        x[tiles + 2 * size * length] = game.horizon - histories.turns[b]


@kernel
def _fill_counts(game: GameArrays, histories: Histories, out: Features, start: int) -> None:
    """excluded[letter], minimum[letter], (no, yes)[letter][position], guesses left.

    A letter occurs at least `minimum` times and at most length * (1 - excluded) times: a grey tile
    says that the coloured ones were all.
    """
    size, length = game.alphabet_size, game.letters.shape[1]
    tiles = 2 * size
    for b in range(histories.turns.shape[0]):
        x = out[b, start:]
        for turn in range(histories.turns[b]):
            word = game.letters[histories.guesses[b, turn]]
            colours = game.colours[histories.patterns[b, turn]]
            for i in range(length):
                letter = word[i]
                coloured, greys = 0, 0
                for j in range(length):
                    if word[j] == letter:
                        coloured += colours[j] > 0
                        greys += colours[j] == 0
                if not game.counts_letters:
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
        # a letter whose occurrences are all located, or that does not occur, is nowhere else
        for letter in range(size):
            if x[letter] > 0:
                maximum = length - round(x[letter] * length)
                located = 0
                for i in range(length):
                    located += x[tiles + 2 * (letter * length + i) + 1] > 0
                if located == maximum:
                    for i in range(length):
                        at = tiles + 2 * (letter * length + i)
                        x[at] = 1 - x[at + 1]
        x[tiles + 2 * size * length] = game.horizon - histories.turns[b]


@kernel
def _fill_candidates(game: GameArrays, histories: Histories, out: Features, start: int) -> None:
    """Statistics of the answers still possible.

    The fraction with each letter in each position [letter][position] and anywhere [letter]; the
    bits left, relative to the start; 1 / n; the fraction of guesses left.
    """
    size, length = game.alphabet_size, game.letters.shape[1]
    answers = game.table.shape[1]
    last = size * (length + 1)
    candidates = np.empty(answers, np.int32)
    root = -1
    for b in range(histories.turns.shape[0]):
        if histories.turns[b] == 0:
            if root >= 0:  # all games look the same before the first guess
                out[b, start : start + last + 3] = out[root, start : start + last + 3]
                continue
            root = b
        n = remaining_answers(game, histories, b, candidates)
        x = out[b, start:]
        for k in range(n):
            word = game.letters[candidates[k]]
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
        x[last + 2] = (game.horizon - histories.turns[b]) / game.horizon


@kernel
def _fill_history(game: GameArrays, histories: Histories, out: Features, start: int) -> None:
    """[turn][position]: 1 + 3 * letter + colour of each tile, 0 for turns not yet played."""
    length = game.letters.shape[1]
    for b in range(histories.turns.shape[0]):
        for turn in range(histories.turns[b]):
            word = game.letters[histories.guesses[b, turn]]
            colours = game.colours[histories.patterns[b, turn]]
            for i in range(length):
                out[b, start + turn * length + i] = 1 + 3 * np.int64(word[i]) + colours[i]


def _letters_width(size: int, length: int, horizon: int) -> int:  # noqa: ARG001
    return 2 * size + 2 * size * length + 1


def _letters_high(size: int, length: int, horizon: int) -> int:  # noqa: ARG001
    return max(length, horizon)


OBSERVATIONS: Mapping[str, FeatureSet] = MappingProxyType(
    {
        "classic-313": FeatureSet(_fill_classic, _letters_width, _letters_high),
        "counts-313": FeatureSet(_fill_counts, _letters_width, _letters_high),
        "candidates": FeatureSet(
            _fill_candidates, lambda size, length, _: size * (length + 1) + 3, lambda *_: 1
        ),
        "history": FeatureSet(
            _fill_history, lambda _, length, horizon: length * horizon, lambda size, *_: 3 * size
        ),
    }
)

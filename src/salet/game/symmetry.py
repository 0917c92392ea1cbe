"""Guesses that are equivalent by symmetry.

Feedback only compares letters for equality. So if letters are permuted, or positions are, in every
guess and every answer, then feedback stays the same (or its tiles are permuted with the
positions), under every rule and in every mode. A permutation that maps the guesses of a game to its
guesses and the answers to its answers, with their weights, is a symmetry of the game: it maps every
plan to a plan of the same cost, so a first guess has the same value as every guess that it is
mapped to. Mastermind has 720 * 24 symmetries and so five different first guesses; the words of a
language have none.

A symmetry that also maps every guess of a history to itself, and every answer to one with the same
feedback to them, maps each state after these guesses to itself. So in such a state, too, a guess
has the same value as every guess that it is mapped to.

The symmetries that fix a history can be constructed without a search. If two letters can be
swapped, and one of them with a third, then all three can: letters (and positions) fall into
classes, and a symmetry permutes within them. A permutation of positions that fixes the guesses of a
history determines where each of their letters goes; all other letters may go anywhere in their
class.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from salet.array_types import Bools, Ints
from salet.game.game import Game

_MAX_PERMUTATIONS = 5040
"""Permutations of positions that are tried; if there are more, only swaps of two."""
_MAX_ORDERS = 720
"""Orders of turns that are tried for a canonical form."""
_MAX_CACHED = 1 << 23
"""Numbers in the cache of `_orbits`, over all histories."""


class Symmetry:
    """The permutations of letters and positions that leave a game unchanged."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._codes = codes = game.lexicon.codes.astype(np.int64)
        count, length = codes.shape
        letters = len(game.lexicon.alphabet)
        self._weights = np.zeros(count, np.int64)  # 0 for guesses that are not answers
        self._weights[: game.answer_count] = 1 if game.weights is None else game.weights
        self._cache: dict[frozenset[int], tuple[Ints, int]] = {}
        self._letters: list[list[int]] = [[letter] for letter in range(letters)]
        self._positions: list[list[int]] = [[position] for position in range(length)]
        if letters**length >= 1 << 62:  # words as numbers would overflow: no symmetry is used
            return
        # Words as numbers in base `letters`, sorted, so that images of words can be looked up.
        self._powers = letters ** np.arange(length)
        numbers = codes @ self._powers
        self._order = np.argsort(numbers)
        self._numbers = numbers[self._order]
        # Letters can only be swapped if they occur equally often at every position, positions
        # only if every letter occurs at them equally often.
        counts = np.zeros((letters, length), np.int64)
        for position in range(length):
            counts[:, position] = np.bincount(codes[:, position], minlength=letters)

        def can_swap_letters(a: int, b: int) -> bool:
            same_counts = bool((counts[a] == counts[b]).all())
            return same_counts and self._is_symmetry(_swap(letters, a, b)[codes])

        def can_swap_positions(a: int, b: int) -> bool:
            same_counts = bool((counts[:, a] == counts[:, b]).all())
            return same_counts and self._is_symmetry(codes[:, _swap(length, a, b)])

        self._letters = _classes(letters, can_swap_letters)
        self._positions = _classes(length, can_swap_positions)

    @functools.cached_property
    def _class_of(self) -> dict[int, int]:
        """The number of the class of each letter."""
        return {letter: at for at, group in enumerate(self._letters) for letter in group}

    @functools.cached_property
    def is_trivial(self) -> bool:
        """Whether no two letters and no two positions can be swapped."""
        return all(len(group) == 1 for group in (*self._letters, *self._positions))

    @property
    def letter_swaps(self) -> list[tuple[int, int]]:
        """Swaps of two letters that generate all permutations of letters that are symmetries."""
        return [pair for group in self._letters for pair in itertools.pairwise(group)]

    @property
    def position_swaps(self) -> list[tuple[int, int]]:
        """Swaps of two positions that generate all that are symmetries."""
        return [pair for group in self._positions for pair in itertools.pairwise(group)]

    def first_equivalent(self, history: Sequence[int] = ()) -> Ints:
        """[guess]: the first guess that is equivalent to it after these guesses, whatever their
        feedback."""
        return self._orbits(history)[0]

    def representatives(self, history: Sequence[int] = ()) -> Bools:
        """[guess]: whether it is the first of the guesses that are equivalent to it."""
        first = self.first_equivalent(history)
        return np.asarray(first == np.arange(len(first)))

    def size(self, history: Sequence[int] = ()) -> int:
        """Number of known symmetries that fix these guesses."""
        return self._orbits(history)[1]

    def canonical(self, history: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """A form of a history of (guess, pattern code) that only histories with equivalent states
        share.

        The state after a history does not depend on the order of its turns. A symmetry maps it to
        the state after the images of the guesses. If the symmetry permutes letters alone, or the
        feedback only counts (rule `pegs`), they show the same patterns, so turns can be sorted by
        them. The form is the least over all orders of turns with equal patterns and all
        permutations of positions; letters are renamed, each class of them in the order in which
        they occur. A form determines the history up to that. (With too many orders to try, only one
        is: then some equivalent states have different forms.)
        """
        turns = sorted((code, guess) for guess, code in history)
        runs = [
            [guess for _, guess in run]
            for _, run in itertools.groupby(turns, key=lambda turn: turn[0])
        ]
        orders: Iterable[Sequence[Sequence[int]]] = [runs]
        if math.prod(math.factorial(len(run)) for run in runs) <= _MAX_ORDERS:
            orders = itertools.product(*map(itertools.permutations, runs))
        counts_only = self._game.rule.name == "pegs"
        places = list(self._permutations()) if counts_only else [np.arange(self._codes.shape[1])]
        forms = (
            self._renamed(self._codes[list(itertools.chain(*order))][:, permutation].ravel())
            for order in orders
            for permutation in places
        )
        return (*(code for code, _ in turns), *min(forms))

    def _renamed(self, letters: Ints) -> tuple[int, ...]:
        """Letters, each replaced by the next of its class at its first occurrence."""
        unused = [iter(group) for group in self._letters]
        names: dict[int, int] = {}
        for letter in letters.tolist():
            if letter not in names:
                names[letter] = next(unused[self._class_of[letter]])
        return tuple(names[letter] for letter in letters.tolist())

    def _orbits(self, history: Sequence[int]) -> tuple[Ints, int]:
        guesses = frozenset(history)
        found = self._cache.get(guesses)
        if found is None:
            if len(self._cache) * len(self._codes) > _MAX_CACHED:
                self._cache.clear()
            found = self._cache[guesses] = self._find_orbits(sorted(guesses))
        return found

    def _find_orbits(self, history: list[int]) -> tuple[Ints, int]:
        """For each guess the first of its orbit, and the number of symmetries."""
        first = np.arange(len(self._codes))
        if self.is_trivial:
            return first, 1
        used = {int(letter) for guess in history for letter in self._codes[guess]}
        free = [[letter for letter in group if letter not in used] for group in self._letters]
        count = math.prod(math.factorial(len(group)) for group in free)
        letters = sum(map(len, self._letters))
        for group in free:
            for a, b in itertools.pairwise(group):
                first = _merged(first, self._images(_swap(letters, a, b)[self._codes]))
        permutations = 0
        for permutation in self._permutations():
            letter_map = self._forced_letters(history, permutation)
            if letter_map is None:
                continue
            images = self._images(letter_map[self._codes[:, permutation]])
            if all(self._keeps_feedback(guess, images) for guess in history):
                permutations += 1
                first = _merged(first, images)
        return first, count * permutations

    def _permutations(self) -> Iterator[Ints]:
        """Yield the permutations of positions that are symmetries, the identity first."""
        length = self._codes.shape[1]
        count = math.prod(math.factorial(len(group)) for group in self._positions)
        if count > _MAX_PERMUTATIONS:
            yield np.arange(length)
            for group in self._positions:
                for a, b in itertools.combinations(group, 2):
                    yield _swap(length, a, b)
            return
        for permuted in itertools.product(*map(itertools.permutations, self._positions)):
            permutation = np.empty(length, np.int64)
            for group, image in zip(self._positions, permuted, strict=True):
                permutation[group] = image
            yield permutation

    def _forced_letters(self, history: list[int], permutation: Ints) -> Ints | None:
        """The map of letters that restores every guess of the history after its positions have
        been permuted; None if there is none."""
        forced: dict[int, int] = {}
        for guess in history:
            word = self._codes[guess]
            for letter, image in zip(word[permutation].tolist(), word.tolist(), strict=True):
                if forced.setdefault(letter, image) != image:
                    return None
        if len(set(forced.values())) < len(forced):
            return None
        for group in self._letters:
            for letter in group:
                if forced.get(letter, letter) not in group:
                    return None
        letter_map = np.arange(sum(map(len, self._letters)))
        for letter, image in forced.items():
            letter_map[letter] = image
        return letter_map

    def _keeps_feedback(self, guess: int, images: Ints) -> bool:
        """Whether every answer is mapped to one with the same feedback to the guess."""
        row = self._game.compiled.ids[guess]
        return bool((row[images[: self._game.answer_count]] == row).all())

    def _is_symmetry(self, words: Ints) -> bool:
        """Whether all words, mapped to these, are guesses again and keep their weights."""
        numbers = words @ self._powers
        index = np.searchsorted(self._numbers, numbers).clip(max=len(numbers) - 1)
        if (self._numbers[index] != numbers).any():
            return False
        return bool((self._weights[self._order[index]] == self._weights).all())

    def _images(self, words: Ints) -> Ints:
        """The indices of these words."""
        return np.asarray(self._order[np.searchsorted(self._numbers, words @ self._powers)])


def _swap(count: int, a: int, b: int) -> Ints:
    """The permutation of `count` numbers that swaps two of them."""
    permutation = np.arange(count)
    permutation[a], permutation[b] = b, a
    return permutation


def _classes(count: int, equivalent: Callable[[int, int], bool]) -> list[list[int]]:
    """The numbers below `count`, grouped by an equivalence."""
    groups: list[list[int]] = []
    for number in range(count):
        for group in groups:
            if equivalent(group[0], number):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def _merged(first: Ints, images: Ints) -> Ints:
    """The first guess of each orbit once every guess is joined with its image."""
    while True:
        lower = np.minimum(first, first[images])
        np.minimum.at(lower, images, first)
        lower = lower[lower]
        if (lower == first).all():
            return lower
        first = lower

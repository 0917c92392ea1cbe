"""Guesses that a game cannot tell apart.

Feedback compares places and letters for equality only. So if letters are exchanged for one another
(or places are), in every guess and every answer, feedback stays the same (or its tiles change
places), in every rule and mode. An exchange that maps the guesses of a game to its guesses and the
answers to its answers, weights included, therefore maps every plan to a plan of the same cost: a
first guess is worth the same as any that it is mapped to. Mastermind has 720 * 24 such exchanges
and so five different first guesses; the words of a language have none.

An exchange that also maps every guess of a history to itself, and every answer to one with the same
feedback to them, maps each state after these guesses to itself. So in such a state a guess is worth
the same as any that it is mapped to.

Which exchanges keep a history need not be searched for. If two letters can be exchanged, and one
of them with a third, then all three can: letters (and places) fall into classes, and an exchange
permutes within them. A permutation of places that keeps the guesses of a history forces where each
letter in them goes; the letters that are not in them may go anywhere in their class.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from salet.array_types import Bools, Ints
from salet.game.game import Game

_MOST_ORDERS = 5040
"""permutations of places that are tried; where there are more, exchanges of two only"""
_MOST_KEPT = 1 << 23
"""numbers of guesses in all that are remembered of states"""


class Symmetry:
    """The exchanges that leave a game as it is."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._codes = codes = game.lexicon.codes.astype(np.int64)
        count, length = codes.shape
        letters = len(game.lexicon.alphabet)
        self._worth = np.zeros(count, np.int64)  # what is preserved: answer or not, weight
        self._worth[: game.answer_count] = 1 if game.weights is None else game.weights
        self._known: dict[frozenset[int], tuple[Ints, int]] = {}
        self._letters: list[list[int]] = [[letter] for letter in range(letters)]
        self._places: list[list[int]] = [[place] for place in range(length)]
        if letters**length >= 1 << 62:  # numbers of words would not fit: nothing is merged
            return
        self._base = letters ** np.arange(length)
        numbers = codes @ self._base
        self._order = np.argsort(numbers)
        self._numbers = numbers[self._order]
        # Letters that can be exchanged stand equally often at every place, places that can be
        # hold every letter equally often.
        often = np.zeros((letters, length), np.int64)
        for place in range(length):
            often[:, place] = np.bincount(codes[:, place], minlength=letters)
        self._letters = _classes(letters, lambda a, b: bool((often[a] == often[b]).all())
                                 and self._is_kept(_swap(letters, a, b)[codes]))  # fmt: skip
        self._places = _classes(length, lambda a, b: bool((often[:, a] == often[:, b]).all())
                                and self._is_kept(codes[:, _swap(length, a, b)]))  # fmt: skip

    @functools.cached_property
    def is_none(self) -> bool:
        """Is no letter like another, and no place?"""
        return all(len(group) == 1 for group in (*self._letters, *self._places))

    def first_alike(self, history: Sequence[int] = ()) -> Ints:
        """[guess]: the first guess that is worth the same in a state after these guesses, whatever
        their feedback."""
        return self._kept(history)[0]

    def representatives(self, history: Sequence[int] = ()) -> Bools:
        """[guess]: is it the first of those that are worth the same?"""
        least = self.first_alike(history)
        return np.asarray(least == np.arange(len(least)))

    def size(self, history: Sequence[int] = ()) -> int:
        """How many exchanges keep these guesses."""
        return self._kept(history)[1]

    def _kept(self, history: Sequence[int]) -> tuple[Ints, int]:
        guesses = frozenset(history)
        found = self._known.get(guesses)
        if found is None:
            if len(self._known) * len(self._codes) > _MOST_KEPT:
                self._known.clear()
            found = self._known[guesses] = self._find(sorted(guesses))
        return found

    def _find(self, history: list[int]) -> tuple[Ints, int]:
        least = np.arange(len(self._codes))
        if self.is_none:
            return least, 1
        used = {int(letter) for guess in history for letter in self._codes[guess]}
        free = [[letter for letter in group if letter not in used] for group in self._letters]
        count = math.prod(math.factorial(len(group)) for group in free)
        letters = sum(map(len, self._letters))
        for group in free:
            for a, b in itertools.pairwise(group):
                least = _joined(least, self._image(_swap(letters, a, b)[self._codes]))
        orders = 0
        for order in self._orders():
            renamed = self._forced(history, order)
            if renamed is None:
                continue
            found = self._image(renamed[self._codes[:, order]])
            if all(self._same_feedback(guess, found) for guess in history):
                orders += 1
                least = _joined(least, found)
        return least, count * orders

    def _orders(self) -> Iterator[Ints]:
        """Permutations of places that the game does not notice, the neutral one first."""
        length = self._codes.shape[1]
        if math.prod(math.factorial(len(group)) for group in self._places) > _MOST_ORDERS:
            yield np.arange(length)
            for group in self._places:
                for a, b in itertools.combinations(group, 2):
                    yield _swap(length, a, b)
            return
        for places in itertools.product(*map(itertools.permutations, self._places)):
            order = np.empty(length, np.int64)
            for group, permuted in zip(self._places, places, strict=True):
                order[group] = permuted
            yield order

    def _forced(self, history: list[int], order: Ints) -> Ints | None:
        """Where letters have to go for every guess to stay what it is when its places are
        permuted; None if they cannot."""
        goes: dict[int, int] = {}
        for guess in history:
            word = self._codes[guess]
            for here, there in zip(word[order].tolist(), word.tolist(), strict=True):
                if goes.setdefault(here, there) != there:
                    return None
        if len(set(goes.values())) < len(goes):
            return None
        renamed = np.arange(sum(map(len, self._letters)))
        for group in self._letters:
            for letter in group:
                if goes.get(letter, letter) not in group:
                    return None
        for here, there in goes.items():
            renamed[here] = there
        return renamed

    def _same_feedback(self, guess: int, found: Ints) -> bool:
        """Are answers mapped to answers with the same feedback to the guess?"""
        row = self._game.compiled.ids[guess]
        return bool((row[found[: self._game.answer_count]] == row).all())

    def _is_kept(self, image: Ints) -> bool:
        numbers = image @ self._base
        place = np.searchsorted(self._numbers, numbers).clip(max=len(numbers) - 1)
        if (self._numbers[place] != numbers).any():
            return False  # a word would be none
        return bool((self._worth[self._order[place]] == self._worth).all())

    def _image(self, image: Ints) -> Ints:
        """The guesses that these words are."""
        return np.asarray(self._order[np.searchsorted(self._numbers, image @ self._base)])


def _swap(count: int, a: int, b: int) -> Ints:
    order = np.arange(count)
    order[a], order[b] = b, a
    return order


def _classes(count: int, alike: Callable[[int, int], bool]) -> list[list[int]]:
    """Numbers below `count` by an equivalence."""
    groups: list[list[int]] = []
    for number in range(count):
        for group in groups:
            if alike(group[0], number):
                group.append(number)
                break
        else:
            groups.append([number])
    return groups


def _joined(least: Ints, found: Ints) -> Ints:
    """Every guess with the guess that it is mapped to, and with theirs."""
    while True:
        lower = np.minimum(least, least[found])
        np.minimum.at(lower, found, least)
        lower = lower[lower]
        if (lower == least).all():
            return lower
        least = lower

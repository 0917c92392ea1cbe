"""Games in which guesses can be exchanged for others: Mastermind, Bulls and Cows.

A *symmetry* is a permutation p of the guesses that maps answers to answers and leaves the table as
it is: table[p(g), p(a)] = table[g, a]. Then a plan for a set S of answers, renamed by p, is a plan
of the same total for p(S). Let a state have come about by guesses h1, h2 … that p leaves in place.
An answer a fits its feedback just when p(a) does, since table[h, p(a)] = table[p(h), p(a)] =
table[h, a]; so p(S) = S, and a guess g costs in S what p(g) costs there. Of guesses that such
permutations map to each other one is enough.

Permutations that are made by exchanging letters and exchanging positions are tried; whether they
leave the table as it is, is read from the table, not believed. Products of symmetries are
symmetries, so it is enough to check those that exchange two neighbours.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from salet.arrays import Bools, Indices
from salet.game.game import Game
from salet.game.state import State

MOST = 20_000
"""permutations that are kept"""
HELPFUL = 4
"""so many symmetries left in a state make a search by hand cheaper than one that knows of none"""


class Symmetry:
    """The symmetries of a game, or many of them where there are too many to keep."""

    def __init__(self, permutations: NDArray[np.int32]) -> None:
        self.permutations = permutations
        """[symmetry, guess] -> guess"""

    def helps(self, state: State) -> bool:
        """Do many symmetries keep the history?"""
        return len(self._keeping(state)) >= HELPFUL

    def _keeping(self, state: State) -> NDArray[np.int32]:
        kept = self.permutations
        for guess, _ in state.history:
            kept = kept[kept[:, guess] == guess]
        return kept

    def representatives(self, state: State) -> Bools:
        """[guess]: is it to be tried? A guess is left out where a symmetry that keeps the history
        maps it to an earlier one.

        The earliest of guesses that can be exchanged is never left out; whichever is left out can
        be exchanged for an earlier one, and so, step by step, for one that is not.
        """
        kept = self._keeping(state)
        return np.asarray((kept >= np.arange(kept.shape[1])).all(axis=0))


def symmetry_of(game: Game) -> Symmetry | None:
    """The symmetries of a game in which all letters and all positions can be exchanged; None for
    a game that has none. Only normal mode treats all guesses alike, and only equal weights all
    answers."""
    if game.mode != "normal" or game.weights is not None:
        return None
    codes = game.lexicon.codes.astype(np.int64)
    length, letters = codes.shape[1], len(game.lexicon.alphabet)
    base = letters ** np.arange(length)
    numbers = codes @ base
    order = np.argsort(numbers)

    def permutation(positions: tuple[int, ...], renamed: tuple[int, ...]) -> Indices | None:
        """Where each guess goes; None if one goes to a word that is no guess."""
        images = np.array(renamed)[codes[:, positions]] @ base
        place = np.minimum(np.searchsorted(numbers, images, sorter=order), len(order) - 1)
        found = order[place].astype(np.int32)
        return found if (numbers[found] == images).all() else None

    neutral = (tuple(range(length)), tuple(range(letters)))
    for which, count in enumerate((length, letters)):
        for i in range(count - 1):
            swap = list(range(count))
            swap[i], swap[i + 1] = swap[i + 1], swap[i]
            parts = (tuple(swap), neutral[1]) if which == 0 else (neutral[0], tuple(swap))
            if not _keeps(game, permutation(*parts)):
                return None
    places = list(itertools.permutations(range(length)))
    if len(places) * math.factorial(letters) <= MOST:
        names = list(itertools.permutations(range(letters)))
    else:
        names = [neutral[1], *_exchanges(letters)]
    pairs = itertools.islice(itertools.product(places, names), MOST)
    rows = [permutation(*pair) for pair in pairs]
    return Symmetry(np.array(rows, np.int32))


def _keeps(game: Game, permutation: Indices | None) -> bool:
    """Is it a symmetry?"""
    if permutation is None:
        return False
    answers = permutation[: game.answer_count]
    if (answers >= game.answer_count).any():
        return False
    return bool((game.table[permutation][:, answers] == game.table).all())


def _exchanges(letters: int) -> list[tuple[int, ...]]:
    """Two letters exchanged, all others in place."""
    found = []
    for i, j in itertools.combinations(range(letters), 2):
        swap = list(range(letters))
        swap[i], swap[j] = swap[j], swap[i]
        found.append(tuple(swap))
    return found

"""Guesses that a game cannot tell apart.

Feedback compares places and letters for equality only. So if letters are exchanged for one another
(or places are), in every guess and every answer, feedback stays the same (or its tiles change
places), in every rule and mode. An exchange that maps the guesses of a game to its guesses and the
answers to its answers, weights included, therefore maps every plan to a plan of the same cost: a
first guess is worth the same as any that it is mapped to. Mastermind has 720 * 24 such exchanges
and so five different first guesses; the words of a language have none.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from salet.arrays import Ints
from salet.game.game import Game


def first_alike(game: Game) -> Ints:
    """[guess]: the first guess that is worth the same as the opener, by symmetry."""
    codes = game.lexicon.codes.astype(np.int64)
    count, length = codes.shape
    letters = len(game.lexicon.alphabet)
    if letters**length >= 1 << 62:
        return np.arange(count)
    places = letters ** np.arange(length)
    numbers = codes @ places
    order = np.argsort(numbers)
    worth = np.zeros(count, np.int64)  # what an exchange must preserve: answer or not, weight
    worth[: game.answer_count] = 1 if game.weights is None else game.weights
    least = np.arange(count)
    for image in _exchanges(codes, letters):
        found = order[np.searchsorted(numbers[order], image @ places).clip(max=count - 1)]
        if (numbers[found] == image @ places).all() and (worth[found] == worth).all():
            least = _joined(least, found)
    return least


def _exchanges(codes: Ints, letters: int):  # type: ignore[no-untyped-def]
    """Every exchange of two letters, and of two places: together they make up all others."""
    for a, b in combinations(range(letters), 2):
        swap = np.arange(letters)
        swap[a], swap[b] = b, a
        yield swap[codes]
    for a, b in combinations(range(codes.shape[1]), 2):
        order = np.arange(codes.shape[1])
        order[a], order[b] = b, a
        yield codes[:, order]


def _joined(least: Ints, found: Ints) -> Ints:
    """Every guess with the guess that it is mapped to, and with theirs."""
    while True:
        lower = np.minimum(least, least[found])
        np.minimum.at(lower, found, least)
        lower = lower[lower]
        if (lower == least).all():
            return lower
        least = lower

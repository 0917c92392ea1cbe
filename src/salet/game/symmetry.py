"""Guesses that a game cannot tell apart.

Feedback compares places and letters for equality only. So if letters are exchanged for one another
(or places are), in every guess and every answer, feedback stays the same (or its tiles change
places), in every rule and mode. An exchange that maps the guesses of a game to its guesses and the
answers to its answers, weights included, therefore maps every plan to a plan of the same cost: a
first guess is worth the same as any that it is mapped to. Mastermind has 720 * 24 such exchanges
and so five different first guesses; the words of a language have none.

An exchange that also maps the first guess to itself, and every answer to one with the same feedback
to it, maps each state after the first guess to itself. So in such a state a guess is worth the same
as any that it is mapped to.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from salet.arrays import Ints
from salet.game.game import Game


def first_alike(game: Game, after: int | None = None) -> Ints:
    """[guess]: the first guess that is worth the same, by symmetry, in a new game or (whatever the
    feedback) after a guess."""
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
        if (
            (numbers[found] == image @ places).all()
            and (worth[found] == worth).all()
            and (after is None or _fixes(game, after, found))
        ):
            least = _joined(least, found)
    return least


def _fixes(game: Game, guess: int, found: Ints) -> bool:
    """Does an exchange map the guess to itself and answers to answers with the same feedback?"""
    row = game.compiled.ids[guess]
    return found[guess] == guess and bool((row[found[: game.answer_count]] == row).all())


def _exchanges(codes: Ints, letters: int) -> Iterator[Ints]:
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

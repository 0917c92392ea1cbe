"""Symmetries that a certificate names: openers that they map to each other cost the same.

docs/certificates.md has the proof. This module imports nothing of the search or of the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.errors import DataError

MAX_SYMMETRIES = 1000
"""More than any game needs: swaps of two letters or two positions generate all."""


def orbits(letters: NDArray[Any], weights: NDArray[np.int64], symmetries: Any) -> NDArray[np.int64]:
    """[guess]: the first of the guesses that symmetries map to each other.

    `letters[guess, position]` are ranks in the alphabet; the first guesses are the answers, with
    these `weights`. A symmetry permutes letters and positions, and must map guesses to guesses and
    answers to answers of the same weight.
    """
    if not isinstance(symmetries, list) or len(symmetries) > MAX_SYMMETRIES:
        raise DataError(f"symmetries must be a list of up to {MAX_SYMMETRIES}")
    index = {row.tobytes(): at for at, row in enumerate(letters)}
    first = np.arange(len(letters))
    images = [_image(letters, weights, index, symmetry) for symmetry in symmetries]
    while True:
        before = first.copy()
        for image in images:
            first = np.minimum(first, first[image])
            np.minimum.at(first, image, first.copy())
        if (first == before).all():
            return first


def _image(
    letters: NDArray[Any],
    weights: NDArray[np.int64],
    index: dict[bytes, int],
    symmetry: Any,
) -> NDArray[np.int64]:
    """The guess that each guess is mapped to."""
    answers = len(weights)
    sizes = int(letters.max()) + 1, letters.shape[1]
    is_pair = isinstance(symmetry, list) and len(symmetry) == 2
    if not is_pair or not all(map(_is_permutation, symmetry, sizes)):
        raise DataError("a symmetry does not permute the letters and the positions")
    new_letters, positions = symmetry
    words = np.array(new_letters, letters.dtype)[letters][:, positions]
    image = np.array([index.get(word.tobytes(), -1) for word in words])
    is_onto = (image >= 0).all() and (image[:answers] < answers).all()
    if not is_onto or (weights[image[:answers]] != weights).any():
        raise DataError("a symmetry does not map the game to itself")
    return image


def _is_permutation(numbers: Any, size: int) -> bool:
    return (
        isinstance(numbers, list)
        and all(type(number) is int for number in numbers)
        and sorted(numbers) == list(range(size))
    )

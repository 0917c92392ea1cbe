"""Symmetries that a certificate names: openers that they map to each other cost the same.

docs/certificates.md has the proof. This module imports nothing of the search or of the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.errors import DataError


def orbits(letters: NDArray[Any], weights: NDArray[np.int64], symmetries: Any) -> NDArray[np.int64]:
    """[guess]: the first of the guesses that symmetries map to each other.

    `letters[guess, position]` are ranks in the alphabet; the first guesses are the answers, with
    these `weights`. A symmetry permutes letters and positions, and must map guesses to guesses and
    answers to answers of the same weight.
    """
    index = {row.tobytes(): at for at, row in enumerate(letters)}
    first = np.arange(len(letters))
    images = [_image(letters, weights, index, *symmetry) for symmetry in symmetries]
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
    new_letters: Any,
    positions: Any,
) -> NDArray[np.int64]:
    """The guess that each guess is mapped to."""
    answers = len(weights)
    if sorted(new_letters) != list(range(len(new_letters))) or len(new_letters) <= letters.max():
        raise DataError("a symmetry does not permute the letters")
    if sorted(positions) != list(range(letters.shape[1])):
        raise DataError("a symmetry does not permute the positions")
    words = np.array(new_letters)[letters][:, positions]
    image = np.array([index.get(word.tobytes(), -1) for word in words])
    is_onto = (image >= 0).all() and (image[:answers] < answers).all()
    if not is_onto or (weights[image[:answers]] != weights).any():
        raise DataError("a symmetry does not map the game to itself")
    return image

"""Legal guesses of many games at once: what `salet.game.modes.narrow` keeps, as masks.

`narrow` gathers the guesses that stay, one game at a time. Here a hint is a few demands, and a
demand is one pass over all words, side by side: "this letter here", "not here", "at least so
often", "just so often". The passes are functions of their own, for only so do they become SIMD
code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Codes, Indices
from salet.numeric.jit import kernel

Mask = NDArray[np.uint8]


class Words(NamedTuple):
    """What a kernel needs to know of the words and the rule to tell what the mode allows."""

    by_position: Codes
    """by_position[position, word] = letter"""
    counts: Codes
    """counts[letter, word]: how often the letter occurs in the word"""
    counted: bool
    """do tiles tell how often a letter occurs?"""
    strict: bool
    """strict mode? (else hard)"""


@kernel
def _keep_equal(mask: Mask, row: Codes, value: Any) -> None:
    for g in range(mask.shape[0]):
        mask[g] &= np.uint8(row[g] == value)


@kernel
def _keep_others(mask: Mask, row: Codes, value: Any) -> None:
    for g in range(mask.shape[0]):
        mask[g] &= np.uint8(row[g] != value)


@kernel
def _keep_at_least(mask: Mask, row: Codes, value: Any) -> None:
    for g in range(mask.shape[0]):
        mask[g] &= np.uint8(row[g] >= value)


@kernel
def _narrow_by_places(words: Words, mask: Mask, guess: int, colours: Indices) -> None:
    """Greens stay; in strict mode no other letter of the guess stays where it was."""
    for i in range(colours.shape[0]):
        here = words.by_position[i]
        if colours[i] == 2:
            _keep_equal(mask, here, here[guess])
        elif words.strict:
            _keep_others(mask, here, here[guess])


@kernel
def _narrow_by_counts(words: Words, mask: Mask, guess: int, colours: Indices) -> None:
    """Every letter as often as it was revealed; in strict mode a grey says that this was all."""
    letters = words.by_position[:, guess]
    for i in range(colours.shape[0]):
        is_first, coloured, greys, greens, yellow_after_grey = True, 0, 0, 0, False
        for j in range(colours.shape[0]):
            if letters[j] == letters[i]:
                is_first &= j >= i
                coloured += colours[j] > 0
                greens += colours[j] == 2
                greys += colours[j] == 0
                yellow_after_grey |= colours[j] == 1 and greys > 0
        if not is_first:
            continue
        row = words.counts[letters[i]]
        least = coloured if words.counted else min(coloured, 1)
        if words.strict and greys > 0:
            # uncounted, a grey letter occurs nowhere; counted, yellows go to its first tiles
            if (coloured > 0 and not words.counted) or yellow_after_grey:
                mask[:] = 0
            _keep_equal(mask, row, np.uint8(least))
        elif least > greens:  # the greens stay, so as many are there already
            _keep_at_least(mask, row, np.uint8(least))


@kernel
def narrow_masks(
    words: Words, guesses: Indices, codes: Indices, starts: Indices, turns: Indices, masks: Mask
) -> None:
    """Strike out what the turns from `starts` up to `turns` forbid: masks[game, guess].

    A code is a pattern of tiles, written in the base of three with the first tile last.
    """
    colours = np.empty(words.by_position.shape[0], np.int32)
    for b in range(turns.shape[0]):
        for turn in range(starts[b], turns[b]):
            code = codes[b, turn]
            for i in range(colours.shape[0]):
                colours[i] = code % 3
                code //= 3
            _narrow_by_places(words, masks[b], guesses[b, turn], colours)
            _narrow_by_counts(words, masks[b], guesses[b, turn], colours)

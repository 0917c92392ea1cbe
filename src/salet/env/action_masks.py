"""Legal guesses of many games at once: what `salet.game.modes.narrow` keeps, as masks.

`narrow` gathers the guesses that stay legal, one game at a time. Here a hint becomes a few
constraints ("this letter here", "not here", "at least this often", "exactly this often"), and each
constraint is one pass over all words. The passes are functions of their own because only then does
the compiler vectorise them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Bools, Codes, Indices
from salet.env.game_arrays import Histories
from salet.game.game import Game
from salet.numeric.jit import kernel

Mask = NDArray[np.uint8]


def legal_masks(game: Game, histories: Histories) -> Bools:
    """masks[game, guess]: whether the guess is legal; in normal mode one row for all games."""
    if game.mode == "normal":
        return np.ones((1, len(game.lexicon)), bool)
    masks = np.ones((len(histories.turns), len(game.lexicon)), bool)
    _narrow(game, histories, np.zeros_like(histories.turns), masks)
    return masks


def update_masks(game: Game, histories: Histories, masks: Bools) -> None:
    """Bring the masks of hard or strict mode up to date, in place, after at most one more guess.

    Only the last turn is applied; applying the same turn twice changes nothing.
    """
    masks[histories.turns == 0] = True
    _narrow(game, histories, np.maximum(histories.turns - 1, 0), masks)


class MaskRules(NamedTuple):
    """The words and the rule, as far as they decide what the mode allows."""

    by_position: Codes
    """by_position[position, word] = letter"""
    counts: Codes
    """counts[letter, word]: number of times the letter occurs in the word"""
    counts_letters: bool
    """whether tiles tell how often a letter occurs"""
    strict: bool
    """strict mode rather than hard"""


def _narrow(game: Game, histories: Histories, starts: Indices, masks: Bools) -> None:
    """Apply the turns from `starts` on to `masks`, in place."""
    rules = MaskRules(
        game.lexicon.by_position,
        game.lexicon.counts,
        game.rule.counts_letters,
        game.mode == "strict",
    )
    dense = game.compiled.dense_codes
    codes = histories.patterns if dense is None else dense[histories.patterns].astype(np.int32)
    _narrow_masks(rules, histories.guesses, codes, starts, histories.turns, masks.view(np.uint8))


@kernel
def _narrow_masks(
    rules: MaskRules, guesses: Indices, codes: Indices, starts: Indices, turns: Indices, masks: Mask
) -> None:
    """Clear what the turns from `starts` up to `turns` forbid in masks[game, guess].

    A code is a pattern of tiles in base three, the first tile in the lowest digit.
    """
    colours = np.empty(rules.by_position.shape[0], np.int32)
    for b in range(turns.shape[0]):
        for turn in range(starts[b], turns[b]):
            code = codes[b, turn]
            for i in range(colours.shape[0]):
                colours[i] = code % 3
                code //= 3
            _narrow_by_position(rules, masks[b], guesses[b, turn], colours)
            _narrow_by_count(rules, masks[b], guesses[b, turn], colours)


@kernel
def _narrow_by_position(rules: MaskRules, mask: Mask, guess: int, colours: Indices) -> None:
    """Keep greens in place; in strict mode no other letter may be repeated in its position."""
    for i in range(colours.shape[0]):
        here = rules.by_position[i]
        if colours[i] == 2:
            _keep_equal(mask, here, here[guess])
        elif rules.strict:
            _keep_unequal(mask, here, here[guess])


@kernel
def _narrow_by_count(rules: MaskRules, mask: Mask, guess: int, colours: Indices) -> None:
    """Require each letter as often as it was revealed; in strict mode a grey means no more."""
    letters = rules.by_position[:, guess]
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
        row = rules.counts[letters[i]]
        required = coloured if rules.counts_letters else min(coloured, 1)
        if rules.strict and greys > 0:
            # without counting, a grey letter occurs nowhere; with it, yellows come before greys
            if (coloured > 0 and not rules.counts_letters) or yellow_after_grey:
                mask[:] = 0
            _keep_equal(mask, row, np.uint8(required))
        elif required > greens:  # the greens alone are ensured by position
            _keep_at_least(mask, row, np.uint8(required))


@kernel
def _keep_equal(mask: Mask, row: Codes, value: Any) -> None:
    for g in range(mask.shape[0]):
        mask[g] &= np.uint8(row[g] == value)


@kernel
def _keep_unequal(mask: Mask, row: Codes, value: Any) -> None:
    for g in range(mask.shape[0]):
        mask[g] &= np.uint8(row[g] != value)


@kernel
def _keep_at_least(mask: Mask, row: Codes, value: Any) -> None:
    for g in range(mask.shape[0]):
        mask[g] &= np.uint8(row[g] >= value)

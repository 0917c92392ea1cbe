"""Traps: words that differ in one letter, more of them than guesses are left to try them in."""

from __future__ import annotations

import numpy as np

from salet.array_types import Ints
from salet.coach.advice import Trap
from salet.coach.likelihood import likely_first
from salet.game.game import Game
from salet.game.notation import TILES
from salet.game.state import State
from salet.search.splits import splits

UNCAPPED = 4
"""without a cap so many words of one shape are a trap"""
SPLITTERS = 3
SHARE = 5
"""a trap matters once one in so many of the remaining words is in it"""
LISTED = 2


def traps_of(state: State, likely: Ints) -> list[Trap]:
    """The traps that matter now, the largest first; `likely` weighs every guess."""
    game = state.game
    left = state.guesses_left
    least = UNCAPPED if left is None else max(left + 1, 3)
    least = max(least, -(-len(state.candidates) // SHARE))
    if game.rule.notation is not TILES or len(state.candidates) < least:
        return []
    families: dict[tuple[int, bytes], list[int]] = {}
    for place in state.candidates.tolist():
        codes = game.lexicon.codes[place]
        for blank in range(game.length):
            shape = codes.copy()
            shape[blank] = 0
            families.setdefault((blank, shape.tobytes()), []).append(place)
    large = [item for item in families.items() if len(item[1]) >= least]
    large.sort(key=lambda item: (-len(item[1]), _shape(game, item[1][0], item[0][0])))
    return [_trap(state, family, blank, likely) for (blank, _), family in large[:LISTED]]


def _shape(game: Game, place: int, blank: int) -> str:
    letters = [game.lexicon.alphabet[code].upper() for code in game.lexicon.codes[place]]
    letters[blank] = "_"
    return "".join(letters)


def _trap(state: State, family: list[int], blank: int, likely: Ints) -> Trap:
    """A family of words as a trap, with the guesses that split it best."""
    game = state.game
    places = np.array(family, np.int32)
    split = splits(State(game, places, state.history, state.previous))
    # the most groups; of equal ones the likeliest word
    best = split.guesses[split.parts == split.parts.max()]
    return Trap(
        shape=_shape(game, family[0], blank),
        words=[game.guesses[place] for place in likely_first(places, likely)],
        guesses_left=state.guesses_left,
        splitters=[game.guesses[guess] for guess in likely_first(best, likely)[:SPLITTERS]],
        groups=int(split.parts.max()),
    )

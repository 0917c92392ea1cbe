"""Traps: words that differ in one letter, more of them than guesses are left to try them in."""

from __future__ import annotations

import numpy as np

from salet.array_types import Ints
from salet.coach.advice import Trap
from salet.coach.likelihood import likely_first
from salet.game.notation import TILES
from salet.game.state import State
from salet.search.splits import splits

UNCAPPED = 4
"""without a cap so many words of one shape are a trap"""
SPLITTERS = 3


def traps_of(state: State, likely: Ints) -> list[Trap]:
    """Every trap of a state, the largest first; `likely` weighs every guess."""
    game = state.game
    left = state.guesses_left
    least = UNCAPPED if left is None else max(left + 1, 3)
    if game.rule.notation is not TILES or len(state.candidates) < least:
        return []
    families: dict[tuple[int, bytes], list[int]] = {}
    for place in state.candidates.tolist():
        codes = game.lexicon.codes[place]
        for blank in range(game.length):
            shape = codes.copy()
            shape[blank] = 0
            families.setdefault((blank, shape.tobytes()), []).append(place)
    found = []
    for (blank, _), family in families.items():
        if len(family) < least:
            continue
        places = np.array(family, np.int32)
        letters = [game.lexicon.alphabet[code].upper() for code in game.lexicon.codes[family[0]]]
        letters[blank] = "_"
        split = splits(State(game, places, state.history, state.previous))
        # the most groups; of equal ones the likeliest word
        best = split.guesses[split.parts == split.parts.max()]
        found.append(
            Trap(
                shape="".join(letters),
                words=[game.guesses[place] for place in likely_first(places, likely)],
                guesses_left=left,
                splitters=[game.guesses[g] for g in likely_first(best, likely)[:SPLITTERS]],
                groups=int(split.parts.max()),
            )
        )
    return sorted(found, key=lambda trap: (-len(trap.words), trap.shape))

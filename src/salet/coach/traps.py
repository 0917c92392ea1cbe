"""Traps: words that differ in one letter, more of them than guesses are left."""

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
"""Number of words of one shape that make a trap in a game without a cap."""
SPLITTERS = 3
SHARE = 5
"""Reciprocal of the smallest share of the remaining words that makes a trap worth reporting."""
LISTED = 2


def traps_of(state: State, likely: Ints) -> list[Trap]:
    """The traps worth reporting, largest first; `likely` is a weight for every guess."""
    game = state.game
    left = state.guesses_left
    min_size = UNCAPPED if left is None else max(left + 1, 3)
    min_size = max(min_size, -(-len(state.candidates) // SHARE))
    if game.rule.notation is not TILES or len(state.candidates) < min_size:
        return []
    families: dict[tuple[int, bytes], list[int]] = {}
    for index in state.candidates.tolist():
        codes = game.lexicon.codes[index]
        for blank in range(game.length):
            shape = codes.copy()
            shape[blank] = 0
            families.setdefault((blank, shape.tobytes()), []).append(index)
    large = [item for item in families.items() if len(item[1]) >= min_size]
    large.sort(key=lambda item: (-len(item[1]), _shape(game, item[1][0], item[0][0])))
    return [_trap(state, family, blank, likely) for (blank, _), family in large[:LISTED]]


def _shape(game: Game, index: int, blank: int) -> str:
    letters = [game.lexicon.alphabet[code].upper() for code in game.lexicon.codes[index]]
    letters[blank] = "_"
    return "".join(letters)


def _trap(state: State, family: list[int], blank: int, likely: Ints) -> Trap:
    """A family of words as a trap, with the guesses that split it best."""
    game = state.game
    indices = np.array(family, np.int32)
    split = splits(State(game, indices, state.history, state.previous))
    best = split.guesses[split.parts == split.parts.max()]
    return Trap(
        shape=_shape(game, family[0], blank),
        words=[game.guesses[index] for index in likely_first(indices, likely)],
        guesses_left=state.guesses_left,
        splitters=[game.guesses[guess] for guess in likely_first(best, likely)[:SPLITTERS]],
        groups=int(split.parts.max()),
    )

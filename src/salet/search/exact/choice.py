"""Which guess a state's value belongs to: the first of the equally good ones, or all of them.

Ties go to a candidate, then to the game's order. The value of the state is known; a guess reaches
it just when a search with beta = value + 1 returns value. Guesses whose bound is above the value
are never searched.

This is plain Python around the one compiled search: a second kernel that contains the search would
double the time that compiling takes.
"""

from __future__ import annotations

import numpy as np

from salet.arrays import Ints
from salet.search.exact.engine import NEXT_GUESS, PEEK, search
from salet.search.exact.model import (
    BEST,
    BETA,
    COUNT,
    DEPTH,
    FORCED,
    INF,
    LEGAL,
    LEVEL,
    LOWER,
    MOST,
    NORMAL,
    POS,
    SIZE,
    START,
    TRIED,
    Game,
    Stack,
)
from salet.search.exact.transpositions import Bounds

_NO_LIMIT = 1 << 60


def forced(game: Game, stack: Stack, bounds: Bounds, guess: int, beta: int) -> int:
    """The total of one guess in the bottom state: exact if below beta, else at least beta."""
    frame = stack.frame[0]
    frame[BETA] = beta
    frame[BEST], frame[LOWER], frame[POS], frame[COUNT] = INF, 0, 0, 1
    frame[LEVEL], frame[TRIED], frame[FORCED], frame[MOST] = -1, 0, 1, frame[SIZE]
    stack.order[0, 0] = guess
    stack.wide[0, guess] = 0
    stack.stats[7] = 0
    _, _, value = search(game, stack, bounds, NEXT_GUESS, _NO_LIMIT)
    return int(value)


def _promising(game: Game, stack: Stack, bounds: Bounds, value: int) -> Ints:
    """The legal guesses whose bound does not exceed the value of the bottom state, by name, in the
    game's order."""
    frame = stack.frame[0]
    guesses = game.table.shape[0]
    legal = np.arange(guesses) if game.mode == NORMAL else stack.legal[0, : frame[LEGAL]]
    if frame[DEPTH] > 2:  # with two guesses left each is valued at once: all are tried
        frame[BETA] = value + 1
        stack.stats[7] = 0
        search(game, stack, bounds, PEEK, _NO_LIMIT)
        if frame[LEVEL] < 0:
            legal = stack.order[0, : frame[COUNT]]
        else:
            bound = 2 * int(frame[SIZE]) - 1 + stack.narrow[0, : len(legal)].astype(np.int64)
            legal = legal[bound <= value]
    found: Ints = np.sort(game.names[legal])
    return found


def equal_guesses(
    game: Game, stack: Stack, bounds: Bounds, place: Ints, value: int, most: int
) -> list[int]:
    """Up to `most` guesses (by name) that reach the value of the bottom state (of three answers or
    more, with two guesses left or more), in the order of ties."""
    frame = stack.frame[0]
    members = stack.answers[0, frame[START] : frame[START] + frame[SIZE]].copy()
    names = _promising(game, stack, bounds, value)
    is_candidate = np.isin(names, members)
    found: list[int] = []
    for name in [*names[is_candidate], *names[~is_candidate]]:
        patterns = game.table[place[name], members]
        if (patterns == patterns[0]).all():
            continue  # tells nothing apart: in no plan [bounds.py, useful depth]
        if forced(game, stack, bounds, int(place[name]), value + 1) <= value:
            found.append(int(name))
            if len(found) == most:
                break
    return found

"""Which guess a state's value belongs to: the first of the equally good ones, or all of them.

Ties go to a candidate, then to the game's order. The value of the state is known; a guess reaches
it just when a search with beta = value + 1 returns value. Guesses whose bound is above the value
are never searched.

This is plain Python around the one compiled search: a second kernel that contains the search would
double the time that compiling takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Ints
from salet.search.exact.engine import NEXT_GUESS, PEEK, search
from salet.search.exact.model import (
    BEST,
    BETA,
    COUNT,
    DEPTH,
    FORCED,
    GUESS,
    INF,
    LEGAL,
    LEVEL,
    LEVEL_NOW,
    LOWER,
    MOST,
    NORMAL,
    ONE_GUESS,
    POS,
    SIZE,
    START,
    TRIED,
    Game,
    Stack,
)
from salet.search.exact.transpositions import Bounds

_NO_LIMIT = 1 << 60
_FEW = 64
"""Up to so many answers looking at the candidates alone is quick."""


def forced(
    game: Game, stack: Stack, bounds: Bounds, guess: int, beta: int, kind: int = ONE_GUESS
) -> int:
    """The total of one guess in the bottom state: exact if below beta, else at least beta."""
    frame = stack.frame[0]
    frame[BETA] = beta
    frame[BEST], frame[LOWER], frame[POS], frame[COUNT] = INF, 0, 0, 1
    frame[LEVEL], frame[TRIED], frame[FORCED], frame[MOST] = -1, 0, kind, frame[SIZE]
    stack.order[0, 0] = guess
    stack.wide[0, guess] = 0
    stack.part_nodes[:] = 0
    stack.stats[LEVEL_NOW] = 0
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
        stack.stats[LEVEL_NOW] = 0
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
    if game.unit and frame[DEPTH] > 2 and len(members) <= _FEW:
        # often a candidate will do, and no other guess need be looked at
        legal = _legal_candidates(game, stack, members)
        bound = 3 * len(members) - 1 - _parts(game.table[place[legal]][:, members])
        first = legal[bound <= value]
        found = _reaching(game, stack, bounds, place[first], value, most)
        names = _promising(game, stack, bounds, value) if len(found) < most else first
    else:
        names = _promising(game, stack, bounds, value)
        first = names[np.isin(names, members)]
        found = _reaching(game, stack, bounds, place[first], value, most)
    if len(found) < most:
        others = names[~np.isin(names, members)]
        found += _reaching(game, stack, bounds, place[others], value, most - len(found))
    return [int(game.names[guess]) for guess in found]


def _reaching(
    game: Game, stack: Stack, bounds: Bounds, guesses: Ints, value: int, most: int
) -> list[int]:
    """Up to `most` of the guesses that reach the value of the bottom state, in the order given.

    All are the guesses of one search that wants less than value + 1. The bound of each is said to
    be `value`: so once one has reached it, the search passes over the others and ends.
    """
    frame, count = stack.frame[0], len(guesses)
    stack.order[0, :count] = guesses
    stack.wide[0, guesses] = value
    frame[BETA], frame[COUNT], frame[POS] = value + 1, count, 0
    frame[LEVEL], frame[LOWER], frame[FORCED], frame[MOST] = -1, 0, 1, frame[SIZE]
    found: list[int] = []
    while frame[POS] < count and len(found) < most:
        frame[BEST], frame[TRIED] = INF, 0  # a beam looks at each of them, too
        stack.stats[LEVEL_NOW] = 0
        search(game, stack, bounds, NEXT_GUESS, _NO_LIMIT)
        if frame[BEST] <= value:
            found.append(int(frame[GUESS]))
            frame[POS] = np.flatnonzero(guesses == frame[GUESS])[0] + 1
    return found


def _legal_candidates(game: Game, stack: Stack, members: NDArray[np.int32]) -> Ints:
    """The answers of the bottom state that may be guessed, in the game's order."""
    names = np.sort(members).astype(np.int64)
    if game.mode != NORMAL:
        legal = game.names[stack.legal[0, : stack.frame[0, LEGAL]]]
        names = names[np.isin(names, legal)]
    return names


def _parts(patterns: Any) -> Ints:
    """Into how many parts each row splits."""
    ordered = np.sort(patterns, axis=1)
    parts: Ints = 1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1)
    return parts

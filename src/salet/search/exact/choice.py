"""Which guess a state's value belongs to: the first of the equally good ones, or all of them.

Ties go to a candidate, then to the game's order. The value of the state is known; a guess reaches
it just when a search with beta = value + 1 returns value. Guesses whose bound is above the value
are never searched.
"""

from __future__ import annotations

import numpy as np

from salet.jit import kernel
from salet.search.exact.engine import NEXT_GUESS, open_state, search
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
)


@kernel
def promising(game, stack, value, marks):
    """marks[name] = 1 for every legal guess whose bound does not exceed the value of the state
    at the bottom of the stack (of at least three answers, with at least two guesses left)."""
    frame = stack.frame[0]
    n, d = frame[SIZE], frame[DEPTH]
    names = game.names
    count = frame[LEGAL] if game.mode != NORMAL else game.table.shape[0]
    legal = stack.legal[0]
    for name in range(marks.shape[0]):
        marks[name] = 0
    if d <= 2:  # the scan for two guesses left keeps no bounds: all are tried, each at once
        for x in range(count):
            g = x if game.mode == NORMAL else legal[x]
            marks[names[g]] = 1
        return
    frame[BETA] = value + 1
    open_state(game, stack, 0)
    if frame[LEVEL] < 0:
        for i in range(frame[COUNT]):
            marks[names[stack.order[0, i]]] = 1
    else:
        for x in range(count):
            if 2 * n - 1 + stack.narrow[0, x] <= value:
                g = x if game.mode == NORMAL else legal[x]
                marks[names[g]] = 1


@kernel
def forced(game, stack, bounds, guess, beta):
    """The total of one guess in the bottom state: exact if below beta, else at least beta."""
    frame = stack.frame[0]
    frame[BETA] = beta
    frame[BEST], frame[LOWER], frame[POS], frame[COUNT] = INF, 0, 0, 1
    frame[LEVEL], frame[TRIED], frame[FORCED], frame[MOST] = -1, 0, 1, frame[SIZE]
    stack.order[0, 0] = guess
    stack.wide[0, guess] = 0
    stack.stats[7] = 0
    _, _, value = search(game, stack, bounds, NEXT_GUESS, np.int64(1) << 60)
    return value


@kernel
def _splits(game, stack, guess):
    """Does the guess tell the answers of the bottom state apart at all? One that does not is left
    out of every plan [bounds.py, useful depth]."""
    frame = stack.frame[0]
    row = game.table[guess]
    first = row[stack.answers[0, frame[START]]]
    for i in range(frame[START] + 1, frame[START] + frame[SIZE]):
        if row[stack.answers[0, i]] != first:
            return True
    return False


@kernel
def equal_guesses(game, stack, bounds, place, value, marks, found, most):
    """Fill `found` with up to `most` guesses (by name) that reach the value, in the order of ties.

    Return how many there are.
    """
    frame = stack.frame[0]
    start, n = frame[START], frame[SIZE]
    promising(game, stack, value, marks)
    kept = 0
    for turn in range(2):  # candidates first, then everything else
        if turn == 0:
            for i in range(start, start + n):
                marks[stack.answers[0, i]] *= 3  # 3: a promising candidate
        for name in range(marks.shape[0]):
            wanted = 3 if turn == 0 else 1
            if marks[name] != wanted or not _splits(game, stack, place[name]):
                continue
            if forced(game, stack, bounds, place[name], value + 1) <= value:
                found[kept] = name
                kept += 1
                if kept == most:
                    return kept
    return kept

"""The guesses that reach the value of a state: the first of them, or all.

Ties go to a candidate, then to the game's order. The value of the state is known, and a guess
reaches it just when a search with beta = value + 1 returns value. Guesses whose bound is above the
value are never searched.

This is plain Python around the one compiled search: a second kernel that contains the search would
double the time that compiling takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from salet.array_types import Indices, Ints
from salet.search.exact.engine import EXPAND_ONLY, NEXT_GUESS
from salet.search.exact.layout import INF, NORMAL, Layout
from salet.search.exact.stack import ONE_GUESS, Stack

MAX_CANDIDATES_FIRST = 64
"""Largest state whose candidates are tried before any other guess is looked at."""

Run = Callable[[int], int]
"""Runs the search from a phase; returns the value of the bottom frame."""


def tied_guesses(layout: Layout, stack: Stack, value: int, limit: int, run: Run) -> list[int]:
    """Up to `limit` guesses (in the game's numbering) that reach the value of the bottom state,
    which has three answers or more and two guesses left or more, in the order of ties."""
    frame = stack.frames[0]
    members = stack.answers[0, frame.start : frame.start + frame.count].copy()
    if layout.unit and frame.depth > 2 and len(members) <= MAX_CANDIDATES_FIRST:
        legal = _legal_candidates(layout, stack, members)
        parts = _count_parts(layout.table[layout.index_of[legal]][:, members])
        first = legal[3 * len(members) - 1 - parts <= value]  # [guess bound]
        found = _reaching(stack, layout.index_of[first], value, limit, run)
        promising = _promising(layout, stack, value, run) if len(found) < limit else first
    else:
        promising = _promising(layout, stack, value, run)
        first = promising[np.isin(promising, members)]
        found = _reaching(stack, layout.index_of[first], value, limit, run)
    if len(found) < limit:
        others = layout.index_of[promising[~np.isin(promising, members)]]
        found += _reaching(stack, others, value, limit - len(found), run)
    return [int(layout.original[guess]) for guess in found]


def _promising(layout: Layout, stack: Stack, value: int, run: Run) -> Ints:
    """The legal guesses (in the game's numbering and order) whose bound is not above `value`."""
    frame = stack.frames[0]
    legal = _legal(layout, stack)
    if frame.depth > 2:  # with two guesses left a guess has no bound, only a value
        frame.beta = value + 1
        stack.counters[0].level = 0
        run(EXPAND_ONLY)
        if frame.is_sorted:
            legal = stack.queue[0, : frame.queued]
        else:
            bounds = 2 * int(frame.count) - 1 + stack.repeats[0, : len(legal)].astype(np.int64)
            legal = legal[bounds <= value]
    found: Ints = np.sort(layout.original[legal])
    return found


def _reaching(stack: Stack, guesses: Indices, value: int, limit: int, run: Run) -> list[int]:
    """Up to `limit` of the guesses that reach the value of the bottom state, in the order given.

    They become the sorted queue of one frame that wants totals below value + 1. The bound of each
    is said to be `value`: once one has reached it, the others are passed over and the search ends.
    """
    frame, count = stack.frames[0], len(guesses)
    stack.queue[0, :count] = guesses
    stack.bounds[0, guesses] = value
    frame.kind, frame.beta, frame.lower, frame.is_sorted = ONE_GUESS, value + 1, 0, 1
    frame.max_parts = frame.max_peel = frame.count
    frame.queued, frame.taken = count, 0
    found: list[int] = []
    while frame.taken < count and len(found) < limit:
        frame.best, frame.tried = INF, 0  # even a beam looks at each of them
        stack.counters[0].level = 0
        run(NEXT_GUESS)
        if frame.best <= value:
            found.append(int(frame.guess))
            frame.taken = int(np.flatnonzero(guesses == frame.guess)[0]) + 1
    return found


def _legal(layout: Layout, stack: Stack) -> Indices:
    """The legal guesses of the bottom state."""
    if layout.mode == NORMAL:
        return np.arange(layout.table.shape[0], dtype=np.int32)
    return stack.legal[0, : stack.frames[0].legal]


def _legal_candidates(layout: Layout, stack: Stack, members: Indices) -> Ints:
    """The candidates of the bottom state that may be guessed, in the game's order."""
    candidates = np.sort(members).astype(np.int64)
    if layout.mode != NORMAL:
        candidates = candidates[np.isin(candidates, layout.original[_legal(layout, stack)])]
    return candidates


def _count_parts(patterns: Any) -> Ints:
    """The number of different patterns in each row."""
    ordered = np.sort(patterns, axis=1)
    parts: Ints = 1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1)
    return parts

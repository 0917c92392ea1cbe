"""A state split by a guess: its parts, and what is known of each before searching it."""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import lean_kernel
from salet.search.exact.bounds import cheap_bound, lost
from salet.search.exact.legality import child_key
from salet.search.exact.model import (
    BOUND_HITS,
    CACHE,
    CANDIDATES,
    DEPTH,
    DEPTH_BOUND,
    EXACT_HITS,
    INF,
    MOST,
    NEXT,
    PARTS,
    PROBES,
    SIZE,
    SMALL_FIRST,
    START,
    SUM,
    TODO,
    WEIGHT,
)
from salet.search.exact.transpositions import probe


@lean_kernel
def begin_guess(game, stack, table, level, guess, beta):
    """Split the state by a guess, bound the parts, list those not yet exact. Return the sum (a
    lower bound of the guess).
    """
    split(stack, level, game.table[guess])
    return bound_parts(game, stack, table, level, guess, beta)


@lean_kernel
def split(stack, level, row):
    """The parts of the state: answers with the same number in `row`, in order of first
    appearance.
    """
    frame = stack.frame[level]
    start, n = frame[START], frame[SIZE]
    members = stack.answers[level]
    children = stack.answers[level + 1]
    count, pattern = stack.tally, stack.part_pattern[level]
    starts, sizes = stack.part_start[level], stack.part_size[level]
    parts = 0
    for i in range(start, start + n):
        p = row[members[i]]
        if count[p] == 0:
            pattern[parts] = p
            parts += 1
        count[p] += 1
    at = 0
    for j in range(parts):
        p = pattern[j]
        sizes[j] = count[p]
        starts[j] = at
        at += count[p]
        count[p] = starts[j]
    for i in range(start, start + n):
        a = members[i]
        p = row[a]
        children[count[p]] = a
        count[p] += 1
    for j in range(parts):
        count[pattern[j]] = 0
    frame[PARTS] = parts


@lean_kernel
def bound_parts(game, stack, table, level, guess, beta):
    """Bound the parts of a split, list those not yet exact. Return the sum."""
    frame = stack.frame[level]
    weight, d, parts = frame[WEIGHT], frame[DEPTH], frame[PARTS]
    children = stack.answers[level + 1]
    pattern, starts, sizes, owns, lowers, todo = (
        stack.part_pattern[level],
        stack.part_start[level],
        stack.part_size[level],
        stack.part_weight[level],
        stack.part_lower[level],
        stack.todo[level],
    )
    weights = game.weights
    # 1. What sizes alone tell.
    # A total is refuted sooner by many small parts, a cap by the largest.
    large_first = game.feasible == 1 or game.without & SMALL_FIRST
    total = weight
    todos = 0
    for j in range(parts):
        if pattern[j] == game.win:
            lowers[j] = 0
            continue
        m = sizes[j]
        first = weights[children[starts[j]]]
        if game.unit == 1:
            own = np.int64(m)
        else:
            own = np.int64(0)
            for i in range(starts[j], starts[j] + m):
                own += weights[children[i]]
        owns[j] = own
        if d == 1:
            lower = lost(game.loss, own)
        elif d == 2:
            lower = own + lost(game.loss, own - first)
        else:
            lower = 2 * own - first
            if d == 3 and m > frame[MOST] and not game.without & DEPTH_BOUND:
                lower += lost(
                    game.loss, np.int64(m) - frame[MOST]
                )  # [bounds.py, one guess to tell apart]
            if m > 2:
                i = todos
                while i > 0 and (sizes[todo[i - 1]] < m if large_first else sizes[todo[i - 1]] > m):
                    todo[i] = todo[i - 1]
                    i -= 1
                todo[i] = j
                todos += 1
        lowers[j] = lower
        total = min(total + lower, INF)
    if total >= beta:
        return total
    # 2. Candidates of each part, and what the table remembers, small parts first.
    left = 0
    for i in range(todos):
        j = todo[i]
        m = sizes[j]
        part = children[starts[j] : starts[j] + m]
        lower, exact = lowers[j], False
        if not game.without & CANDIDATES:
            cheap, exact = cheap_bound(game, stack, part, m, owns[j], d - 1)
            lower = max(lower, cheap)
        if not exact and not game.without & CACHE:
            key0, key1 = state_key(game, stack, level, guess, pattern[j], part, m, d - 1)
            low, high = probe(table, key0, key1)
            exact = low == high or (game.feasible == 1 and 0 <= high < INF)
            stack.stats[PROBES] += 1
            stack.stats[EXACT_HITS] += exact
            stack.stats[BOUND_HITS] += not exact and low > lower
            lower = max(lower, low)
        if not exact:
            todo[left] = j
            left += 1
        total = min(total - lowers[j] + lower, INF)
        lowers[j] = lower
        if total >= beta:
            return total
    frame[TODO] = left
    frame[NEXT] = 0
    frame[SUM] = total
    return total


@lean_kernel
def state_key(game, stack, level, guess, pattern, part, m, d):
    """The 128-bit key of a child. A depth beyond the number of answers never binds [bounds.py,
    useful depth].
    """
    key0, key1 = child_key(game, stack, level, guess, pattern)
    keys = game.keys
    for i in range(m):
        key0 += keys[part[i], 0]
        key1 += keys[part[i], 1]
    depth = min(d, m)
    return key0 + game.depth_keys[depth, 0], key1 + game.depth_keys[depth, 1]

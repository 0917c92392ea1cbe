"""Split a state by a guess, and bound the parts before they are searched."""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import inlined_kernel, lean_kernel
from salet.search.exact.bounds import candidates_bound, capacity_bound, price_of
from salet.search.exact.layout import INF
from salet.search.exact.legality import legal_key_after
from salet.search.exact.transposition_table import probe

MAX_CANDIDATES = 24
"""Size of the largest part whose candidates are tried for a bound before it is searched. In larger
parts such a bound is seldom exact, and expanding the part finds it again."""


@inlined_kernel
def try_guess(layout, stack, table, level, guess, beta):
    """Split a state by a guess and bound the parts. Returns a lower bound of the guess; below beta,
    the parts that are not known exactly are listed in `open_parts`.
    """
    split(stack, level, layout.table[guess])
    return bound_parts(layout, stack, table, level, guess, beta)


@lean_kernel
def split(stack, level, row):
    """Sort the answers of a state into parts, in the order in which their patterns first occur."""
    frame = stack.frames[level]
    start, n = frame.start, frame.count
    members, children = stack.answers[level], stack.answers[level + 1]
    tally, patterns = stack.tally, stack.part_pattern[level]
    starts, counts = stack.part_start[level], stack.part_count[level]
    parts = 0
    for i in range(start, start + n):
        p = row[members[i]]
        if tally[p] == 0:
            patterns[parts] = p
            parts += 1
        tally[p] += 1
    at = 0
    for j in range(parts):
        p = patterns[j]
        counts[j] = tally[p]
        starts[j] = at
        at += tally[p]
        tally[p] = starts[j]
    for i in range(start, start + n):
        a = members[i]
        p = row[a]
        children[tally[p]] = a
        tally[p] += 1
    for j in range(parts):
        tally[patterns[j]] = 0
    frame.parts = parts


@inlined_kernel
def bound_parts(layout, stack, table, level, guess, beta):
    """Bound the parts of a split. Returns their sum with the cost of the guess itself."""
    frame = stack.frames[level]
    patterns, starts, counts, part_weights, lowers, open_parts = (
        stack.part_pattern[level],
        stack.part_start[level],
        stack.part_count[level],
        stack.part_weight[level],
        stack.part_lower[level],
        stack.open_parts[level],
    )
    depth = frame.depth - 1  # guesses left for each part
    # 1. What sizes and weights alone tell. Parts to be searched are sorted by size: small ones
    #    refute a total soonest, and a cap, too.
    total, opened = frame.weight, 0
    for j in range(frame.parts):
        if patterns[j] == layout.win:
            lowers[j] = 0
            continue
        lowers[j] = size_bound_of_part(layout, stack, level, j, depth)
        total = min(total + lowers[j], INF)
        m = counts[j]
        if depth >= 2 and m > 2:
            i = opened
            while i > 0 and counts[open_parts[i - 1]] > m:
                open_parts[i] = open_parts[i - 1]
                i -= 1
            open_parts[i] = j
            opened += 1
    if total >= beta:
        return total
    # 2. What the candidates of each part and the transposition table tell.
    still_open = 0
    for i in range(opened):
        j = open_parts[i]
        m = counts[j]
        part = stack.answers[level + 1, starts[j] : starts[j] + m]
        lower, is_exact = lowers[j], False
        if m <= MAX_CANDIDATES or depth == 2:
            lower, is_exact = candidates_bound(layout, stack, part, m, part_weights[j], depth)
            lower = max(lower, lowers[j])
        if not is_exact:
            key0, key1 = state_key(layout, stack, level, guess, patterns[j], part, m, depth)
            low, high = probe(table, key0, key1)
            is_exact = low == high or (layout.feasible == 1 and 0 <= high < INF)
            counters = stack.counters[0]
            counters.probes += 1
            counters.exact_hits += is_exact
            counters.bound_hits += not is_exact and low > lower
            lower = max(lower, low)
        if not is_exact:
            open_parts[still_open] = j
            still_open += 1
        total = min(total - lowers[j] + lower, INF)
        lowers[j] = lower
        if total >= beta:
            return total
    frame.open_parts = still_open
    frame.next_part = 0
    frame.total = total
    return total


@inlined_kernel
def size_bound_of_part(layout, stack, level, j, depth):
    """Store the weight of part j, and return what it costs at least with `depth` guesses left."""
    frame = stack.frames[level]
    start, m = stack.part_start[level, j], np.int64(stack.part_count[level, j])
    part = stack.answers[level + 1, start : start + m]
    weight = m
    if layout.unit == 0:
        weight = np.int64(0)
        for i in range(m):
            weight += layout.weights[part[i]]
    stack.part_weight[level, j] = weight
    if depth == 0:
        return price_of(layout.loss, weight)
    if depth >= 2 and m <= min(frame.max_parts, frame.max_peel + 1):
        return 2 * weight - layout.weights[part[0]]  # [size bound]: what [capacity] comes to
    return capacity_bound(layout, part, m, weight, depth, frame.max_parts, frame.max_peel)


@inlined_kernel
def state_key(layout, stack, level, guess, pattern, part, m, depth):
    """The 128-bit key of the state after a guess and its pattern. Guesses left beyond the number of
    answers make no difference [useful depth].
    """
    key0, key1 = legal_key_after(layout, stack, level, guess, pattern)
    keys = layout.answer_keys
    for i in range(m):
        key0 += keys[part[i], 0]
        key1 += keys[part[i], 1]
    depth = min(depth, m)
    return key0 + layout.depth_keys[depth, 0], key1 + layout.depth_keys[depth, 1]

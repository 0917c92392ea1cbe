"""Expand a state: bound every legal guess, and return the guesses in the order to try them.

There are two cases. In a *small* state (unit weights, bounds that fit a byte) one scan counts the
repeats of all guesses at once, and guesses are queued bound by bound, as far as they are needed. In
a *large* or weighted state each guess gets a histogram of its own, and all guesses below beta are
sorted once.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import inlined_kernel, lean_kernel
from salet.search.exact.bounds import capacity_bound, price_of
from salet.search.exact.layout import INF, NORMAL
from salet.search.exact.legality import narrow_legal
from salet.search.exact.scan import (
    count_repeats,
    gather,
    largest_part,
    mark_repeats,
    sum_of_squares,
)
from salet.search.exact.sorting import sort_by_key
from salet.search.exact.stack import ALL_GUESSES

ALWAYS_PAIRWISE = 200
"""Largest set for which rows are always compared pairwise; larger sets only when `limit` is small,
so that most blocks are left early."""
MAX_SMALL = 254
"""Largest small state: 1 + repeats fits a byte."""
BOUNDS_AT_A_TIME = 16
"""Guesses with one of the next 1 + n / BOUNDS_AT_A_TIME bounds are queued together."""
SORTED_FROM = 25
"""Size of the smallest state in which guesses queued together are sorted by the sizes of parts."""
MAX_PARTS_OF_FAMILY = 8
"""If no guess makes more parts, the answers may be a family that can only be tried one by one, and
it is worth counting the answers outside each guess's largest part [capacity]."""


@lean_kernel
def expand(layout, stack, level):
    """Bound every legal guess of a state with three answers or more and two guesses left or more.

    Returns (value, is_exact) if that settles the state: its value, or a lower bound that is not
    below beta. Otherwise (-1, False), and `next_guess` hands out the guesses.
    """
    frame = stack.frames[level]
    if layout.mode != NORMAL and level > 0:
        narrow_legal(layout, stack, level)
    frame.best = INF
    frame.kind = ALL_GUESSES
    frame.guess = frame.best_guess = -1
    frame.tried = frame.queued = frame.taken = frame.unsorted_scans = 0
    frame.max_parts = frame.max_peel = frame.count
    stack.counters[0].nodes += 1
    if layout.unit == 1 and frame.count <= MAX_SMALL:
        return expand_small(layout, stack, level)
    return expand_large(layout, stack, level)


# ---- small states


@inlined_kernel
def expand_small(layout, stack, level):
    """`expand` for unit weights and at most MAX_SMALL answers."""
    frame = stack.frames[level]
    n, depth, beta = frame.count, frame.depth, frame.beta
    members = stack.answers[level, frame.start : frame.start + n]
    # 1. Count repeats. From `limit` on they are of no use, and need not be exact. With one guess
    #    left after this, every repeat is an answer lost: where none may be, one is too many.
    limit = np.uint8(255)
    if depth > 2:
        limit = np.uint8(max(min(beta - 2 * n + 2, 255), 0))
    elif layout.loss >= INF:
        limit = np.uint8(3)
    fewest, least = count_all_repeats(layout, stack, level, members, n, limit)
    # 2. With two guesses left that is the value [two guesses left].
    if depth == 2:
        return value_with_two_guesses(layout, stack, level, members, n, least), True
    # 3. Bound the state: every guess takes at least 2n - 1 + least [guess bound].
    frame.max_parts = n + 1 - fewest
    if n > 2 * frame.max_parts and frame.max_parts <= MAX_PARTS_OF_FAMILY:
        frame.max_peel = max_peel(layout, stack, level, members, n)
    frame.lower = 2 * n - 1 + least
    if n > frame.max_parts:
        capacity = capacity_bound(layout, members, n, n, depth, frame.max_parts, frame.max_peel)
        frame.lower = max(frame.lower, capacity)
    if frame.lower >= beta:
        return frame.lower, False
    frame.is_sorted = 0
    frame.next_bound = least
    return np.int64(-1), False


@inlined_kernel
def count_all_repeats(layout, stack, level, members, n, limit):
    """repeats[level, x] = 1 + n - k - w of every legal guess: exact below limit - 1, else at least
    that. Returns the minimum of 1 + n - k, and the minimum of `repeats`.
    """
    repeats, legal = stack.repeats[level], stack.legal[legal_level(layout, level)]
    guesses = layout.table.shape[0]
    count = legal_count(layout, stack, level)
    # Where most guesses are legal all are scanned; otherwise the legal ones are copied together.
    dense = 4 * count <= guesses
    columns, packed, rows = layout.columns, layout.packed, members
    width = guesses
    if dense:
        gather(layout.columns, members, n, legal, count, stack.gathered)
        columns, packed, rows = stack.gathered, stack.gathered_packed, stack.natural
        width = count
    if n <= ALWAYS_PAIRWISE or 4 * (limit + 8) < n or layout.win > 255:  # marks are for bytes
        count_repeats(columns, rows, n, width, repeats, stack.block, limit)
    else:
        mark_repeats(packed, rows, n, width, repeats, stack.block)
    if not dense and count < guesses:
        for x in range(count):
            repeats[x] = repeats[legal[x]]
    fewest = np.uint8(255)
    for x in range(count):
        fewest = min(fewest, repeats[x])
    least = fewest
    if count == guesses:
        for i in range(n):
            x = layout.guess_of[members[i]]
            repeats[x] -= 1
            least = min(least, repeats[x])
    else:
        mark_candidates(layout, stack, members, n, 1)
        for x in range(count):
            repeats[x] -= stack.is_candidate[legal[x]]
            least = min(least, repeats[x])
        mark_candidates(layout, stack, members, n, 0)
    return np.int64(fewest), np.int64(least)


@lean_kernel
def value_with_two_guesses(layout, stack, level, members, n, least):
    """The value of a state with two guesses left, from its repeats: n - k answers are lost."""
    repeats, legal = stack.repeats[level], stack.legal[legal_level(layout, level)]
    value = np.int64(INF)
    mark_candidates(layout, stack, members, n, 1)
    for x in range(legal_count(layout, stack, level)):
        if repeats[x] <= least + 1:
            found = np.int64(stack.is_candidate[x if layout.mode == NORMAL else legal[x]])
            lost = np.int64(repeats[x]) - 1 + found
            value = min(value, 2 * n - found + price_of(layout.loss, lost))
    mark_candidates(layout, stack, members, n, 0)
    return value


@lean_kernel
def max_peel(layout, stack, level, members, n):
    """The most answers that any legal guess cuts off its largest part [capacity]."""
    legal = stack.legal[legal_level(layout, level)]
    smallest = np.int64(n)
    for x in range(legal_count(layout, stack, level)):
        g = x if layout.mode == NORMAL else legal[x]
        smallest = min(smallest, largest_part(layout.table[g], members, n, stack.tally))
    return n - smallest


# ---- large states


@inlined_kernel
def expand_large(layout, stack, level):
    """`expand` for weighted states, and for more than MAX_SMALL answers."""
    frame = stack.frames[level]
    n, weight, depth = frame.count, frame.weight, frame.depth
    members = stack.answers[level, frame.start : frame.start + n]
    legal = stack.legal[legal_level(layout, level)]
    queue, keys, tally, bounds = (
        stack.queue[level],
        stack.sort_keys,
        stack.tally,
        stack.bounds[level],
    )
    # 1. Bound every guess that is not idle.
    queued = 0
    lowest = exact_value = np.int64(INF)
    max_parts, smallest = np.int64(1), np.int64(n)
    for x in range(legal_count(layout, stack, level)):
        g = x if layout.mode == NORMAL else legal[x]
        row = layout.table[g]
        heads = squares = parts = largest = np.int64(0)
        for i in range(n):
            a = members[i]
            p = row[a]
            c = tally[p]
            squares += 2 * c + 1
            if c == 0:  # members come by weight, descending: the heaviest of its part
                heads += layout.weights[a]
                parts += 1
            tally[p] = c + 1
            largest = max(largest, c + 1)
        won = np.int64(0)
        if tally[layout.win] == 1:
            for i in range(n):
                if layout.guess_of[members[i]] == g:
                    won = layout.weights[members[i]]
        for p in range(layout.win + 1):
            tally[p] = 0
        max_parts, smallest = max(max_parts, parts), min(smallest, largest)
        if largest == n:
            continue  # idle
        if depth == 2:
            value = 2 * weight - won + price_of(layout.loss, weight - heads)
            exact_value = min(exact_value, value)
            continue
        bound = 3 * weight - won - heads
        lowest = min(lowest, bound)
        if bound < frame.beta:
            queue[queued] = g
            bounds[g] = bound
            keys[queued] = (bound * n + 2 * squares) * 16384 + x
            queued += 1
    if depth == 2:
        return exact_value, True
    # 2. Bound the state, and sort the guesses.
    frame.max_parts, frame.max_peel = max_parts, n - smallest
    capacity = capacity_bound(layout, members, n, weight, depth, max_parts, n - smallest)
    frame.lower = max(lowest, capacity)
    if frame.lower >= frame.beta:
        return frame.lower, False
    sort_by_key(keys, queue, queued)
    frame.queued = queued
    frame.is_sorted = 1
    return np.int64(-1), False


# ---- the queue of guesses


@inlined_kernel
def next_guess(layout, stack, level):
    """The next guess to try in a state, or -1 if no other can have a total below beta."""
    frame = stack.frames[level]
    if layout.width > 0 and frame.tried >= layout.width:
        return np.int64(-1)
    beta = min(frame.beta, frame.best)
    if frame.is_sorted == 1:
        return next_sorted(stack, level, beta)
    n, repeats = frame.count, stack.repeats[level]
    while True:
        while frame.taken < frame.queued:
            x = stack.queue[level, frame.taken]
            frame.taken += 1
            if 2 * n - 1 + repeats[x] < beta:
                return np.int64(x) if layout.mode == NORMAL else np.int64(stack.legal[level, x])
        limit = min(beta - 2 * n + 1, n)  # no bound from this on is of use; n is that of idle ones
        if frame.next_bound >= limit:
            return np.int64(-1)
        if layout.width == 1:
            queue_best(layout, stack, level, limit)
        else:
            queue_next_bounds(layout, stack, level, limit)


@inlined_kernel
def next_sorted(stack, level, beta):
    """The next guess of a sorted queue whose bound is below beta, or -1."""
    frame = stack.frames[level]
    while frame.taken < frame.queued:
        guess = stack.queue[level, frame.taken]
        frame.taken += 1
        if stack.bounds[level, guess] < beta:
            return np.int64(guess)
    return np.int64(-1)


@inlined_kernel
def queue_next_bounds(layout, stack, level, limit):
    """Queue the guesses of the next bounds (below `limit`) of a small state."""
    frame = stack.frames[level]
    n, repeats, queue = frame.count, stack.repeats[level], stack.queue[level]
    # A beam takes the best of all guesses, so it queues them all.
    step = 1 + n // BOUNDS_AT_A_TIME if layout.width == 0 else n
    low = np.uint8(frame.next_bound)
    span = np.uint8(min(step, limit - frame.next_bound))
    count = legal_count(layout, stack, level)
    queued = 0
    for base in range(0, count, 64):
        end = min(base + 64, count)
        hit = np.uint8(0)
        for x in range(base, end):
            hit |= np.uint8(np.uint8(repeats[x] - low) < span)
        if hit:
            for x in range(base, end):
                if np.uint8(repeats[x] - low) < span:
                    queue[queued] = x
                    queued += 1
    if (n >= SORTED_FROM or layout.width > 0) and queued > 1:
        members = stack.answers[level, frame.start : frame.start + n]
        for i in range(queued):
            x = queue[i]
            g = x if layout.mode == NORMAL else stack.legal[level, x]
            squares = sum_of_squares(layout.table[g], members, n, stack.tally)
            stack.sort_keys[i] = ((repeats[x] * n + 2 * squares) << 32) + x
        sort_by_key(stack.sort_keys, queue, queued)
    frame.queued = queued
    frame.taken = 0
    frame.next_bound += step


@inlined_kernel
def queue_best(layout, stack, level, limit):
    """Queue the one guess that a beam of width 1 tries in a small state: the first in the order of
    `queue_next_bounds`, without computing the sizes of all parts.

    n answers in k parts have a sum of squares of n**2 / k at least, and k <= n + 1 - repeats: so
    guesses of many repeats are passed over as soon as a good one is known.
    """
    frame = stack.frames[level]
    n, repeats = frame.count, stack.repeats[level]
    members = stack.answers[level, frame.start : frame.start + n]
    count = legal_count(layout, stack, level)
    best = np.int64(INF)
    bound = frame.next_bound
    while bound < limit and bound * n + 2 * (n * n // (n + 1 - bound)) <= best >> 32:
        for base in range(0, count, 64):
            end = min(base + 64, count)
            hit = np.uint8(0)
            for x in range(base, end):
                hit |= np.uint8(repeats[x] == bound)
            if hit:
                for x in range(base, end):
                    if repeats[x] == bound:
                        g = x if layout.mode == NORMAL else stack.legal[level, x]
                        squares = sum_of_squares(layout.table[g], members, n, stack.tally)
                        best = min(best, ((bound * n + 2 * squares) << 32) + x)
        bound += 1
    frame.queued = 0
    if best < INF:
        stack.queue[level, 0] = best & 0xFFFFFFFF
        frame.queued = 1
    frame.taken = 0
    frame.next_bound = limit


# ---- shared


@lean_kernel
def legal_level(layout, level):
    """The row of `stack.legal` for a level: normal mode has but one."""
    return 0 if layout.mode == NORMAL else level


@lean_kernel
def legal_count(layout, stack, level):
    """The number of legal guesses of a state."""
    return layout.table.shape[0] if layout.mode == NORMAL else stack.frames[level].legal


@lean_kernel
def mark_candidates(layout, stack, members, n, value):
    """Set (or clear) the marks of the guesses that are candidates."""
    for i in range(n):
        stack.is_candidate[layout.guess_of[members[i]]] = value

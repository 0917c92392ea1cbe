"""A quick lower bound on an opener: the sum over its parts of the best guess bound in each.

Unit weights, and four guesses left or more. A part of m answers costs at least 2m - 1 + r, where r
is the minimum of 1 + m - k - w over its legal guesses [guess bound]. A whole proof decides most
openers by this bound, without searching any of their parts; and so does the search of a large state
with most of its guesses.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import inlined_kernel, lean_kernel
from salet.search.exact.expand import mark_candidates
from salet.search.exact.layout import INF, NORMAL, STRICT
from salet.search.exact.legality import legal_key_after, narrow_legal
from salet.search.exact.scan import fewest_repeats, gather
from salet.search.exact.scan_order import (
    SORT_AFTER,
    fewest_repeats_of_rows,
    find_rows,
    sort_for_scans,
)
from salet.search.exact.similar_sets import lower_bound, remember
from salet.search.exact.sorting import sort_by_key
from salet.search.exact.split import state_key, try_guess
from salet.search.exact.stack import ONE_GUESS_IN_ROUNDS, log_bound
from salet.search.exact.transposition_table import store

MIN_REMEMBERED = 8
"""Smaller sets are scanned sooner than similar ones are found."""
MIN_DEPTH = 4
"""Guesses left from which the bound holds."""
MIN_RATE = -1e12
"""Of parts that no plan solves within the cap, whose bound is infinite."""
MAX_PARTS = 1 << 14
"""More than the parts of any guess: makes sort keys distinct."""


@lean_kernel
def can_scan_parts(layout, stack, level, beta):
    """Does `opener_bound` hold in a state, and is it worth its time?

    A log has no room for as many facts as it finds between two states.
    """
    frame = stack.frames[level]
    return (
        frame.count >= layout.large
        and frame.depth >= MIN_DEPTH
        and beta < INF
        and layout.unit == 1
        and layout.win < 256
        and layout.feasible == 0
        and layout.width == 0
        and frame.kind != ONE_GUESS_IN_ROUNDS
        and stack.log.shape[0] == 0
    )


@inlined_kernel
def opener_bound(layout, stack, table, level, guess, target):
    """A lower bound of a guess in the state on a level; at least `target` if scans of its parts can
    show that.

    Parts are first bounded by similar sets (not in strict mode), then scanned, the most promising
    first.
    """
    total = try_guess(layout, stack, table, level, guess, target)
    if total >= target:
        return total
    frame = stack.frames[level]
    frame.guess = guess
    sets, gains = stack.similar, stack.gains
    counts, starts, lowers, open_parts = (
        stack.part_count[level],
        stack.part_start[level],
        stack.part_lower[level],
        stack.open_parts[level],
    )
    count = frame.open_parts
    use_similar = layout.mode != STRICT
    # 1. Similar sets.
    for i in range(count):
        j = open_parts[i]
        stack.part_gain[j] = 0
        m = np.int64(counts[j])
        if use_similar and m >= MIN_REMEMBERED and total < target:
            members = stack.answers[level + 1, starts[j] : starts[j] + m]
            key, _ = legal_key_after(layout, stack, level, guess, stack.part_pattern[level, j])
            lower = lower_bound(sets, key, members, m)
            gain = lower - lowers[j]
            if gain > 0:
                total += gain
                lowers[j] = lower
                stack.part_gain[j] = gain
    if total >= target:
        log_gains(layout, stack, table, level, total - target)
        return total
    # 2. Sort the parts by expected gain for the time that a scan takes.
    for i in range(count):
        j = open_parts[i]
        m = np.int64(counts[j])
        microseconds = min(0.05 * m * m + 3.0 * m, 2000.0)
        gain = gains[min(m, gains.shape[0] - 1)] * m - (lowers[j] - 2 * m + 1)
        rate = max(1e6 * gain / microseconds, MIN_RATE)
        stack.sort_keys[i] = (-np.int64(rate)) * MAX_PARTS + i
    sort_by_key(stack.sort_keys, open_parts, count)
    # 3. Scan them, and remember what was found.
    if frame.unsorted_scans >= SORT_AFTER:
        sort_scans_of_state(layout, stack, level)
    for i in range(count):
        j = open_parts[i]
        m = np.int64(counts[j])
        members = stack.answers[level + 1, starts[j] : starts[j] + m]
        repeats = fewest_repeats_of_part(layout, stack, level, j)
        stack.counters[0].scans += 1
        lower = max(lowers[j], 2 * m - 1 + repeats)
        size = min(m, gains.shape[0] - 1)
        gains[size] += 0.1 * (repeats / m - gains[size])
        total += lower - lowers[j]
        lowers[j] = lower
        stack.part_gain[j] = 0
        keep_bound(layout, stack, table, level, j)
        if use_similar and m >= MIN_REMEMBERED:
            key, _ = legal_key_after(layout, stack, level, guess, stack.part_pattern[level, j])
            remember(sets, key, members, m, m + 1 - repeats)
        if total >= target:
            log_gains(layout, stack, table, level, total - target)
            break
    frame.total = total
    return total


@inlined_kernel
def keep_bound(layout, stack, table, level, j):
    """Store the lower bound of part j of the current guess of `level` in the table and the log."""
    frame, child = stack.frames[level], stack.frames[level + 1]
    start, m = stack.part_start[level, j], np.int64(stack.part_count[level, j])
    child.played, child.pattern = frame.guess, stack.part_pattern[level, j]
    members = stack.answers[level + 1, start : start + m]
    key0, key1 = state_key(
        layout, stack, level, child.played, child.pattern, members, m, frame.depth - 1
    )
    store(table, key0, key1, stack.part_lower[level, j], np.int64(INF))
    log_bound(stack, level + 1, stack.part_lower[level, j])


@inlined_kernel
def log_gains(layout, stack, table, level, surplus):
    """Log what similar sets add to the parts of the current guess, as far as it is needed: small
    gains are left out up to `surplus`.

    A fact of a certificate must follow from the set itself. What a similar set T' shows of T does:
    a legal guess makes at most parts(T') + x parts of T, and one more if it is a candidate outside
    T'. So the guess bound of T is no less than the bound of similar_sets.py.
    """
    if stack.log.shape[0] == 0:
        return
    open_parts = stack.open_parts[level]
    count = stack.frames[level].open_parts
    for i in range(count):
        stack.sort_keys[i] = stack.part_gain[open_parts[i]] * MAX_PARTS + i
    sort_by_key(stack.sort_keys, open_parts, count)
    for i in range(count):
        j = open_parts[i]
        gain = stack.part_gain[j]
        if gain <= surplus:
            surplus -= gain
        else:
            keep_bound(layout, stack, table, level, j)


@inlined_kernel
def fewest_repeats_of_part(layout, stack, level, j):
    """The minimum of 1 + m - k - w over the legal guesses of part j of the current guess of
    `level`.

    Where most guesses are legal all of them are scanned: more guesses can only lower a lower bound.
    """
    start, m = stack.part_start[level, j], np.int64(stack.part_count[level, j])
    members = stack.answers[level + 1, start : start + m]
    guesses = layout.table.shape[0]
    count = guesses
    if layout.mode != NORMAL:
        child = stack.frames[level + 1]
        child.played, child.pattern = stack.frames[level].guess, stack.part_pattern[level, j]
        narrow_legal(layout, stack, level + 1)
        count = child.legal
    if 4 * count > guesses or m > stack.gathered.shape[0]:
        return fewest_repeats_of_any(layout, stack, level, members, m)
    mark_candidates(layout, stack, members, m, 1)
    legal = stack.legal[level + 1]
    gather(layout.columns, members, m, legal, count, stack.gathered)
    for x in range(count):
        stack.gathered_max_parts[x] = layout.max_parts[legal[x]]
        stack.gathered_candidate[x] = stack.is_candidate[legal[x]]
    fewest = fewest_repeats(
        stack.gathered,
        stack.gathered_packed,
        stack.natural,
        m,
        stack.gathered_max_parts,
        count,
        stack.gathered_candidate,
        stack.counts,
        stack.block,
    )
    mark_candidates(layout, stack, members, m, 0)
    return fewest


@inlined_kernel
def fewest_repeats_of_any(layout, stack, level, members, m):
    """The minimum of 1 + m - k - w over all guesses, for a part of the state on a level."""
    guesses = layout.table.shape[0]
    if find_rows(stack.scan_order, members, m):
        return fewest_repeats_of_rows(stack.scan_order, m, guesses, stack.counts, stack.block)
    stack.frames[level].unsorted_scans += 1
    mark_candidates(layout, stack, members, m, 1)
    fewest = fewest_repeats(
        layout.columns,
        layout.packed,
        members,
        m,
        layout.max_parts,
        guesses,
        stack.is_candidate,
        stack.counts,
        stack.block,
    )
    mark_candidates(layout, stack, members, m, 0)
    return fewest


@inlined_kernel
def sort_scans_of_state(layout, stack, level):
    """Sort the guesses for scans of the parts of the state on a level [scan_order.py]. For the
    whole game they are in the best order already."""
    frame, order = stack.frames[level], stack.scan_order
    frame.unsorted_scans = 0
    n = frame.count
    if n < layout.table.shape[1] and n <= order.columns.shape[0]:
        members = stack.answers[level, frame.start : frame.start + n]
        sort_for_scans(layout, order, members, n, stack.counts, stack.block, stack.sort_keys)

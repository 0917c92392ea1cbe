"""The best opener over all guesses, proved."""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import lean_kernel
from salet.search.exact.legality import child_legal
from salet.search.exact.model import (
    DEPTH,
    GUESS,
    INF,
    LEGAL,
    NORMAL,
    PATTERN,
    PLAYED,
    SCANS,
    TODO,
)
from salet.search.exact.neighbours import learn, minhash, teach
from salet.search.exact.opening import mark, sort_by_key
from salet.search.exact.parts import begin_guess, state_key
from salet.search.exact.scan import fewest_repeats, gather
from salet.search.exact.transpositions import store

SMALL = 8
"""Sets of fewer answers are not worth remembering."""
MANY = 1 << 14
"""More than the parts of any split that is looked at together: makes keys distinct."""


@lean_kernel
def part_bound(game, stack, level, j):
    """The least 1 + m - k - w over the guesses legal in part j of the current guess of `level`
    (normal mode: and all counts).

    Where most guesses are legal all of them are scanned: more guesses can only lower a lower
    bound.
    """
    start, m = stack.part_start[level, j], np.int64(stack.part_size[level, j])
    members = stack.answers[level + 1, start : start + m]
    guesses = game.reach.shape[0]
    count = guesses
    if game.mode != NORMAL:
        child = stack.frame[level + 1]
        child[PLAYED], child[PATTERN] = stack.frame[level, GUESS], stack.part_pattern[level, j]
        child_legal(game, stack, level + 1)
        count = child[LEGAL]
    mark(game, stack, members, m, 1)
    if 4 * count > guesses or m > stack.local.shape[0]:
        least = fewest_repeats(
            game.rows,
            game.packed,
            members,
            m,
            game.reach,
            guesses,
            stack.member,
            stack.counts,
            stack.seen,
        )
    else:
        legal = stack.legal[level + 1]
        gather(game.rows, members, m, legal, count, stack.local)
        for x in range(count):
            stack.local_reach[x] = game.reach[legal[x]]
            stack.local_member[x] = stack.member[legal[x]]
        least = fewest_repeats(
            stack.local,
            stack.local_packed,
            stack.natural,
            m,
            stack.local_reach,
            count,
            stack.local_member,
            stack.counts,
            stack.seen,
        )
    mark(game, stack, members, m, 0)
    return least


@lean_kernel
def second_level(game, stack, table, library, hopes, opener, target):
    """A lower bound of an opener, at least `target` if that is possible without searching deeper
    (unit weights, d >= 4).

    Each part of m answers costs at least 2m - 1 + least, where least = min over guesses of 1 + m
    - k - w. First what the neighbours of the part tell (normal mode only), then scans, the most
    promising parts first. `hopes` learns what a scan gains.
    """
    total = begin_guess(game, stack, table, 0, opener, target)
    if total >= target:
        return total
    stack.frame[0, GUESS] = opener
    frame = stack.frame[0]
    sizes, starts, lowers, todo = (
        stack.part_size[0],
        stack.part_start[0],
        stack.part_lower[0],
        stack.todo[0],
    )
    count = frame[TODO]
    normal = game.mode == NORMAL
    if normal:
        for i in range(count):
            j = todo[i]
            m = np.int64(sizes[j])
            if m >= SMALL:
                lower = learn(library, stack.answers[1, starts[j] : starts[j] + m], m)
                if lower > lowers[j]:
                    total += lower - lowers[j]
                    lowers[j] = lower
                    if total >= target:
                        return total
    for i in range(count):  # gain hoped for, by cost
        j = todo[i]
        m = np.int64(sizes[j])
        cost = min(0.05 * m * m + 0.8 * m, 2000.0)  # about microseconds
        gain = hopes[min(m, hopes.shape[0] - 1)] * m - (lowers[j] - 2 * m + 1)
        stack.sort_key[i] = (-np.int64(1e6 * gain / cost)) * MANY + i
    sort_by_key(stack.sort_key, todo, count)
    for i in range(count):
        j = todo[i]
        m = np.int64(sizes[j])
        members = stack.answers[1, starts[j] : starts[j] + m]
        least = part_bound(game, stack, 0, j)
        stack.stats[SCANS] += 1
        lower = max(lowers[j], 2 * m - 1 + least)
        h = min(m, hopes.shape[0] - 1)
        hopes[h] += 0.1 * (least / m - hopes[h])
        key0, key1 = state_key(
            game, stack, 0, opener, stack.part_pattern[0, j], members, m, frame[DEPTH] - 1
        )
        store(table, key0, key1, np.int64(lower), np.int64(INF))
        if normal and m >= SMALL:
            minhash(library, members, m)
            teach(library, members, m, m + 1 - least)
        total += lower - lowers[j]
        lowers[j] = lower
        if total >= target:
            break
    return total

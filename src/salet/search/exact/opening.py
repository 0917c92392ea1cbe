"""A state is opened: which guesses it may have, each with a bound, and in which order they are
tried.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import lean_kernel
from salet.search.exact.bounds import lost
from salet.search.exact.legality import child_legal
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
    LIMIT,
    LOWER,
    MOST,
    NODES,
    NORMAL,
    ORDER,
    POS,
    SIZE,
    START,
    TRIED,
    WEIGHT,
)
from salet.search.exact.scan import count_repeats, gather, mark_repeats, sum_of_squares

PAIRWISE = 200
"""Up to so many answers rows are compared pairwise whatever the limit, above only if it is low."""
NARROW = 254
"""Up to so many answers repeats fit into a byte, and guesses are tried bound by bound; above they
are sorted once."""
STEP = 16
"""Guesses of the next 1 + n / STEP bounds are collected at a time."""
SQUARES = 25
"""From so many answers on, guesses collected together are ordered by the sizes of their parts."""


@lean_kernel
def sort_by_key(keys, items, n):
    """Sort items ascending by distinct keys, in place (a heap: no memory, no surprises)."""
    for root in range(n // 2 - 1, -1, -1):
        sift(keys, items, root, n)
    for end in range(n - 1, 0, -1):
        keys[0], keys[end] = keys[end], keys[0]
        items[0], items[end] = items[end], items[0]
        sift(keys, items, 0, end)


@lean_kernel
def sift(keys, items, root, n):
    key, item = keys[root], items[root]
    while True:
        child = 2 * root + 1
        if child >= n:
            break
        if child + 1 < n and keys[child + 1] > keys[child]:
            child += 1
        if keys[child] <= key:
            break
        keys[root], items[root] = keys[child], items[child]
        root = child
    keys[root], items[root] = key, item


@lean_kernel
def mark(game, stack, members, n, value):
    """Mark the guesses that are candidates (or take the marks away)."""
    for i in range(n):
        stack.member[game.own[members[i]]] = value


@lean_kernel
def scan(game, stack, members, n, legal, count, narrow, limit):
    """narrow[x] = 1 + n - k - w for the legal guesses (w: 1 for a candidate): exact below
    limit - 1, else at least that."""
    guesses = game.table.shape[0]
    if game.mode == NORMAL or 4 * count > guesses:
        if n <= PAIRWISE or 4 * (limit + 8) < n or game.win > 255:  # marks are for bytes
            count_repeats(game.rows, members, n, guesses, narrow, stack.seen, limit)
        else:
            mark_repeats(game.packed, members, n, guesses, narrow, stack.seen)
        for i in range(n):
            narrow[game.own[members[i]]] -= 1
        if count < guesses:
            for x in range(count):
                narrow[x] = narrow[legal[x]]
        return
    gather(game.rows, members, n, legal, count, stack.local)
    if n <= PAIRWISE or 4 * (limit + 8) < n or game.win > 255:  # marks are for bytes
        count_repeats(stack.local, stack.natural, n, count, narrow, stack.seen, limit)
    else:
        mark_repeats(stack.local_packed, stack.natural, n, count, narrow, stack.seen)
    mark(game, stack, members, n, 1)
    for x in range(count):
        narrow[x] -= stack.member[legal[x]]
    mark(game, stack, members, n, 0)


@lean_kernel
def open_state(game, stack, level):
    """Bound every legal guess of the state. Return (value, exact): a value to return at once, or
    (-1, False) to go on.
    """
    frame = stack.frame[level]
    start, n, weight, d, beta = frame[START], frame[SIZE], frame[WEIGHT], frame[DEPTH], frame[BETA]
    members = stack.answers[level][start : start + n]
    guesses = game.table.shape[0]
    if game.mode != NORMAL and level > 0:
        child_legal(game, stack, level)
    legal = stack.legal[level if game.mode != NORMAL else 0]  # normal mode keeps one row
    count = frame[LEGAL] if game.mode != NORMAL else guesses
    frame[BEST] = INF
    frame[FORCED] = 0
    frame[MOST] = n
    frame[GUESS] = -1
    frame[TRIED] = 0
    frame[POS] = 0
    frame[COUNT] = 0
    stack.stats[NODES] += 1
    if n <= NARROW and game.unit == 1:
        narrow = stack.narrow[level]
        # Counts from this on are of no use, so need not be exact. With one guess left after this,
        # each answer that is not told apart is lost: where none may be, one is too many.
        limit = np.uint8(255)
        if not game.without & LIMIT:
            if d > 2:
                limit = np.uint8(max(min(beta - 2 * n + 2, 255), 0))
            elif game.loss >= INF:
                limit = np.uint8(3)
        scan(game, stack, members, n, legal, count, narrow, limit)
        least = np.uint8(255)
        for x in range(count):
            least = min(least, narrow[x])
        if d == 2:
            # Every part has one guess left: n - k answers are lost, exactly.
            value = np.int64(INF)
            mark(game, stack, members, n, 1)
            for x in range(count):
                if narrow[x] <= least + 1:
                    g = x if game.mode == NORMAL else legal[x]
                    found = np.int64(stack.member[g])
                    value = min(
                        value, 2 * n - found + lost(game.loss, np.int64(narrow[x]) - 1 + found)
                    )
            mark(game, stack, members, n, 0)
            return value, True
        frame[LEVEL] = least
        frame[MOST] = n + 1 - least
        frame[LOWER] = 2 * n - 1 + least
        if frame[LOWER] >= beta:
            return frame[LOWER], False
        return np.int64(-1), False
    # Wide: one histogram a guess; all guesses below beta are sorted once.
    order, keys, seen = stack.order[level], stack.sort_key, stack.tally
    wide = stack.wide[level]
    lowest = np.int64(INF)
    kept = 0
    exact_value = np.int64(INF)
    parts_most = np.int64(0)
    for x in range(count):
        g = x if game.mode == NORMAL else legal[x]
        row = game.table[g]
        most = np.int64(0)
        squares = np.int64(0)
        parts = np.int64(0)
        for i in range(n):
            a = members[i]
            p = row[a]
            c = seen[p]
            squares += 2 * c + 1
            if c == 0:
                most += game.weights[a]
                parts += 1
            seen[p] = c + 1
        parts_most = max(parts_most, parts)
        won = np.int64(0)
        if seen[game.win] == 1:
            for i in range(n):
                if game.own[members[i]] == g:
                    won = game.weights[members[i]]
        for p in range(game.win + 1):
            seen[p] = 0
        if squares == n * n:
            continue  # nothing learnt: the state is the same with a guess less
        bound = 3 * weight - won - most
        if d == 2:
            exact_value = min(exact_value, 2 * weight - won + lost(game.loss, weight - most))
            continue
        lowest = min(lowest, bound)
        if bound < beta:
            order[kept] = g
            wide[g] = bound
            keys[kept] = (bound * n + 2 * squares) * 16384 + x
            kept += 1
    if d == 2:
        return exact_value, True
    frame[MOST] = parts_most
    frame[LOWER] = lowest
    if lowest >= beta:
        return lowest, False
    sort_by_key(keys, order, kept)
    frame[COUNT] = kept
    frame[LEVEL] = -1
    return np.int64(-1), False


@lean_kernel
def next_guess(game, stack, level):
    """The next guess to try in this state, or -1 if the others cannot go below beta."""
    frame = stack.frame[level]
    order = stack.order[level]
    if game.width > 0 and frame[TRIED] >= game.width:
        return np.int64(-1)
    if frame[LEVEL] < 0:
        beta = min(frame[BETA], frame[BEST])
        while frame[POS] < frame[COUNT]:
            guess = order[frame[POS]]
            frame[POS] += 1
            if stack.wide[level, guess] < beta:
                return np.int64(guess)
        return np.int64(-1)
    n = frame[SIZE]
    narrow = stack.narrow[level]
    beta = min(frame[BETA], frame[BEST])
    while True:
        while frame[POS] < frame[COUNT]:
            x = order[frame[POS]]
            frame[POS] += 1
            if 2 * n - 1 + narrow[x] < beta:
                return np.int64(x) if game.mode == NORMAL else np.int64(stack.legal[level, x])
        # Collect the guesses of the next bounds.
        limit = min(beta - 2 * n + 1, n)  # no bound as large as this is of use
        if frame[LEVEL] >= limit:
            return np.int64(-1)
        step = 1 + n // STEP if game.width == 0 else n  # a beam looks at the best of all guesses
        low = np.uint8(frame[LEVEL])
        span = np.uint8(min(step, limit - frame[LEVEL]))
        total = frame[LEGAL] if game.mode != NORMAL else game.table.shape[0]
        kept = 0
        for base in range(0, total, 64):
            end = min(base + 64, total)
            hit = np.uint8(0)
            for x in range(base, end):
                hit |= np.uint8(np.uint8(narrow[x] - low) < span)
            if hit:
                for x in range(base, end):
                    if np.uint8(narrow[x] - low) < span:
                        order[kept] = x
                        kept += 1
        if (n >= SQUARES or game.width > 0) and kept > 1 and not game.without & ORDER:
            members = stack.answers[level][frame[START] : frame[START] + n]
            for i in range(kept):
                x = order[i]
                g = x if game.mode == NORMAL else stack.legal[level, x]
                squares = sum_of_squares(game.table[g], members, n, stack.tally)
                stack.sort_key[i] = ((narrow[x] * n + 2 * squares) << 32) + x
            sort_by_key(stack.sort_key, order, kept)
        frame[POS] = 0
        frame[COUNT] = kept
        frame[LEVEL] += step


@lean_kernel
def trivial(game, stack, level):
    """(value, True) of states that need no search: one or two answers, or one guess left; otherwise
    (-1, False).
    """
    frame = stack.frame[level]
    n, weight, d = frame[SIZE], frame[WEIGHT], frame[DEPTH]
    most = game.weights[stack.answers[level, frame[START]]]  # answers come by weight descending
    if n == 1:
        return weight, True
    if d == 1:
        return min(weight + lost(game.loss, weight - most), INF), True
    if n == 2:
        return 2 * weight - most, True
    if d == 2 and game.loss >= INF and n > game.win + 1:
        return np.int64(INF), True  # no guess has so many patterns
    return np.int64(-1), False

"""The exact search: alpha-beta over sums, on an explicit stack.

The total of a state S with d guesses left is

    V(S, d) = min over legal guesses g of W(S) + sum over non-winning parts c of g of V(c, d - 1)

`search` returns V if V < beta, and otherwise a number between beta and V. Every frame of the
stack is a state that tries its guesses one by one; a guess sums over its parts, each known
exactly or by a lower bound, and is dropped as soon as the sum reaches beta (fail-soft: the sum
itself is a lower bound of the guess).
"""

from __future__ import annotations

import numpy as np

from salet.jit import lean_kernel
from salet.search.exact.bounds import lost
from salet.search.exact.legality import child_legal
from salet.search.exact.model import (
    ALIKE,
    BEGUN,
    BEST,
    BETA,
    COUNT,
    DEPTH,
    FORCED,
    GUESS,
    IN_ROUNDS,
    INF,
    LEGAL,
    LEVEL,
    LEVEL_NOW,
    LIMIT,
    LOWER,
    MOST,
    NEXT,
    NODES,
    NORMAL,
    ORDER,
    PARTS,
    PATTERN,
    PLAYED,
    POS,
    SIZE,
    START,
    SUM,
    TODO,
    TRIED,
    WEIGHT,
)
from salet.search.exact.parts import begin_guess, state_key
from salet.search.exact.scan import count_repeats, gather, mark_repeats, sum_of_squares
from salet.search.exact.transpositions import store

PAIRWISE = 200
STEP = 16
SQUARES = 25
AT_ONCE = 48
SHARE = 16
AGAIN = 4
"""In rounds, parts of up to AT_ONCE answers are valued; of larger ones a SHARE more is asked at a
time, which is expected to take AGAIN as long as last time.
"""
NARROW = 254
"""Up to this many answers the pairwise kernel is used and guesses are tried bound by bound; above,
sorted once.
"""

OPEN, NEXT_GUESS, NEXT_PART, RETURN, PEEK = 0, 1, 2, 3, 4


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


@lean_kernel
def splits_alike(game, stack, level, guess):
    """Was a guess tried in this state that makes the same parts, legal guesses and all? The guess
    is noted otherwise. By 64-bit sums: for measuring, not for proofs.
    """
    noted, tried = stack.noted[level], stack.frame[level, TRIED]
    key = np.uint64(0)
    for j in range(stack.frame[level, PARTS]):
        start, size = stack.part_start[level, j], stack.part_size[level, j]
        pattern = stack.part_pattern[level, j]
        part = stack.answers[level + 1, start : start + size]
        one, two = state_key(game, stack, level, guess, pattern, part, size, 1)
        won = np.uint64(pattern == game.win)
        key += (one ^ (two << np.uint64(1))) * np.uint64(0x9E3779B97F4A7C15) + won
    for i in range(tried - 1):
        if noted[i] == key:
            noted[tried - 1] = key
            return True
    noted[tried - 1] = key
    return False


@lean_kernel
def enter_part(game, stack, level, j):
    """Set up the frame above `level` for part j of its current guess."""
    frame, child = stack.frame[level], stack.frame[level + 1]
    start, size = stack.part_start[level, j], stack.part_size[level, j]
    part = stack.answers[level + 1, start : start + size]
    own = np.int64(0)
    for i in range(size):
        own += game.weights[part[i]]
    child[START], child[SIZE], child[WEIGHT], child[DEPTH] = start, size, own, frame[DEPTH] - 1
    child[PLAYED], child[PATTERN] = frame[GUESS], stack.part_pattern[level, j]
    key0, key1 = state_key(
        game, stack, level, frame[GUESS], child[PATTERN], part, size, child[DEPTH]
    )
    stack.key[level + 1, 0], stack.key[level + 1, 1] = key0, key1


@lean_kernel
def part_of_a_round(stack, level, beta):
    """Put the part to be searched next first among those to do; return how much is to be asked of
    it.

    To show that a guess is worse than beta its parts need not be valued, only shown to cost enough
    together. A little more than is known of a part is often shown quickly where its value is not,
    so parts are asked for little at a time, the cheapest (by what they took last) first.
    """
    frame, todo = stack.frame[level], stack.todo[level]
    chosen, least = frame[NEXT], 0.0
    for i in range(frame[NEXT], frame[TODO]):
        m = stack.part_size[level, todo[i]]
        price = max(AGAIN * stack.part_nodes[todo[i]], 0.01 * m * m) / m
        if i == frame[NEXT] or price < least:
            chosen, least = i, price
    j = todo[chosen]
    todo[chosen] = todo[frame[NEXT]]
    todo[frame[NEXT]] = j
    lower, m = stack.part_lower[level, j], np.int64(stack.part_size[level, j])
    enough = beta - (frame[SUM] - lower)
    return enough if m <= AT_ONCE else min(lower + m // SHARE, enough)


@lean_kernel
def search(game, stack, table, phase, budget):
    """Run until the bottom frame returns or `budget` states were opened. Return (finished, phase,
    value).
    """
    top = stack.stats[LEVEL_NOW]  # kept with the stack, so that a search can pause
    value = np.int64(0)
    if phase == PEEK:  # only bound the guesses of the bottom state
        value, exact = open_state(game, stack, top)
        return True, phase, value
    limit = stack.stats[NODES] + budget
    while True:
        frame = stack.frame[top]
        if phase == OPEN:
            if stack.stats[NODES] >= limit:
                stack.stats[LEVEL_NOW] = top
                return False, phase, value
            value, exact = trivial(game, stack, top)
            if value >= 0:
                phase = RETURN
                continue
            value, exact = open_state(game, stack, top)
            if value >= 0:
                upper = value if exact else np.int64(INF)
                store(table, stack.key[top, 0], stack.key[top, 1], value, upper)
                phase = RETURN
            else:
                phase = NEXT_GUESS
        elif phase == NEXT_GUESS:
            beta = min(frame[BETA], frame[BEST])
            guess = next_guess(game, stack, top)
            if game.feasible == 1 and frame[BEST] < INF:
                guess = np.int64(-1)
            if guess < 0:
                # All guesses are done: best is exact if below beta, and otherwise there is a
                # lower bound.
                value = frame[BEST]
                lower = value
                if value >= frame[BETA]:
                    value = lower = max(frame[LOWER], frame[BETA])
                if game.feasible == 1:
                    lower = min(lower, max(frame[LOWER], 1))
                if frame[FORCED] == 0:
                    store(table, stack.key[top, 0], stack.key[top, 1], lower, min(frame[BEST], INF))
                phase = RETURN
            else:
                frame[TRIED] += 1
                stack.stats[BEGUN] += 1
                total = begin_guess(game, stack, table, top, guess, beta)
                if total < beta and game.without & ALIKE and splits_alike(game, stack, top, guess):
                    continue
                if total < beta:
                    frame[GUESS] = guess
                    phase = NEXT_PART
        elif phase == NEXT_PART:
            if frame[NEXT] == frame[TODO]:
                frame[BEST] = frame[SUM]
                phase = NEXT_GUESS
            else:
                beta = min(frame[BETA], frame[BEST])
                if frame[FORCED] == IN_ROUNDS:
                    beta = part_of_a_round(stack, top, beta)
                else:
                    beta -= frame[SUM] - stack.part_lower[top, stack.todo[top, frame[NEXT]]]
                j = stack.todo[top, frame[NEXT]]
                enter_part(game, stack, top, j)
                stack.frame[top + 1, BETA] = beta
                if frame[FORCED] == IN_ROUNDS:
                    stack.part_nodes[j] = -stack.stats[NODES]
                top += 1
                phase = OPEN
        else:
            if top == 0:
                stack.stats[LEVEL_NOW] = 0
                return True, phase, value
            top -= 1
            frame = stack.frame[top]
            j = stack.todo[top, frame[NEXT]]
            frame[SUM] = min(frame[SUM] - stack.part_lower[top, j] + value, INF)
            stack.part_lower[top, j] = value
            if frame[FORCED] == IN_ROUNDS:
                stack.part_nodes[j] += stack.stats[NODES]
            if frame[FORCED] != IN_ROUNDS or value < stack.frame[top + 1, BETA]:
                frame[NEXT] += 1
            phase = NEXT_GUESS if frame[SUM] >= min(frame[BETA], frame[BEST]) else NEXT_PART

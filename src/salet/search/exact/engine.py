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

from salet.numeric.jit import lean_kernel
from salet.search.exact.model import (
    ALIKE,
    BEGUN,
    BEST,
    BETA,
    DEPTH,
    FORCED,
    GUESS,
    IN_ROUNDS,
    INF,
    LEVEL_NOW,
    LOWER,
    NEXT,
    NODES,
    PARTS,
    PATTERN,
    PLAYED,
    SIZE,
    START,
    SUM,
    TODO,
    TRIED,
    WEIGHT,
)
from salet.search.exact.opening import next_guess, open_state, trivial
from salet.search.exact.parts import begin_guess, state_key
from salet.search.exact.transpositions import store

AT_ONCE = 48
SHARE = 16
AGAIN = 4
"""In rounds, parts of up to AT_ONCE answers are valued; of larger ones a SHARE more is asked at a
time, which is expected to take AGAIN as long as last time.
"""

OPEN, NEXT_GUESS, NEXT_PART, RETURN, PEEK = 0, 1, 2, 3, 4


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
    child[START], child[SIZE], child[DEPTH] = start, size, frame[DEPTH] - 1
    child[WEIGHT] = stack.part_weight[level, j]
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

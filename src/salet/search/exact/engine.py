"""The exact search: branch and bound over sums, on an explicit stack.

The total of a state S with d guesses left is

    V(S, d) = min over legal guesses g of W(S) + sum over losing parts c of g of V(c, d - 1)

Contract: `search` finds V if V < beta, and otherwise a number between beta and V. Every frame of
the stack is a state that tries its guesses one by one. A guess sums over its parts, each known
exactly or by a lower bound, and is dropped as soon as the sum reaches beta (fail-soft: the sum
itself is a lower bound of the guess). Proofs of all bounds are in bounds.py.
"""

from __future__ import annotations

import numpy as np

from salet.numeric.jit import inlined_kernel, lean_kernel
from salet.search.exact.bounds import price_of
from salet.search.exact.expand import expand, next_guess
from salet.search.exact.layout import INF
from salet.search.exact.opener_bound import can_scan_parts, opener_bound
from salet.search.exact.split import state_key, try_guess
from salet.search.exact.stack import ALL_GUESSES, ONE_GUESS_IN_ROUNDS, is_log_full, log_bound
from salet.search.exact.transposition_table import store

MAX_AT_ONCE = 48
SHARE = 16
AGAIN = 4
"""In rounds, parts of up to MAX_AT_ONCE answers are valued outright; of larger ones 1 / SHARE of
their size more is asked at a time, which is expected to take AGAIN times as long as last time."""

EXPAND, NEXT_GUESS, NEXT_PART, RETURN, EXPAND_ONLY = 0, 1, 2, 3, 4
"""Phases of a search. EXPAND_ONLY expands the bottom state and returns."""


@lean_kernel
def search(layout, stack, table, phase, budget):
    """Run until the bottom frame returns, `budget` states are expanded or parts scanned, or the log
    is full.

    Returns (finished, phase, value). An unfinished search continues with the phase returned.
    """
    counters = stack.counters[0]
    level = counters.level
    value = np.int64(0)
    if phase == EXPAND_ONLY:
        value, is_exact = expand(layout, stack, level)
        return True, phase, value
    limit = counters.nodes + counters.scans + budget  # a scan takes about as long as an expansion
    while True:
        frame = stack.frames[level]
        if phase == EXPAND:
            # 1. A new state: settle it at once, or bound its guesses.
            if counters.nodes + counters.scans >= limit or is_log_full(stack):
                counters.level = level
                return False, phase, value
            value = trivial_value(layout, stack, level)
            phase = RETURN
            if value < 0:
                value, is_exact = expand(layout, stack, level)
                if value < 0:
                    phase = NEXT_GUESS
                else:
                    upper = value if is_exact else np.int64(INF)
                    log_bound(stack, level, value)
                    store(table, stack.keys[level, 0], stack.keys[level, 1], value, upper)
        elif phase == NEXT_GUESS:
            # 2. Try the next guess, as far as bounds go; without one, the state is done.
            if counters.nodes + counters.scans >= limit:
                counters.level = level
                return False, phase, value
            beta = min(frame.beta, frame.best)
            guess = next_guess(layout, stack, level)
            if layout.feasible == 1 and frame.best < INF:
                guess = np.int64(-1)
            if guess < 0:
                value = conclude(layout, stack, table, level)
                phase = RETURN
            else:
                frame.tried += 1
                counters.guesses += 1
                if can_scan_parts(layout, stack, level, beta):
                    value = opener_bound(layout, stack, table, level, guess, beta)
                else:
                    value = try_guess(layout, stack, table, level, guess, beta)
                if value < beta:
                    frame.guess = guess
                    phase = NEXT_PART
        elif phase == NEXT_PART:
            # 3. Search the next part of the guess; without one, its total is known and the best.
            if frame.next_part == frame.open_parts:
                frame.best, frame.best_guess = frame.total, frame.guess
                phase = NEXT_GUESS
            else:
                enter_next_part(layout, stack, level)
                level += 1
                phase = EXPAND
        else:
            # 4. A state returns its value: add it to the guess that led there.
            if level == 0:
                counters.level = 0
                return True, phase, value
            level -= 1
            leave_part(stack, level, value)
            frame = stack.frames[level]
            dropped = frame.total >= min(frame.beta, frame.best)
            phase = NEXT_GUESS if dropped else NEXT_PART


@lean_kernel
def trivial_value(layout, stack, level):
    """The value of a state that needs no search (one or two answers, or one guess left), or -1."""
    frame = stack.frames[level]
    heaviest = layout.weights[stack.answers[level, frame.start]]
    if frame.count == 1:
        return frame.weight
    if frame.depth == 1:
        return min(frame.weight + price_of(layout.loss, frame.weight - heaviest), INF)
    if frame.count == 2:
        return 2 * frame.weight - heaviest
    if frame.depth == 2 and layout.loss >= INF and frame.count > layout.win + 1:
        return np.int64(INF)  # more answers than patterns [two guesses left]
    return np.int64(-1)


@inlined_kernel
def conclude(layout, stack, table, level):
    """The value of a state whose guesses are done: exact if below beta, else a lower bound."""
    frame = stack.frames[level]
    value = frame.best
    if value >= frame.beta:
        value = max(frame.lower, frame.beta)
    if frame.kind == ALL_GUESSES:
        lower, upper = value, frame.best
        if layout.feasible == 1 and frame.best < INF:
            # Some plan keeps the cap; all that is known of its total is that none takes longer.
            lower, upper = frame.lower, frame.weight * frame.depth
        log_bound(stack, level, lower)
        store(table, stack.keys[level, 0], stack.keys[level, 1], lower, min(upper, INF))
    return value


@inlined_kernel
def enter_next_part(layout, stack, level):
    """Set up the frame above `level` for the next part of its guess."""
    frame, child = stack.frames[level], stack.frames[level + 1]
    beta = min(frame.beta, frame.best)
    if frame.kind == ONE_GUESS_IN_ROUNDS:
        beta = choose_part(stack, level, beta)
    else:
        j = stack.open_parts[level, frame.next_part]
        beta -= frame.total - stack.part_lower[level, j]
    j = stack.open_parts[level, frame.next_part]
    child.start, child.count = stack.part_start[level, j], stack.part_count[level, j]
    child.weight, child.depth = stack.part_weight[level, j], frame.depth - 1
    child.played, child.pattern = frame.guess, stack.part_pattern[level, j]
    child.beta = beta
    part = stack.answers[level + 1, child.start : child.start + child.count]
    key0, key1 = state_key(
        layout, stack, level, child.played, child.pattern, part, child.count, child.depth
    )
    stack.keys[level + 1, 0], stack.keys[level + 1, 1] = key0, key1
    if frame.kind == ONE_GUESS_IN_ROUNDS:
        stack.part_nodes[j] = -stack.counters[0].nodes


@lean_kernel
def leave_part(stack, level, value):
    """Replace the bound of the part just searched by what was found."""
    frame = stack.frames[level]
    j = stack.open_parts[level, frame.next_part]
    frame.total = min(frame.total - stack.part_lower[level, j] + value, INF)
    stack.part_lower[level, j] = value
    if frame.kind == ONE_GUESS_IN_ROUNDS:
        stack.part_nodes[j] += stack.counters[0].nodes
        if value >= stack.frames[level + 1].beta:
            return  # only a better bound: its turn comes again
    frame.next_part += 1


@lean_kernel
def choose_part(stack, level, beta):
    """Move the open part to search next to the front; return the beta to search it with.

    To show that a guess is no better than beta its parts need not be valued, only shown to cost
    enough together. A little more than is known of a part is often shown quickly where its value is
    not, so parts are asked for little at a time, the cheapest (by what they took last) first.
    """
    frame, open_parts = stack.frames[level], stack.open_parts[level]
    chosen, lowest = frame.next_part, 0.0
    for i in range(frame.next_part, frame.open_parts):
        m = stack.part_count[level, open_parts[i]]
        price = max(AGAIN * stack.part_nodes[open_parts[i]], 0.01 * m * m) / m
        if i == frame.next_part or price < lowest:
            chosen, lowest = i, price
    j = open_parts[chosen]
    open_parts[chosen] = open_parts[frame.next_part]
    open_parts[frame.next_part] = j
    lower, m = stack.part_lower[level, j], np.int64(stack.part_count[level, j])
    enough = beta - (frame.total - lower)
    return enough if m <= MAX_AT_ONCE else min(lower + m // SHARE, enough)

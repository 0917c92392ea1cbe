"""Splitting many sets of answers by guesses, with the table of patterns.

Sets lie end to end: set `s` has the words `words[starts[s] : starts[s + 1]]`, ascending.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from salet.array_types import Floats, Indices, Ints, Patterns
from salet.game.table import Table
from salet.learn.common.ragged import AnswerSets
from salet.numeric.jit import kernel

LOSS_COST = 12
"""cost of a lost answer beyond the guesses made, large enough that winning comes first"""
_BLOCK = 2048
"""guesses counted together, so that their counters stay in the L1 cache"""


def split_sets(table: Table, sets: AnswerSets, guesses: Indices) -> tuple[AnswerSets, Ints]:
    """The groups into which `guesses[set, k]` split each set, and the guess (set * k) of each."""
    width = guesses.shape[1]
    owners = np.repeat(np.arange(len(sets)), width)
    max_groups = int(sets.sizes.sum()) * width
    words = np.empty(max_groups, np.int32)
    starts = np.empty(max_groups + 1, np.int64)
    parents = np.empty(max_groups, np.int64)
    count = split_by_pattern(
        table.ids, table.patterns, sets.words, sets.starts, owners, guesses.ravel(),
        words, starts, parents,
    )  # fmt: skip
    parents = parents[:count]
    turns = sets.turns[parents // width] + 1
    return AnswerSets(words[: starts[count]], starts[: count + 1], turns), parents


def known_totals(sizes: Ints, left: int) -> Ints:
    """Guesses to come in groups that are not followed further, and 0 for the others.

    One answer takes one guess and two take three; with one guess left all answers but one are lost.
    """
    if left == 0:
        return sizes * LOSS_COST
    if left == 1:
        return sizes + (sizes - 1) * LOSS_COST
    return np.where(sizes <= 2, 2 * sizes - 1, 0)


def one_ply_totals(
    value: Callable[[AnswerSets], Floats],
    table: Table,
    sets: AnswerSets,
    guesses: Indices,
    left: int,
) -> Floats:
    """totals[set, k]: predicted guesses after `guesses[set, k]`, summed over the set's answers.

    `value` predicts the totals of sets; `left` is the number of guesses left, this one included.
    """
    groups, parents = split_sets(table, sets, guesses)
    if left <= 2:
        totals = known_totals(groups.sizes, left - 1).astype(np.float64)
    else:
        totals = value(groups)
    summed: Floats = np.bincount(parents, totals, guesses.size).astype(np.float64)
    return summed.reshape(guesses.shape)


@kernel
def split_by_pattern(
    table: Patterns,
    patterns: int,
    words: Indices,
    starts: Ints,
    owners: Ints,
    guesses: Indices,
    out: Indices,
    child_starts: Ints,
    parents: Ints,
) -> int:
    """Split set `owners[p]` by `guesses[p]` for every p; returns the number of groups.

    Group c starts at `out[child_starts[c]]`, and `parents[c]` is its p. The group of the win is
    left out. Groups keep the ascending order of their set.
    """
    win = patterns - 1
    size = np.zeros(patterns, np.int64)
    end_of = np.zeros(patterns, np.int64)
    order = np.zeros(patterns, np.int64)
    groups, written = 0, 0
    for p in range(owners.shape[0]):
        row = table[guesses[p]]
        begin, end = starts[owners[p]], starts[owners[p] + 1]
        found = 0
        for t in range(begin, end):
            c = row[words[t]]
            if c != win:
                if size[c] == 0:
                    order[found] = c
                    found += 1
                size[c] += 1
        for k in range(found):
            c = order[k]
            end_of[c] = written
            child_starts[groups] = written
            parents[groups] = p
            written += size[c]
            groups += 1
            size[c] = 0
        for t in range(begin, end):
            c = row[words[t]]
            if c != win:
                out[end_of[c]] = words[t]
                end_of[c] += 1
    child_starts[groups] = written
    return groups


@kernel
def count_groups(rows: Patterns, words: Indices, out: Ints) -> None:
    """out[g] = number of groups into which guess g splits at most 255 words; rows[answer, guess].

    An answer adds no group if an earlier one shows the same pattern. Comparing whole rows pairwise
    takes n**2 / 2 steps, each over many guesses in one vector instruction.
    """
    n, guesses = len(words), rows.shape[1]
    seen = np.zeros(_BLOCK, np.uint8)
    repeats = np.zeros(_BLOCK, np.uint8)
    for base in range(0, guesses, _BLOCK):
        m = min(_BLOCK, guesses - base)
        repeats[:] = 0
        for i in range(1, n):
            one = rows[words[i], base : base + m]
            seen[:] = 0
            for j in range(i):
                other = rows[words[j], base : base + m]
                for x in range(m):
                    seen[x] |= np.uint8(one[x] == other[x])
            for x in range(m):
                repeats[x] += seen[x]
        for x in range(m):
            out[base + x] = n - repeats[x]

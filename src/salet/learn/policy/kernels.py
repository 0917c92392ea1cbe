"""Compiled loops over many sets of answers at once.

Sets lie end to end: set `s` has the words `words[starts[s] : starts[s + 1]]`, ascending.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from salet.array_types import Codes, Indices, Ints, Patterns
from salet.numeric.jit import kernel

_BLOCK = 2048
"""guesses counted together, so that their counters stay in the L1 cache"""


@kernel
def fill_set_features(
    codes: Codes,
    words: Indices,
    starts: Ints,
    turns: Ints,
    alphabet: int,
    max_count: int,
    max_turns: int,
    out: NDArray[np.float32],
) -> None:
    """Fill the features of each set, as documented by `salet.learn.policy.network.set_features`."""
    length = codes.shape[1]
    marks = (length + 2) * alphabet
    pairs = alphabet * (alphabet - 1) // 2
    share = np.zeros(marks, np.float32)
    joint = np.zeros(pairs, np.float32)
    count = np.zeros(alphabet, np.int64)
    letters = np.zeros(length, np.int64)
    for s in range(starts.shape[0] - 1):
        share[:] = 0
        joint[:] = 0
        n = starts[s + 1] - starts[s]
        for t in range(starts[s], starts[s + 1]):
            word = codes[words[t]]
            distinct = 0
            for p in range(length):
                x = np.int64(word[p])
                share[p * alphabet + x] += 1
                count[x] += 1
                if count[x] == 1:
                    share[length * alphabet + x] += 1
                    for k in range(distinct):
                        low, high = min(x, letters[k]), max(x, letters[k])
                        joint[low * (2 * alphabet - low - 1) // 2 + high - low - 1] += 1
                    letters[distinct] = x
                    distinct += 1
                elif count[x] == 2:
                    share[(length + 1) * alphabet + x] += 1
            for k in range(distinct):
                count[letters[k]] = 0
        for i in range(marks):
            share[i] /= n
            out[s, i] = share[i]
            out[s, marks + i] = 4 * share[i] * (1 - share[i])
        present = share[length * alphabet : (length + 1) * alphabet]
        pair = 0
        for i in range(alphabet):
            for j in range(i + 1, alphabet):
                out[s, 2 * marks + pair] = 4 * (joint[pair] / n - present[i] * present[j])
                pair += 1
        rest = out[s, 2 * marks + pairs :]
        rest[:] = 0
        rest[0] = np.log(n) / 4
        rest[1] = 1 / n
        if n <= max_count:
            rest[1 + n] = 1
        rest[2 + max_count + min(turns[s], max_turns - 1)] = 1


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


@kernel
def fill_word_features(codes: Codes, alphabet: int, out: Codes) -> None:
    """out[word]: one-hot letters by position, then letters that occur, then letters that occur
    more than once."""
    length = codes.shape[1]
    for w in range(codes.shape[0]):
        for p in range(length):
            x = codes[w, p]
            out[w, p * alphabet + x] = 1
            if out[w, length * alphabet + x]:
                out[w, (length + 1) * alphabet + x] = 1
            out[w, length * alphabet + x] = 1
